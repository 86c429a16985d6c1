import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/emulator.js";
import { startApply, type ApplyProcess } from "./apply-process.js";
import { openGate } from "./gate.js";
import { editions, Scene } from "./scene.js";
import { sample, wholeTest } from "../harness/tier.js";

async function openScene(options: EmulatorOptions): Promise<Scene> {
  const scene = await Scene.open(options);
  onTestFinished(() => scene.close());
  scene.write(editions[0] ?? {});
  return scene;
}

function read(scene: Scene, file: string): string | undefined {
  const path = join(scene.directory, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Resolves when the service has got so many requests. */
async function received(scene: Scene, count: number): Promise<void> {
  while (scene.emulator.requests.length < count) await sleep(5);
  expect(scene.emulator.requests).toHaveLength(count);
}

/** Resolves when an apply has said something on standard error. */
async function said({ stderr }: ApplyProcess, words: string): Promise<void> {
  while (!stderr().includes(words)) await sleep(5);
}

/** Asks an apply to end until it has: what comes within a second of the first signal counts as that. */
async function interruptAgain({ child, ended }: ApplyProcess): ReturnType<typeof startApply>["ended"] {
  while (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await sleep(50);
  }
  return await ended;
}

/** Applies what was left, and sees that everything is there once. */
async function finish(scene: Scene): Promise<void> {
  await scene.check();
  await scene.resolveUnknown();
  expect((await scene.applyHere()).summary).toMatchObject({ failed: 0, unknown: 0, skipped: 0 });
  await scene.check();
  expect((await scene.planHere()).plan?.actions).toEqual([]);
  const counts = [...scene.objects()].map(([address, ids]) => [address, ids.length]);
  expect(counts.toSorted()).toEqual([
    ["agent:lead", 1],
    ["agent:support", 1],
    ["credential:provider", 1],
    ["policy:strict", 1],
    ["toolset:desk", 2],
  ]);
}

test.each(
  sample(
    "signals",
    [
      { signal: "SIGTERM", concurrency: 8, sent: 3 },
      { signal: "SIGINT", concurrency: 8, sent: 3 },
      { signal: "SIGINT", concurrency: 1, sent: 1 },
      { signal: "SIGHUP", concurrency: 8, sent: 3 },
    ] as const,
    1,
  ),
)(
  "the first $signal lets what is in flight finish and starts nothing new, $concurrency at once",
  async ({ signal, concurrency, sent }) => {
    const scene = await openScene({});
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const gate = await openGate(scene.emulator.url, () => false, released);
    onTestFinished(() => gate.close());
    scene.write(editions[0] ?? {}, gate.url);
    const apply = startApply(scene.directory, {
      args: ["--yes", "--concurrency", String(concurrency)],
    });
    await received(scene, sent);
    apply.child.kill(signal);
    await said(apply, "Interrupted: requests in flight finish");
    release();
    const { code, stdout, stderr } = await apply.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/agent:support: skipped, because the apply was interrupted/);
    expect(stdout).toContain(`${sent} done`);
    expect(scene.emulator.requests).toHaveLength(sent);
    expect(Object.keys(JSON.parse(read(scene, "agentform.lock") ?? "{}").resources)).toHaveLength(sent);
    expect(read(scene, "agentform.lock.journal")).toBeUndefined();
    expect(read(scene, ".agentform/default.holder")).toBeUndefined();
    await finish(scene);
  },
);

test("a signal that is passed on beside itself is one", async () => {
  const scene = await openScene({ faults: [{ delay: 300, count: 3 }] });
  const { child, ended, stderr } = startApply(scene.directory);
  await received(scene, 3);
  child.kill("SIGINT");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 130 });
  expect(stderr().split("Interrupted")).toHaveLength(2);
  expect((await scene.planHere()).plan?.summary).toMatchObject({ unknown: 0 });
  await finish(scene);
});

