import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { sample } from "../harness/tier.js";
import { runCli } from "./run-cli.js";

/** The files of the package that a run of the command line loads. */
async function loadedBy(args: readonly string[]): Promise<{ count: number; bytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-loading-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cwd, coverage] = [join(folder, "desk"), join(folder, "coverage")];
  cpSync(join("examples", "support-desk"), cwd, { recursive: true });
  const { code } = await runCli(args, { cwd, env: { NODE_V8_COVERAGE: coverage } });
  expect(code).toBe(0);
  // Node lists every script that it loads in the coverage.
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  });
  const files = [...new Set(urls)].filter((url) => url.startsWith("file:") && url.includes("/dist/"));
  expect(files).not.toEqual([]);
  const bytes = files.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
  return { count: files.length, bytes };
}

// The start of a command is mostly the loading of its code: each file, and each byte.
const bounds = [
  { args: ["--version"], files: 5, bytes: 10_000 },
  { args: ["schema", "agent"], files: 15, bytes: 195_000 },
  { args: ["help"], files: 20, bytes: 85_000 },
  { args: ["help", "references"], files: 20, bytes: 85_000 },
  { args: ["graph"], files: 20, bytes: 1_015_000 },
  { args: ["validate"], files: 20, bytes: 1_015_000 },
  { args: ["plan"], files: 20, bytes: 1_015_000 },
  { args: ["apply", "--yes", "--emulator"], files: 45, bytes: 1_265_000 },
  { args: ["completion", "bash", "--", " ", "agentform plan --target "], files: 15, bytes: 150_000 },
];

test.each(sample("commands that load", bounds, 3))(
  "$args loads few files and little code",
  async ({ args, files, bytes }) => {
    const loaded = await loadedBy(args);
    expect(loaded.count).toBeLessThanOrEqual(files);
    expect(loaded.bytes).toBeLessThan(bytes);
  },
);
