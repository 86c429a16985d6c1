import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { storesInFiles } from "../../core/resources/lock-location.js";
import { parseManifest, type Manifest } from "../../core/resources/manifest.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { lineageMarks } from "../../core/state/renamed-state.js";
import { filesIn, locksWith } from "../../git/commit-files.js";
import { readBlobs } from "../../git/read-blobs.js";
import { repositoryFolder, repositoryRoot } from "../../git/repository.js";
import { renamedLocks } from "../../git/renamed-locks.js";
import { manifestIn, workspacesWithin } from "../others/uses-graph.js";
import { WorkspaceFolder } from "../workspace-folder.js";

/** A workspace that a commit has, and its folder from the top of the repository, with `/` at its end. */
interface CommittedWorkspace extends StateMarks {
  readonly folder: string;
}

/** What a manifest says of whose the state is: its name, and whether the state is in the folder alone. */
interface StateMarks {
  readonly name?: string;
  readonly isInFiles?: boolean;
}

/**
 * Gives the folders, from the top, with `/` at the end, where a commit may have a workspace: this one alone
 * if it has its name and state there, else also those with the name, or gone, or with its lock. Throws GitError.
 */
export async function formerFolders(directory: string, commit: string): Promise<readonly string[]> {
  const own = repositoryFolder(directory);
  const { name, isInFiles } = marksOf(manifestIn(directory));
  const [before] = await workspacesIn(directory, commit, [`${own}${manifestFile}`]);
  if (before !== undefined && before.name === name) {
    const from = movedLocks(directory, commit).flatMap((each) => each.from);
    return [...new Set([own, ...from.map(folderOf)])];
  }
  const all = await workspacesIn(directory, commit);
  const here = workspacesHere(directory);
  // How alike two files are is up to the author of the change; the name is in the place of the state.
  const namesakes = all.filter((each) => {
    const isOther = here.get(each.folder)?.name === name && isInFiles && each.isInFiles;
    return each.name === name && !isOther;
  });
  const former = namesakes.length > 0 ? namesakes : goneFrom(here, all);
  // A state in files moves with its lock, whatever name the manifest gives to the workspace, or is copied with it.
  const left = renamedLocks(directory, commit).flatMap(({ from, to }) =>
    folderOf(to) === own ? [from] : [],
  );
  const copied = locksWith(directory, commit, lineagesIn(directory));
  // A copy, such as a backup, may be older than what is in the place.
  const folders = [
    ...former.map(({ folder }) => folder),
    ...left.map(folderOf),
    own,
    ...copied.map(folderOf),
  ];
  return [...new Set(folders)];
}

/** Gives the locks of a folder whose states are in other files of a commit alone, with these from the top. Throws GitError. */
export function movedLocks(directory: string, commit: string): { file: string; from: readonly string[] }[] {
  const own = repositoryFolder(directory);
  return locksIn(directory).flatMap((file) => {
    const from = locksWith(directory, commit, lineagesOf(directory, file));
    return from.includes(own + file) ? [] : [{ file, from }];
  });
}

function lineagesIn(directory: string): string[] {
  return locksIn(directory).flatMap((file) => lineagesOf(directory, file));
}

function locksIn(directory: string): string[] {
  return readdirSync(directory).filter((file) => /^agentform.*\.lock$/.test(file));
}

function lineagesOf(directory: string, file: string): string[] {
  const read = new WorkspaceFolder(directory).readOwn(file);
  return lineageMarks(read.ok ? read.text : null);
}

async function workspacesIn(
  directory: string,
  commit: string,
  paths: readonly string[] = [],
): Promise<CommittedWorkspace[]> {
  const files = await filesIn(directory, commit, paths);
  const found = files.filter(
    ({ file, type }) => posix.basename(file) === manifestFile && type !== "submodule",
  );
  const texts = await readBlobs(
    directory,
    found.map(({ id }) => id),
  );
  return found.map(({ file }, at) => {
    const parsed = parseManifest(texts[at] ?? "");
    return { folder: folderOf(file), ...marksOf(parsed.ok ? parsed : undefined) };
  });
}

function marksOf(manifest: Manifest | undefined): StateMarks {
  if (!manifest) return {};
  return { name: manifest.value.metadata.name, isInFiles: storesInFiles(manifest.value) };
}

function workspacesHere(directory: string): ReadonlyMap<string, StateMarks> {
  const folders = workspacesWithin(repositoryRoot(directory) ?? directory);
  return new Map(folders.map((folder) => [repositoryFolder(folder), marksOf(manifestIn(folder))]));
}

// One whose name is in another folder now has only moved.
function goneFrom(
  here: ReadonlyMap<string, StateMarks>,
  all: readonly CommittedWorkspace[],
): CommittedWorkspace[] {
  const names = new Set([...here.values()].map(({ name }) => name));
  return all.filter(({ folder, name }) => !here.has(folder) && (name === undefined || !names.has(name)));
}

function folderOf(file: string): string {
  return file.slice(0, -posix.basename(file).length);
}
