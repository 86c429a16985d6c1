import { repositoryFolder } from "./repository.js";
import { runGit } from "./run-git.js";

const attribute = "working-tree-encoding";

/**
 * Gives the files below a folder, as paths from there, of which attributes say that git has them in UTF-8 and
 * the checkout in another encoding: what git has of them is another text. Throws GitError.
 */
export async function recodedNames(
  directory: string,
  isAsked: (name: string) => boolean,
): Promise<readonly string[]> {
  const folder = repositoryFolder(directory);
  const listed = await runGit(directory, ["ls-files", "--cached", "-z", "--", folder || "."]);
  const names = listed.split("\0").filter((name) => name.startsWith(folder) && isAsked(name));
  if (names.length === 0) return [];
  const stdin = names.map((name) => `${name}\0`).join("");
  const said = await runGit(directory, ["check-attr", "-z", "--stdin", attribute], { stdin });
  const words = said.split("\0");
  // For git, UTF-8 is no other encoding.
  const same = /^(?:unspecified|unset|utf-?8)$/i;
  const recoded = names.filter((_, index) => !same.test(words[3 * index + 2] ?? ""));
  return recoded.map((name) => name.slice(folder.length));
}
