import { setTimeout as sleep } from "node:timers/promises";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { idsOf } from "../../src/core/kind/identity.js";
import type { Lock } from "../../src/core/state/lock.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { startApply } from "./apply-process.js";

const count = 3000;
const concurrency = 16;

test("many creates that are killed half way are made once each, and no ID is lost", async () => {
  const directory = mkdtempSync(join(tmpdir(), "agentform-half-way-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  execFileSync(process.execPath, ["bench/make-workspace.mjs", directory, String(count), "100", emulator.url]);
  const args = ["--yes", "--concurrency", String(concurrency)];
  const killed = startApply(directory, { command: ["apply"], args });
  while (emulator.requests.length < count / 2) await sleep(5);
  killed.child.kill("SIGKILL");
  expect((await killed.ended).code).toBeNull();
  const { code, stderr } = await startApply(directory, { command: ["apply"], args }).ended;
  expect([0, 3], stderr.slice(-2000)).toContain(code);
  const lock = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8")) as Lock;
  const unknown = Object.keys(lock.unknown);
  expect(unknown.length).toBeLessThanOrEqual(concurrency);
  const { policies, agents, tools, toolSets } = emulator.objects();
  const names = [...policies, ...agents].map(({ body }) => String(body.name));
  const sets = toolSets.map(({ body }) => String(body.tool_set_name));
  for (const each of [names, sets]) expect(new Set(each).size).toBe(each.length);
  const known = new Set(Object.values(lock.resources).flatMap(idsOf));
  const lost = [...policies, ...agents, ...tools].filter(({ id }) => !known.has(id));
  // A tool set has three tools.
  expect(lost.length).toBeLessThanOrEqual(3 * unknown.length);
});
