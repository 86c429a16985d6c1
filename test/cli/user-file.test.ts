import { expect, test } from "vitest";
import { openDesk } from "./desk.js";
import { needFile } from "../harness/need.js";

const device = "/dev/zero";

test.each([
  [["plan", "--var-file", device]],
  [["apply", "--yes", "--env-file", device]],
  [["show", device]],
  [["lock", "adopt", "--from", device]],
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
  [["lock", "adopt", "--from", "."]],
])("%s refuses a folder", async (args) => {
  const { run } = await openDesk();
  const { code, err } = await run(...args);
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("cannot be read (EISDIR)") });
});