test("the second signal stops at once, and the journal accounts for what was in flight", async () => {
  const scene = await openScene({ faults: [{ hang: true, count: 3 }] });
  const apply = startApply(scene.directory);
  await received(scene, 3);
  apply.child.kill("SIGINT");
  await said(apply, "Interrupt again to stop at once");
  const { code, stderr } = await interruptAgain(apply);
  expect(code).toBe(130);
  // Whatever was waited for would have told how it ended.
  expect(stderr).not.toMatch(/not known whether|no answer within/);
  expect(read(scene, "agentform.lock")).toBeUndefined();
  expect((await scene.planHere()).plan?.summary).toMatchObject({ unknown: 3, blocked: 2 });
  await finish(scene);
});

test("the second signal tells the IDs that wait for a store that does not answer", async () => {
  const scene = await openScene({});
  const env = {
    FAIL_CALL: "fdatasync",
    FAIL_AT: "2",
    FAIL_CODE: "HANG",
    FAIL_ON: "1",
    FAIL_BELOW: scene.directory,
  };
  const args = ["--yes", "--concurrency", "1"];
  const apply = startApply(scene.directory, { preload: "fail-at.mjs", env, args });
  while (!read(scene, "agentform.lock.journal")?.includes('"type":"done"')) await sleep(5);
  apply.child.kill("SIGINT");
  await said(apply, "Interrupt again to stop at once");
  const { code, stderr } = await interruptAgain(apply);
  expect(code).toBe(130);
  const [[address, ids]] = [...scene.objects()] as [[string, string[]]];
  expect(stderr).toContain(`${address}: created, and it could not be saved: keep this: ${ids.join(", ")}\n`);
});

wholeTest(
  "a signal while a repeat is waited for ends the wait, and what was not sent is not unknown",
  async () => {
    const busy = { status: 429, headers: { "retry-after": "60" }, count: 100 };
    const scene = await openScene({ faults: [busy] });
    const { child, ended } = startApply(scene.directory);
    await received(scene, 3);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(scene.emulator.requests).toHaveLength(3);
    expect((await scene.planHere()).plan?.summary).toMatchObject({ unknown: 0, create: 5 });
    expect([...scene.objects()]).toEqual([]);
  },
);

test.each(
  sample(
    "readers",
    [
      { name: "standard output", streams: ["stdout"], args: [] },
      { name: "standard output of NDJSON", streams: ["stdout"], args: ["--format", "json"] },
      { name: "both outputs", streams: ["stdout", "stderr"], args: [] },
    ] as const,
    0,
  ),
)("a reader of $name that has gone away does not stop an apply", async ({ streams, args }) => {
  const scene = await openScene({ latency: 30 });
  const { child, ended } = startApply(scene.directory, { args: ["--yes", ...args] });
  for (const stream of streams) child[stream].destroy();
  expect((await ended).code).toBe(0);
  expect(read(scene, "agentform.lock.journal")).toBeUndefined();
  await scene.check();
  expect((await scene.planHere()).plan?.actions).toEqual([]);
});

test.each(
  sample(
    "answers",
    [
      { name: "yes", answer: "yes\n", code: 0 },
      { name: "the end of the input", answer: "", code: 1 },
      { name: "another word", answer: "y\n", code: 1 },
    ],
    1,
  ),
)("the question is answered by $name", async ({ answer, code }) => {
  const scene = await openScene({});
  const { child, ended } = startApply(scene.directory, { args: [], preload: "as-terminal.mjs" });
  child.stdout.on("data", (text: string) => {
    if (text.includes("Type `yes`")) child.stdin.end(answer);
  });
  const result = await ended;
  expect(result.stdout).toContain("Type `yes` to apply:");
  expect(result.code).toBe(code);
  expect(scene.emulator.requests).toHaveLength(code === 0 ? 5 : 0);
  expect(read(scene, "agentform.lock") !== undefined).toBe(code === 0);
  if (code === 1) expect(result.stderr).toContain("Nothing was applied.");
});

test.each(["SIGTERM", "SIGHUP"] as const)("a %s at the question ends the command", async (signal) => {
  const scene = await openScene({});
  const { child, ended } = startApply(scene.directory, { args: [], preload: "as-terminal.mjs" });
  child.stdout.on("data", (text: string) => {
    if (text.includes("Type `yes`")) child.kill(signal);
  });
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(stderr).toContain("Nothing was applied.");
  expect(scene.emulator.requests).toEqual([]);
});
