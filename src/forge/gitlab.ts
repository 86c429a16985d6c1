import {
  cautionOf,
  ForgeError,
  isMarked,
  OutdatedError,
  refusal,
  requireVariables,
  TooLongError,
  type Comment,
  type Discussion,
} from "./discussion.js";
import type { Json } from "../json/json.js";
import { valueAt } from "../json/path.js";
import { forge, GitlabApi, StatusError, unreadable } from "./gitlab-api.js";
import type { Clock } from "./patient-fetch.js";

/** A project, as part of the paths of the API. */
interface Project {
  readonly id: string;
  readonly path: string;
}

/** Opens the comments of the merge request of a GitLab pipeline, or else of the one whose merge made its commit. */
export async function openGitlab(env: NodeJS.ProcessEnv, clock: Clock): Promise<Discussion> {
  const names = ["GITLAB_TOKEN", "CI_API_V4_URL", "CI_PROJECT_ID"] as const;
  const given = requireVariables(env, names, "GitLab");
  const api = new GitlabApi(given.CI_API_V4_URL, given.GITLAB_TOKEN, clock);
  // A pipeline of a fork runs in the fork's project, but the merge request is in the target project.
  const id = env.CI_MERGE_REQUEST_PROJECT_ID ?? given.CI_PROJECT_ID;
  const project = { id, path: `projects/${encodeURIComponent(id)}` };
  const iid = env.CI_MERGE_REQUEST_IID ?? "";
  if (iid !== "") return await openPlanned(api, project, Number(iid), env);
  const { CI_COMMIT_SHA: sha } = requireVariables(env, ["CI_COMMIT_SHA"], "GitLab");
  return discussionOf(api, project, await findMerged(api, project, sha, env.CI_COMMIT_BRANCH));
}

// What a comment shows when the merge is agreed to counts as reviewed, so a plan that comes later must not be in it.
async function openPlanned(
  api: GitlabApi,
  project: Project,
  iid: number,
  env: NodeJS.ProcessEnv,
): Promise<Discussion> {
  const name = nameOf(project, iid);
  if (env.CI_MERGE_REQUEST_EVENT_TYPE === "merge_train") {
    throw new OutdatedError(`nobody reads the plan of a merge train before ${name} is merged`);
  }
  const { target, head, isOpen, caution } = await readRequest(api, project, iid);
  if (!isOpen) throw new OutdatedError(`${name} is not open any more`);
  // The commit of the pipeline can be the merge on trial.
  const branchHead = env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA ?? "";
  const planned = branchHead === "" ? env.CI_COMMIT_SHA : branchHead;
  if (planned !== undefined && head !== undefined && planned !== head) {
    throw new OutdatedError(`${name} has newer commits than ${planned}`);
  }
  const into = env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ?? target;
  if (into !== target) {
    throw new OutdatedError(`${name} was planned for ${into}, but its target is ${target} now`);
  }
  return { ...discussionOf(api, project, { iid, target }), ...(caution !== undefined && { caution }) };
}

/** A merge request, the branch that it is merged into, and when it was. */
interface FoundRequest {
  readonly iid: number;
  readonly target: string;
  readonly mergedAt?: string;
}

async function findMerged(
  api: GitlabApi,
  { id, path }: Project,
  sha: string,
  branch: string | undefined,
): Promise<FoundRequest> {
  const found = await asking(`look up merge requests of project ${id}`, async () => {
    const requests = api.list(`${path}/repository/commits/${encodeURIComponent(sha)}/merge_requests`);
    for await (const request of requests) {
      const [iid, target] = [valueAt(request, ["iid"]), valueAt(request, ["target_branch"])];
      if (typeof iid !== "number" || typeof target !== "string" || !isMergedAs(request, sha)) continue;
      // Where branches are moved forward without a merge commit, one commit is merged several times.
      if (target !== (branch ?? target)) continue;
      return { iid, target, mergedAt: String(valueAt(request, ["merged_at"])) };
    }
    return undefined;
  });
  if (found !== undefined) return found;
  throw new ForgeError(
    `no merge request of project ${id} was merged as ${sha}${branch === undefined ? "" : ` into ${branch}`}, so no plan of it was reviewed`,
  );
}

function isMergedAs(request: Json, sha: string): boolean {
  const commits = ["merge_commit_sha", "squash_commit_sha", "sha"];
  return valueAt(request, ["state"]) === "merged" && commits.some((name) => valueAt(request, [name]) === sha);
}

