import { failureOf, GitError, largestText } from "./git-process.js";
import { startGit } from "./run-git.js";

/** The most that is read of objects at once, in bytes: a state on a ref is as large as who pushed it wants. */
const mostObjects = 2 ** 30;

/** Gives the content of objects, in the order of their names; null for missing ones. Throws GitError for one that is too large, or that this clone lacks. */
export async function readBlobs(directory: string, names: readonly string[]): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const stdout = await catFile(directory, "--batch", names, mostObjects);
  const texts: (string | null)[] = [];
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf("\n", at);
    const [, type, size] = /^\S+ (\w+) (\d+)$/.exec(stdout.toString("utf8", at, end)) ?? [];
    const from = end + 1;
    const to = from + Number(size ?? 0);
    texts.push(type === "blob" ? blobText(stdout.subarray(from, to)) : null);
    at = size === undefined ? from : to + 1;
  }
  return texts;
}

/** Gives an object's content as a text; throws GitError if it is too large. */
function blobText(content: Buffer): string {
  if (content.length <= largestText) return content.toString("utf8");
  throw tooLarge(content.length, largestText);
}

/** Says that an object has more bytes than are read. */
export function tooLarge(bytes: number, limit: number): GitError {
  const [size, most] = [Math.ceil(bytes / 1_000_000), Math.floor(limit / 1_000_000)];
  return new GitError(`an object in git has ${size} MB, and no more than ${most} MB can be read`);
}

/** Gives the sizes of objects, in the order of their names; undefined for missing ones. Throws GitError for one that this clone lacks. */
export async function sizesOfBlobs(
  directory: string,
  names: readonly string[],
): Promise<({ readonly id: string; readonly size: number } | undefined)[]> {
  if (names.length === 0) return [];
  const stdout = await catFile(directory, "--batch-check", names);
  const lines = stdout.toString().split("\n").slice(0, names.length);
  return lines.map((line) => {
    const [, id, size] = /^(\S+) blob (\d+)$/.exec(line) ?? [];
    return id === undefined ? undefined : { id, size: Number(size) };
  });
}

// What a clone lacks is no missing file: git ends at the first that it may not fetch.
async function catFile(
  directory: string,
  how: "--batch" | "--batch-check",
  names: readonly string[],
  most = largestText,
): Promise<Buffer> {
  const outcome = await startGit(directory, ["cat-file", how], { stdin: linesOf(names), most });
  if (outcome.code !== 0) throw failureOf(outcome);
  return outcome.stdout;
}

// A name with a line end, which a path may have, would be two, and be answered twice: it counts as missing.
function linesOf(names: readonly string[]): string {
  return names.map((name) => (name.includes("\n") ? "\n" : `${name}\n`)).join("");
}
