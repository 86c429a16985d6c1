import { expect, onTestFinished, test, vi } from "vitest";
import { openDiscussion } from "../../src/forge/open-discussion.js";
import type { Clock } from "../../src/forge/patient-fetch.js";
import { wholeTest } from "../harness/tier.js";
import { rawServer } from "../service/raw-server.js";
import { botId, pullRequest, startGithub } from "./fake-github.js";
import { startGitlab } from "./fake-gitlab.js";
import type { Answer } from "./forge-server.js";

const start = Date.parse("2026-01-01T12:00:00Z");

/** A clock that goes only by waiting. */
function stillClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  const passed = () => waits.reduce((sum, wait) => sum + wait, 0);
  return {
    waits,
    now: () => start + passed(),
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
  };
}

async function findOnGithub(clock: Clock, ...answers: readonly Answer[]) {
  const github = await startGithub([pullRequest(12)]);
  github.fail("GET", ...answers);
  const job = github.job({ pull_request: { number: 12, base: { ref: "main" } } });
  const discussion = await openDiscussion("github", job, clock);
  return await discussion.findOwn("<!-- marker -->");
}

const reset = (seconds: number) => String(start / 1000 + seconds);

test.each<[string, Answer, number]>([
  ["Retry-After", { status: 429, headers: { "retry-after": "7" } }, 7000],
  ["Retry-After of a secondary limit", { status: 403, headers: { "retry-after": "60" } }, 60_000],
  [
    "the time of the reset",
    { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(30) } },
    30_000,
  ],
  ["a minute where no time is named", { status: 429 }, 60_000],
])("a rate limit is waited out: %s", async (_, answer, expected) => {
  const clock = stillClock();
  expect(await findOnGithub(clock, answer)).toEqual([]);
  expect(clock.waits).toEqual([expected]);
});

test("a rate limit that lasts is not waited out, and the time of its end is said", async () => {
  const clock = stillClock();
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1800) };
  await expect(findOnGithub(clock, { status: 403, headers })).rejects.toThrow(
    "the rate limit of GitHub is used up until 2026-01-01T12:30:00.000Z (403); run this again then",
  );
  expect(clock.waits).toEqual([]);
});

test("waits are bounded together, not one by one", async () => {
  const clock = stillClock();
  const again = { status: 429, headers: { "retry-after": "40" } };
  await expect(findOnGithub(clock, again, again, again)).rejects.toThrow("is used up until");
  expect(clock.waits).toEqual([40_000, 40_000]);
});

test("faults of the server are repeated where nothing is written, three times", async () => {
  const clock = stillClock();
  expect(await findOnGithub(clock, { status: 502 }, { status: 200, drop: true })).toEqual([]);
  expect(clock.waits).toEqual([1000, 2000]);
  const failing = Array.from({ length: 4 }, () => ({ status: 503 }));
  await expect(findOnGithub(stillClock(), ...failing)).rejects.toThrow(
    "GitHub could not read the comments of pull request 12 of acme/desk (503)",
  );
});

test("an answer that breaks off is asked for again, and never taken for a shorter list", async () => {
  const clock = stillClock();
  const github = await startGithub([pullRequest(12)]);
  github.comments(12).push({ id: 1, author: botId, body: "<!-- marker -->" });
  const find = async (cuts: number) => {
    github.fail("GET", ...Array.from({ length: cuts }, () => ({ status: 200, cut: true })));
    const job = github.job({ pull_request: { number: 12, base: { ref: "main" } } });
    return await (await openDiscussion("github", job, clock)).findOwn("<!-- marker -->");
  };
  expect(await find(1)).toHaveLength(1);
  expect(clock.waits).toEqual([1000]);
  await expect(find(4)).rejects.toThrow("GitHub broke off its answer; run this again");
});

test("a limit that asks for no wait has one, and one that asks for ages has an end that can be said", async () => {
  const atOnce = Array.from({ length: 91 }, () => ({ status: 429, headers: { "retry-after": "0" } }));
  await expect(findOnGithub(stillClock(), ...atOnce)).rejects.toThrow("rate limit of GitHub is used up");
  const never = { status: 429, headers: { "retry-after": "1e20" } };
  await expect(findOnGithub(stillClock(), never)).rejects.toThrow("used up until +275760-09-13");
});

wholeTest("pages that lead in a circle are read a thousand times at most, and so much of one", async () => {
  const gitlab = await startGitlab([{ iid: 3, notes: [] }]);
  const discussion = await openDiscussion("gitlab", gitlab.job({ CI_MERGE_REQUEST_IID: "3" }), stillClock());
  const page = { status: 200, headers: { link: '<https://gitlab?page=2>; rel="next"' }, body: [] };
  gitlab.fail("GET", { status: 200, body: { id: 1 } }, ...Array.from({ length: 1001 }, () => page));
  await expect(discussion.findOwn("<!-- marker -->")).rejects.toThrow(
    "more pages than 1000 requests can read",
  );
});

