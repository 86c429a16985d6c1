import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { TestRunner } from "vitest";

const found = new Map<string, boolean>();

/**
 * Says that the running test needs a program; where the machine does not have it, the test is skipped and the reason
 * reported. It is there if it ends with 0 with the words of `probe` and without input.
 */
export function needProgram(
  name: string,
  reason = `needs ${name}, which is not on this machine`,
  probe: readonly string[] = ["--version"],
): void {
  const isHere = found.get(name) ?? spawnSync(name, probe, { stdio: "ignore" }).status === 0;
  found.set(name, isHere);
  if (!isHere) skipTest(reason);
}

/** Says that the running test needs a file of the system's; where it is not there, the test is skipped and the reason reported. */
export function needFile(path: string): void {
  if (!existsSync(path)) skipTest(`needs ${path}, which is not on this machine`);
}

/** Makes a named pipe; where the machine cannot, the running test is skipped and the reason reported. */
export function makePipe(path: string): void {
  if (spawnSync("mkfifo", [path], { stdio: "ignore" }).status !== 0)
    skipTest("needs mkfifo, which is not on this machine");
}

/** Skips the running test; the reason is reported. */
export function skipTest(reason: string): never {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error(`outside of a test: ${reason}`);
  return test.context.skip(reason);
}
