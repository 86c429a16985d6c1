import { constants } from "node:buffer";
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseObservation } from "../../src/core/observation/observation.js";
import { writeObservationFile } from "../../src/cli/files/observation-file.js";
import { readPlanFile, writePlanFile } from "../../src/cli/files/plan-file.js";
import { openUserFile } from "../../src/cli/files/user-file.js";
import { printPlan, type PlanFormat } from "../../src/cli/output/print-plan.js";
import type { Terminal } from "../../src/cli/terminal/terminal.js";
import type { Observation } from "../../src/generated/observation.js";
import { noLock, planOf } from "../plan/history.js";
import { pieceOf, workspaceOf } from "../plan/world.js";

const longest = constants.MAX_STRING_LENGTH;
const prompt = "Be polite. ".repeat(1_000_000);
const keys = Array.from({ length: 30 }, (_, index) => `a${index}`);
const { plan } = planOf(
  workspaceOf(keys.map((key) => pieceOf(`agent:${key}`, { name: key, system_prompt: prompt }))),
  noLock,
);

async function printed(format: PlanFormat): Promise<number> {
  let length = 0;
  const terminal = { out: (text: string) => void (length += text.length) } as unknown as Terminal;
  await printPlan(plan, { format, maxBytes: 60_000, color: false }, terminal);
  return length;
}

test("a plan that is longer than a string can be is saved and read", () => {
  const cwd = mkdtempSync(join(tmpdir(), "agentform-test-"));
  expect(writePlanFile(plan, "plan.json", cwd, cwd)).toBeUndefined();
  expect(statSync(join(cwd, "plan.json")).size).toBeGreaterThan(longest);
  const read = readPlanFile("plan.json", cwd);
  if (!("plan" in read)) throw new Error(JSON.stringify(read.diagnostics));
  expect(read.plan.digest).toBe(plan.digest);
  expect(read.plan.actions.map(({ address }) => address)).toEqual(plan.actions.map(({ address }) => address));
  expect(read.plan.actions.every(({ body }) => body?.["system_prompt"] === prompt)).toBe(true);
});

test("such a plan is printed in every format", async () => {
  expect(await printed("json")).toBeGreaterThan(longest);
  expect(await printed("text")).toBeGreaterThan(0);
  expect(await printed("markdown")).toBeLessThanOrEqual(60_000);
  expect(await printed("html")).toBeGreaterThan(0);
});

test("such an observation is saved and read", () => {
  const cwd = mkdtempSync(join(tmpdir(), "agentform-test-"));
  const objects = Array.from({ length: 60 }, (_, index) => [
    `agent:a${index}`,
    [{ id: `id-${index}`, state: "found", body: { system_prompt: prompt } }],
  ]);
  const observation = {
    format: "agentform/observation/v1",
    workspace: "test",
    environment: null,
    lock: { lineage: "l", serial: 1 },
    at: "2026-03-01T04:00:00.000Z",
    service: { base_url: "https://agents.example.com" },
    objects: Object.fromEntries(objects),
  } as unknown as Observation;
  expect(writeObservationFile(observation, "o.json", cwd, cwd)).toBeUndefined();
  expect(statSync(join(cwd, "o.json")).size).toBeGreaterThan(longest);
  const read = parseObservation(openUserFile("the observation", "o.json", cwd), "o.json");
  if (Array.isArray(read)) throw new Error(JSON.stringify(read));
  expect(Object.keys(read.objects)).toEqual(Object.keys(observation.objects));
});
