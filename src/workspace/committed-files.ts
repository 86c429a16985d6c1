import { pathFrom } from "../core/rules/rule-texts.js";

/** Gives the path without links that a path leads to; undefined where it leads out of the workspace, or round in a circle. */
export type RealPath = (path: string) => string | undefined;

// As many as an operating system follows.
const mostLinks = 40;

/** Follows the links of a commit, given with their targets, below the folder of a workspace. */
export function followLinks(
  links: readonly (readonly [link: string, to: string])[],
  folder: string,
): RealPath {
  const targets = new Map(links.map(([link, to]) => [link, targetOf(link, to, folder)]));
  return (path) => {
    let at: string | undefined = path;
    for (let hops = 0; at !== undefined && hops <= mostLinks; hops++) {
      const steps: string[] = at.split("/");
      const paths = steps.map((_, index) => steps.slice(0, index + 1).join("/"));
      const link = paths.find((each) => targets.has(each));
      if (link === undefined) return at;
      const target = targets.get(link);
      at = target === undefined ? undefined : joined(target, at.slice(link.length + 1));
    }
    return undefined;
  };
}

function targetOf(link: string, to: string, folder: string): string | undefined {
  const target = to.startsWith("/") ? undefined : pathFrom(folder + link, to);
  return target === undefined ? undefined : restBelow(folder.replace(/\/$/, ""), target);
}

function joined(folder: string, path: string): string {
  return [folder, path].filter((part) => part !== "").join("/");
}

/** Gives the path of a file from a folder: empty for the folder itself, undefined for what is elsewhere. */
export function restBelow(folder: string, file: string): string | undefined {
  if (folder === "") return file;
  if (file === folder) return "";
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
}

/** The entries of a commit in a workspace by their paths, each with the ID of its object. */
export interface Committed {
  readonly blobs: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly submodules: ReadonlyMap<string, string>;
  readonly realPath: RealPath;
}

/**
 * Gives the files in some folders as the workspace would find them on the disk, links followed, each folder once; and
 * each submodule that has a part of them.
 */
export function walkCommit(
  folders: readonly string[],
  { blobs, links, submodules, realPath }: Committed,
): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const left = [...folders];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const real = realPath(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    for (const [file, blob] of blobs) {
      const rest = restBelow(real, file);
      if (rest !== undefined) found.set(joined(path, rest), blob);
    }
    for (const [submodule, commit] of submodules) {
      if (restBelow(real, submodule) !== undefined || restBelow(submodule, real) !== undefined)
        found.set(submodule, commit);
    }
    for (const link of links.keys()) {
      const rest = restBelow(real, link);
      if (rest !== undefined) left.push(joined(path, rest));
    }
  }
  return found;
}
