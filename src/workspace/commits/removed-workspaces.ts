import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentsOf } from "../../core/resources/environment-name.js";
import { storesInFiles, lockFileName } from "../../core/resources/lock-location.js";
import { declaredEnvironments, parseManifest } from "../../core/resources/manifest.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { isSameOwner } from "../../core/state/lock.js";
import { ownerInText } from "../../core/state/renamed-state.js";
import { realPath } from "../../disk/real-path.js";
import { readBlobs } from "../../git/read-blobs.js";
import { isWithin, repositoryRoot } from "../../git/repository.js";
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
  const changed = async (file: string): Promise<Changed[]> => {
    const args = ["diff-index", "--cached", "--no-renames", "--name-only", "-z", commit];
    const pattern = `:(top,glob)**/${file}`;
    const listed = await runGit(first, ["--no-literal-pathspecs", ...args, "--", pattern]);
    const paths = listed.split("\0").filter((path) => path !== "");
    const texts = await readBlobs(
      first,
      paths.flatMap((path) => [`${commit}:${path}`, `:${path}`]),
    );
    return paths.map((path, at) => ({
      folder: dirname(path),
      before: texts[2 * at] ?? null,
      after: isWorkspace(root, dirname(path)) ? (texts[2 * at + 1] ?? null) : undefined,
    }));
  };
  const isAsked = ({ folder }: Changed): boolean => tops.some((top) => isWithin(join(root, folder), top));
  const locks = goneLocks(await changed(lockFileName({ environment })));
  const manifests = withStateElsewhere(await changed(manifestFile), environment, root);
  return [...new Set([...locks, ...manifests].filter(isAsked).map(({ folder }) => folder))];
}

// What a link leads to is the workspace of another folder.
function isWorkspace(root: string, folder: string): boolean {
  const path = join(root, folder);
  return existsSync(join(path, manifestFile)) && realPath(path) === join(realPath(root), folder);
}

/** A file that differs from the one of a commit, null where there is none; undefined where the folder is no workspace. */
interface Changed {
  /** From the top of the repository. */
  readonly folder: string;
  readonly before: string | null;
  readonly after: string | null | undefined;
}

// A state lives on where a workspace has its lineage. Of one that is begun anew, or has no lock now, its own plan tells.
function goneLocks(locks: readonly Changed[]): Changed[] {
  const present = new Set(locks.map(({ after }) => ownerInText(after ?? null)?.lineage));
  return locks.filter(({ before, after }) => {
    if (before === null || !hasObjects(before)) return false;
    const [was, is] = [ownerInText(before), ownerInText(after ?? null)];
    if (was && present.has(was.lineage)) return false;
    return after === undefined || (was && is && !isSameOwner(was, is));
  });
}

// The name is in the place of such a state, so that a workspace of that name has it now. What is there, only its medium says.
function withStateElsewhere(
  manifests: readonly Changed[],
  environment: string | null,
  root: string,
): readonly Changed[] {
  const were = manifests.map(({ before }) => manifestFrom(before));
  const earlier = new Set(were.map((manifest) => manifest?.metadata.name));
  const elsewhere = manifests.flatMap((changed, at) => {
    const manifest = were[at];
    if (!manifest) return [];
    const { name } = manifest.metadata;
    // One of a new name may be the same under that name; one that had a folder of its own is another.
    const now = manifestFrom(changed.after)?.metadata.name ?? name;
    if (changed.after !== undefined && (now === name || !earlier.has(now))) return [];
    const hadIt = environmentsOf(declaredEnvironments(manifest)).includes(environment);
    return hadIt && !storesInFiles(manifest) ? [{ ...changed, name }] : [];
  });
  if (elsewhere.length === 0) return [];
  const names = new Set(workspacesWithin(root).map((folder) => manifestIn(folder)?.value.metadata.name));
  return elsewhere.filter(({ name }) => !names.has(name));
}

function manifestFrom(text: string | null | undefined) {
  const parsed = parseManifest(text ?? "");
  return parsed.ok ? parsed.value : undefined;
}

// A lock that cannot be read may have some.
function hasObjects(text: string): boolean {
  const { value } = parseJson(text);
  if (!isObject(value ?? null)) return true;
  const { resources, unknown } = value as Record<string, unknown>;
  return [resources, unknown].some((part) => Object.keys(part ?? {}).length > 0);
}
