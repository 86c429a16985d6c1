import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { validatorsForEsbuild } from "../../scripts/validators.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the programs that run in processes of their own. */
    programs: string;
  }
}

const require =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** Builds the programs of other processes, once for all files that start them. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-crew-"));
  await build({
    entryPoints: ["applier.ts", "runner.ts"].map((name) => join(import.meta.dirname, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    banner: { js: require },
    plugins: [validatorsForEsbuild()],
    logLevel: "error",
  });
  project.provide("programs", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
