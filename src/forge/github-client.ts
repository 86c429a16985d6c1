import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { ForgeError, refusal, TooLongError } from "./discussion.js";

/** GitHub's own client, with lists of several pages. */
export const GithubClient = Octokit.plugin(paginateRest);
export type GithubClient = InstanceType<typeof GithubClient>;

/** A repository, and how it is asked for. */
export interface Github {
  readonly client: GithubClient;
  readonly repository: { readonly owner: string; readonly repo: string };
}

/** How messages name the forge. */
export const forge = "GitHub";

/** Gives a repository as messages name it. */
export function nameOf({ repository: { owner, repo } }: Github): string {
  return `${owner}/${repo}`;
}

/** Asks GitHub for something that needs a permission; throws TooLongError or ForgeError. */
export async function asking<Value>(
  doing: string,
  permission: "read" | "write",
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    if (cause instanceof Error && cause.cause instanceof ForgeError) throw cause.cause;
    const status = statusOf(cause);
    // A look-up has it where a commit is unknown.
    if (status === 422 && permission === "write")
      throw new TooLongError(`${forge} does not accept this comment (422): it may be too long`);
    const needed = `the job needs \`permissions: {pull-requests: ${permission}}\``;
    throw refusal(forge, status, doing, { variable: "GITHUB_TOKEN", needed });
  }
}

function statusOf(cause: unknown): number | undefined {
  return cause instanceof Error && "status" in cause && typeof cause.status === "number"
    ? cause.status
    : undefined;
}
