import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  beforeMerge,
  mergedAt,
  pageOf,
  startForge,
  type Answer,
  type ForgeServer,
  type Kept,
  type Received,
} from "./forge-server.js";

/** A pull request of the fake. */
export interface PullRequest {
  readonly number: number;
  readonly head: { readonly owner: string; readonly branch: string; readonly sha: string };
  isOpen: boolean;
  /** When it was closed; before everything else unless given. */
  readonly closedAt?: string;
  /** The branch that it is to be merged into, or was; `main` unless given. */
  target?: string;
  /** When its target was last changed. */
  targetChanged?: string;
  /** Whether the merge on trial is still the one into the branch that was the target before. */
  readonly hasOldTrial?: boolean;
  mergedAs?: string;
  /** What `.github` is in the branch and in the merge into it, by its digest; the same unless given. */
  readonly workflows?: { readonly base?: string; readonly merge?: string; readonly isCut?: boolean };
  /** The head that the merge was made with; the head unless given. */
  readonly mergedHead?: string;
  readonly comments: Kept[];
}

/** GitHub on loopback, with one repository, `acme/desk`. */
export interface FakeGithub extends ForgeServer {
  readonly pulls: PullRequest[];
  /** Comments of a pull request, by anybody. */
  comments(number: number): Kept[];
  /** The environment of a job on an event. */
  job(event: object, more?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

/** The user that the token of a job is of, and the token. */
export const botId = 41_898_282;
export const githubToken = "ghs_t0ken";

const repository = "/repos/acme/desk";

/** Starts a GitHub with pull requests in it. */
export async function startGithub(pulls: PullRequest[]): Promise<FakeGithub> {
  let nextId = 1000;
  const server = await startForge((request) => answer(request, pulls, () => nextId++));
  const comments = (number: number) => pulls.find((pull) => pull.number === number)?.comments ?? [];
  return { ...server, pulls, comments, job: (event, more) => jobOf(server.url, event, more) };
}

/** A pull request without comments. */
export function pullRequest(number: number, more: Partial<PullRequest> = {}): PullRequest {
  const head = { owner: "fork", branch: "change", sha: "a".repeat(40) };
  return { number, head, isOpen: true, comments: [], ...more };
}

function jobOf(url: string, event: object, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), "agentform-event-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "event.json");
  writeFileSync(path, JSON.stringify(event));
  return {
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/desk",
    GITHUB_TOKEN: githubToken,
    GITHUB_API_URL: url,
    GITHUB_EVENT_PATH: path,
    ...more,
  };
}

function answer(request: Received, pulls: PullRequest[], newId: () => number): Answer {
  const { method, url, headers, body } = request;
  if (headers.authorization !== `token ${githubToken}` && headers.authorization !== `Bearer ${githubToken}`) {
    return { status: 401, body: { message: "Bad credentials" } };
  }
  if (url.pathname === "/graphql") return graphql(body, pulls);
  if (url.pathname === "/user") {
    return { status: 403, body: { message: "Resource not accessible by integration" } };
  }
  if (url.pathname === `${repository}/pulls`) return pageOf(byHead(url, pulls).map(shape), request);
  const shown = new RegExp(`^${repository}/pulls/(\\d+)$`).exec(url.pathname)?.[1];
  if (shown !== undefined) {
    const pull = pulls.find(({ number }) => number === Number(shown));
    return pull ? { status: 200, body: shape(pull) } : notFound;
  }
  const compared = new RegExp(`^${repository}/compare/([0-9a-f]+)\\.\\.\\.([0-9a-f]+)$`).exec(url.pathname);
  if (compared) return comparison(pulls, compared[1] ?? "", compared[2] ?? "");
  const commit = new RegExp(`^${repository}/commits/([0-9a-f]+)/pulls$`).exec(url.pathname)?.[1];
  if (commit !== undefined) {
    return pageOf(pulls.filter(({ mergedAs }) => mergedAs !== undefined).map(shape), request);
  }
  const object = new RegExp(`^${repository}/git/(commits|trees)/([0-9a-f]+)$`).exec(url.pathname);
  if (object) return gitObject(pulls, object[1] === "trees", object[2] ?? "");
  const comment = new RegExp(`^${repository}/issues/comments/(\\d+)$`).exec(url.pathname)?.[1];
  if (comment !== undefined && method === "PATCH") {
    const kept = pulls.flatMap(({ comments }) => comments).find(({ id }) => id === Number(comment));
    if (!kept) return notFound;
    const isMerged = pulls.some(
      ({ comments, mergedAs }) => comments.includes(kept) && mergedAs !== undefined,
    );
    Object.assign(kept, { body: String(body.body), writtenAt: isMerged ? mergedAt : beforeMerge });
    return { status: 200, body: commentShape(kept) };
  }
  const issue = new RegExp(`^${repository}/issues/(\\d+)/comments$`).exec(url.pathname)?.[1];
  const pull = pulls.find(({ number }) => number === Number(issue));
  if (!pull) return notFound;
  if (method === "GET") return pageOf(pull.comments.map(commentShape), request);
  const writtenAt = pull.mergedAs === undefined ? beforeMerge : mergedAt;
  const kept = { id: newId(), author: botId, body: String(body.body), writtenAt };
  pull.comments.push(kept);
  return { status: 201, body: commentShape(kept) };
}

const notFound: Answer = { status: 404, body: { message: "Not Found" } };

function graphql(body: Received["body"], pulls: readonly PullRequest[]): Answer {
  const viewer = { __typename: "User", login: "github-actions[bot]", databaseId: botId };
  const { id, number } = (body.variables ?? {}) as { id?: string; number?: number };
  const asked = pulls.find((pull) => pull.number === number);
  if (asked) return { status: 200, body: { data: { repository: { pullRequest: targetShape(asked) } } } };
  const kept = pulls.flatMap(({ comments }) => comments).find((each) => globalId(each) === id);
  const node = kept && { body: kept.body, editor: kept.editor ?? null };
  return { status: 200, body: { data: id === undefined ? { viewer } : { node } } };
}

function globalId({ id }: Kept): string {
  return `IC_${id}`;
}

/** The commit that GitHub makes of an open pull request on trial, and its first parent. */
function trialOf({ number }: PullRequest): { readonly merge: string; readonly base: string } {
  const digits = String(number).padStart(38, "0");
  return { merge: `ee${digits}`, base: `ba${digits}` };
}

/** The newest commit of a branch. */
function tipOf(branch: string): string {
  return Buffer.from(branch).toString("hex").padEnd(40, "0");
}

function targetShape({ target = "main", targetChanged }: PullRequest): object {
  const nodes = targetChanged === undefined ? [] : [{ createdAt: targetChanged }];
  return { baseRefName: target, baseRef: { target: { oid: tipOf(target) } }, timelineItems: { nodes } };
}

// The merge on trial is into the target, whose newest commit may be newer, or into another branch.
function comparison(pulls: readonly PullRequest[], base: string, head: string): Answer {
  const pull = pulls.find((each) => trialOf(each).base === head && tipOf(each.target ?? "main") === base);
  return pull ? { status: 200, body: { status: pull.hasOldTrial ? "diverged" : "behind" } } : notFound;
}

function gitObject(pulls: readonly PullRequest[], isTree: boolean, sha: string): Answer {
  const pull = pulls.find((each) => Object.values(trialOf(each)).includes(sha));
  if (!pull) return notFound;
  const { merge, base } = trialOf(pull);
  if (!isTree) {
    const parents = sha === merge ? [{ sha: base }, { sha: pull.mergedHead ?? pull.head.sha }] : [];
    return { status: 200, body: { sha, parents } };
  }
  const { base: before = "d0", merge: after = before, isCut = false } = pull.workflows ?? {};
  const entries = { ".github": sha === base ? before : after, agents: "a0" };
  const tree = Object.entries(entries).map(([path, id]) => ({ path, mode: "040000", type: "tree", sha: id }));
  return { status: 200, body: { sha, truncated: isCut, tree: isCut ? [] : tree } };
}

function byHead(url: URL, pulls: readonly PullRequest[]): PullRequest[] {
  const [head, state] = [url.searchParams.get("head"), url.searchParams.get("state")];
  return pulls.filter(
    (pull) => `${pull.head.owner}:${pull.head.branch}` === head && (pull.isOpen || state === "all"),
  );
}

function shape(pull: PullRequest): object {
  const { number, head, isOpen, closedAt = "2025-12-31T00:00:00Z", mergedAs, target = "main" } = pull;
  return {
    number,
    state: isOpen ? "open" : "closed",
    closed_at: isOpen ? null : closedAt,
    head: { sha: head.sha, ref: head.branch, user: { login: head.owner } },
    base: { ref: target },
    merged_at: mergedAs === undefined ? null : mergedAt,
    merge_commit_sha: mergedAs ?? trialOf(pull).merge,
  };
}

function commentShape(kept: Kept): object {
  const { id, author, body, writtenAt = beforeMerge } = kept;
  const login = author === botId ? "github-actions[bot]" : "somebody";
  return { id, node_id: globalId(kept), body, user: { id: author, login }, updated_at: writtenAt };
}
