import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createConnection } from "vscode-languageserver/node";
import { EditorWorkspaces } from "../../src/editor/editor-workspaces.js";
import { effort } from "../harness/effort.js";

test("many open files take work in proportion to their number", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "texts-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = (count: number) => {
    const workspaces = new EditorWorkspaces(
      { environment: null },
      createConnection(new PassThrough(), new PassThrough()),
    );
    return effort(() => {
      for (let index = 0; index < count; index++)
        workspaces.edit(pathToFileURL(join(folder, `${index}.yaml`)).href, "a: 1\n");
    });
  };
  open(100);
  const small = open(250);
  expect(open(2000)).toBeLessThan(24 * small);
});
