import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { lockFileName } from "../core/resources/lock-location.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { readBlobs } from "../git/read-blobs.js";
import { repositoryRoot } from "../git/repository.js";
import { resolveCommit, runGit } from "../git/run-git.js";
import { isObject } from "../json/json.js";
import { parseJson } from "../json/parse-json.js";

/**
 * Gives the folders below some in which a commit has a lock with objects, and which are no workspaces any more; not
 * those that git has moved since. Throws GitError.
 */
export async function removedWorkspaces(
  tops: readonly string[],
  ref: string,
  environment: string | null,
): Promise<string[]> {
  const [first = "."] = tops;
  const root = repositoryRoot(first);
  if (root === undefined) return [];
  const commit = await resolveCommit(first, ref);
  const pattern = `:(top,glob)**/${lockFileName({ environment })}`;
  const args = [
    "--no-literal-pathspecs",
    "diff-index",
    "--cached",
    "-M",
    "--diff-filter=D",
    "--name-only",
    "-z",
  ];
  const listed = (await runGit(first, [...args, commit, "--", pattern])).split("\0");
  const gone = listed.filter((file) => {
    const folder = dirname(join(root, file));
    const isBelow = tops.some((top) => folder === top || folder.startsWith(`${top}${sep}`));
    return file !== "" && isBelow && !existsSync(join(folder, manifestFile));
  });
  const texts = await readBlobs(
    first,
    gone.map((file) => `${commit}:${file}`),
  );
  return gone.flatMap((file, at) => (hasObjects(texts[at] ?? "") ? [dirname(join(root, file))] : []));
}

// A lock that cannot be read may have some.
function hasObjects(text: string): boolean {
  const { value } = parseJson(text);
  if (!isObject(value ?? null)) return true;
  const { resources, unknown } = value as Record<string, unknown>;
  return [resources, unknown].some((part) => Object.keys(part ?? {}).length > 0);
}
