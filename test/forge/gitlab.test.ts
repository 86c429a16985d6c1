import { expect, test } from "vitest";
import { gitlabToken, startGitlab, tokenUser, type MergeRequest } from "./fake-gitlab.js";
import { marker, savePlan } from "./scene.js";

const inRequest = { CI_MERGE_REQUEST_IID: "3" };

test("the first note is written, the next plan changes it, and the same one writes nothing", async () => {
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [] }]), await savePlan()];
  const job = gitlab.job(inRequest);
  expect(await plan.comment(job)).toEqual({
    code: 0,
    out: "commented on merge request 3 of project 7\n",
    err: "",
  });
  await plan.change(["drugs"]);
  expect((await plan.comment(job)).out).toBe("comment updated on merge request 3 of project 7\n");
  expect((await plan.comment(job)).out).toBe("nothing to change on merge request 3 of project 7\n");
  expect(gitlab.notes(3)).toHaveLength(1);
  expect(gitlab.notes(3)[0]?.body).toContain("drugs");
  expect(gitlab.writes()).toEqual([
    "POST /api/v4/projects/7/merge_requests/3/notes",
    "PUT /api/v4/projects/7/merge_requests/3/notes/1000",
  ]);
});

test("the note is found on the third page, and another author's is left alone", async () => {
  const notes = Array.from({ length: 240 }, (_, id) => ({ id, author: tokenUser, body: `note ${id}` }));
  notes[20] = { id: 20, author: 5, body: `forged\n\n${marker}` };
  notes[230] = { id: 230, author: tokenUser, body: `an old plan\n\n${marker}` };
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes }]), await savePlan()];
  expect((await plan.comment(gitlab.job(inRequest))).out).toContain("comment updated");
  expect(gitlab.writes()).toEqual(["PUT /api/v4/projects/7/merge_requests/3/notes/230"]);
  expect(notes[20]?.body).toBe(`forged\n\n${marker}`);
});

test("a merge finds its merge request by the commit, and a fork's pipeline the project that it is for", async () => {
  const merge = "b".repeat(40);
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [] }]), await savePlan()];
  const fork = { ...inRequest, CI_PROJECT_ID: "99", CI_MERGE_REQUEST_PROJECT_ID: "7" };
  expect((await plan.comment(gitlab.job(fork))).out).toContain("merge request 3 of project 7");

  const push = gitlab.job({ CI_COMMIT_SHA: merge });
  const unmerged = await plan.comment(push, "--reviewed");
  expect(unmerged.code).toBe(1);
  expect(unmerged.err).toContain(`no merge request of project 7 was merged as ${merge}`);
  Object.assign(gitlab.requests[0] ?? {}, { mergedAs: merge });
  expect((await plan.comment(push, "--reviewed")).out).toMatch(/^sha256:[0-9a-f]{64}\n$/);
});

test.each<[string, Partial<MergeRequest>, Readonly<Record<string, string>>, string]>([
  [
    "of a merge train, whose plan nobody reads before the merge",
    {},
    { CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" },
    "nobody reads the plan of a merge train before merge request 3 of project 7 is merged",
  ],
  [
    "that ends after the merge",
    { mergedAs: "b".repeat(40) },
    {},
    "merge request 3 of project 7 is not open any more",
  ],
  [
    "of an older commit",
    { head: "c".repeat(40) },
    { CI_COMMIT_SHA: "a".repeat(40) },
    `merge request 3 of project 7 has newer commits than ${"a".repeat(40)}`,
  ],
])("a pipeline %s leaves the comment that was reviewed", async (_, change, variables, reason) => {
  const request = { iid: 3, notes: [] };
  const [gitlab, plan] = [await startGitlab([request]), await savePlan()];
  const job = { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "", CI_COMMIT_SHA: "c".repeat(40), ...variables };
  expect((await plan.comment(gitlab.job(inRequest))).out).toContain("commented on");
  const reviewed = gitlab.notes(3)[0]?.body;
  Object.assign(request, { head: job.CI_COMMIT_SHA, ...change });
  await plan.change(["drugs"]);
  expect(await plan.comment(gitlab.job({ ...inRequest, ...job }))).toEqual({
    code: 0,
    out: "",
    err: `note: ${reason}; nothing was written\n`,
  });
  expect(gitlab.notes(3)[0]?.body).toBe(reviewed);
});

test("the commit of a merged result is not that of the branch", async () => {
  const head = "c".repeat(40);
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [], head }]), await savePlan()];
  const merged = { CI_MERGE_REQUEST_EVENT_TYPE: "merged_result", CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head };
  const job = gitlab.job({ ...inRequest, ...merged, CI_COMMIT_SHA: "d".repeat(40) });
  expect((await plan.comment(job)).out).toContain("commented on");
});

test.each([
  [401, {}, "GitLab does not accept the token (401)"],
  [403, {}, "does not let this token comment on merge request 3 of project 7 (403): it must have the scope"],
  [404, {}, "GitLab cannot comment on merge request 3 of project 7 (404)"],
  [302, {}, "GitLab redirects the request (302)"],
  [400, { message: "400 Bad request" }, "GitLab could not comment on merge request 3 of project 7 (400)"],
])("an answer of %i is a sentence without the token", async (status, body, sentence) => {
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [] }]), await savePlan()];
  gitlab.fail("POST", { status, body: { ...body, echo: gitlabToken } });
  const { code, out, err } = await plan.comment(gitlab.job(inRequest));
  expect(code).toBe(1);
  expect(err).toMatch(/^error: .*\n$/);
  expect(err).toContain(sentence);
  expect(out + err).not.toContain(gitlabToken);
});

test("what is refused as too long is written shorter", async () => {
  const topics = Array.from({ length: 4000 }, (_, index) => `a topic that is not talked about ${index}`);
  const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [] }]), await savePlan(topics)];
  const body = { message: { note: ["is too long (maximum is 1000000 characters)"] } };
  gitlab.fail("POST", { status: 400, body });
  expect((await plan.comment(gitlab.job(inRequest))).out).toContain("commented on");
  expect(Buffer.byteLength(gitlab.notes(3)[0]?.body ?? "")).toBeLessThanOrEqual(30_000);
});

test("all that is missing from the environment is named", async () => {
  const plan = await savePlan();
  const { code, err } = await plan.comment({ GITLAB_CI: "true", CI_PROJECT_ID: "7" });
  expect([code, err]).toEqual([
    64,
    "error: GITLAB_TOKEN and CI_API_V4_URL must be set to comment on GitLab\n",
  ]);
});
