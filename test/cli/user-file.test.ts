import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { openDesk } from "./desk.js";

const device = "/dev/zero";

test
  .runIf(existsSync(device))
  .each([
    [["plan", "--var-file", device]],
    [["apply", "--yes", "--env-file", device]],
    [["show", device]],
    [["lock", "adopt", "--from", device]],
  ])("%s does not read a device to its end", async (args) => {
  const { run } = await openDesk();
  const { code, err } = await run(...args);
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("is a device") });
});
