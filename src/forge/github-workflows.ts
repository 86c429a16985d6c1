import type { Octokit } from "@octokit/core";

/** A repository of GitHub. */
export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

/** What a pull request does to the workflows: whoever changes the one that plans decides what the plan says. */
export type WorkflowChange = "none" | "some" | "unknown";

/** The folder of the workflows, and of what they install. */
export const workflowFolder = ".github";

/**
 * Compares the workflows of a pull request's merge with those of the branch that it is merged into. Trees are
 * compared, for the list of a pull request's files ends after 3,000 of them. Unknown where the merge is not that
 * of the given head, or the token may not see it.
 */
export async function workflowChange(
  client: Octokit,
  repository: Repository,
  { merge, head }: { readonly merge: string | null; readonly head: string },
): Promise<WorkflowChange> {
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
    // A workflow of an older version has a token that may not see it.
    if (cause instanceof Error && "status" in cause && (cause.status === 403 || cause.status === 404)) {
      return "unknown";
    }
    throw cause;
  }
}

// What identifies all that is in the folder, empty where there is none; undefined where the list is not whole.
async function folderOf(
  client: Octokit,
  repository: Repository,
  commit: string,
): Promise<string | undefined> {
  const query = { ...repository, tree_sha: commit };
  const { data } = await client.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", query);
  if (data.truncated) return undefined;
  const entry = data.tree.find(({ path }) => path === workflowFolder);
  return entry === undefined ? "" : `${entry.mode} ${entry.sha}`;
}
