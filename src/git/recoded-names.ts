import { repositoryFolder } from "./repository.js";
import { runGit } from "./run-git.js";

/** An attribute with which git has one text of a file, and the checkout another. */
export type TextAttribute = "working-tree-encoding" | "ident" | "filter";

const attributes: readonly TextAttribute[] = ["working-tree-encoding", "ident", "filter"];

// For git, UTF-8 is no other encoding.
const same = /^(?:unspecified|unset|utf-?8)$/i;

/** Gives the files below a folder, as paths from there, that have such an attribute, with the first of them. Throws GitError. */
export async function recodedNames(directory: string): Promise<ReadonlyMap<string, TextAttribute>> {
  const folder = repositoryFolder(directory);
  const listed = await runGit(directory, ["ls-files", "--cached", "-z", "--", folder || "."]);
  const names = listed.split("\0").filter((name) => name !== "" && name.startsWith(folder));
  if (names.length === 0) return new Map();
  const stdin = names.map((name) => `${name}\0`).join("");
  const said = await runGit(directory, ["check-attr", "-z", "--stdin", ...attributes], { stdin });
  const words = said.split("\0");
  return new Map(
    names.flatMap((name, index) => {
      const at = 3 * attributes.length * index + 2;
      const found = attributes.find((_, which) => !same.test(words[at + 3 * which] ?? ""));
      return found === undefined ? [] : [[name.slice(folder.length), found] as const];
    }),
  );
}
