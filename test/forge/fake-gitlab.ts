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

/** A merge request of the fake. */
export interface MergeRequest {
  readonly iid: number;
  mergedAs?: string;
  /** The newest commit of its branch; none unless given. */
  head?: string;
  /** The branch that it is to be merged into, or was; `main` unless given. */
  target?: string;
  /** What `.gitlab` is in the branch and in the merge request, by its digest; the same unless given. */
  readonly jobs?: { readonly base: string; readonly head: string };
  /** How many other files are at the root of the repository. */
  readonly files?: number;
  readonly notes: Kept[];
}

/** GitLab on loopback, with one project, 7. */
export interface FakeGitlab extends ForgeServer {
  readonly requests: MergeRequest[];
  notes(iid: number): Kept[];
  /** The environment of a job. */
  job(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

/** The user that the token is of, and the token. */
export const tokenUser = 77;
export const gitlabToken = "glpat-t0ken";

/** Starts a GitLab with merge requests in it, and with the states of a server. */
export async function startGitlab(
  requests: MergeRequest[],
  states?: { readonly origin: string },
): Promise<FakeGitlab> {
  let nextId = 1000;
  const server = await startForge((request) => answer(request, requests, () => nextId++), states);
  return {
    ...server,
    requests,
    notes: (iid) => requests.find((request) => request.iid === iid)?.notes ?? [],
    job: (more) => ({
      GITLAB_CI: "true",
      GITLAB_TOKEN: gitlabToken,
      CI_API_V4_URL: `${server.url}/api/v4`,
      CI_PROJECT_ID: "7",
      ...more,
    }),
  };
}

function answer(request: Received, requests: MergeRequest[], newId: () => number): Answer {
  const { method, url, headers, body } = request;
  if (headers["private-token"] !== gitlabToken) {
    return { status: 401, body: { message: "401 Unauthorized" } };
  }
  if (url.pathname === "/api/v4/user") return { status: 200, body: { id: tokenUser, username: "bot" } };
  if (/^\/api\/v4\/projects\/7\/repository\/commits\/[0-9a-f]+\/merge_requests$/.test(url.pathname)) {
    return pageOf(
      requests.map(({ iid, mergedAs = null, target = "main" }) => ({
        iid,
        target_branch: target,
        state: mergedAs === null ? "opened" : "merged",
        merged_at: mergedAs === null ? null : mergedAt,
        sha: null,
        merge_commit_sha: mergedAs,
        squash_commit_sha: null,
      })),
      request,
    );
  }
  const ref = /^\/api\/v4\/projects\/7\/repository\/tree$/.test(url.pathname) && url.searchParams.get("ref");
  if (typeof ref === "string") return pageOf(rootOf(requests, ref), request);
  const shown = /^\/api\/v4\/projects\/7\/merge_requests\/(\d+)$/.exec(url.pathname)?.[1];
  if (shown !== undefined) {
    const diff_refs = { base_sha: `base${shown}`, head_sha: `head${shown}`, start_sha: `base${shown}` };
    const {
      target = "main",
      mergedAs,
      head = null,
    } = requests.find((each) => each.iid === Number(shown)) ?? {};
    const state = mergedAs === undefined ? "opened" : "merged";
    return { status: 200, body: { iid: Number(shown), target_branch: target, state, sha: head, diff_refs } };
  }
  const [, iid, note] =
    /^\/api\/v4\/projects\/7\/merge_requests\/(\d+)\/notes(?:\/(\d+))?$/.exec(url.pathname) ?? [];
  const { notes, mergedAs } = requests.find((merge) => merge.iid === Number(iid)) ?? {};
  const writtenAt = mergedAs === undefined ? beforeMerge : mergedAt;
  if (!notes) return { status: 404, body: { message: "404 Not found" } };
  if (method === "GET") return pageOf(notes.map(shape), request);
  if (method === "POST") {
    const kept = { id: newId(), author: tokenUser, body: String(body.body), writtenAt };
    notes.push(kept);
    return { status: 201, body: shape(kept) };
  }
  const kept = notes.find(({ id }) => id === Number(note));
  if (!kept) return { status: 404, body: { message: "404 Not found" } };
  Object.assign(kept, { body: String(body.body), writtenAt });
  return { status: 200, body: shape(kept) };
}

function rootOf(requests: readonly MergeRequest[], ref: string): object[] {
  const request = requests.find(({ iid }) => ref === `base${iid}` || ref === `head${iid}`);
  const { base, head } = request?.jobs ?? { base: "d0", head: "d0" };
  const id = ref.startsWith("base") ? base : head;
  const files = Array.from({ length: request?.files ?? 1 }, (_, index) => ({
    path: `.a${index}`,
    mode: "100644",
    id: "f0",
  }));
  return [...files, { path: ".gitlab", mode: "040000", id }];
}

function shape({ id, author, body, writtenAt = beforeMerge }: Kept): object {
  return { id, body, system: false, author: { id: author, username: "somebody" }, updated_at: writtenAt };
}
