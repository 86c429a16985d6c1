import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { unlessFailing } from "./unless-failing.js";

/** Makes missing folders, one by one, for in /proc Node would try forever; gives those made, the topmost first. */
export function makeFolder(path: string, mode?: number): string[] {
  if (isFolder(path)) return [];
  const above = dirname(path);
  const made = above === path ? [] : makeFolder(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (cause) {
    // Another process may have made it.
    if (isFolder(path)) return made;
    throw cause;
  }
  return [...made, path];
}

/** Whether a path leads to a folder. */
export function isFolder(path: string): boolean {
  return unlessFailing(() => statSync(path).isDirectory()) === true;
}
