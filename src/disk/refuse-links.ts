import { lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";

/** A symbolic link where files of this tool's own are read or written. */
export class LinkError extends Error {
  override readonly name = "LinkError";

  /** Takes what people call the link. */
  constructor(readonly link: string) {
    super(`${link} is a symbolic link, and links are not followed there`);
  }
}

/**
 * Throws LinkError where a path is a link, or leads through one below some folders, of whose content somebody
 * else may be the author, as of a commit's; links above them are the user's own. What another process of this
 * machine changes between this look and the use is not seen.
 */
export function refuseLinks(path: string, below: readonly string[]): void {
  const roots = below.map((root) => realpathSync(root));
  const folder = realFolder(dirname(resolve(path)), roots);
  if (folder === undefined) return;
  const place = join(folder, basename(path));
  if (look(place)?.isSymbolicLink()) throw new LinkError(nameOf(place, roots));
}

/** Gives the real path of a folder; undefined where it does not exist. */
function realFolder(path: string, roots: readonly string[]): string | undefined {
  let real = parse(path).root;
  for (const name of relative(real, path).split(sep)) {
    const place = join(real, name);
    const found = look(place);
    if (found === undefined) return undefined;
    if (!found.isSymbolicLink()) real = place;
    else if (roots.some((root) => isBelow(place, root))) throw new LinkError(nameOf(place, roots));
    else real = realpathSync(place);
  }
  return real;
}

// Whatever else is wrong with a place comes out when it is used.
function look(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch {
    return undefined;
  }
}

function isBelow(place: string, root: string): boolean {
  return place.startsWith(root.endsWith(sep) ? root : root + sep);
}

function nameOf(place: string, roots: readonly string[]): string {
  const root = roots.find((each) => isBelow(place, each));
  return root === undefined ? place : relative(root, place).replaceAll(sep, "/");
}
