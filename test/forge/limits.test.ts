import { expect, test } from "vitest";
import { openDiscussion } from "../../src/forge/open-discussion.js";
import type { Clock } from "../../src/forge/patient-fetch.js";
import { pullRequest, startGithub } from "./fake-github.js";
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
