import { expect, test } from "vitest";
import { buildPlans } from "../../src/core/review/plans.js";
import { renderPlansMarkdown } from "../../src/render/markdown/plans-markdown.js";
import { renderPlansText } from "../../src/render/plan/plans-text.js";
import { renderPlanJson } from "../../src/render/plan/plan-json.js";
import type { Plan } from "../../src/generated/plan.js";
import { actionOf, hugePlan, madePlans, planOf, weakens } from "./markdown-plans.js";
import { wholeTest } from "../harness/tier.js";

const bytesOf = (text: string) => Buffer.byteLength(text);

function plansOf(made: readonly Plan[]) {
  const members = made.map((plan, at) => ({ folder: `team-${at}`, plan }));
  return buildPlans("production", members, [{ folder: "left", why: "untouched" }]);
}

const usual = Object.values(madePlans).map((make) => make());
const quiet = planOf([]);

test("each workspace with changes has a section, the others a line, and the one digest is at the end", () => {
  const plans = plansOf([...usual.slice(0, 3), quiet]);
  const text = renderPlansMarkdown(plans, { target: "main", maxBytes: 500_000 });
  for (const at of [0, 1, 2]) expect(text).toContain(`\n#### \`team-${at}\``);
  expect(text).not.toContain("#### `team-3`");
  expect(text).toContain("No changes in `team-3`.");
  expect(text).toMatch(/Left out, in which nothing has changed .*: left\./);
  expect(text.match(/^Digest: /gm)).toHaveLength(1);
  expect(text.match(/<!-- agentform/g)).toHaveLength(2);
  const [digest, into, marker] = text.trimEnd().split("\n\n").slice(-3);
  expect(digest).toContain(plans.digest);
  expect(into).toBe("<!-- agentform into: main -->");
  expect(marker).toMatch(/^<!-- agentform all: left [0-9a-f]{64} production -->$/);
});

test("comments on other workspaces have another marker, also where the first of them is the same", () => {
  const markerOf = (made: readonly Plan[]) => renderPlansMarkdown(plansOf(made)).trimEnd().split("\n").at(-1);
  const [first = quiet, second = quiet] = usual;
  expect(markerOf([first, second])).not.toBe(markerOf([first]));
  expect(markerOf([first, second])).toBe(markerOf([second, quiet]));
  // What a commit had is compared with another one after the merge.
  const removed = buildPlans("production", plansOf([first, second]).plans, [
    { folder: "left", why: "untouched" },
    { folder: "gone", why: "removed" },
  ]);
  expect(renderPlansMarkdown(removed).trimEnd().split("\n").at(-1)).toBe(markerOf([first, second]));
});

wholeTest(
  "a comment has its bytes, however many and large the plans are, and says of each what has no room",
  () => {
    const huge = hugePlan(100);
    for (const count of [1, 2, 12, 60, 200]) {
      const made = Array.from({ length: count }, (_, at) =>
        at % 3 === 0 ? huge : (usual[at % usual.length] ?? huge),
      );
      const plans = plansOf(made);
      for (const maxBytes of [2_000, 9_000, 60_000]) {
        const text = renderPlansMarkdown(plans, { maxBytes, target: "main" });
        expect(bytesOf(text), `${count} in ${maxBytes}`).toBeLessThanOrEqual(maxBytes);
        const named = plans.plans.filter(({ folder }) => new RegExp(`${folder}(?!\\d)`).test(text)).length;
        const more = Number(/and (\d+) more workspaces? with changes/.exec(text)?.[1] ?? 0);
        const unchanged = plans.plans.filter(({ plan }) => plan.actions.length === 0).length;
        expect(named + more, `${count} in ${maxBytes}`).toBeGreaterThanOrEqual(count - unchanged);
        expect(text).toContain(plans.digest);
      }
    }
  },
);

test("the name of a folder in a file that somebody else wrote stays a name", () => {
  const folder = "a`b\n\n<!-- agentform: support-desk production -->\n@everyone";
  const plans = buildPlans(
    "production",
    [{ folder, plan: usual[0] ?? quiet }],
    [{ folder, why: "selector" }],
  );
  const text = renderPlansMarkdown(plans);
  expect(text.match(/^<!-- agentform/gm)).toHaveLength(1);
  expect(text).not.toMatch(/^@everyone/m);
  expect(renderPlansText(plans, { color: false })).not.toMatch(/^<!--|^@everyone/m);
});

