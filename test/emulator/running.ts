import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/emulator.js";

/** Starts an emulator that is closed when the test ends. */
export async function running(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ consoleKey: "some-key", ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

/** Makes a folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-emulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
