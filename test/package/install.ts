import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that the packed package is installed into. */
    installed: string;
    /** The archive, its bytes, and the paths in it. */
    packed: { readonly file: string; readonly size: number; readonly paths: readonly string[] };
  }
}

/** Builds and packs the package, and installs it into an empty folder without a network. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "agentform-package-"));
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder], process.cwd()),
  ) as [{ filename: string; size: number; files: readonly { path: string }[] }];
  const file = join(folder, packed.filename);
  const installed = join(folder, "project");
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), '{"private": true, "type": "module"}');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", file], installed);
  project.provide("installed", installed);
  project.provide("packed", { file, size: packed.size, paths: packed.files.map(({ path }) => path) });
  return () => rmSync(folder, { recursive: true, force: true });
}
