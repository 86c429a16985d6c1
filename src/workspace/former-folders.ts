import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { parseManifest } from "../core/resources/manifest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { filesNamed } from "../git/listed-names.js";
import { readBlobs } from "../git/read-blobs.js";
import { renamedFiles } from "../git/renamed-files.js";
import { repositoryFolder, repositoryRoot } from "../git/repository.js";
import { runGit } from "../git/run-git.js";
import { manifestIn } from "./uses-graph.js";

/** A workspace that a commit has: its folder from the top of the repository, with `/` at its end, and its name. */
interface CommittedWorkspace {
  readonly folder: string;
  readonly name: string | undefined;
}

/**
 * Gives the folders, from the top of the repository and with `/` at their ends, in which a commit may have the workspace
 * of a folder: that folder alone if the workspace had its name there, else each that had the name, or, as it may have had
 * another one, each that is gone. Throws GitError.
 */
export async function formerFolders(directory: string, commit: string): Promise<readonly string[]> {
  const own = repositoryFolder(directory);
  const name = manifestIn(directory)?.value.metadata.name;
  const [before] = await workspacesIn(directory, commit, [`${own}${manifestFile}`]);
  if (before !== undefined && before.name === name) return [own];
  const all = await workspacesIn(directory, commit);
  // How alike two files are is up to the author of the change; the name is in the place of the state.
  const namesakes = all.filter((each) => each.name === name);
  const former = namesakes.length > 0 ? namesakes : goneFrom(directory, all);
  // A state in files moves with its lock, whatever name the manifest gives to the workspace.
  const locks = await renamedFiles(directory, commit, "agentform*.lock");
  const left = locks.filter(({ to }) => folderOf(to) === own).map(({ from }) => folderOf(from));
  return [...new Set([...former.map(({ folder }) => folder), ...left, own])];
}

async function workspacesIn(
  directory: string,
  commit: string,
  files: readonly string[] = [],
): Promise<CommittedWorkspace[]> {
  const listed = await runGit(directory, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...files]);
  const found = [...listed.matchAll(/\w+ blob ([0-9a-f]+)\t([^\0]*)\0/g)].flatMap(([, id = "", file = ""]) =>
    posix.basename(file) === manifestFile ? [{ id, folder: folderOf(file) }] : [],
  );
  const texts = await readBlobs(
    directory,
    found.map(({ id }) => id),
  );
  return found.map(({ folder }, at) => ({ folder, name: nameIn(texts[at] ?? "") }));
}

function nameIn(text: string): string | undefined {
  const parsed = parseManifest(text);
  return parsed.ok ? parsed.value.metadata.name : undefined;
}

// One whose name is in another folder now has only moved.
function goneFrom(directory: string, all: readonly CommittedWorkspace[]): CommittedWorkspace[] {
  const root = repositoryRoot(directory) ?? directory;
  const here = filesNamed(directory, manifestFile).filter((file) => existsSync(join(root, file)));
  const folders = new Set(here.map(folderOf));
  const names = new Set(here.map((file) => manifestIn(join(root, folderOf(file)))?.value.metadata.name));
  return all.filter(({ folder, name }) => !folders.has(folder) && (name === undefined || !names.has(name)));
}

function folderOf(file: string): string {
  return file.slice(0, -posix.basename(file).length);
}
