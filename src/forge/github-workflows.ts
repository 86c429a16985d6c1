import type { Octokit } from "@octokit/core";
import type { JobChange } from "./discussion.js";

/** A repository of GitHub. */
export interface GithubRepository {
  readonly owner: string;
  readonly repo: string;
}

/** The folder of the workflows and of what they install. */
export const workflowFolder = ".github";

/**
 * Compares the workflows in a pull request's merge with those of its target branch. It compares trees, because
 * the list of a pull request's files is cut after 3,000. Unknown if the merge is not of the given head, or if the
 * token may not read it.
 */
export async function workflowChange(
  client: Octokit,
  repository: GithubRepository,
  { merge, head }: { readonly merge: string | null; readonly head: string },
): Promise<JobChange> {
  if (merge === null) return "unknown";
  try {
    const query = { ...repository, commit_sha: merge };
    const { data } = await client.request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", query);
    const [base, ...others] = data.parents.map(({ sha }) => sha);
    if (base === undefined || others.length !== 1 || others[0] !== head) return "unknown";
    const [before, after] = [
      await folderOf(client, repository, base),
      await folderOf(client, repository, merge),
    ];
    if (before === undefined || after === undefined) return "unknown";
    return before === after ? "none" : "some";
  } catch (cause) {
    // A token that may not read it, or a merge that is gone.
    if (cause instanceof Error && "status" in cause && (cause.status === 403 || cause.status === 404)) {
      return "unknown";
    }
    throw cause;
  }
}

// The identity of the folder's content, empty if there is no folder; undefined if the list is incomplete.
async function folderOf(
  client: Octokit,
  repository: GithubRepository,
  commit: string,
): Promise<string | undefined> {
  const query = { ...repository, tree_sha: commit };
  const { data } = await client.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", query);
  if (data.truncated) return undefined;
  const entry = data.tree.find(({ path }) => path === workflowFolder);
  return entry === undefined ? "" : `${entry.mode} ${entry.sha}`;
}
