import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nearest } from "../core/finding/nearest.js";
import type { WorkspaceFolder } from "./read-text.js";

/** Gives the existing path that is closest to a missing one, or undefined; all relative to the workspace. */
export function closestName(folder: WorkspaceFolder, missing: string): string | undefined {
  const beside = dirname(missing);
  const absolute = join(folder.root, beside);
  try {
    // Names in a folder outside the workspace are not to be revealed.
    if (folder.refuseReal(beside, absolute)) return undefined;
    const meant = nearest(basename(missing), readdirSync(absolute));
    return meant === undefined ? undefined : join(beside, meant).replaceAll("\\", "/");
  } catch {
    return undefined;
  }
}
