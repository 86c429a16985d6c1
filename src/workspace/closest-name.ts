import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nearest } from "../core/finding/nearest.js";
import type { WorkspaceFolder } from "./workspace-folder.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** Gives the existing path that is closest to a missing one, or undefined; all relative to the workspace. */
export function closestName(folder: WorkspaceFolder, missing: string): string | undefined {
  const beside = dirname(missing);
  const unsaved = folder.unsavedIn(beside === "." ? "" : beside).map((path) => path.replace(/\/.*$/, ""));
  const meant = nearest(basename(missing), [...namesIn(folder, beside), ...unsaved]);
  return meant === undefined ? undefined : join(beside, meant).replaceAll("\\", "/");
}

function namesIn(folder: WorkspaceFolder, name: string): string[] {
  const absolute = join(folder.root, name);
  // Names in a folder outside the workspace are not to be revealed.
  return unlessFailing(() => (folder.refuseReal(name, absolute) ? [] : readdirSync(absolute))) ?? [];
}
