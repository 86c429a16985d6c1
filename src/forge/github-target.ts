import type { Octokit } from "@octokit/core";
import type { GithubRepository } from "./github-workflows.js";

/** The branch that an open pull request is to be merged into. */
export interface GithubTarget {
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
export async function readTarget(
  client: Octokit,
  repository: GithubRepository,
  number: number,
): Promise<GithubTarget> {
  const answer = await client.graphql<TargetAnswer>(query, { ...repository, number });
  const { baseRefName, baseRef, timelineItems } = answer.repository.pullRequest;
  return {
    branch: baseRefName,
    tip: baseRef?.target.oid ?? "",
    changed: timelineItems.nodes.at(-1)?.createdAt,
  };
}
