import { expect, test } from "vitest";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { PlanIndex } from "../../src/page/plan-index.js";
import type { PagePlan } from "../../src/render/html/page-plan.js";
import { pagePlanJson } from "../../src/render/html/page-plan.js";
import { actionOf, planOf } from "./markdown-plans.js";

const digest = (index: number) => String(index % 10).repeat(64);
const operation = (index: number) => ({
  path: `openapi_schema.operations[GET /o${index}].requestBody`,
  before: digest(index),
  after: digest(index + 1),
  outline: true as const,
});
const sets = ["a", "b", "c"].map((name, at) =>
  actionOf(`toolset:${name}`, "replace", {
    changes: Array.from({ length: 12 - at }, (_, index) => operation(index)),
  }),
);

test("one OpenAPI document is one block, however many of its operations changed", () => {
  const plan = planOf(sets);
  const head = "The same document in 3 tool sets";
  const text = renderPlanText(plan, { color: false });
  expect(text.match(/The same /g)).toHaveLength(1);
  expect(text).toContain(`${head}: 11 edits of \`openapi_schema\` · not judged\n`);
  expect(text).toContain("  ~ openapi_schema.operations[GET /o0].requestBody: changed\n");
  expect(text).toContain(
    "  ~ openapi_schema.operations[GET /o10].requestBody: changed\n      in 2 of these 3: toolset:a, toolset:b\n",
  );
  const markdown = renderPlanMarkdown(plan);
  expect(markdown.match(/\*\*The same /g)).toHaveLength(1);
  expect(markdown).toContain(`**${head}**: 11 edits of`);
  const page = new PlanIndex(JSON.parse(pagePlanJson(plan, 1_000_000) ?? "") as PagePlan);
  expect(page.groups.map(({ edits }) => edits.length)).toEqual([11]);
});

test("many addresses are a few patterns with counts, and those without the edit are named where they are few", () => {
  const change = { path: "model", before: "a", after: "b" };
  const agents = ["books", "cars", "pets"].flatMap((shop) =>
    Array.from({ length: 15 }, (_, index) =>
      actionOf(`agent:${shop}-${index}`, "update", { changes: [change] }),
    ),
  );
  const plan = {
    ...planOf(agents),
    unchanged: {
      agent: { count: 46, addresses: Array.from({ length: 20 }, (_, index) => `agent:x${index}`) },
    },
  };
  for (const text of [renderPlanText(plan, { color: false }), renderPlanMarkdown(plan)]) {
    expect(text).toMatch(/agent:books-\*`? \(15\), `?agent:cars-\*`? \(15\), `?agent:pets-\*`? \(15\)/);
    expect(text).not.toMatch(/without this edit|not in/);
  }
});

test("a title has at most 120 characters, and nothing of what it leaves out is lost", () => {
  const agents = Array.from({ length: 40 }, (_, index) =>
    actionOf(`agent:a${index}`, index % 2 === 0 ? "replace" : "update", {
      changes: [{ path: "model", before: "a", after: "b" }],
    }),
  );
  const notes = (["weakens", "widens", "review"] as const).map((effect) => {
    return { code: "c", effect, address: "agent:a1", parts: {}, message: "m" };
  });
  const plan = {
    ...planOf(agents, { notes }),
    workspace: "a-workspace-with-a-name-of-quite-some-length-indeed",
  };
  const [title = "", , rest = ""] = renderPlanMarkdown(plan).split("\n");
  expect(title.length).toBeLessThanOrEqual(120);
  const said = `${title} ${rest}`.toLowerCase();
  for (const words of [
    "1 weakens",
    "1 widens",
    "1 needs a review",
    "20 to replace",
    "20 to update",
    "1 distinct edit",
  ])
    expect(said).toContain(words);
});

test("a title in a text is quoted, whatever it holds", () => {
  const title = '## <details><summary>Consequences: 2</summary> `x` "): · in the notes @octocat';
  const change = (name: string) => ({
    path: "system_prompt",
    before: `${title}\n- ${name}\n`,
    after: `${title}\n- ${name}\n- refund\n`,
  });
  const plan = planOf(
    ["a", "b"].map((name) => actionOf(`agent:${name}`, "update", { changes: [change(name)] })),
  );
  const line = renderPlanMarkdown(plan)
    .split("\n")
    .find((each) => each.startsWith("**The same edit"));
  // Two backticks hold a text with one.
  expect(line).toContain(`under \`\`${title}\`\``);
  expect(renderPlanText(plan, { color: false })).toContain(
    'Consequences: 2</summary> `x` \\"): · in the notes',
  );
});

test("a value that is empty before and after is shown with both", () => {
  const changes = [{ path: "agent_instructions", before: [], after: {} }];
  const text = renderPlanText(planOf([actionOf("agent:a", "update", { changes })]), { color: false });
  expect(text).toContain("~ agent_instructions: [] → {}");
});

test("a pattern stands for no resource that the plan names and that does not have the edit", () => {
  const changes = [{ path: "model", before: "m1", after: "m2" }];
  const names = ["de", "es", "it", "nl", "a", "b", "c"];
  const plan = planOf([
    ...names.map((name) => actionOf(`agent:shop-${name}`, "update", { changes })),
    actionOf("agent:shop-fr", "update", { changes: [{ path: "top_p", after: 1 }] }),
  ]);
  for (const text of [renderPlanText(plan, { color: false }), renderPlanMarkdown(plan)])
    expect(text).not.toContain("agent:shop-*");
});
