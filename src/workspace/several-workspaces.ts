import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { reachable } from "../core/resources/graph.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { filesNamed } from "../git/listed-names.js";
import { findRepository } from "../git/repository.js";
import { usesGraph } from "./uses-graph.js";

/** Gives the real folders of the workspaces at or below a folder, as git lists their manifests; none outside of a repository. */
export function workspacesWithin(directory: string): string[] {
  const root = findRepository(directory)?.root;
  if (root === undefined) return [];
  const top = realpathSync(directory);
  return filesNamed(directory, manifestFile)
    .filter((file) => existsSync(join(root, file)))
    .map((file) => dirname(join(root, file)))
    .filter((folder) => folder === top || folder.startsWith(top === sep ? sep : `${top}${sep}`));
}

/** One of several workspaces, in the order of their uses. */
export interface OrderedWorkspace {
  /** Its real folder. */
  readonly folder: string;
  /** The real folders of those that it uses, directly or through others. */
  readonly uses: ReadonlySet<string>;
}

/** Orders workspaces so that each comes after those that it uses; with the folders of each cycle of uses. */
export function inOrderOfUse(folders: readonly string[]): {
  readonly ordered: readonly OrderedWorkspace[];
  readonly cycles: readonly (readonly string[])[];
} {
  const { order, dependencies, cycles } = usesGraph(folders.filter((folder) => existsSync(folder)));
  const chosen = new Set(folders);
  const missing = folders.filter((folder) => !existsSync(folder));
  const ordered = [...missing, ...order]
    .filter((folder) => chosen.has(folder))
    .map((folder) => ({ folder, uses: reachable([folder], dependencies) }));
  return { ordered, cycles };
}
