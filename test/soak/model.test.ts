import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { runs, sample, stride } from "../harness/tier.js";
import { deeds } from "./commands.js";
import type { Doom } from "./doomed-store.js";
import { kindNames } from "../../src/core/kind/kinds.js";
import { Fleet } from "./fleet.js";
import { Site } from "./site.js";
import { needProgram } from "../harness/need.js";

vi.mock("../../src/store/open-store.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/store/open-store.js")>();
  const { doomed } = await import("./doomed-store.js");
  const openStore: typeof original.openStore = async (settings, location) =>
    doomed(await original.openStore(settings, location), location.directory, settings.environment);
  return { ...original, openStore };
});

vi.mock("../../src/service/service.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/service/service.js")>();
  const createService: typeof original.createService = (options) =>
    original.createService({
      ...options,
      timeouts: { response: 500, total: 2000 },
      retry: { limit: 3, baseDelay: 1, maxDelay: 3 },
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5))),
    });
  return { ...original, createService };
});

// `npm run test:soak` runs for minutes, from another seed every time.
const minutes = Number(process.env.SOAK_MINUTES ?? 0);
const isSoak = minutes > 0;
const patience = isSoak ? { timeout: minutes * 120_000 } : {};
let histories = 0;
let deaths = 0;
afterAll(() => console.log(`model: ${histories} histories, ${deaths} applies died`));

type StoreName = "file" | "git";

/** Lets people work on a site of its own, and sees that everything comes to rest afterwards. */
async function live(store: StoreName, work: (fleet: Fleet, site: Site) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-model-"));
  try {
    const directory = join(folder, "work");
    mkdirSync(directory);
    if (store === "git") makeRemote(join(folder, "remote.git"), directory);
    const site = new Site(directory, join(folder, "data"), store);
    const fleet = new Fleet();
    for (const kind of kindNames) fleet.add(kind, true);
    site.save(fleet);
    await work(fleet, site);
    await site.settle(fleet);
    histories++;
    deaths += site.died;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeRemote(remote: string, directory: string): void {
  needProgram("git");
  const git = (...args: string[]) => execFileSync("git", args, { stdio: "pipe" });
  git("init", "-q", "--bare", remote);
  git("init", "-q", directory);
  git("-C", directory, "remote", "add", "origin", remote);
}

const stores = [
  { store: "file", histories: runs("histories", 1, 50), length: 16 },
  { store: "git", histories: 5, length: 8 },
] as const;

test.each(sample("stores of histories", stores, 1))(
  "no history of edits, faults, deaths and races loses or doubles an object: $store",
  patience,
  async ({ store, histories: numRuns, length }) => {
    const property = fc.asyncProperty(deeds(isSoak ? 2 * length : length), async (commands) => {
      await live(store, (model, real) => fc.asyncModelRun(() => ({ model, real }), commands));
    });
    const seed = isSoak ? Date.now() % 2 ** 31 : 20_260_105;
    if (isSoak) console.log(`${store}: seed ${seed}`);
    const bound = isSoak ? { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 30_000 } : { numRuns };
    await fc.assert(property, { seed, ...bound });
  },
);

/** Applies and dies at a point; gives whether the apply got that far. */
async function diesAt(store: StoreName, doom: Doom): Promise<boolean> {
  let died = false;
  await live(store, async (fleet, site) => {
    const [end] = await site.apply(fleet, [{ doom }]);
    died = end === "died";
    await site.check();
  });
  return died;
}

// On a git remote a step takes a second: one after the claim, and some when requests are under way or done.
const remotePoints = isSoak
  ? Array.from({ length: 30 }, (_, index) => index + 1)
  : sample("steps with git", [9, 3, 12], 1);
const apart = stride("steps with files", 12);

test.each(sample("deaths with files", ["before", "between", "after"] as const, 0))(
  "dead at every step of an apply, the state in files: %s",
  patience,
  async (when) => {
    let at = 1;
    while (await diesAt("file", { at, when, losesUnflushed: true })) at += apart;
    expect(at).toBeGreaterThan(8);
  },
);

test.each(
  sample(
    "deaths with git",
    [
      { name: "its machine is gone", losesUnflushed: true },
      { name: "its machine remains", losesUnflushed: false },
    ],
    0,
  ),
)("dead on the way, the state on a git remote, and $name", patience, async ({ losesUnflushed }) => {
  let deaths = 0;
  for (const at of remotePoints) {
    if (await diesAt("git", { at, when: "after", losesUnflushed })) deaths++;
  }
  expect(deaths).toBeGreaterThanOrEqual(Math.min(3, remotePoints.length));
});