test("what GitHub answers in another form than it documents is a sentence", async () => {
  for (const body of [[null], [{ user: { id: botId }, body: null }]]) {
    await expect(findOnGithub(stillClock(), { status: 200, body })).rejects.toThrow("that cannot be read");
  }
  for (const [status, body] of [
    [409, {}],
    [200, undefined],
    [204, undefined],
  ] as const) {
    const said = `(${status}); run this again`;
    await expect(findOnGithub(stillClock(), { status, body })).rejects.toThrow(said);
  }
  const github = await startGithub([pullRequest(12)]);
  const discussion = await openDiscussion("github", github.job({ issue: { number: 12 } }), stillClock());
  for (const body of [{}, { data: null }, { data: { viewer: null } }, { data: { viewer: {} } }]) {
    github.fail("POST", { status: 200, body });
    await expect(discussion.findOwn("")).rejects.toThrow("GitHub could not ask whose token it is");
  }
  github.fail("GET", { status: 200, body: [null] });
  await expect(openDiscussion("github", github.job({}, { GITHUB_SHA: "a" }), stillClock())).rejects.toThrow(
    "GitHub could not look up pull requests of acme/desk",
  );
});

test("what another has answered in the place of the forge is no comment", async () => {
  const github = await startGithub([pullRequest(12)]);
  const job = github.job({ issue: { number: 12 } });
  const onGithub = await openDiscussion("github", job, stillClock());
  for (const body of ["<html>Sign in</html>", {}, []]) {
    github.fail("POST", { status: 200, body });
    await expect(onGithub.create("text")).rejects.toThrow(
      "GitHub could not comment on pull request 12 of acme/desk (an answer that cannot be read)",
    );
    github.fail("PATCH", { status: 200, body });
    await expect(onGithub.update({ id: 1, body: "", writtenAt: "" }, "text")).rejects.toThrow(
      "that cannot be read",
    );
  }
  const gitlab = await startGitlab([{ iid: 3, notes: [] }]);
  const onGitlab = await openDiscussion("gitlab", gitlab.job({ CI_MERGE_REQUEST_IID: "3" }), stillClock());
  gitlab.fail("POST", { status: 200, body: {} });
  await expect(onGitlab.create("text")).rejects.toThrow("GitLab gave an answer that cannot be read");
});

test("nothing is sent to a forge whose certificate is not trusted, whatever the environment says", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await rawServer(["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]"], { tls: true });
  const github = await startGithub([]);
  const job = github.job({ pull_request: { number: 12 } }, { GITHUB_API_URL: server.url });
  await expect(openDiscussion("github", job, stillClock())).rejects.toThrow("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(server.received).toEqual([]);
});

test("nothing that a header says of the API itself is printed", async () => {
  const printed = (["log", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(),
  );
  onTestFinished(() => void vi.restoreAllMocks());
  const headers = { deprecation: "Sat, 1 Jan 2022 00:00:00 GMT", sunset: "##[error]soon" };
  expect(await findOnGithub(stillClock(), { status: 200, headers, body: [] })).toEqual([]);
  for (const each of printed) expect(each).not.toHaveBeenCalled();
});

test("a commit that GitHub does not know is no comment that is too long", async () => {
  const github = await startGithub([pullRequest(12)]);
  github.fail("GET", { status: 422, body: { message: "No commit found for SHA: a" } });
  await expect(openDiscussion("github", github.job({}, { GITHUB_SHA: "a" }), stillClock())).rejects.toThrow(
    "GitHub could not look up pull requests of acme/desk (422)",
  );
});

test("a new comment is never sent twice, for the first may have arrived", async () => {
  const clock = stillClock();
  const gitlab = await startGitlab([{ iid: 3, notes: [] }]);
  gitlab.fail("POST", { status: 502 });
  const discussion = await openDiscussion("gitlab", gitlab.job({ CI_MERGE_REQUEST_IID: "3" }), clock);
  await expect(discussion.create("text")).rejects.toThrow("GitLab could not comment on merge request 3");
  expect([gitlab.writes().length, clock.waits]).toEqual([1, []]);
});

test("GitLab's limits are waited out too, for writes as well", async () => {
  const clock = stillClock();
  const gitlab = await startGitlab([{ iid: 3, notes: [] }]);
  gitlab.fail("POST", { status: 429, headers: { "retry-after": "5" } });
  const discussion = await openDiscussion("gitlab", gitlab.job({ CI_MERGE_REQUEST_IID: "3" }), clock);
  await discussion.create("text");
  expect([gitlab.notes(3).length, clock.waits]).toEqual([1, [5000]]);
});
