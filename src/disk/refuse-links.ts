import { lstatSync, type Stats } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { realPath } from "./real-path.js";
import { unlessFailing } from "./unless-failing.js";

/** A symbolic link in a place where agentform reads or writes its own files. */
export class LinkError extends Error {
  /** `link` is how messages name the place. */
  constructor(readonly link: string) {
    super(`${link} is a symbolic link, which is not followed here`);
  }
}

/**
 * Throws LinkError if a path is or passes a link below folders whose content others may have written, such as
 * the author of a commit. Links above are the user's own; a change between this check and the use is not
 * seen.
 */
export function refuseLinks(path: string, below: readonly string[]): void {
  const roots = below.map((root) => realPath(root));
  const folder = realFolder(dirname(resolve(path)), roots);
  if (folder === undefined) return;
  const place = join(folder, basename(path));
  if (lookAt(place)?.isSymbolicLink()) throw new LinkError(nameOf(place, roots));
}

/** Gives the real path of a folder; undefined if it does not exist. */
function realFolder(path: string, roots: readonly string[]): string | undefined {
  let real = parse(path).root;
  for (const name of relative(real, path).split(sep)) {
    const place = join(real, name);
    const found = lookAt(place);
    if (found === undefined) return undefined;
    if (!found.isSymbolicLink()) real = place;
    else if (roots.some((root) => isBelow(place, root))) throw new LinkError(nameOf(place, roots));
    else real = realPath(place);
  }
  return real;
}

/** Gives what is at a path, also a link that leads nowhere; any other error of the path is reported when it is used. */
export function lookAt(place: string): Stats | undefined {
  return unlessFailing(() => lstatSync(place));
}

function isBelow(place: string, root: string): boolean {
  return place.startsWith(root.endsWith(sep) ? root : root + sep);
}

function nameOf(place: string, roots: readonly string[]): string {
  const root = roots.find((each) => isBelow(place, each));
  return root === undefined ? place : relative(root, place).replaceAll(sep, "/");
}
