import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realFolder, realPath } from "../../disk/real-path.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import type { WorkspaceUse } from "../../generated/workspace.js";
import { environmentName, environmentOf } from "../../core/resources/environment-name.js";
import { buildGraph, type Graph } from "../../core/resources/graph.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { buildSettings, parseManifest, type Manifest, type Settings } from "../../core/resources/manifest.js";
import { latest, once } from "../../json/once.js";
import { filesNamed } from "../../git/listed-names.js";
import { findRepository, isWithin, repositoryFolder, repositoryRoot } from "../../git/repository.js";
import { WorkspaceFolder } from "../workspace-folder.js";

const mostFollowed = 1000;

/** The real folder of another workspace in the same repository; or why it is none. */
type UsedFolder =
  | {
      readonly ok: true;
      readonly folder: string;
      /** Whether the path leads there by a link, or under another name. */
      readonly isAlias: boolean;
    }
  | { readonly ok: false; readonly why: "outside" | "missing" | "no-repository" };

/** Finds another workspace in the same repository. */
export function usedFolder(directory: string, path: string): UsedFolder {
  const root = repositoryRoot(directory);
  if (root === undefined) return { ok: false, why: "no-repository" };
  const target = resolve(realFolder(directory), path);
  if (!isWithin(target, root)) return { ok: false, why: "outside" };
  const folder = existsSync(join(target, manifestFile)) ? unlessFailing(() => realPath(target)) : undefined;
  if (folder === undefined) return { ok: false, why: "missing" };
  // A repository inside of this one, such as a submodule, has its own commits.
  const isOwn = isWithin(folder, root) && repositoryRoot(folder) === root;
  return isOwn ? { ok: true, folder, isAlias: folder !== target } : { ok: false, why: "outside" };
}

// A command looks at the manifests of a repository again for each of its workspaces.
const manifestOf = once((_folder) => latest(parseManifest, Object.is));

/** Reads the manifest of a folder; undefined if it cannot be used. */
export function manifestIn(folder: string): Manifest | undefined {
  const read = new WorkspaceFolder(folder).read(manifestFile);
  const parsed = read.ok ? manifestOf(folder)(read.text) : undefined;
  return parsed?.ok ? parsed : undefined;
}

/** Reads the settings of the workspace in a folder, in one environment; undefined if its manifest cannot be used. */
export function settingsIn(folder: string, environment: string | null): Settings | undefined {
  const manifest = manifestIn(folder);
  const built = manifest && buildSettings(manifest, environment, new Map());
  return built?.ok ? built.settings : undefined;
}

/** Gives the real folders of the workspaces at or below a folder, as git lists their manifests; none outside of a repository. */
export function workspacesWithin(directory: string): string[] {
  const root = findRepository(directory)?.root;
  if (root === undefined) return [];
  const top = realFolder(directory);
  return filesNamed(directory, manifestFile)
    .filter((file) => existsSync(join(root, file)))
    .map((file) => dirname(join(root, file)))
    .filter((folder) => isWithin(folder, top));
}

/** Gives the names by which a manifest calls other workspaces of the repository, with their real folders. */
export function usesIn(folder: string, { value }: Manifest): { name: string; folder: string }[] {
  return Object.entries(value.spec.uses ?? {}).flatMap(([name, { workspace }]) => {
    const found = workspace === undefined ? undefined : usedFolder(folder, workspace);
    return found?.ok ? [{ name, folder: found.folder }] : [];
  });
}

/** Gives the environment of another workspace that goes with one of its user. */
export function usedEnvironment({ environments }: WorkspaceUse, own: string | null): string | null {
  const name = environmentName(own);
  return environmentOf(named(environments, name) ?? name);
}

/** Gives the path of the file with the IDs of another workspace for an environment of its user, if it names one. */
export function fileOfIds({ file }: WorkspaceUse, own: string | null): string | undefined {
  return typeof file === "object" ? named(file, environmentName(own)) : file;
}

// An environment may be called as what every object has, such as `toString`.
function named(texts: Readonly<Record<string, string>> = {}, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** Gives the graph of the workspaces that some use, directly or through others; its addresses are their real folders. */
export function usesGraph(folders: readonly string[]): Graph {
  const seen = new Set(folders.map(realFolder));
  const links = new Map<string, string[]>();
  for (const from of seen) {
    if (seen.size > mostFollowed) break;
    const manifest = manifestIn(from);
    const used = manifest ? usesIn(from, manifest).map(({ folder }) => folder) : [];
    for (const to of used) seen.add(to);
    links.set(from, used);
  }
  return buildGraph(seen, (folder) => links.get(folder) ?? []);
}

/** Names the folder of a workspace from the top of the repository, with `/`. */
export function folderName(folder: string): string {
  return repositoryFolder(folder).slice(0, -1) || ".";
}
