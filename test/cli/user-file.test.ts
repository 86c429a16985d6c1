import { execFileSync, spawn } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDesk } from "./desk.js";
import { needFile, needProgram } from "../harness/need.js";
import { sample } from "../harness/tier.js";

const device = "/dev/zero";

test.each([
  [["plan", "--var-file", device]],
  [["apply", "--yes", "--env-file", device]],
  [["apply", "--yes", "--ca-file", device]],
  [["emulator", "--port", "0", "--faults", device]],
  [["show", device]],
  [["lock", "resolve", "--from", device]],
])("%s does not read a device to its end", async (args) => {
  needFile(device);
  const { run } = await openDesk();
  const { code, err } = await run(...args);
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("is a device") });
});

test.each([
  [["plan", "--var-file", "."]],
  [["apply", "--yes", "--env-file", "."]],
  [["apply", "--yes", "--ca-file", "."]],
  [["show", "."]],
  [["lock", "resolve", "--from", "."]],
])("%s refuses a folder", async (args) => {
  const { run } = await openDesk();
  const { code, err } = await run(...args);
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("cannot be read (EISDIR)") });
});

const large = 300_000_000;

const readers = [
  [["plan", "--var-file", "large"], 64, "is larger than 256 MB"],
  [["show", "large"], 1, "the plan is not valid JSON"],
  [["plan", "--observed", "large"], 1, "the observation is not valid JSON"],
] as const;

test.each(sample("readers of a large file", readers, 1))(
  "%s refuses a large file that agentform did not write",
  async (args, code, message) => {
    const { run, workspace } = await openDesk();
    workspace.write({ large: "{\n" });
    truncateSync(join(workspace.directory, "large"), large);
    const refused = await run(...args);
    expect(refused).toMatchObject({ code, err: expect.stringContaining(message) });
  },
);

test("a pipe that somebody has read before is not taken for a file without variables", async () => {
  needProgram("mkfifo");
  const { run, workspace } = await openDesk();
  const pipe = join(workspace.directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  // It is opened for writing and closed, once somebody reads it.
  spawn("sh", ["-c", ': > "$1"', "sh", pipe]);
  const { code, err } = await run("apply", "--yes", "--env-file", "pipe");
  expect(code).toBe(64);
  expect(err).toContain("--env-file pipe is a pipe with nothing left in it");
});
