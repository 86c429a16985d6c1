import { existsSync, lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { nearest } from "../core/finding/nearest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** Gives the file of a folder whose name is almost that of a manifest, such as `agentform.yml`; undefined if none is. */
export function misnamedManifest(folder: string): string | undefined {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory() && entry.name !== manifestFile)
    .map(({ name }) => name)
    .find((name) => isMeant(name.toLowerCase()));
}

/** Whether a found workspace is this user's or the folder owner's: anybody can leave one in /tmp, to get the key. */
export function isOwnWorkspace(found: string, here: string): boolean {
  const { uid: owner } = lstatSync(here);
  const trusted = [owner, process.getuid?.() ?? owner];
  return [found, join(found, manifestFile)].every((path) => {
    // It may go at any moment, as when git changes branches.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined || trusted.includes(stat.uid);
  });
}

const mostLooked = 200;

/** Gives the folders directly in a folder that have a manifest, sorted; of very many folders only some are looked into. */
export function workspacesBelow(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .slice(0, mostLooked)
    .map(({ name }) => name)
    .filter((name) => existsSync(join(folder, name, manifestFile)))
    .toSorted();
}

function entriesOf(folder: string): Dirent[] {
  return unlessFailing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

function isMeant(name: string): boolean {
  return /\.ya?ml$/.test(name) && (name === manifestFile || nearest(name, [manifestFile]) !== undefined);
}
