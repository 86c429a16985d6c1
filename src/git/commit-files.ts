import { gitCall } from "./git-call.js";
import { failureOf, spawnGitSync } from "./git-process.js";
import { lockFiles } from "./renamed-locks.js";
import { openRepository, runGit } from "./run-git.js";

/** A file of a commit, with its path from the top of the repository; a submodule has the ID of a commit. */
export interface CommitFile {
  readonly type: "file" | "link" | "submodule";
  readonly id: string;
  readonly file: string;
}

/** What was listed of the last commit: a command asks for the same several times, and a commit stays as it is. */
let last: { readonly commit: string; readonly files: Map<string, CommitFile[]> } | undefined;

/** Lists the files of a commit, given by its ID, all or those at and below some paths. Throws GitError. */
export async function filesIn(
  directory: string,
  commit: string,
  paths: readonly string[],
): Promise<readonly CommitFile[]> {
  if (last?.commit !== commit) last = { commit, files: new Map() };
  const { files } = last;
  const which = paths.join("\0");
  const found = files.get(which) ?? (await list(directory, commit, paths));
  files.set(which, found);
  return found;
}

async function list(directory: string, commit: string, paths: readonly string[]): Promise<CommitFile[]> {
  const listed = await runGit(directory, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...paths]);
  return [...listed.matchAll(/(\d+) \w+ ([0-9a-f]+)\t([^\0]*)\0/g)].map(([, mode, id = "", file = ""]) => {
    return { type: mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file", id, file };
  });
}

/** Gives the lock files of a commit that have one of some texts in a line. Throws GitError. */
export function locksWith(directory: string, commit: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const how = ["-l", "-z", "-F", "--text", "--no-color", "--no-recurse-submodules", "--full-name"];
  const args = [...how, ...texts.flatMap((text) => ["-e", text]), commit, "--", lockFiles];
  const call = gitCall(openRepository(directory), ["--no-literal-pathspecs", "grep", ...args]);
  const outcome = spawnGitSync(call);
  // It ends with 1 if no file has any.
  if (outcome.code !== 0 && outcome.code !== 1) throw failureOf(outcome);
  const found = outcome.stdout.toString().split("\0");
  return found.flatMap((file) => (file === "" ? [] : file.slice(commit.length + 1)));
}
