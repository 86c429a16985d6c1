import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { botId, pullRequest, startGithub, type PullRequest } from "../forge/fake-github.js";
import { startGitlab, tokenUser } from "../forge/fake-gitlab.js";
import { mergedAt } from "../forge/forge-server.js";
import { marker, savePlan } from "../forge/scene.js";

const sha = "a".repeat(40);
const planned = {
  workflow_run: {
    head_branch: "change",
    head_sha: sha,
    head_repository: { owner: { login: "fork" } },
    created_at: "2026-01-02T00:00:00Z",
  },
};
const opened = { pull_request: { number: 12 } };
const changed = { base: "d0", merge: "d1" };
const forged = `### agentform plan for test: 1 to create\n\nDigest: \`sha256:${"f".repeat(64)}\`\n\n${marker}`;

async function commentOn(pulls: PullRequest[], event: object = planned) {
  const [github, plan] = [await startGithub(pulls), await savePlan()];
  const commented = await plan.comment(github.job(event));
  return { github, plan, commented, body: github.comments(12)[0]?.body ?? "" };
}

test("a pull request that changes its own workflows is announced as such, however many files it has", async () => {
  const { github, body } = await commentOn([pullRequest(12, { workflows: changed })]);
  expect(body).toMatch(/^> \*\*This pull request changes `\.github\/`/);
  // The list of a pull request's files ends after 3,000.
  expect(github.received.filter(({ url }) => url.pathname.endsWith("/files"))).toEqual([]);
  expect((await commentOn([pullRequest(12)])).body).toMatch(/^### agentform plan for/);
});

test.each<[string, Partial<PullRequest>]>([
  ["a folder of so many files that GitHub cuts the list", { workflows: { isCut: true } }],
  ["a merge of other commits than those that were planned", { mergedHead: "b".repeat(40) }],
])("%s lets the caution stand", async (_, more) => {
  const { body } = await commentOn([pullRequest(12, more)]);
  expect(body).toMatch(/^> \*\*Whether this pull request changes `\.github\/` could not be determined/);
});

test("a token that may not see the files lets the caution stand", async () => {
  const [github, plan] = [await startGithub([pullRequest(12)]), await savePlan()];
  const pulls = { status: 200, body: [{ number: 12, state: "open", head: { sha }, merge_commit_sha: "ee" }] };
  github.fail("GET", pulls, { status: 403, body: {} });
  await plan.comment(github.job(planned));
  expect(github.comments(12)[0]?.body).toMatch(/^> \*\*Whether this pull request changes/);
});

test("a plan of another pull request with the same head does not pass for this one's, even if that was closed", async () => {
  const { body } = await commentOn([pullRequest(11, { isOpen: false }), pullRequest(12)]);
  expect(body).toMatch(/^> \*\*A second pull request has the same head/);
});

test("nor does one of a pull request that had this head when its run began, and a newer one when it was closed", async () => {
  const head = { owner: "fork", branch: "change", sha: "b".repeat(40) };
  const before = (closedAt: string) => pullRequest(11, { isOpen: false, target: "feature", head, closedAt });
  for (const closedAt of ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]) {
    const { github, plan, body } = await commentOn([before(closedAt), pullRequest(12)]);
    expect(body).toMatch(/^> \*\*A second pull request has the same head/);
    expect((await plan.comment(github.job(opened), "--reviewed")).code).toBe(1);
  }
  const { body } = await commentOn([before("2026-01-01T23:59:59Z"), pullRequest(12)]);
  expect(body).toMatch(/^### agentform plan for/);
});

test("what was shown with a caution was not reviewed", async () => {
  const { github, plan } = await commentOn([pullRequest(12, { workflows: changed })]);
  const refused = await plan.comment(github.job(opened), "--reviewed");
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.err).toContain("has a warning, so its plan cannot be trusted");
  // After the merge the plan is made by the workflow of the branch, and the comment is what may be approved.
  await plan.comment(github.job(opened));
  expect((await plan.comment(github.job(opened), "--reviewed")).code).toBe(0);
});

