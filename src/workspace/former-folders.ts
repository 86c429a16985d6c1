import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { parseManifest, type Manifest } from "../core/resources/manifest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { kinOf } from "../core/state/renamed-state.js";
import { filesWith } from "../git/files-with.js";
import { filesNamed } from "../git/listed-names.js";
import { readBlobs } from "../git/read-blobs.js";
import { renamedFiles } from "../git/renamed-files.js";
import { repositoryFolder, repositoryRoot } from "../git/repository.js";
import { runGit } from "../git/run-git.js";
import { manifestIn } from "./uses-graph.js";
import { WorkspaceFolder } from "./workspace-folder.js";

const lockFiles = "agentform*.lock";

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
 * Gives the folders, from the top of the repository and with `/` at their ends, in which a commit may have the workspace
 * of a folder: that folder alone if the workspace had its name there, else each that had the name, or, as it may have had
 * another one, each that is gone, and each whose lock it has. Throws GitError.
 */
export async function formerFolders(directory: string, commit: string): Promise<readonly string[]> {
  const own = repositoryFolder(directory);
  const { name, isInFiles } = marksOf(manifestIn(directory));
  const [before] = await workspacesIn(directory, commit, [`${own}${manifestFile}`]);
  if (before !== undefined && before.name === name) return [own];
  const all = await workspacesIn(directory, commit);
  const here = workspacesHere(directory);
  // How alike two files are is up to the author of the change; the name is in the place of the state.
  const namesakes = all.filter((each) => {
    const isOther = here.get(each.folder)?.name === name && isInFiles && each.isInFiles;
    return each.name === name && !isOther;
  });
  const former = namesakes.length > 0 ? namesakes : goneFrom(here, all);
  // A state in files moves with its lock, whatever name the manifest gives to the workspace, or is copied with it.
  const locks = renamedFiles(directory, commit, lockFiles);
  const left = locks.filter(({ to }) => folderOf(to) === own).map(({ from }) => from);
  const copied = await filesWith(directory, commit, lockFiles, lineagesIn(directory));
  // A copy, such as a backup, may be older than what is in the place.
  const folders = [
    ...former.map(({ folder }) => folder),
    ...left.map(folderOf),
    own,
    ...copied.map(folderOf),
  ];
  return [...new Set(folders)];
}

function lineagesIn(directory: string): string[] {
  const files = readdirSync(directory).filter((file) => /^agentform.*\.lock$/.test(file));
  return files.flatMap((file) => {
    const read = new WorkspaceFolder(directory).readOwn(file);
    const lineage = read.ok ? kinOf(read.text)?.lineage : undefined;
    return lineage === undefined ? [] : `"lineage": ${JSON.stringify(lineage)}`;
  });
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
  return found.map(({ folder }, at) => {
    const parsed = parseManifest(texts[at] ?? "");
    return { folder, ...marksOf(parsed.ok ? parsed : undefined) };
  });
}

function marksOf(manifest: Manifest | undefined): StateMarks {
  if (!manifest) return {};
  const { metadata, spec } = manifest.value;
  return { name: metadata.name, isInFiles: (spec.lock?.store ?? "file") === "file" };
}

function workspacesHere(directory: string): ReadonlyMap<string, StateMarks> {
  const root = repositoryRoot(directory) ?? directory;
  const files = filesNamed(directory, manifestFile).filter((file) => existsSync(join(root, file)));
  return new Map(files.map((file) => [folderOf(file), marksOf(manifestIn(join(root, folderOf(file))))]));
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
