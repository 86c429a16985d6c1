import { Commits, MergeRequestNotes, MergeRequests, Repositories, Users } from "@gitbeaker/core";
import { createRequesterFn, type FormattedResponse } from "@gitbeaker/requester-utils";
import { ForgeError, isMarked, requireVariables, TooLongError, type Discussion } from "./discussion.js";
import { patientFetch, type Clock } from "./patient-fetch.js";

const forge = "GitLab";

/** An answer that is no success. */
class StatusError extends Error {
  constructor(
    readonly status: number,
    readonly isTooLong: boolean,
  ) {
    super(`status ${status}`);
  }
}

interface Clients {
  readonly notes: MergeRequestNotes;
  readonly commits: Commits;
  readonly users: Users;
  readonly requests: MergeRequests;
  readonly repositories: Repositories;
}

/** Opens the comments of the merge request that a pipeline of GitLab is of, or else of the one whose merge made its commit. */
export async function openGitlab(env: NodeJS.ProcessEnv, clock: Clock): Promise<Discussion> {
  const names = ["GITLAB_TOKEN", "CI_API_V4_URL", "CI_PROJECT_ID"] as const;
  const given = requireVariables(env, names, "GitLab");
  const options = {
    host: given.CI_API_V4_URL.replace(/\/api\/v4\/?$/, ""),
    token: given.GITLAB_TOKEN,
    requesterFn: requesterOf(given.CI_API_V4_URL, clock),
  };
  const clients = {
    notes: new MergeRequestNotes(options),
    commits: new Commits(options),
    users: new Users(options),
    requests: new MergeRequests(options),
    repositories: new Repositories(options),
  };
  // A pipeline of a fork runs in the fork's project, and the merge request is in the other one.
  const project = env.CI_MERGE_REQUEST_PROJECT_ID ?? given.CI_PROJECT_ID;
  const iid = env.CI_MERGE_REQUEST_IID ?? "";
  if (iid !== "") {
    const caution = await cautionOf(clients, project, Number(iid));
    return { ...discussionOf(clients, project, Number(iid)), ...(caution !== undefined && { caution }) };
  }
  const { CI_COMMIT_SHA: sha } = requireVariables(env, ["CI_COMMIT_SHA"], "GitLab");
  return discussionOf(clients, project, await findMerged(clients, project, sha));
}

function requesterOf(address: string, clock: Clock) {
  const send = patientFetch(forge, address, clock);
  return createRequesterFn(
    (_, options) => Promise.resolve(options),
    async (endpoint, options: RequestParts = {}): Promise<FormattedResponse> => {
      const { prefixUrl = "", searchParams, method, headers, body } = options;
      const url = new URL(endpoint, prefixUrl.endsWith("/") ? prefixUrl : `${prefixUrl}/`);
      url.search = searchParams ?? "";
      const response = await send(url, {
        ...(method !== undefined && { method }),
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      if (!response.ok) throw new StatusError(response.status, /too long/i.test(text));
      return { body: parse(text), headers: Object.fromEntries(response.headers), status: response.status };
    },
  );
}

interface RequestParts {
  readonly prefixUrl?: string;
  readonly searchParams?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function parse(text: string): FormattedResponse["body"] {
  try {
    return JSON.parse(text) as FormattedResponse["body"];
  } catch {
    throw new ForgeError(`${forge} gave an answer that cannot be read: is CI_API_V4_URL right?`);
  }
}

async function findMerged({ commits }: Clients, project: string, sha: string): Promise<number> {
  const requests = await asking(`look up merge requests of project ${project}`, () =>
    commits.allMergeRequests(project, sha),
  );
  const merged = requests.find(
    (request) =>
      request.state === "merged" &&
      [request.merge_commit_sha, request.squash_commit_sha, request.sha].includes(sha),
  );
  if (merged) return merged.iid;
  throw new ForgeError(
    `no merge request of project ${project} was merged as ${sha}, so no plan of it was reviewed`,
  );
}

/** What decides what a pipeline does, at the root of a repository. */
const jobFiles = [".gitlab", ".gitlab-ci.yml"];

const treePages = 20;
const treePageSize = 100;

// Trees are compared, for GitLab gives no more than the first thousand changes or so of a merge request.
async function cautionOf(clients: Clients, project: string, iid: number): Promise<string | undefined> {
  const name = `merge request ${iid} of project ${project}`;
  const names = jobFiles.map((file) => `\`${file}\``).join(" or ");
  const [before, after] = await asking(`look at the files of ${name}`, async () => {
    const { diff_refs: refs } = await clients.requests.show(project, iid);
    return [
      await jobFilesOf(clients, project, refs?.base_sha),
      await jobFilesOf(clients, project, refs?.head_sha),
    ];
  });
  if (before === undefined || after === undefined) {
    return `> **Whether this merge request changes ${names} could not be seen, so the plan below may be what its own jobs say.** Look at its files first.`;
  }
  if (before === after) return undefined;
  return `> **This merge request changes ${names}, so the plan below is what its own jobs say.** Read that change first.`;
}

// What identifies the files of a commit that decide; undefined where the list of its root is not whole.
async function jobFilesOf(
  { repositories }: Clients,
  project: string,
  ref: string | null | undefined,
): Promise<string | undefined> {
  if (typeof ref !== "string" || ref === "") return undefined;
  const query = { ref, perPage: treePageSize, maxPages: treePages };
  const entries = await repositories.allRepositoryTrees(project, query);
  if (entries.length >= treePages * treePageSize) return undefined;
  const found = entries.filter(({ path }) => jobFiles.includes(path));
  return JSON.stringify(found.map(({ path, mode, id }) => [path, mode, id]).toSorted());
}

function discussionOf({ notes, users }: Clients, project: string, iid: number): Discussion {
  const name = `merge request ${iid} of project ${project}`;
  return {
    name,
    maxBytes: 1_000_000,
    async findOwn(marker) {
      const { id: author } = await asking("ask whose token it is", () => users.showCurrentUser());
      const query = { perPage: 100, sort: "asc", orderBy: "created_at" } as const;
      const all = await asking(`read the comments of ${name}`, () => notes.all(project, iid, query));
      const own = all.filter((note) => note.author.id === author && isMarked(note.body, marker));
      return own.map(({ id, body }) => ({ id, body }));
    },
    // Only maintainers may change what others wrote, and they may change the job that reads it.
    isUntouched: () => Promise.resolve(true),
    async create(body) {
      await asking(`comment on ${name}`, () => notes.create(project, iid, body));
    },
    async update({ id }, body) {
      await asking(`change its comment on ${name}`, () => notes.edit(project, iid, id, { body }));
    },
  };
}

async function asking<Answer>(doing: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof StatusError)) throw cause;
    throw refusal(cause, doing);
  }
}

function refusal({ status, isTooLong }: StatusError, doing: string): ForgeError {
  if (status === 401) return new ForgeError(`${forge} knows no such token (401): is GITLAB_TOKEN expired?`);
  if (status === 403) {
    const needed = "it must have the scope `api` and be at least a Reporter of the project";
    return new ForgeError(`${forge} does not let this token ${doing} (403): ${needed}`);
  }
  if (status === 404) {
    return new ForgeError(
      `${forge} cannot ${doing} (404): there is no such thing, or the token may not see it`,
    );
  }
  if (status === 413 || ((status === 400 || status === 422) && isTooLong)) {
    return new TooLongError(`${forge} takes no comment that is so long (${status})`);
  }
  return new ForgeError(`${forge} could not ${doing} (${status})`);
}
