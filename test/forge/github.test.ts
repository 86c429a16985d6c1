import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { botId, githubToken, pullRequest, startGithub, type PullRequest } from "./fake-github.js";
import { marker, savePlan } from "./scene.js";

const opened = { pull_request: { number: 12 } };
const somebody = 5;

async function githubWith(more: Partial<PullRequest> = {}) {
  return await startGithub([pullRequest(12, more)]);
}

function digestOf(file: string): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { digest: string }).digest;
}

test("the first comment is written, the next plan changes it, and the same one writes nothing", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  expect(await plan.comment(github.job(opened))).toEqual({
    code: 0,
    out: "commented on pull request 12 of acme/desk\n",
    err: "",
  });
  expect(github.comments(12)).toHaveLength(1);
  expect(github.comments(12)[0]?.body).toContain("policy:strict");
  expect(github.comments(12)[0]?.body.trimEnd().endsWith(marker)).toBe(true);

  await plan.change(["weapons", "drugs"]);
  expect((await plan.comment(github.job(opened))).out).toBe(
    "comment updated on pull request 12 of acme/desk\n",
  );
  expect(github.comments(12)).toHaveLength(1);
  expect(github.comments(12)[0]?.body).toContain("drugs");

  expect((await plan.comment(github.job(opened))).out).toBe(
    "nothing to change on pull request 12 of acme/desk\n",
  );
  expect(github.writes()).toEqual([
    "POST /repos/acme/desk/issues/12/comments",
    "PATCH /repos/acme/desk/issues/comments/1000",
  ]);
});

test("a comment whose line ends and last lines the forge changed counts as the same", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  await plan.comment(github.job(opened));
  const [kept] = github.comments(12);
  if (kept) kept.body = kept.body.trimEnd().replaceAll("\n", "\r\n");
  expect((await plan.comment(github.job(opened))).out).toContain("nothing to change");
});

test("the comment is found on the third page", async () => {
  const comments = Array.from({ length: 240 }, (_, id) => ({ id, author: botId, body: `comment ${id}` }));
  comments[230] = { id: 230, author: botId, body: `an old plan\n\n${marker}` };
  const [github, plan] = [await githubWith({ comments }), await savePlan()];
  expect((await plan.comment(github.job(opened))).out).toContain("comment updated");
  expect(github.writes()).toEqual(["PATCH /repos/acme/desk/issues/comments/230"]);
});

test("another author's marker, another environment's and a quoted one are left alone", async () => {
  const comments = [
    { id: 1, author: somebody, body: `Digest: \`sha256:${"0".repeat(64)}\`\n\n${marker}` },
    { id: 2, author: botId, body: "plan\n\n<!-- agentform: test production -->" },
    { id: 3, author: botId, body: `plan with ${marker} in a prompt\n\n<!-- agentform: other -->` },
  ];
  const [github, plan] = [await githubWith({ comments: [...comments] }), await savePlan()];
  expect(await plan.comment(github.job(opened), "--reviewed")).toMatchObject({
    code: 1,
    out: "",
    err: "error: pull request 12 of acme/desk has no comment with a plan of this workspace and environment\n",
  });
  expect((await plan.comment(github.job(opened))).out).toContain("commented on");
  expect(github.comments(12).slice(0, 3)).toEqual(comments);
  expect(github.comments(12)).toHaveLength(4);
});

test("--reviewed prints the digest that the comment shows, for the commit that merged the pull request", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  await plan.comment(github.job(opened));
  const reviewed = digestOf(plan.file);
  await plan.change(["something else"]);
  const merge = "b".repeat(40);
  Object.assign(github.pulls[0] ?? {}, { isOpen: false, mergedAs: merge });
  const push = github.job({ ref: "refs/heads/main" }, { GITHUB_SHA: merge });
  expect(await plan.comment(push, "--reviewed")).toEqual({ code: 0, out: `${reviewed}\n`, err: "" });
  expect(digestOf(plan.file)).not.toBe(reviewed);

  const other = github.job({ ref: "refs/heads/main" }, { GITHUB_SHA: "c".repeat(40) });
  const refused = await plan.comment(other, "--reviewed");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(`no pull request of acme/desk was merged as ${"c".repeat(40)}`);
  expect(github.writes()).toHaveLength(1);
});

test("a digest in a document's text is not taken for the plan's", async () => {
  const forged = `Digest: \`sha256:${"f".repeat(64)}\``;
  const [github, plan] = [await githubWith(), await savePlan([`\n\n${forged}\n\n${marker}`, "x"])];
  await plan.comment(github.job(opened));
  expect((await plan.comment(github.job(opened), "--reviewed")).out).toBe(`${digestOf(plan.file)}\n`);
});

test("a workflow_run finds the open pull request of its head, whoever's it is", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  const run = (sha: string) => ({
    workflow_run: {
      head_branch: "change",
      head_sha: sha,
      created_at: "2026-01-01T00:00:00Z",
      head_repository: { owner: { login: "fork" } },
      pull_requests: [],
    },
  });
  expect((await plan.comment(github.job(run("a".repeat(40))))).out).toContain("commented on pull request 12");

  const outdated = await plan.comment(github.job(run("d".repeat(40))));
  expect(outdated).toMatchObject({ code: 0, out: "" });
  expect(outdated.err).toContain("it was closed or has newer commits; nothing was written");
  expect(github.writes()).toHaveLength(1);
});

test("a pull request that was closed when the run began has its comment", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  Object.assign(github.pulls[0] ?? {}, { isOpen: false });
  const head = { sha: "a".repeat(40) };
  const event = { pull_request: { number: 12, state: "closed", head, base: { ref: "main" } } };
  expect((await plan.comment(github.job(event))).out).toContain("commented on");
});

