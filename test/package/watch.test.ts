import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runInTerminal } from "./run-in-terminal.js";

test("in a terminal a watched plan follows the files until Ctrl-C", async () => {
  const directory = mkdtempSync(join(tmpdir(), "agentform-watch-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join("examples", "support-desk"), directory, { recursive: true });
  const { ended, type, shown } = runInTerminal(directory, "plan --watch");
  const shows = (text: RegExp) =>
    vi.waitFor(() => expect(shown().text).toMatch(text), { timeout: 1_200_000 });
  await shows(/Digest[^]*Planned at/);
  appendFileSync(join(directory, "agentform.yaml"), "\nnope: 1\n");
  await shows(/unknown field `nope`[^]*Planned at/);
  expect(shown().text).not.toContain("Digest");
  type("\u0003");
  expect(await ended).toBe(130);
});

test("without a terminal a watched plan is refused", async () => {
  const { ended, written } = runInTerminal(".", "plan --watch < /dev/null");
  expect(await ended).toBe(64);
  expect(written()).toContain("--watch needs a terminal");
});
