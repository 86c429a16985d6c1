import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runInTerminal } from "./run-in-terminal.js";
import { sample, wholeTest } from "../harness/tier.js";

const keys = [
  ["q", 0],
  ["\u0003", 130],
] as const;

test.each(sample("keys that end a watch", keys, 1))(
  "in a terminal a watched plan follows the files, and %j gives the terminal back",
  async (key, code) => {
    const directory = mkdtempSync(join(tmpdir(), "agentform-watch-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    cpSync(join("examples", "support-desk"), directory, { recursive: true });
    const { ended, type, shown, written } = runInTerminal(directory, "plan --watch");
    const shows = (text: RegExp) =>
      vi.waitFor(() => expect(shown().text).toMatch(text), { timeout: 1_200_000 });
    await shows(/lines 1 to 29 of \d+/);
    type("\u001b[6~");
    await shows(/lines 29 to 57 of \d+/);
    appendFileSync(join(directory, "agentform.yaml"), "\nnope: 1\n");
    await shows(/unknown field `nope`/);
    type(key);
    expect(await ended).toBe(code);
    expect(written().endsWith("\u001b[?7h\u001b[?25h\u001b[?1049l")).toBe(true);
  },
);

wholeTest(
  "Ctrl-Z where nothing can be stopped, and a signal to go on, leave a watched plan as it is",
  async () => {
    const { ended, type, shown, written } = runInTerminal("examples/support-desk", "plan --watch");
    const shows = (text: RegExp) =>
      vi.waitFor(() => expect(shown().text).toMatch(text), { timeout: 1_200_000 });
    await shows(/lines 1 to 29 of \d+/);
    type("\u001a");
    await vi.waitFor(() => expect(written().match(/\u001b\[\?1049h/g)).toHaveLength(2), {
      timeout: 1_200_000,
    });
    type("\u001b[6~");
    await shows(/lines 29 to 57 of \d+/);
    type("q");
    expect(await ended).toBe(0);
  },
);

test("without a terminal a watched plan is refused", async () => {
  const { ended, written } = runInTerminal(".", "plan --watch < /dev/null");
  expect(await ended).toBe(64);
  expect(written()).toContain("--watch needs a terminal");
});
