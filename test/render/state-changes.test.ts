import { expect, test } from "vitest";
import { pageChange } from "../../src/page/page-change.js";
import { PlanIndex } from "../../src/page/plan-index.js";
import type { PagePlan } from "../../src/render/html/page-plan.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { lockChanges, stateNotes } from "../../src/core/plan/lock-changes.js";
import { emptyLock, type Lock, type LockEntry } from "../../src/core/state/lock.js";
import type { Plan } from "../../src/generated/plan.js";

const owner = { workspace: "desk", environment: null };
const entry = (id: string): LockEntry => ({ id, body: { name: "Strict" }, digest: "d" });

function lockOf(entries: readonly (readonly [string, LockEntry])[]): Lock {
  return { ...emptyLock(owner, "lineage"), resources: Object.fromEntries(entries) };
}

function planOf(before: Lock, after: Lock): Plan {
  const state_changes = lockChanges(before, after);
  return {
    format: "agentform/plan/v1",
    workspace: "desk",
    environment: null,
    lock: { source: "agentform.lock of main", lineage: "lineage", serial: 3 },
    options: {},
    partial: false,
    digest: `sha256:${"0".repeat(64)}`,
    state_changes,
    notes: [
      ...stateNotes(state_changes, {
        hasDocument: (address) => Object.hasOwn(after.resources, address),
        ownersOf: () => [],
      }),
      {
        code: "model-changed",
        effect: "widens",
        address: "agent:other",
        parts: {},
        message: "another model",
      },
    ],
    actions: [],
    summary: {
      create: 0,
      update: 0,
      replace: 0,
      adopt: 0,
      forget: 0,
      record: 0,
      unknown: 0,
      blocked: 0,
      unchanged: 1,
    },
    diagnostics: [{ code: "x", severity: "error", message: "an error" }],
  };
}

const plan = planOf(
  lockOf([["policy:strict", entry("guarding")]]),
  lockOf([["policy:strict", entry("not-guarding")]]),
);

test("the terminal shows the edit before notes and actions, and does not say that nothing changes", () => {
  expect(renderPlanText(plan, { color: false })).toBe(`agentform plan: desk
Compared with what was last applied (agentform.lock of main).
It cannot be applied, for it has 1 error, the change edits the state in 1 place, 1 weakens a guardrail, 1 widens an agent's reach.
Plan: 1 unchanged.

State edited by this change
  Applies and \`agentform lock\` write the state. An edit of it decides which objects are updated, and what counts as sent already.
  ~ policy:strict  managed object, changed
      ~ id: guarding → not-guarding

Guardrail notes
  ! weakens  policy:strict  the change itself edits \`resources\` of the lock: id  [state-edited]
  ! widens   agent:other    another model  [model-changed]

It cannot be applied, for it has 1 error, the change edits the state in 1 place, 1 weakens a guardrail, 1 widens an agent's reach.
Plan: 1 unchanged.
Digest: sha256:${"0".repeat(64)}
`);
});

test("a comment has it in its first line and before all else, errors too", () => {
  const text = renderPlanMarkdown(plan);
  const [verdict = "", , ...blocks] = text.split("\n\n");
  expect(verdict).toContain("the change edits the state in 1 place");
  expect(blocks[0]).toMatch(/^\*\*State edited by this change\*\*/);
  expect(blocks[1]).toBe("- `policy:strict` (managed object, changed): `id`");
  expect(text).toContain("- id: guarding\n+ id: not-guarding\n");
  expect(text.indexOf("guarding")).toBeLessThan(text.indexOf("an error"));
});

test("the page for reviewers has it, with scripts and without", () => {
  const html = renderPlanHtml(plan);
  const [, data = ""] = /<script type="application\/json" id="plan">(.*?)<\/script>/s.exec(html) ?? [];
  const page = new PlanIndex(JSON.parse(data) as PagePlan);
  const edits = page.itemsOf("state", "state").map(({ name, what, change }) => ({
    name,
    sort: what,
    changes: change.changes.map((each) => pageChange(each)),
  }));
  expect(edits).toMatchObject([
    {
      name: "policy:strict",
      sort: "managed object, changed",
      changes: [{ path: "id", sign: "~", before: "guarding", after: "not-guarding" }],
    },
  ]);
  expect(html).toContain("\nState edited by this change\n");
  expect(html).toContain("~ id: guarding → not-guarding");
});

test("where there is little room, the edits are the last to go, and are counted", () => {
  const names = Array.from({ length: 300 }, (_, index) => `policy:p${index}`);
  const lost = planOf(lockOf(names.map((name) => [name, entry(name)])), lockOf([]));
  const text = renderPlanMarkdown(lost, { maxBytes: 4000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000);
  expect(text).toContain("edits the state in 300 places");
  const told = text.match(/^- `policy:p\d+` \(managed object, removed\)/gm)?.length ?? 0;
  expect(text).toMatch(
    new RegExp(
      `\n\n\\*\\*State edited by this change, too long to be shown \\(${300 - told}\\):\\*\\* \`policy:p\\d+\`, .*\\d+ more\n`,
    ),
  );
  expect(text).toContain(`Not shown, for want of room: ${300 - told} edits of the state`);
  const some = renderPlanMarkdown(
    planOf(lockOf(names.slice(0, 40).map((name) => [name, entry(name)])), lockOf([])),
    { maxBytes: 6800 },
  );
  for (const name of names.slice(0, 40)) expect(some).toContain(`- \`${name}\` (managed object, removed)`);
});
