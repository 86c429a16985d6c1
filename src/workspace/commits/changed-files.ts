import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { realPath } from "../../disk/real-path.js";
import { filesIn } from "../../git/commit-files.js";
import { repositoryFolder } from "../../git/repository.js";
import { openRepository, resolveCommit, runGit } from "../../git/run-git.js";
import { once } from "../../json/once.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { sizeLimit } from "../regular-file.js";

/**
 * Gives a workspace's files that differ from a commit, untracked ones, links to any, and repositories inside of it, of
 * which nobody knows. Raw contents are compared, so that no filter or diff driver of the files' attributes runs.
 */
export async function changedFiles(directory: string, ref: string): Promise<ReadonlySet<string>> {
  const { root } = openRepository(directory);
  const folder = repositoryFolder(directory);
  const commit = await resolveCommit(directory, ref);
  const within = folder === "" ? [] : [folder];
  const [committed, present] = await Promise.all([
    filesIn(directory, commit, within),
    runGit(directory, [...listing, "--", ...within]),
  ]);
  // A folder with a repository of its own is listed as one, with `/` at the end, and not what is in it.
  const indexed = new Map<string, string | undefined>(
    [...present.matchAll(/(?:\d+ ([0-9a-f]+) \d\t)?([^\0]+?)\/?\0/g)].map(([, id, file = ""]) => [file, id]),
  );
  const blobs = new Map(
    committed.flatMap(({ file, id, type }) => (type === "submodule" ? [] : [[file, id] as const])),
  );
  const files = new Set([...blobs.keys(), ...indexed.keys()]);
  // Git compares a link itself, not the file that it leads to.
  const isReal = once((path) => unlessFailing(() => realPath(path)) === path);
  const changed = [...files].filter((file) => {
    const path = join(root, file);
    const blob = blobs.get(file);
    const isStaged = indexed.get(file) !== blob;
    return isStaged || !isReal(dirname(path)) || !isBlob(path, blob);
  });
  const links = [...files].flatMap((file) => linkIn(root, file));
  return new Set(withLinks(changed, links).map((file) => file.slice(folder.length)));
}

const listing = ["ls-files", "--cached", "--others", "--exclude-standard", "--stage", "-z"];

/** A link of a repository, and the path that it leads to. */
interface Link {
  readonly file: string;
  readonly to: string;
}

function linkIn(root: string, file: string): Link[] {
  const path = join(root, file);
  if (unlessFailing(() => lstatSync(path).isSymbolicLink()) !== true) return [];
  const real = unlessFailing(() => realPath(path));
  return real === undefined ? [] : [{ file, to: relative(root, real).split(sep).join("/") }];
}

// What a link leads to may have links in it.
function withLinks(changed: readonly string[], links: readonly Link[]): string[] {
  const all = [...changed];
  let left = links;
  for (let fresh = changed; fresh.length > 0;) {
    const isReached = ({ to }: Link) => fresh.some((file) => isWithin(file, to));
    const reached = left.filter(isReached);
    left = left.filter((link) => !reached.includes(link));
    fresh = reached.map(({ file }) => file);
    all.push(...fresh);
  }
  return all;
}

function isWithin(file: string, folder: string): boolean {
  return folder === "" || file === folder || file.startsWith(`${folder}/`);
}

function isBlob(path: string, blob: string | undefined): boolean {
  if (blob === undefined) return false;
  const content = unlessFailing(() => {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return Buffer.from(readlinkSync(path));
    return stat.isFile() && stat.size <= sizeLimit ? readFileSync(path) : undefined;
  });
  if (content === undefined) return false;
  // Git may have checked out CRLF where the blob has LF.
  return blobOf(content, blob) === blob || blobOf(withoutCr(content), blob) === blob;
}

function blobOf(content: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

function withoutCr(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}
