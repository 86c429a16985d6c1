import { startGit } from "./run-git.js";

/** Gives the content of objects, in the order of their names; null for missing ones. */
export async function readBlobs(directory: string, names: readonly string[]): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const stdin = names.map((name) => `${name}\n`).join("");
  const { stdout } = await startGit(directory, ["cat-file", "--batch"], { stdin });
  const texts: (string | null)[] = [];
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf("\n", at);
    const [, type, size] = /^\S+ (\w+) (\d+)$/.exec(stdout.toString("utf8", at, end)) ?? [];
    const from = end + 1;
    const to = from + Number(size ?? 0);
    texts.push(type === "blob" ? stdout.toString("utf8", from, to) : null);
    at = size === undefined ? from : to + 1;
  }
  return texts;
}
