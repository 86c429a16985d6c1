import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nearest } from "../core/nearest.js";
import type { WorkspaceFolder } from "./read-text.js";

/** Gives the path beside a missing one that was probably meant, or undefined; all relative to the workspace. */
export function closestName(folder: WorkspaceFolder, missing: string): string | undefined {
  const beside = dirname(missing);
  try {
    const meant = nearest(basename(missing), readdirSync(join(folder.root, beside)));
    return meant === undefined ? undefined : join(beside, meant).replaceAll("\\", "/");
  } catch {
    return undefined;
  }
}
