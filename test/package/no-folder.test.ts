import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

// As a shell that stands in a folder which git has removed.
const leaveNothing = `import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
const folder = mkdtempSync(tmpdir() + "/agentform-gone-");
process.chdir(folder);
rmdirSync(folder);`;

test.each([["plan"], ["validate", "-C", "/"], ["help"]])(
  "a folder that is not there any more is told apart from a bug: %s",
  async (...args) => {
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(leaveNothing)}`;
    expect(await runCli(args, { env: { NODE_OPTIONS } })).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: the current folder does not exist any more; change to another one\n",
    });
  },
);
