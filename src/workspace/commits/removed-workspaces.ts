import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { environmentsOf } from "../../core/resources/environment-name.js";
import { storesInFiles, lockFileName } from "../../core/resources/lock-location.js";
import { declaredEnvironments, parseManifest } from "../../core/resources/manifest.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { realPath } from "../../disk/real-path.js";
import { readBlobs } from "../../git/read-blobs.js";
import { isWithin, repositoryRoot } from "../../git/repository.js";
import { renamedLocks } from "../../git/renamed-locks.js";
import { resolveCommit, runGit } from "../../git/run-git.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { manifestIn, workspacesWithin } from "../others/uses-graph.js";

/** Gives folders, from the top of the repository, where a commit has a state and no workspace is now, unless it moved; throws GitError. */
export async function removedWorkspaces(
  tops: readonly string[],
  ref: string,
  environment: string | null,
): Promise<string[]> {
  const [first = "."] = tops;
  const root = repositoryRoot(first);
  if (root === undefined) return [];
  const commit = await resolveCommit(first, ref);
  const moved = new Map(renamedLocks(first, commit).map(({ from, to }) => [from, to]));
  const isMoved = (path: string): boolean => {
    const to = moved.get(path) ?? "";
    return basename(to) === basename(path) && isWorkspace(root, dirname(to));
  };
  const goneOf = async (file: string): Promise<Removed[]> => {
    const args = ["diff-index", "--cached", "--no-renames", "--diff-filter=D", "--name-only", "-z", commit];
    const pattern = `:(top,glob)**/${file}`;
    const listed = await runGit(first, ["--no-literal-pathspecs", ...args, "--", pattern]);
    const gone = listed.split("\0").filter((path) => {
      const folder = dirname(path);
      return (
        path !== "" &&
        tops.some((top) => isWithin(join(root, folder), top)) &&
        !isWorkspace(root, folder) &&
        !isMoved(path)
      );
    });
    const texts = await readBlobs(
      first,
      gone.map((path) => `${commit}:${path}`),
    );
    return gone.map((path, at) => ({ folder: dirname(path), text: texts[at] ?? "" }));
  };
  const locks = await goneOf(lockFileName({ environment }));
  const manifests = await goneOf(manifestFile);
  const removed = [
    ...locks.filter(({ text }) => hasObjects(text)),
    ...withStateElsewhere(manifests, environment, root),
  ];
  return [...new Set(removed.map(({ folder }) => folder))];
}

// What a link leads to is the workspace of another folder.
function isWorkspace(root: string, folder: string): boolean {
  const path = join(root, folder);
  return existsSync(join(path, manifestFile)) && realPath(path) === join(realPath(root), folder);
}

/** A folder, from the top of the repository, that has no manifest any more, and the text of a file that it had. */
interface Removed {
  readonly folder: string;
  readonly text: string;
}

// The name is in the place of such a state, so that a workspace of that name has it now. What is there, only its medium says.
function withStateElsewhere(
  manifests: readonly Removed[],
  environment: string | null,
  root: string,
): readonly Removed[] {
  const elsewhere = manifests.flatMap((removed) => {
    const parsed = parseManifest(removed.text);
    if (!parsed.ok) return [];
    const { name } = parsed.value.metadata;
    const hadIt = environmentsOf(declaredEnvironments(parsed.value)).includes(environment);
    return hadIt && !storesInFiles(parsed.value) ? [{ ...removed, name }] : [];
  });
  if (elsewhere.length === 0) return [];
  const names = new Set(workspacesWithin(root).map((folder) => manifestIn(folder)?.value.metadata.name));
  return elsewhere.filter(({ name }) => !names.has(name));
}

// A lock that cannot be read may have some.
function hasObjects(text: string): boolean {
  const { value } = parseJson(text);
  if (!isObject(value ?? null)) return true;
  const { resources, unknown } = value as Record<string, unknown>;
  return [resources, unknown].some((part) => Object.keys(part ?? {}).length > 0);
}