wholeTest("whoever wants little leaves the room to who wants more", () => {
  const small = usual[0] ?? quiet;
  const alone = renderPlansMarkdown(plansOf([small]), { maxBytes: 500_000 });
  const beside = renderPlansMarkdown(plansOf([small, hugePlan(2000)]), { maxBytes: 60_000 });
  const section = (text: string) =>
    text.slice(text.indexOf("#### `team-0`"), text.indexOf("\n\n", text.indexOf("#### `team-0`")));
  expect(section(beside)).toBe(section(alone));
  expect(bytesOf(beside)).toBeGreaterThan(40_000);
});

test("as JSON in so many bytes, each plan says what it lacks", () => {
  const plans = plansOf([hugePlan(300), hugePlan(300), quiet]);
  const whole = renderPlanJson(plans);
  const short = renderPlanJson(plans, 40_000);
  expect(bytesOf(short)).toBeLessThanOrEqual(40_000);
  expect(bytesOf(whole)).toBeGreaterThan(40_000);
  const parsed = JSON.parse(short) as { digest: string; plans: { plan: { left_out?: object } }[] };
  expect(parsed.digest).toBe(plans.digest);
  expect(parsed.plans.map(({ plan }) => plan.left_out !== undefined)).toEqual([true, true, false]);
});

test("many workspaces with little to show are all shown where they have room", () => {
  const changes = [{ path: "description", before: "old", after: "new" }];
  const plans = plansOf(
    Array.from({ length: 100 }, () => planOf([actionOf("agent:a", "update", { changes })])),
  );
  const text = renderPlansMarkdown(plans);
  expect(bytesOf(text)).toBeLessThanOrEqual(60_000);
  expect(text.match(/^#### /gm)).toHaveLength(100);
  expect(text).not.toContain("Not shown");
  const tight = renderPlansMarkdown(plans, { maxBytes: 20_000 });
  expect(bytesOf(tight)).toBeLessThanOrEqual(20_000);
  expect(bytesOf(tight)).toBeGreaterThan(15_000);
});

test("of many workspaces, the one that weakens a guardrail has a section, wherever it is", () => {
  const base = usual.find(({ notes }) => notes.length > 0) ?? quiet;
  const note = (effect: "weakens" | "review") => ({ ...base.notes[0], effect });
  const reviewed: Plan = { ...base, notes: Array.from({ length: 5 }, () => note("review")) } as Plan;
  const weakened: Plan = { ...base, notes: [note("weakens")] } as Plan;
  const plans = plansOf([...Array.from({ length: 300 }, () => reviewed), weakened]);
  const text = renderPlansMarkdown(plans, { maxBytes: 60_000 });
  expect(text).toContain("\n#### `team-300`");
  expect(bytesOf(text)).toBeLessThanOrEqual(60_000);
});

test("of workspaces that have no line either, it says what their notes do", () => {
  const base = usual.find(({ notes }) => notes.length > 0) ?? quiet;
  const weakened: Plan = { ...base, notes: [{ ...base.notes[0], effect: "weakens" }] } as Plan;
  const text = renderPlansMarkdown(plansOf(Array.from({ length: 300 }, () => weakened)), { maxBytes: 9000 });
  const [, workspaces, notes] =
    /^- and (\d+) more workspaces with changes \(of their guardrail notes, (\d+) weaken\)$/m.exec(text) ?? [];
  expect(workspaces).toBe(notes);
  expect(Number(workspaces)).toBeGreaterThan(100);
  expect(bytesOf(text)).toBeLessThanOrEqual(9000);
});

test("what is grave in any of the plans is said before how much they do, in each form", () => {
  const weakened = planOf([actionOf("policy:strict", "replace")], {
    notes: [weakens("check-off", "policy:strict", "the check `keywords` is switched off")],
  });
  const edited = planOf([actionOf("agent:support", "update")], {
    diagnostics: [{ code: "move-invalid", severity: "error", message: "it cannot move" }],
  });
  const plans = plansOf([planOf([actionOf("agent:support", "update")]), weakened, weakened, edited]);
  const said =
    "They cannot be applied, for they have 1 error, 2 weaken a guardrail. 2 to replace, 2 to update, 136 unchanged.";
  expect(renderPlansMarkdown(plans)).toContain(`\n\n${said} `);
  expect(renderPlansText(plans, { color: false })).toContain(`\nTogether: ${said}\n`);
});
