import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { unlessFailing } from "./unless-failing.js";

/**
 * Makes a folder and those above it that are missing; gives the ones that it made, the topmost first. One by one: where
 * none can be made, as in /proc, Node tries to make them together without end.
 */
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