/** The files at the root of a repository that decide what a pipeline does. */
const jobFiles = [".gitlab", ".gitlab-ci.yml"];

const mostFiles = 2000;

interface ReadRequest {
  readonly target: string;
  /** The newest commit of its branch. */
  readonly head: string | undefined;
  readonly isOpen: boolean;
  readonly caution: string | undefined;
}

// Trees are compared, because GitLab lists only about the first thousand changes of a merge request.
async function readRequest(api: GitlabApi, project: Project, iid: number): Promise<ReadRequest> {
  const name = nameOf(project, iid);
  const names = jobFiles.map((file) => `\`${file}\``).join(" or ");
  const [request, before, after] = await asking(`look at the files of ${name}`, async () => {
    const request = await api.read(`${project.path}/merge_requests/${iid}`);
    return [
      request,
      await jobFilesOf(api, project, valueAt(request, ["diff_refs", "base_sha"])),
      await jobFilesOf(api, project, valueAt(request, ["diff_refs", "head_sha"])),
    ];
  });
  const [target, head, state] = ["target_branch", "sha", "state"].map((key) => valueAt(request, [key]));
  if (typeof target !== "string" || typeof state !== "string") throw unreadable();
  const isUnknown = before === undefined || after === undefined;
  const change = isUnknown ? "unknown" : before === after ? "none" : "some";
  const [caution] = cautionOf(change, "merge request", names, "jobs say");
  const isOpen = state === "opened";
  return { target, head: typeof head === "string" ? head : undefined, isOpen, caution };
}

// The identity of the deciding files of a commit; undefined if the list of its root is incomplete.
async function jobFilesOf(api: GitlabApi, { path }: Project, ref: unknown): Promise<string | undefined> {
  if (typeof ref !== "string" || ref === "") return undefined;
  const found: (Json | undefined)[][] = [];
  let count = 0;
  for await (const entry of api.list(`${path}/repository/tree`, { ref })) {
    if (++count >= mostFiles) return undefined;
    const file = valueAt(entry, ["path"]);
    if (jobFiles.some((each) => each === file)) {
      found.push([file, valueAt(entry, ["mode"]), valueAt(entry, ["id"])]);
    }
  }
  return JSON.stringify(found.toSorted());
}

function discussionOf(api: GitlabApi, project: Project, { iid, ...merge }: FoundRequest): Discussion {
  const name = nameOf(project, iid);
  const notes = `${project.path}/merge_requests/${iid}/notes`;
  return {
    name,
    maxBytes: 1_000_000,
    ...merge,
    async findOwn(marker) {
      const author = await asking("ask whose token it is", async () =>
        valueAt(await api.read("user"), ["id"]),
      );
      if (typeof author !== "number") throw unreadable();
      return await asking(`read the comments of ${name}`, async () => {
        const own: Comment[] = [];
        // Each may have a million characters, and anybody may write some: a page has to stay within what is read of one.
        const query = { sort: "asc", order_by: "created_at", per_page: "25" };
        for await (const note of api.list(notes, query)) {
          const [id, body] = [valueAt(note, ["id"]), valueAt(note, ["body"])];
          const isOwn = valueAt(note, ["author", "id"]) === author;
          if (!isOwn || typeof id !== "number" || typeof body !== "string") continue;
          const writtenAt = String(valueAt(note, ["updated_at"]));
          if (isMarked(body, marker)) own.push({ id, body, writtenAt });
        }
        return own;
      });
    },
    // Only maintainers may edit the comments of others, and they may also change the job that reads them.
    isUntouched: () => Promise.resolve(true),
    async create(body) {
      await asking(`comment on ${name}`, () => api.write("POST", notes, { body }));
    },
    async update({ id }, body) {
      await asking(`change its comment on ${name}`, () => api.write("PUT", `${notes}/${id}`, { body }));
    },
  };
}

function nameOf({ id }: Project, iid: number): string {
  return `merge request ${iid} of project ${id}`;
}

async function asking<Value>(doing: string, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof StatusError)) throw cause;
    const { status, isTooLong } = cause;
    if (status === 413 || ((status === 400 || status === 422) && isTooLong)) {
      throw new TooLongError(`${forge} does not accept a comment of this length (${status})`);
    }
    const needed = "it must have the scope `api` and be at least a Reporter of the project";
    throw refusal(forge, status, doing, { variable: "GITLAB_TOKEN", needed });
  }
}
