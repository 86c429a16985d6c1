import { expect, test } from "vitest";
import { gitlabToken, startGitlab, tokenUser } from "./fake-gitlab.js";
import type { Answer } from "./forge-server.js";
import { marker, savePlan } from "./scene.js";

const inRequest = { CI_MERGE_REQUEST_IID: "3" };

/** What GitLab's documentation shows of a user, as part of other answers. */
function user(id: number): object {
  return {
    id,
    username: "pipin",
    email: "admin@example.com",
    name: "Pip",
    state: "active",
    created_at: "2013-09-30T13:46:01Z",
  };
}

/** A note as the documentation of the notes API shows it. */
function note(id: number, author: number | null, body: string): object {
  return {
    id,
    body,
    attachment: null,
    author: author === null ? null : user(author),
    created_at: "2013-10-02T08:57:14Z",
    updated_at: "2013-10-02T08:57:14Z",
    system: false,
    noteable_id: 2,
    noteable_type: "MergeRequest",
    project_id: 7,
    noteable_iid: 3,
    resolvable: false,
    confidential: false,
    internal: false,
    imported: false,
    imported_from: "none",
  };
}

/** A merge request as the documentation of the commits API shows it. */
function mergeRequest(iid: number, state: string, merged: string): object {
  return {
    id: 45,
    iid,
    project_id: 7,
    title: "Add new file",
    description: "",
    state,
    created_at: "2018-03-26T17:26:30.916Z",
    updated_at: "2018-03-26T17:36:32.590Z",
    target_branch: "main",
    source_branch: "test-branch",
    upvotes: 0,
    downvotes: 0,
    author: user(1),
    assignee: null,
    labels: [],
    draft: false,
    milestone: null,
    sha: "af5b13261899fb2c0db30abdd0af8b07cb44fdc5",
    merge_commit_sha: merged,
    squash_commit_sha: null,
    web_url: `https://gitlab.example.com/root/test-project/merge_requests/${iid}`,
  };
}

/** The header of a page, as the documentation of pagination shows it. */
function links(path: string, page: number): Record<string, string> {
  const link = (number: number, rel: string) =>
    `<https://gitlab.example.com/api/v4/${path}?page=${number}&per_page=100>; rel="${rel}"`;
  const next = page < 2 ? [link(page + 1, "next")] : [];
  return { link: [link(page, "prev"), ...next, link(1, "first"), link(2, "last")].join(", ") };
}

const ok = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, body, headers });
const shown = ok({
  id: 1,
  iid: 3,
  target_branch: "main",
  state: "opened",
  sha: "c".repeat(40),
  diff_refs: { base_sha: "base3", head_sha: "head3", start_sha: "base3" },
});
const tree = ok([
  {
    id: "a1e8f8d745cc87e3a9248358d9352bb7f9a0aeba",
    name: "html",
    type: "tree",
    path: "html",
    mode: "040000",
  },
]);
const tokensUser = ok(user(tokenUser));
const before = [shown, tree, tree, tokensUser] as const;

async function begun() {
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [] }]), await savePlan()];
  return { gitlab, plan, job: gitlab.job(inRequest) };
}

test("notes are read page by page, from the own address whatever host the links name", async () => {
  const { gitlab, plan, job } = await begun();
  const path = "projects/7/merge_requests/3/notes";
  const others = [note(301, 1, `somebody's\n\n${marker}`), note(302, null, marker), { id: 303 }, null];
  gitlab.fail(
    "GET",
    ...before,
    ok(others, links(path, 1)),
    ok([note(305, tokenUser, `an old plan\n\n${marker}`)], links(path, 2)),
  );
  gitlab.fail("PUT", ok(note(305, tokenUser, "the plan")));
  expect((await plan.comment(job)).out).toBe("comment updated on merge request 3 of project 7\n");
  expect(gitlab.writes()).toEqual([`PUT /api/v4/${path}/305`]);
  const pages = gitlab.received.filter(
    ({ method, url }) => method === "GET" && url.pathname.endsWith("notes"),
  );
  expect(pages.map(({ url }) => url.search)).toEqual([
    "?per_page=25&sort=asc&order_by=created_at",
    "?page=2&per_page=100",
  ]);
  expect(gitlab.received.map(({ headers }) => headers["private-token"])).toEqual(
    gitlab.received.map(() => gitlabToken),
  );
});

test("the merge request of a commit is the one that was merged as it", async () => {
  const { gitlab, plan } = await begun();
  const merge = "b".repeat(40);
  gitlab.fail(
    "GET",
    ok([mergeRequest(4, "opened", merge), mergeRequest(5, "merged", "c"), mergeRequest(3, "merged", merge)]),
  );
  expect((await plan.comment(gitlab.job({ CI_COMMIT_SHA: merge }))).out).toBe(
    "commented on merge request 3 of project 7\n",
  );
  expect(gitlab.received[0]?.url.pathname).toBe(
    `/api/v4/projects/7/repository/commits/${merge}/merge_requests`,
  );
});

test("a project is named by a path too", async () => {
  const { gitlab, plan } = await begun();
  gitlab.fail("GET", ...before, ok([]));
  gitlab.fail("POST", { status: 201, body: note(301, tokenUser, "the plan") });
  const job = gitlab.job({ ...inRequest, CI_MERGE_REQUEST_PROJECT_ID: "acme/desk" });
  expect((await plan.comment(job)).out).toBe("commented on merge request 3 of project acme/desk\n");
  expect(gitlab.writes()).toEqual(["POST /api/v4/projects/acme%2Fdesk/merge_requests/3/notes"]);
});

const unreadable = "GitLab gave an answer that cannot be read: is CI_API_V4_URL right?";

test.each<[string, readonly Answer[], string]>([
  ["a page for people", [{ status: 200 }], unreadable],
  ["a user without an ID", [shown, tree, tree, ok({ username: "bot" })], unreadable],
  ["an object in the place of a list", [...before, ok({ message: "none" })], unreadable],
])(
  "an answer that is not as documented is a sentence, and nothing is written: %s",
  async (_, answers, says) => {
    const { gitlab, plan, job } = await begun();
    gitlab.fail("GET", ...answers);
    const { code, out, err } = await plan.comment(job);
    expect([code, out, err]).toEqual([1, "", `error: ${says}\n`]);
    expect(gitlab.writes()).toEqual([]);
  },
);

test("a comment whose answer cannot be read does not count as written", async () => {
  const { gitlab, plan, job } = await begun();
  gitlab.fail("POST", { status: 200 });
  const { code, err } = await plan.comment(job);
  expect([code, err]).toEqual([1, `error: ${unreadable}\n`]);
  gitlab.fail("POST", { status: 200, cut: true });
  const lost = "GitLab broke off its answer; it may have accepted the comment; run this again to find out";
  expect((await plan.comment(job)).err).toBe(`error: ${lost}\n`);
});
