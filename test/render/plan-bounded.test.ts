import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { renderPlanJson } from "../../src/render/plan/plan-json.js";
import { expectOf } from "../cli/json-schemas.js";
import { openDesk, policyText } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { actionOf, planOf } from "./markdown-plans.js";
import { wholeTest } from "../harness/tier.js";

async function openLarge() {
  const topics = Array.from({ length: 40 }, (_, index) => `a topic of some length, number ${index}`);
  const many = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `agents/desk-${index}.yaml`,
      documentText("Agent", `desk-${index}`, {
        name: `Desk ${index}`,
        system_prompt: Array.from({ length: 40 }, (_each, line) => `Be kind ${index}-${line}.`).join("\n"),
      }),
    ]),
  );
  const desk = await openDesk({ "policies/strict.yaml": policyText(topics), ...many });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const changed = Object.fromEntries(
    Object.entries(many).map(([file, text]) => [file, text.replaceAll("Be kind", "Be brief")]),
  );
  desk.workspace.write({
    ...changed,
    "policies/strict.yaml": policyText([]),
    "agents/new.yaml": documentText("Agent", "new", { name: "New" }),
  });
  return desk;
}

wholeTest(
  "a plan has as much room as was given, notes and groups before changes, and these before bodies",
  async () => {
    const { run } = await openLarge();
    const planOf = async (...more: string[]) => {
      const { code, out } = await run("plan", "--format", "json", ...more);
      expect(code).toBe(0);
      const plan = JSON.parse(out) as Plan;
      expectOf("plan", plan);
      return { plan, bytes: Buffer.byteLength(out) };
    };
    const whole = await planOf();
    expect(whole.plan.left_out).toBeUndefined();
    const sizes = [2000, 2500, 3000, 5000, 8000, 20_000, 60_000, whole.bytes - 1];
    for (const size of sizes) {
      const { plan, bytes } = await planOf("--max-bytes", String(size));
      expect(bytes).toBeLessThanOrEqual(size);
      expect(plan).toMatchObject({ digest: whole.plan.digest, summary: whole.plan.summary });
      const left = plan.left_out ?? {};
      const now = {
        notes: plan.notes.length,
        groups: plan.groups?.length ?? 0,
        actions: plan.actions.length,
        changes: plan.actions.flatMap(({ changes }) => changes).length,
        bodies: plan.actions.filter(({ body }) => body !== undefined).length,
      };
      expect(now.notes + (left["notes"] ?? 0)).toBe(whole.plan.notes.length);
      expect(now.groups + (left["groups"] ?? 0)).toBe(whole.plan.groups?.length);
      expect(now.actions + (left["actions"] ?? 0)).toBe(whole.plan.actions.length);
      if (now.actions === whole.plan.actions.length) {
        const all = whole.plan.actions.flatMap(({ changes }) => changes).length;
        expect(now.changes + (left["changes"] ?? 0)).toBe(all);
      }
      for (const action of plan.actions) {
        const full = whole.plan.actions.find(({ address }) => address === action.address);
        if (action.left_out === undefined) expect(action).toEqual(full);
        else expect(action.left_out.length).toBeGreaterThan(0);
      }
      // What comes later has room only where all that comes before has been asked.
      if (left["actions"] !== undefined && left["actions"] === whole.plan.actions.length) {
        expect(now.changes + now.bodies).toBe(0);
      }
    }
    const same = await planOf("--max-bytes", String(whole.bytes + 1000));
    expect(same.plan).toEqual(whole.plan);
  },
);

test("no list takes the room of the actions, of which the gravest come first", () => {
  const prompt = (at: number) =>
    Array.from({ length: 20 }, (_, line) => `${at}-${line} ${"ask ".repeat(10)}`);
  const updates = Array.from({ length: 400 }, (_, at) => {
    const [before, after] = [at >> 1, 1000 + (at >> 1)].map((each) => prompt(each).join("\n"));
    return actionOf(`agent:a${at}`, "update", {
      changes: [{ path: "system_prompt", before: before ?? "", after: after ?? "" }],
    });
  });
  const deletes = Array.from({ length: 20 }, (_, at) => actionOf(`agent:d${at}`, "delete"));
  const text = renderPlanJson(planOf([...updates, ...deletes]), 20_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  const { actions, groups } = JSON.parse(text) as Plan;
  expect(actions.filter(({ action }) => action === "delete")).toHaveLength(20);
  expect(groups?.length).toBeGreaterThan(0);
});

test("what was left out cannot be applied", async () => {
  const { run, workspace } = await openLarge();
  const { out } = await run("plan", "--format", "json", "--max-bytes", "3000");
  workspace.write({ "plan.json": out });
  expect((await run("apply", "plan.json", "--yes")).code).toBe(1);
});
