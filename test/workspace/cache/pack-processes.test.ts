import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPack } from "../../../src/workspace/cache/pack.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { filesOf, onlyFile, run, keyOf } from "./pack-folder.js";
import { missing, type Order } from "./pack-order.js";
import { makePipe } from "../../harness/need.js";
import { runs, wholeTest } from "../../harness/tier.js";

let program = "";

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentform-actor-"));
  program = join(folder, "actor.mjs");
  const entryPoints = [join(import.meta.dirname, "pack-actor.ts")];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm" });
});

afterAll(() => rmSync(join(program, ".."), { recursive: true, force: true }));

/** What became of an actor. */
interface Ended {
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Actor {
  readonly ended: Promise<Ended>;
  /** Waits until it began, and then so many milliseconds more, and kills it. */
  kill(milliseconds: number): Promise<void>;
}

function start(order: Order, ...options: string[]): Actor {
  const child = spawn(process.execPath, [...options, program, JSON.stringify(order)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const begun = once(child.stdout, "readable");
  const ended = Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return {
    ended: ended.then(([[, signal], stdout, stderr]) => ({
      signal: signal as string | null,
      stdout,
      stderr,
    })),
    async kill(milliseconds) {
      await begun;
      await sleep(milliseconds);
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Counts the keys that a new run does not find; what it finds must be right. */
function missingIn(folder: string, count: number): number {
  const pack = openPack(folder, "workspace", "1");
  const lacking = missing(pack, count);
  pack.close();
  return lacking;
}

/** Uses all that is there, and has something new, so that the pack is written. */
function writeAgain(folder: string, count: number): void {
  run(folder, (pack) => {
    missing(pack, count);
    // As many as it takes to be worth writing.
    for (let key = 0; key < count / 50; key++) pack.keep(keyOf(`again ${key}`), null, []);
  });
}

function leftovers(folder: string): string[] {
  return filesOf(folder).filter((file) => file.endsWith(".tmp"));
}

test("two processes write at once while a third reads: all that is read is whole and was kept", async () => {
  const folder = makeCacheFolder();
  const count = 400;
  const milliseconds = runs("milliseconds of two writers", 300, 3000);
  const writers = [1, 2].map(() => start({ do: "churn", folder, count, milliseconds }));
  const reader = start({ do: "watch", folder, count, milliseconds });
  const outcomes = await Promise.all([reader, ...writers].map(({ ended }) => ended));
  expect(outcomes.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
  expect(Number(outcomes[0]?.stdout)).toBeGreaterThan(5);
  expect(missingIn(folder, count)).toBe(0);
  expect(leftovers(folder)).toEqual([]);
});

wholeTest("killed before any step of a save, it leaves the pack before or the one after", async () => {
  const count = 5;
  let before = 0;
  let after = 0;
  for (let step = 1; ; step++) {
    const folder = makeCacheFolder();
    await start({ do: "churn", folder, count, milliseconds: 1 }).ended;
    const { ino } = statSync(onlyFile(folder));
    const { signal, stderr } = await start({ do: "die at step", step, folder, count }).ended;
    expect(stderr).toBe("");
    expect(missingIn(folder, count)).toBe(0);
    const pack = filesOf(folder).find((file) => file.endsWith(".pack"));
    if (statSync(pack ?? "").ino === ino) before++;
    else after++;
    for (const file of leftovers(folder)) utimesSync(file, new Date(0), new Date(0));
    writeAgain(folder, count);
    expect(missingIn(folder, count)).toBe(0);
    expect(filesOf(folder)).toHaveLength(1);
    if (signal === null) break;
  }
  expect(before).toBeGreaterThan(3);
  expect(after).toBeGreaterThan(1);
});

wholeTest(
  "killed at any moment, it leaves a pack that is whole, and nothing else for more than an hour",
  async () => {
    const folder = makeCacheFolder();
    const count = 4000;
    await start({ do: "churn", folder, count, milliseconds: 1 }).ended;
    for (let round = 0; round < 12; round++) {
      await start({ do: "churn", folder, count, milliseconds: 60_000 }).kill(Math.random() * 150);
      expect(missingIn(folder, count)).toBe(0);
    }
    const young = leftovers(folder);
    writeAgain(folder, count);
    expect(leftovers(folder)).toEqual(young);
    const longAgo = new Date(Date.now() - 3_700_000);
    for (const file of young) utimesSync(file, longAgo, longAgo);
    writeAgain(folder, count);
    expect(filesOf(folder)).toHaveLength(1);
    expect(missingIn(folder, count)).toBe(0);
  },
);

test("a pipe in the place of a pack keeps nobody waiting", async () => {
  const folder = makeCacheFolder();
  const order: Order = { do: "churn", folder, count: 5, milliseconds: 1 };
  await start(order).ended;
  const file = onlyFile(folder);
  rmSync(file);
  makePipe(file);
  const ended = await Promise.race([start(order).ended, sleep(1_200_000, "waits", { ref: false })]);
  expect(ended).toMatchObject({ signal: null, stderr: "" });
  expect(missingIn(folder, 5)).toBe(0);
});
