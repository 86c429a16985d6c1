import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createConnection } from "vscode-languageserver/node";
import { EditorWorkspaces } from "../../src/editor/editor-workspaces.js";

test("many open files ask the disk in proportion to their number", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "texts-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const asked = vi.spyOn(realpathSync, "native");
  onTestFinished(() => asked.mockRestore());
  const open = (count: number) => {
    const before = asked.mock.calls.length;
    const workspaces = new EditorWorkspaces(
      { environment: null },
      createConnection(new PassThrough(), new PassThrough()),
    );
    for (let index = 0; index < count; index++)
      workspaces.edit(pathToFileURL(join(folder, `${index}.yaml`)).href, "a: 1\n");
    return asked.mock.calls.length - before;
  };
  const one = open(1);
  expect(one).toBeGreaterThan(0);
  expect(open(200)).toBeLessThanOrEqual(200 * one);
});
