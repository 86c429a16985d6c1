import { cautionOf, ForgeError, OutdatedError } from "./discussion.js";
import { asking, nameOf, type Github } from "./github-client.js";
import type { GithubEvent } from "./github-event.js";
import { readTarget, workflowChange, workflowFolder } from "./github-merge.js";

/** A pull request, its target branch, when it was merged, and warnings for readers of its comment. */
export interface FoundPullRequest {
  readonly number: number;
  readonly target: string;
  readonly mergedAt?: string;
  readonly cautions: readonly string[];
}

/** Finds the pull request that an event names, planned, or has merged; throws OutdatedError or ForgeError. */
export async function findPullRequest(github: Github, event: GithubEvent): Promise<FoundPullRequest> {
  switch (event.kind) {
    case "number":
      return { number: event.number, target: await targetOf(github, event), cautions: [] };
    case "head":
      return await findPlanned(github, event);
    case "commit":
      return await findMerged(github, event);
  }
}

async function targetOf(
  github: Github,
  { number, target, planned }: Extract<GithubEvent, { kind: "number" }>,
): Promise<string> {
  const { client, repository } = github;
  if (target !== undefined && planned === undefined) return target;
  const name = `pull request ${number} of ${nameOf(github)}`;
  const query = { ...repository, pull_number: number };
  const { data } = await asking(`look up ${name}`, "read", () =>
    client.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", query),
  );
  if (planned !== undefined && (data.state !== "open" || data.head.sha !== planned)) {
    throw new OutdatedError(`${name} was closed or has newer commits than ${planned}`);
  }
  return target ?? data.base.ref;
}

async function findPlanned(
  github: Github,
  { head, sha, begun }: Extract<GithubEvent, { kind: "head" }>,
): Promise<FoundPullRequest> {
  const { client, repository } = github;
  const name = nameOf(github);
  // Closed ones too: the plan of one that was closed since must not count for a different pull request.
  const query = { ...repository, head, state: "all" as const, per_page: 100 };
  const pulls = await asking(`look up pull requests of ${name}`, "read", () =>
    client.paginate("GET /repos/{owner}/{repo}/pulls", query),
  );
  const found = pulls.find((pull) => pull.head.sha === sha && pull.state === "open");
  if (!found) {
    throw new OutdatedError(
      `no open pull request of ${name} has the head ${sha}: it was closed or has newer commits`,
    );
  }
  const { number, merge_commit_sha: merge } = found;
  const target = await asking(`look up the target of pull request ${number}`, "read", () =>
    readTarget(github, number),
  );
  const change = await asking(`look at the merge of pull request ${number}`, "read", () =>
    workflowChange(github, { merge, head: sha, tip: target.tip }),
  );
  const isBefore = (time: string | null) => Date.parse(time ?? "") < Date.parse(begun);
  const isMoved = target.changed !== undefined && !isBefore(target.changed);
  // One that was open when the run began may have had this head then, and a newer one when it was closed.
  const isShared = pulls.some(
    (pull) => pull !== found && (pull.head.sha === sha || !isBefore(pull.closed_at)),
  );
  return {
    number,
    target: target.branch,
    cautions: [
      ...cautionOf(change, "pull request", `\`${workflowFolder}/\``, "workflow says"),
      ...(isMoved ? [moved] : []),
      ...(isShared ? [shared] : []),
    ],
  };
}

async function findMerged(
  github: Github,
  { sha, branch }: Extract<GithubEvent, { kind: "commit" }>,
): Promise<FoundPullRequest> {
  const { client, repository } = github;
  const name = nameOf(github);
  const query = { ...repository, commit_sha: sha, per_page: 100 };
  const pulls = await asking(`look up pull requests of ${name}`, "read", () =>
    client.paginate("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", query),
  );
  // A commit can have been merged into a different branch before.
  const merged = pulls.find(
    ({ merged_at, merge_commit_sha, base }) =>
      merged_at !== null && merge_commit_sha === sha && base.ref === (branch ?? base.ref),
  );
  if (merged) {
    const { number, base, merged_at } = merged;
    return { number, target: base.ref, mergedAt: merged_at ?? "", cautions: [] };
  }
  const into = branch === undefined ? "" : ` into ${branch}`;
  throw new ForgeError(
    `no pull request of ${name} was merged as ${sha}${into}, so no plan of it was reviewed`,
  );
}

const moved =
  "> **The target of this pull request was changed after the plan below was begun, so it may be for a merge into a different branch.**";
const shared =
  "> **A second pull request has the same head, so the plan below may be for a merge into a different branch.**";
