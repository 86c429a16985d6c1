import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { runCommand } from "./run-command.js";

// Turns the writing direction, colours, and begins a line.
const word = "x\u202E\u001B[31m\nerror: y";

test.each([
  ["plan", "--changed-since", word],
  ["plan", "--lock-from", word],
  ["validate", "--rules-from", word],
  ["plan", "--out", `none/${word}`],
  ["output", "--out", `none/${word}`],
  ["init", word],
])("a word of the command line is text in what is said of it: %s %s", async (...args) => {
  const { directory } = makeWorkspace({ "agents/a.yaml": documentText("Agent", "a", { name: "A" }) });
  execFileSync("git", ["init", "--quiet", directory]);
  const { stdout, stderr } = await runCommand(args, { cwd: directory });
  expect(stdout + stderr).toContain("\\u{202e}");
  expect(stdout + stderr).not.toMatch(/\u202E|\u001B|^error: y/m);
});
