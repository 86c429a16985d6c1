import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes an empty folder for a cache, which goes with the test. */
export function makeCacheFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
