import type { JobChange } from "./discussion.js";
import type { Github } from "./github-client.js";

/** The branch that an open pull request is to be merged into. */
interface GithubTarget {
  readonly branch: string;
  /** Its newest commit; empty if the branch is gone. */
  readonly tip: string;
  /** When a different branch was last the target; undefined if none was. */
  readonly changed: string | undefined;
}

interface TargetAnswer {
  readonly repository: {
    readonly pullRequest: {
      readonly baseRefName: string;
      readonly baseRef: { readonly target: { readonly oid: string } } | null;
      readonly timelineItems: { readonly nodes: readonly { readonly createdAt: string }[] };
    };
  };
}

// The branch is looked up as such: to REST's comparisons, a tag may have its name.
const query = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      baseRefName
      baseRef { target { oid } }
      timelineItems(itemTypes: [BASE_REF_CHANGED_EVENT, AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT], last: 1) {
        nodes {
          ... on BaseRefChangedEvent { createdAt }
          ... on AutomaticBaseChangeSucceededEvent { createdAt }
        }
      }
    }
  }
}`;

/** Asks for the target of a pull request, and when it was changed. */
export async function readTarget({ client, repository }: Github, number: number): Promise<GithubTarget> {
  const answer = await client.graphql<TargetAnswer>(query, { ...repository, number });
  const { baseRefName, baseRef, timelineItems } = answer.repository.pullRequest;
  return {
    branch: baseRefName,
    tip: baseRef?.target.oid ?? "",
    changed: timelineItems.nodes.at(-1)?.createdAt,
  };
}

/** The folder of the workflows and of what they install. */
export const workflowFolder = ".github";

/** What GitHub has merged on trial. */
interface TrialMerge {
  readonly merge: string | null;
  readonly head: string;
  /** The newest commit of the target branch. */
  readonly tip: string;
}

/** Compares a merge's workflows with the target branch's, by trees, for GitHub cuts a list of files after 3,000. */
export async function workflowChange(github: Github, { merge, head, tip }: TrialMerge): Promise<JobChange> {
  const { client, repository } = github;
  if (merge === null) return "unknown";
  try {
    const query = { ...repository, commit_sha: merge };
    const { data } = await client.request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", query);
    const [base, ...others] = data.parents.map(({ sha }) => sha);
    if (base === undefined || others.length !== 1 || others[0] !== head) return "unknown";
    // A target that was changed may have left the merge into the one before.
    if (!(await isIn(github, base, tip))) return "unknown";
    const [before, after] = [await folderOf(github, base), await folderOf(github, merge)];
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

// Whether a commit is the tip of a branch, or lies before it.
async function isIn({ client, repository }: Github, commit: string, tip: string): Promise<boolean> {
  const query = { ...repository, basehead: `${tip}...${commit}`, per_page: 1 };
  const { data } = await client.request("GET /repos/{owner}/{repo}/compare/{basehead}", query);
  return data.status === "identical" || data.status === "behind";
}

// The identity of the folder's content, empty if there is no folder; undefined if the list is incomplete.
async function folderOf({ client, repository }: Github, commit: string): Promise<string | undefined> {
  const query = { ...repository, tree_sha: commit };
  const { data } = await client.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", query);
  if (data.truncated) return undefined;
  const entry = data.tree.find(({ path }) => path === workflowFolder);
  return entry === undefined ? "" : `${entry.mode} ${entry.sha}`;
}