test.each([
  ["closed", { isOpen: false }],
  ["pushed to", { head: { owner: "fork", branch: "change", sha: "c".repeat(40) } }],
])("a plan of a pull request that was %s since leaves the comment that was reviewed", async (_, change) => {
  const [github, plan] = [await githubWith(), await savePlan()];
  const sha = "a".repeat(40);
  const event = { pull_request: { number: 12, state: "open", head: { sha }, base: { ref: "main" } } };
  expect((await plan.comment(github.job(event))).out).toContain("commented on");
  const reviewed = github.comments(12)[0]?.body;
  await plan.change(["drugs"]);
  Object.assign(github.pulls[0] ?? {}, change);
  expect(await plan.comment(github.job(event))).toEqual({
    code: 0,
    out: "",
    err: `note: pull request 12 of acme/desk was closed or has newer commits than ${sha}; nothing was written\n`,
  });
  expect(github.comments(12)[0]?.body).toBe(reviewed);
});

test.each([
  [401, "GitHub does not accept the token (401)"],
  [
    403,
    "GitHub does not let this token comment on pull request 12 of acme/desk (403): the job needs `permissions: {pull-requests: write}`",
  ],
  [404, "GitHub cannot comment on pull request 12 of acme/desk (404): it does not exist, or"],
  [301, "GitHub redirects the request (301)"],
  [500, "GitHub could not comment on pull request 12 of acme/desk (500)"],
])("an answer of %i is a sentence without the token", async (status, sentence) => {
  const [github, plan] = [await githubWith(), await savePlan()];
  // The first POST asks whose token it is.
  const viewer = { status: 200, body: { data: { viewer: { databaseId: botId } } } };
  github.fail("POST", viewer, { status, body: { message: githubToken } });
  const { code, out, err } = await plan.comment(github.job(opened));
  expect(code).toBe(1);
  expect(err).toMatch(/^error: .*\n$/);
  expect(err).toContain(sentence);
  expect(out + err).not.toContain(githubToken);
});

test("what is refused as too long is written shorter", async () => {
  const topics = Array.from({ length: 4000 }, (_, index) => `a topic that is not talked about ${index}`);
  const [github, plan] = [await githubWith(), await savePlan(topics)];
  const viewer = { status: 200, body: { data: { viewer: { databaseId: botId } } } };
  const tooLong = { status: 422, body: { message: "Validation Failed", errors: [{ code: "too_long" }] } };
  github.fail("POST", viewer, tooLong, tooLong);
  expect((await plan.comment(github.job(opened))).out).toContain("commented on");
  const sizes = github.received
    .filter(({ method, url }) => method === "POST" && url.pathname.endsWith("/comments"))
    .map(({ body }) => Buffer.byteLength(String(body.body)));
  expect(sizes).toHaveLength(3);
  expect(sizes[2]).toBeLessThanOrEqual(15_000);
  const [kept] = github.comments(12);
  expect(kept?.body.trimEnd().endsWith(marker)).toBe(true);
});

test("what is refused however short it is ends with a sentence", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  await plan.comment(github.job(opened));
  await plan.change(["other"]);
  github.fail("PATCH", ...Array.from({ length: 9 }, () => ({ status: 422, body: {} })));
  const { code, err } = await plan.comment(github.job(opened));
  expect([code, err]).toEqual([1, "error: GitHub does not accept this comment (422): it may be too long\n"]);
});

test("all that is missing from the environment is named", async () => {
  const plan = await savePlan();
  const nothing = await plan.comment({});
  expect([nothing.code, nothing.err]).toEqual([
    64,
    "error: neither GITHUB_ACTIONS nor GITLAB_CI is `true`: choose the code host with --on github or --on gitlab\n",
  ]);
  const named = await plan.comment({ GITHUB_REPOSITORY: "acme/desk" }, "--on", "github");
  expect([named.code, named.err]).toEqual([
    64,
    "error: GITHUB_TOKEN and GITHUB_EVENT_PATH must be set to comment on GitHub\n",
  ]);
  const github = await githubWith();
  const unled = await plan.comment(github.job({}));
  expect([unled.code, unled.err]).toEqual([
    64,
    "error: the event of GITHUB_EVENT_PATH names no pull request, and GITHUB_SHA is not set\n",
  ]);
});

test("a forge that is not there is a sentence, and a lost answer says what is not known", async () => {
  const plan = await savePlan();
  const github = await githubWith();
  const viewer = { status: 200, body: { data: { viewer: { databaseId: botId } } } };
  github.fail("POST", viewer, { status: 200, drop: true });
  const { code, err } = await plan.comment(github.job(opened));
  expect(code).toBe(1);
  expect(err).toMatch(/^error: GitHub could not be reached \(\w+\); it may have accepted the comment/);
});

test("a plan that is no plan is a diagnostic, and nothing is asked of the forge", async () => {
  const [github, plan] = [await githubWith(), await savePlan()];
  const missing = await plan.comment(github.job(opened), "--plan", "nowhere.json");
  expect([missing.code, missing.err]).toEqual([64, "error: the plan nowhere.json does not exist\n"]);
  writeFileSync(join(dirname(plan.file), "wrong.json"), "{}");
  const wrong = await plan.comment(github.job(opened), "--plan", "wrong.json");
  expect(wrong.code).toBe(1);
  expect(wrong.err).toContain("error[plan-invalid]");
  expect(github.received).toEqual([]);
});
