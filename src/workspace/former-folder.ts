import { posix } from "node:path";
import { parseManifest } from "../core/resources/manifest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { readBlobs } from "../git/read-blobs.js";
import { repositoryFolder } from "../git/repository.js";
import { runGit } from "../git/run-git.js";
import { manifestIn } from "./uses-graph.js";

/**
 * Gives the folder, from the top of the repository and with `/` at its end, in which a commit has the workspace of a
 * folder: a different one if the workspace was moved since. Throws GitError.
 */
export async function formerFolder(directory: string, commit: string): Promise<string> {
  const own = repositoryFolder(directory);
  const path = `${own}${manifestFile}`;
  if ((await runGit(directory, ["ls-tree", "-z", "--full-tree", commit, "--", path])) !== "") return own;
  const { manifests, renamed } = await changedPlaces(directory, commit, own);
  const texts = await readBlobs(
    directory,
    manifests.map(({ id }) => id),
  );
  // How alike two files are is up to the author of the change; the name is in the place of the state.
  const name = manifestIn(directory)?.value.metadata.name;
  const namesake = manifests.find((_, at) => {
    const parsed = parseManifest(texts[at] ?? "");
    return parsed.ok && parsed.value.metadata.name === name;
  });
  const former = namesake?.file ?? renamed;
  return former === undefined ? own : folderOf(former);
}

// The manifests of the commit that are gone or changed since, and the former name of a manifest or lock of the folder.
async function changedPlaces(directory: string, commit: string, own: string) {
  const args = ["diff-index", "--cached", "-M", "--diff-filter=DMR", "--raw", "--no-abbrev", "-z", commit];
  const patterns = [manifestFile, "agentform*.lock"].map((file) => `:(top,glob)**/${file}`);
  const listed = await runGit(directory, ["--no-literal-pathspecs", ...args, "--", ...patterns]);
  const manifests: { readonly file: string; readonly id: string }[] = [];
  let renamed: string | undefined;
  const entry = /:\d+ \d+ ([0-9a-f]+) [0-9a-f]+ (?:[DM]|R\d+\0(?=[^\0]+\0([^\0]+)))\0?([^\0]+)/g;
  for (const [, id = "", to, file = ""] of listed.matchAll(entry)) {
    if (posix.basename(file) === manifestFile) manifests.push({ file, id });
    if (to !== undefined && folderOf(to) === own) renamed ??= file;
  }
  return { manifests, renamed };
}

function folderOf(file: string): string {
  return file.slice(0, -posix.basename(file).length);
}
