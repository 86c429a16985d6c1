import { readFileSync } from "node:fs";
import {
  ForgeError,
  isMarked,
  requireVariables,
  SurroundingsError,
  type Comment,
  type Discussion,
} from "./discussion.js";
import { asking, forge, GithubClient, nameOf, type Github } from "./github-client.js";
import { parseGithubEvent, type GithubEvent } from "./github-event.js";
import { findPullRequest, type FoundPullRequest } from "./github-pull-request.js";
import { patientFetch, type Clock, type Fetch } from "./patient-fetch.js";

/** Opens the pull request's comments in a run of GitHub Actions, whether it plans, comments later, or has merged. */
export async function openGithub(env: NodeJS.ProcessEnv, clock: Clock): Promise<Discussion> {
  const names = ["GITHUB_TOKEN", "GITHUB_REPOSITORY", "GITHUB_EVENT_PATH"] as const;
  const given = requireVariables(env, names, "GitHub");
  const [owner = "", repo = ""] = given.GITHUB_REPOSITORY.split("/");
  const event = readEvent(given.GITHUB_EVENT_PATH, env.GITHUB_SHA);
  const baseUrl = (env.GITHUB_API_URL ?? "https://api.github.com").replace(/\/$/, "");
  const client = new GithubClient({
    auth: given.GITHUB_TOKEN,
    baseUrl,
    userAgent: "agentform",
    request: { fetch: wholeFetch(patientFetch(forge, baseUrl, clock)), log: silent },
    log: silent,
  });
  const github = { client, repository: { owner, repo } };
  const found = await asking(`look up pull requests of ${nameOf(github)}`, "read", () =>
    findPullRequest(github, event),
  );
  return discussionOf(github, found);
}

// The client takes an answer without a body for the end of a list.
function wholeFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.ok || response.body !== null) return response;
    throw new ForgeError(`${forge} gave an empty answer (${response.status}); run this again`);
  };
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

function discussionOf(
  github: Github,
  { number: issue_number, target, mergedAt, cautions }: FoundPullRequest,
): Discussion {
  const { client, repository } = github;
  const name = `pull request ${issue_number} of ${nameOf(github)}`;
  const comments = "/repos/{owner}/{repo}/issues";
  return {
    name,
    maxBytes: 65_000,
    target,
    ...(mergedAt !== undefined && { mergedAt }),
    ...(cautions.length > 0 && { caution: cautions.join("\n>\n") }),
    async findOwn(marker) {
      const { databaseId: author } = await viewer(client);
      const query = { ...repository, issue_number, per_page: 100 };
      // Of what anybody may have written, one page is kept at a time.
      return await asking(`read the comments of ${name}`, "read", () =>
        client.paginate(`GET ${comments}/{issue_number}/comments`, query, ({ data }) =>
          data
            .filter(({ user, body = "" }) => Number(user?.id) === author && isMarked(body, marker))
            .map(({ id, node_id, body = "", updated_at: writtenAt }) => {
              return { id: Number(id), globalId: node_id, body, writtenAt };
            }),
        ),
      );
    },
    // Users with push access may edit the comments of others, but may not have the right to apply.
    isUntouched: (comment) => asking(`see who wrote in ${name}`, "read", () => isUntouched(client, comment)),
    async create(body) {
      const query = { ...repository, issue_number, body };
      await asking(`comment on ${name}`, "write", async () =>
        expectWritten(await client.request(`POST ${comments}/{issue_number}/comments`, query)),
      );
    },
    async update({ id }, body) {
      const query = { ...repository, comment_id: id, body };
      await asking(`change its comment on ${name}`, "write", async () =>
        expectWritten(await client.request(`PATCH ${comments}/comments/{comment_id}`, query)),
      );
    },
  };
}

// What stands between may answer with a page of its own, such as one that asks to sign in.
function expectWritten({ data }: { readonly data: { readonly id?: number | bigint } }): void {
  if (typeof data.id !== "number") throw new TypeError("a comment without an ID");
}

/** A user or an app in answers to GraphQL. */
interface Actor {
  readonly __typename: string;
  readonly login: string;
  readonly databaseId: number;
}

// A job's token belongs to an app, which may not request `/user`; both kinds of tokens may run this query.
async function viewer(client: GithubClient): Promise<Actor> {
  const query = "query { viewer { __typename login databaseId } }";
  return await asking("ask whose token it is", "read", async () => {
    const { viewer: actor } = await client.graphql<{ viewer: Actor }>(query);
    if (typeof actor.databaseId === "number") return actor;
    throw new TypeError("an actor without an ID");
  });
}

async function isUntouched(client: GithubClient, { globalId, body }: Comment): Promise<boolean> {
  const own = await viewer(client);
  const query = `query ($id: ID!) {
    node(id: $id) {
      ... on IssueComment {
        body
        editor { __typename login ... on Bot { databaseId } ... on User { databaseId } }
      }
    }
  }`;
  const answer = await client.graphql<{ node?: { body?: string; editor?: Actor | null } | null }>(query, {
    id: globalId,
  });
  if (typeof answer.node?.body !== "string" || answer.node.body !== body) return false;
  const { editor } = answer.node;
  if (editor === null) return true;
  if (editor?.__typename === "Bot") return appName(editor.login) === appName(own.login);
  return editor?.__typename === "User" && editor.databaseId === own.databaseId;
}

// An app is called `name[bot]` as a user, and `name` as an actor.
function appName(login: string): string {
  return login.replace(/\[bot\]$/, "");
}

// The client's own warnings would be printed among the results.
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // None of this output is for the user.
}
