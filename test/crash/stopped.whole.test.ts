import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { needFile } from "../harness/need.js";
import { editions, Scene } from "./scene.js";
import { startApply, type ApplyProcess } from "./apply-process.js";

const [first = {}] = editions;

async function openScene(): Promise<Scene> {
  const fault = {
    method: "POST",
    path: "*",
    count: 2,
    status: 429,
    headers: { "retry-after": "4" },
  } as const;
  const scene = await Scene.open({ faults: [fault] });
  onTestFinished(() => scene.close());
  scene.write(first);
  return scene;
}

async function run(scene: Scene, ...command: string[]): Promise<number | null> {
  const { ended } = startApply(scene.directory, { command, args: [] });
  return (await ended).code;
}

/** What a person does who believes that an apply is dead. */
async function takeOver(scene: Scene): Promise<void> {
  const record = readFileSync(join(scene.directory, ".agentform", "default.holder"), "utf8");
  const { nonce } = JSON.parse(record) as { nonce: string };
  expect(await run(scene, "lock", "unlock", nonce)).toBe(0);
  await scene.resolveUnknown();
  expect(await scene.applyHere()).toMatchObject({ status: "applied" });
}

async function checkEnd(scene: Scene, { ended }: ApplyProcess): Promise<void> {
  expect(await ended).toMatchObject({ code: 4 });
  await scene.check();
  expect(await scene.unaccounted()).toEqual([]);
  const names = readdirSync(scene.directory).filter((name) => name.startsWith("agentform.lock"));
  expect(names).toEqual(["agentform.lock"]);
  expect(await scene.applyHere()).toMatchObject({ status: "unchanged" });
}

test("an apply that was unlocked while it waited for a Retry-After creates nothing more", async () => {
  const scene = await openScene();
  const apply = startApply(scene.directory);
  await expect.poll(() => scene.emulator.requests.length, { timeout: 60_000 }).toBeGreaterThan(1);
  await sleep(300);
  await takeOver(scene);
  await checkEnd(scene, apply);
});

test("an apply that was stopped as soon as it had the store, and goes on after another, writes and creates nothing", async () => {
  needFile("/proc/self/fd");
  const scene = await openScene();
  const holder = join(scene.directory, ".agentform", "default.holder");
  const apply = startApply(scene.directory, {
    preload: "stop-at.mjs",
    env: { STOP_AFTER: holder },
  });
  await expect.poll(() => existsSync(holder), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => stateOf(apply.child.pid), { timeout: 60_000 }).toBe("T");
  await takeOver(scene);
  apply.child.kill("SIGCONT");
  await checkEnd(scene, apply);
});

function stateOf(pid = 0): string {
  const line = readFileSync(`/proc/${pid}/stat`, "utf8");
  return line.slice(line.lastIndexOf(")") + 2, line.lastIndexOf(")") + 3);
}
