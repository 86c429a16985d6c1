import { join } from "node:path";
import { GitError } from "../git/git-process.js";
import { findRepository, repositoryFolder } from "../git/repository.js";
import { startGit } from "../git/run-git.js";
import { readText } from "./local/durable-file.js";

const manifest = "agentform.yaml";
const manifests = `:(top,glob)**/${manifest}`;

/** The most branches that are looked at, the newest first. */
const mostBranches = 100;

/** The most manifests with a name of which the history is asked, each with a walk of its own. */
const mostAsked = 100;

/**
 * Whether a name, of a workspace or an environment, certainly belongs to something else than to what a folder has had
 * until now: to the manifest of a different folder, or to one of a different branch alone. Without git nothing is certain.
 */
export async function isNamedElsewhere(directory: string, name: string): Promise<boolean> {
  try {
    return await isInOtherManifest(directory, name);
  } catch (thrown) {
    if (thrown instanceof GitError) return false;
    throw thrown;
  }
}

async function isInOtherManifest(directory: string, name: string): Promise<boolean> {
  const repository = findRepository(directory);
  if (!repository) return false;
  const own = `${repositoryFolder(directory)}${manifest}`;
  const listed = await ask(directory, [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--",
    manifests,
  ]);
  const others = listed.split("\0").filter((path) => path !== "" && path !== own);
  if (others.some((path) => hasName(textOf(join(repository.root, path)), name))) return true;
  // A history that ends early does not tell what was renamed.
  if ((await ask(directory, ["rev-parse", "--is-shallow-repository"])) === "true") return false;
  const tips = ["for-each-ref", `--count=${mostBranches}`, "--sort=-committerdate", "--format=%(objectname)"];
  const commits = new Set((await ask(directory, [...tips, "refs/heads", "refs/remotes"])).split("\n"));
  commits.delete("");
  if (commits.size === 0) return false;
  const only = ["-l", "-z", "-F", "--no-color", "-e", name];
  const found = await ask(directory, ["grep", ...only, ...commits, "--", manifests]);
  const paths = new Set(found.split("\0").map((each) => each.slice(each.indexOf(":") + 1)));
  paths.delete("");
  if (paths.size > mostAsked) return false;
  for (const path of paths) if (await isOnlyThere(directory, path, name, own)) return true;
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

// A commit may have a link to a device here, of which a reading has no end.
function textOf(file: string): string {
  try {
    return readText(file, manifest) ?? "";
  } catch {
    return "";
  }
}

function hasName(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[.\\+*?^$()[\]{}|]/g, "\\$&");
  return new RegExp(`(^|[\\s{,"'])${escaped}([\\s},"':]|$)`, "m").test(text);
}
