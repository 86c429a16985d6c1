import { posix } from "node:path";
import { manifestFile } from "../../core/resources/manifest-file.js";
import type { Fleet } from "../../core/resources/fleet.js";

/**
 * Gives what decides over the agents of a workspace: its manifest, its policies with all that they include and that
 * patches them, and its rules. In the place of files there is the highest folder that has nothing else that is read,
 * with `/` at its end.
 */
export function guardedPaths(fleets: readonly Fleet[]): string[] {
  const [guarded, others, roots] = [new Set([manifestFile]), new Set<string>(), new Set<string>()];
  for (const { settings, resources } of fleets) {
    for (const { kind, files } of resources.values())
      for (const file of files) (kind.name === "policy" ? guarded : others).add(file);
    for (const { origin, file } of settings.rules) if (origin === "workspace") guarded.add(file);
    for (const folder of settings.include) roots.add(posix.normalize(`${folder}/`));
  }
  const files = [...others].filter((file) => !guarded.has(file));
  const mixed = new Set(files.flatMap((file) => foldersAbove(file, "")));
  const paths = [...guarded].map((file) => {
    const root = [...roots].find((each) => file.startsWith(each)) ?? "";
    return foldersAbove(file, root).find((folder) => !mixed.has(folder)) ?? file;
  });
  // Where documents will be, also before the first.
  const isUsual = fleets.every(({ settings }) => !settings.includeIsWritten);
  const usual = isUsual ? usualFolders.filter((folder) => !mixed.has(folder)) : [];
  return [...new Set([manifestFile, ...usual, ...paths])];
}

/** The folders of policies and rules where the manifest names none. */
export const usualFolders = ["policies/", "rules/"] as const;

// From the highest to the lowest, none above the root.
function foldersAbove(file: string, root: string): string[] {
  const names = file.split("/").slice(0, -1);
  const folders = names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
  return folders.filter((folder) => folder.startsWith(root));
}
