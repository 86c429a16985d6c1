import { readFileSync } from "node:fs";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import {
  ForgeError,
  isMarked,
  OutdatedError,
  requireVariables,
  SurroundingsError,
  TooLongError,
  type Discussion,
} from "./discussion.js";
import { parseGithubEvent, type GithubEvent } from "./github-event.js";
import { patientFetch, type Clock } from "./patient-fetch.js";

const Client = Octokit.plugin(paginateRest);
type Client = InstanceType<typeof Client>;

interface Repository {
  readonly owner: string;
  readonly repo: string;
}

const forge = "GitHub";
const workflows = ".github/";

/**
 * Opens the comments of the pull request that a run of GitHub Actions is about: of the event `pull_request` the
 * one it names, of `workflow_run` the open one of that head, of any other the one whose merge made the commit.
 */
export async function openGithub(env: NodeJS.ProcessEnv, clock: Clock): Promise<Discussion> {
  const names = ["GITHUB_TOKEN", "GITHUB_REPOSITORY", "GITHUB_EVENT_PATH"] as const;
  const given = requireVariables(env, names, "GitHub");
  const [owner = "", repo = ""] = given.GITHUB_REPOSITORY.split("/");
  const event = readEvent(given.GITHUB_EVENT_PATH, env.GITHUB_SHA);
  const client = new Client({
    auth: given.GITHUB_TOKEN,
    baseUrl: (env.GITHUB_API_URL ?? "https://api.github.com").replace(/\/$/, ""),
    userAgent: "agentform",
    request: { fetch: patientFetch(forge, clock) },
    // Its own warnings would be printed among the results.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  const number = await findPullRequest(client, { owner, repo }, event);
  const isSelfMade = event.kind === "head" && (await changesWorkflows(client, { owner, repo }, number));
  return discussionOf(client, { owner, repo }, number, isSelfMade);
}

function readEvent(path: string, commit: string | undefined): GithubEvent {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "error";
    throw new SurroundingsError(`the file that GITHUB_EVENT_PATH names cannot be read (${code})`);
  }
  const event = parseGithubEvent(text, commit);
  if (event) return event;
  throw new SurroundingsError(
    "the event of GITHUB_EVENT_PATH names no pull request, and GITHUB_SHA is not set",
  );
}

async function findPullRequest(client: Client, repository: Repository, event: GithubEvent): Promise<number> {
  if (event.kind === "number") return event.number;
  const name = `${repository.owner}/${repository.repo}`;
  const doing = `look up pull requests of ${name}`;
  if (event.kind === "head") {
    const { head, sha } = event;
    const query = { ...repository, head, state: "open" as const, per_page: 100 };
    const pulls = await asking(doing, "read", () =>
      client.paginate("GET /repos/{owner}/{repo}/pulls", query),
    );
    const found = pulls.find((pull) => pull.head.sha === sha);
    if (found) return found.number;
    throw new OutdatedError(
      `no open pull request of ${name} has the head ${sha}: it was closed or has newer commits`,
    );
  }
  const query = { ...repository, commit_sha: event.sha, per_page: 100 };
  const pulls = await asking(doing, "read", () =>
    client.paginate("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", query),
  );
  const merged = pulls.find((pull) => pull.merged_at !== null && pull.merge_commit_sha === event.sha);
  if (merged) return merged.number;
  throw new ForgeError(
    `no pull request of ${name} was merged as ${event.sha}, so no plan of it was reviewed`,
  );
}

// Whoever changes the workflow that plans decides what the plan says.
async function changesWorkflows(
  client: Client,
  repository: Repository,
  pull_number: number,
): Promise<boolean> {
  const query = { ...repository, pull_number, per_page: 100 };
  const files = await asking(`list the files of pull request ${pull_number}`, "read", () =>
    client.paginate("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", query),
  );
  return files.some(
    ({ filename, previous_filename: before = "" }) =>
      filename.startsWith(workflows) || before.startsWith(workflows),
  );
}

function discussionOf(
  client: Client,
  repository: Repository,
  issue_number: number,
  isSelfMade: boolean,
): Discussion {
  const name = `pull request ${issue_number} of ${repository.owner}/${repository.repo}`;
  const comments = "/repos/{owner}/{repo}/issues";
  return {
    name,
    maxBytes: 65_000,
    ...(isSelfMade && {
      caution: `> **This pull request changes \`${workflows}\`, so the plan below is what its own workflow says.** Read that change first.`,
    }),
    async findOwn(marker) {
      const author = await viewer(client);
      const query = { ...repository, issue_number, per_page: 100 };
      const all = await asking(`read the comments of ${name}`, "read", () =>
        client.paginate(`GET ${comments}/{issue_number}/comments`, query),
      );
      const own = all.find(({ user, body = "" }) => Number(user?.id) === author && isMarked(body, marker));
      return own && { id: Number(own.id), body: own.body ?? "" };
    },
    async create(body) {
      await asking(`comment on ${name}`, "write", () =>
        client.request(`POST ${comments}/{issue_number}/comments`, { ...repository, issue_number, body }),
      );
    },
    async update({ id }, body) {
      await asking(`change its comment on ${name}`, "write", () =>
        client.request(`PATCH ${comments}/comments/{comment_id}`, { ...repository, comment_id: id, body }),
      );
    },
  };
}

// The token of a job is an app's, which may not ask for `/user`; this both sorts of tokens may.
async function viewer(client: Client): Promise<number> {
  const { viewer } = await asking("ask whose token it is", "read", () =>
    client.graphql<{ viewer: { databaseId: number } }>("query { viewer { databaseId } }"),
  );
  return viewer.databaseId;
}

async function asking<Answer>(
  doing: string,
  permission: "read" | "write",
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof Error && cause.cause instanceof ForgeError) throw cause.cause;
    throw refusal(statusOf(cause), doing, permission);
  }
}

function statusOf(cause: unknown): number | undefined {
  return cause instanceof Error && "status" in cause && typeof cause.status === "number"
    ? cause.status
    : undefined;
}

function refusal(status: number | undefined, doing: string, permission: "read" | "write"): ForgeError {
  if (status === 401) return new ForgeError(`${forge} knows no such token (401): is GITHUB_TOKEN expired?`);
  if (status === 403) {
    const needed = `\`permissions: {pull-requests: ${permission}}\``;
    return new ForgeError(`${forge} does not let this token ${doing} (403): the job needs ${needed}`);
  }
  if (status === 404) {
    return new ForgeError(
      `${forge} cannot ${doing} (404): there is no such thing, or the token may not see it`,
    );
  }
  if (status === 422) return new TooLongError(`${forge} takes no such comment (422): it may be too long`);
  const answer = status === undefined ? "an answer that cannot be read" : String(status);
  return new ForgeError(`${forge} could not ${doing} (${answer})`);
}

function ignore(): void {
  // Nothing of it is for the user.
}