describe("a target that is changed", () => {
  const merge = "b".repeat(40);
  const push = { ref: "refs/heads/main" };

  // The branch with a workflow of the author's own is the target while it plans, so nothing of it is in the change.
  test("after the comment takes the review away, until there is a comment for the branch", async () => {
    const { github, plan, body } = await commentOn([pullRequest(12, { target: "feature/--x" })]);
    expect(body).toMatch(/^### agentform plan for/);
    expect(body).toContain(`<!-- agentform into: feature%2F-%2Dx -->\n\n${marker}`);
    Object.assign(github.pulls[0] ?? {}, { target: "main", isOpen: false, mergedAs: merge });
    const job = github.job(push, { GITHUB_SHA: merge });
    const refused = await plan.comment(job, "--reviewed");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("does not have the plan of a merge into main");
    // What the job of the branch says can be approved.
    await plan.comment(job);
    expect((await plan.comment(job, "--reviewed")).code).toBe(0);
  });

  test("before the comment lets a caution stand, if what was merged on trial or planned may be older", async () => {
    const old = await commentOn([pullRequest(12, { hasOldTrial: true })]);
    expect(old.body).toMatch(/^> \*\*Whether this pull request changes `\.github\/` could not be determined/);
    const gone = await commentOn([pullRequest(12, { mergedHead: "b".repeat(40), targetChanged: "2026" })]);
    expect(gone.body).toMatch(/^> \*\*Whether/);
    for (const [targetChanged, code] of [
      ["2026-01-01T23:59:59Z", 0],
      ["2026-01-02T00:00:00Z", 1],
      ["2026-01-03T00:00:00Z", 1],
      ["", 1],
    ] as const) {
      const { github, plan, body } = await commentOn([pullRequest(12, { targetChanged })]);
      expect(body.startsWith("> **The target of this pull request was changed after")).toBe(code === 1);
      expect((await plan.comment(github.job(opened), "--reviewed")).code).toBe(code);
    }
  });

  test("is not that of a pull request which was merged elsewhere as the same commit", async () => {
    const merged = (number: number, target: string) =>
      pullRequest(number, { target, isOpen: false, mergedAs: merge });
    const [github, plan] = [await startGithub([merged(12, "feature")]), await savePlan()];
    const job = github.job(push, { GITHUB_SHA: merge });
    const refused = await plan.comment(job, "--reviewed");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain(`was merged as ${merge} into main, so no plan of it was reviewed`);
    github.pulls.push(merged(13, "main"));
    await plan.comment(job);
    expect(github.comments(13)).toHaveLength(1);
    expect((await plan.comment(job, "--reviewed")).code).toBe(0);
  });

  test("is as the event has it, for a run that plans and comments at once", async () => {
    const pull = pullRequest(12);
    const event = { pull_request: { number: 12, base: { ref: "feature" } } };
    const { github, plan } = await commentOn([pull], event);
    expect((await plan.comment(github.job(opened), "--reviewed")).err).toContain("a merge into main");
    pull.target = "feature";
    expect((await plan.comment(github.job(opened), "--reviewed")).code).toBe(0);
  });

  test("and a comment that names none, or says so in a text of a document, is no review", async () => {
    const mark = "<!-- agentform into: main -->";
    const forge = (topic: string) => savePlan([`\n\n${mark}\n\n${topic}\n\n${mark}\n\n${marker}`]);
    const [github, plan] = [await startGithub([pullRequest(12, { target: "feature" })]), await forge("x")];
    await plan.comment(github.job(planned));
    Object.assign(github.pulls[0] ?? {}, { target: "main" });
    expect((await plan.comment(github.job(opened), "--reviewed")).code).toBe(1);
    const [kept] = github.comments(12);
    if (kept) kept.body = kept.body.replace("<!-- agentform into: feature -->\n\n", "");
    expect((await plan.comment(github.job(opened), "--reviewed")).err).toContain("a merge into main");
  });

  test("of a merge request is compared in the same way", async () => {
    const request = { iid: 3, notes: [], target: "feature" };
    const [gitlab, plan] = [await startGitlab([request]), await savePlan()];
    const job = (branch: string) =>
      gitlab.job({ CI_MERGE_REQUEST_IID: "3", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: branch });
    await plan.comment(job("feature"));
    expect(gitlab.notes(3)).toHaveLength(1);
    request.target = "main";
    const late = await plan.comment(job("feature"));
    expect(late.err).toContain("was planned for feature, but its target is main now; nothing was written");
    Object.assign(request, { mergedAs: merge });
    const merged = gitlab.job({ CI_COMMIT_SHA: merge, CI_COMMIT_BRANCH: "main" });
    expect((await plan.comment(merged, "--reviewed")).err).toContain("a merge into main");
    const other = gitlab.job({ CI_COMMIT_SHA: merge, CI_COMMIT_BRANCH: "release" });
    expect((await plan.comment(other, "--reviewed")).err).toContain(`was merged as ${merge} into release`);
    await plan.comment(merged);
    expect((await plan.comment(merged, "--reviewed")).code).toBe(0);
  });
});

test.each(["github", "gitlab"] as const)(
  "a plan that is written after the merge, by a job that began before it, is no review: %s",
  async (on) => {
    const [plan, pull, request] = [await savePlan(), pullRequest(12), { iid: 3, notes: [] }];
    const [github, gitlab] = [await startGithub([pull]), await startGitlab([request])];
    const merge = "b".repeat(40);
    const comment = (...args: readonly string[]) =>
      plan.comment(
        on === "github"
          ? github.job({ ref: "refs/heads/main" }, { GITHUB_SHA: merge })
          : gitlab.job({ CI_COMMIT_SHA: merge, CI_COMMIT_BRANCH: "main" }),
        ...args,
      );
    const planning = () =>
      plan.comment(on === "github" ? github.job(planned) : gitlab.job({ CI_MERGE_REQUEST_IID: "3" }));
    await planning();
    await plan.change(["drugs"]);
    await planning();
    Object.assign(pull, { isOpen: false, mergedAs: merge });
    Object.assign(request, { mergedAs: merge });
    expect((await comment("--reviewed")).code).toBe(0);

    const [kept] = on === "github" ? github.comments(12) : gitlab.notes(3);
    Object.assign(kept ?? {}, { writtenAt: mergedAt });
    const refused = await comment("--reviewed");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("was written after the merge, so nobody has read its plan");
    // Whoever runs that job again has read what it commented with.
    await comment();
    expect((await comment("--reviewed")).code).toBe(0);
  },
);

test("a merge request that changes its own jobs is announced as such, and so is one that hides it", async () => {
  const comment = async (request: { jobs?: { base: string; head: string }; files?: number }) => {
    const [gitlab, plan] = [await startGitlab([{ iid: 3, notes: [], ...request }]), await savePlan()];
    const job = gitlab.job({ CI_MERGE_REQUEST_IID: "3" });
    await plan.comment(job);
    return { body: gitlab.notes(3)[0]?.body, reviewed: (await plan.comment(job, "--reviewed")).code };
  };
  const jobs = { base: "d0", head: "d1" };
  expect(await comment({})).toEqual({ body: expect.stringMatching(/^### agentform plan for/), reviewed: 0 });
  const says = { body: expect.stringMatching(/^> \*\*This merge request changes `\.gitlab`/), reviewed: 1 };
  expect(await comment({ jobs })).toEqual(says);
  expect(await comment({ jobs, files: 1500 })).toEqual(says);
  expect(await comment({ jobs, files: 2500 })).toEqual({
    body: expect.stringMatching(/^> \*\*Whether this merge request changes/),
    reviewed: 1,
  });
});

test("a comment that somebody else has changed is not believed", async () => {
  const { github, plan } = await commentOn([pullRequest(12)]);
  const [kept] = github.comments(12);
  if (!kept) throw new Error("there is no comment");
  for (const [editor, code] of [
    [{ __typename: "User", login: "mallory", databaseId: 5 }, 1],
    [{ __typename: "User", login: "github-actions", databaseId: 6 }, 1],
    [{ __typename: "Bot", login: "other-app", databaseId: 7 }, 1],
    [{ __typename: "Mannequin", login: "github-actions", databaseId: botId }, 1],
    [{ __typename: "Bot", login: "github-actions", databaseId: botId }, 0],
    [{ __typename: "User", login: "github-actions[bot]", databaseId: botId }, 0],
  ] as const) {
    kept.editor = editor;
    const { code: got, err } = await plan.comment(github.job(opened), "--reviewed");
    expect([got, editor]).toEqual([code, editor]);
    if (code === 1) expect(err).toContain("was edited by a different user");
  }
});

test.each(["github", "gitlab"] as const)(
  "a second comment with a digest stops the first from being believed: %s",
  async (on) => {
    const plan = await savePlan();
    const [github, gitlab] = [
      await startGithub([pullRequest(12)]),
      await startGitlab([{ iid: 3, notes: [] }]),
    ];
    const job = on === "github" ? github.job(opened) : gitlab.job({ CI_MERGE_REQUEST_IID: "3" });
    const comments = on === "github" ? github.comments(12) : gitlab.notes(3);
    await plan.comment(job);
    expect((await plan.comment(job, "--reviewed")).code).toBe(0);
    // Such as by another job with the same token that repeats what a stranger wrote.
    comments.unshift({ id: 1, author: on === "github" ? botId : tokenUser, body: forged });
    const refused = await plan.comment(job, "--reviewed");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("has 2 comments with a plan");
  },
);

test.each(["github", "gitlab"] as const)(
  "the token goes to the forge's own address alone: %s",
  async (on) => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.url ?? "");
      response.end("[]");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/next`;
    const [github, gitlab, plan] = [
      await startGithub([pullRequest(12)]),
      await startGitlab([{ iid: 3, notes: [] }]),
      await savePlan(),
    ];
    const headers = { link: `<${elsewhere}?page=2>; rel="next"`, "x-next-page": "2" };
    if (on === "github") github.fail("GET", { status: 200, body: [], headers });
    else
      gitlab.fail(
        "GET",
        { status: 200, body: {} },
        { status: 200, body: { id: tokenUser } },
        { status: 200, body: [], headers },
      );
    await plan.comment(on === "github" ? github.job(opened) : gitlab.job({ CI_MERGE_REQUEST_IID: "3" }));
    expect(seen).toEqual([]);

    const plain = { GITHUB_API_URL: "http://forge.example", CI_API_V4_URL: "http://forge.example/api/v4" };
    const job =
      on === "github" ? github.job(opened, plain) : gitlab.job({ CI_MERGE_REQUEST_IID: "3", ...plain });
    const refused = await plan.comment(job);
    expect(refused.code).toBe(64);
    expect(refused.err).toContain("must be an https URL, because the token is sent there");
  },
);
