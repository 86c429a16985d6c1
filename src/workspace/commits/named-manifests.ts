import { environmentsOf } from "../../core/resources/environment-name.js";
import { declaredEnvironments, parseManifest } from "../../core/resources/manifest.js";
import type { LockOwner } from "../../core/state/lock.js";
import { GitError } from "../../git/git-process.js";
import { readBlobs } from "../../git/read-blobs.js";
import { findRepository, isShallowClone, repositoryFolder } from "../../git/repository.js";
import { startGit } from "../../git/run-git.js";

const manifest = "agentform.yaml";
const manifests = `:(top,glob)**/${manifest}`;

/** The most branches that are looked at, the newest first. */
const mostBranches = 100;

/** The most manifests with a name of which the history is asked, each with a walk of its own. */
const mostAsked = 100;

/** Whether an environment is certainly another than a folder's until now: of a manifest on another branch alone. */
export async function isOwnedByBranch(directory: string, owner: LockOwner, name: string): Promise<boolean> {
  try {
    return await isOfOtherBranch(directory, owner, name);
  } catch (thrown) {
    if (thrown instanceof GitError) return false;
    throw thrown;
  }
}

async function isOfOtherBranch(directory: string, owner: LockOwner, name: string): Promise<boolean> {
  const repository = findRepository(directory);
  if (!repository) return false;
  const own = `${repositoryFolder(directory)}${manifest}`;
  // A history that ends early does not tell what was renamed.
  if (isShallowClone(repository)) return false;
  const tips = ["for-each-ref", `--count=${mostBranches}`, "--sort=-committerdate", "--format=%(objectname)"];
  const commits = new Set((await ask(directory, [...tips, "refs/heads", "refs/remotes"])).split("\n"));
  commits.delete("");
  if (commits.size === 0) return false;
  const only = ["-l", "-z", "-F", "--no-color", "-e", name];
  const found = await ask(directory, ["grep", ...only, ...commits, "--", manifests]);
  const objects = found.split("\0").filter((each) => each !== "");
  const pathOf = (object: string) => object.slice(object.indexOf(":") + 1);
  if (new Set(objects.map(pathOf)).size > mostAsked) return false;
  const texts = await readBlobs(directory, objects);
  const owners = objects.filter((_, index) => isOwner(texts[index] ?? "", owner));
  for (const path of new Set(owners.map(pathOf)))
    if (await isOnlyThere(directory, path, name, own)) return true;
  return false;
}

// What the history of this checkout has had may be what was renamed here.
async function isOnlyThere(directory: string, path: string, name: string, own: string): Promise<boolean> {
  const had = path === own ? [`-S${name}`] : [];
  // A commit chooses which files have a textconv, and whether it has a signature to verify.
  const only = ["-1", "--format=%H", "--no-textconv", "--no-show-signature"];
  return (await ask(directory, ["log", ...only, ...had, "HEAD", "--", `:(top,literal)${path}`])) === "";
}

// Nothing found (1, of grep) is an answer; a failure is none.
async function ask(directory: string, args: readonly string[]): Promise<string> {
  const { code, stdout } = await startGit(directory, ["--no-literal-pathspecs", ...args]);
  if (code === 0 || code === 1) return stdout.toString().trim();
  throw new GitError("git failed");
}

// Others may have the name for something else: for a workspace that they use, or an environment of their own.
function isOwner(text: string, { workspace, environment }: LockOwner): boolean {
  const parsed = text.includes(workspace) ? parseManifest(text) : undefined;
  if (parsed?.ok !== true) return false;
  const { value } = parsed;
  return (
    value.metadata.name === workspace && environmentsOf(declaredEnvironments(value)).includes(environment)
  );
}
