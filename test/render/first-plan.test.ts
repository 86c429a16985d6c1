import { expect, test } from "vitest";
import type { Change } from "../../src/generated/plan.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { actionOf, planOf } from "./markdown-plans.js";

const languages = Array.from({ length: 30 }, (_, index) => `Language${index}`);

function fieldsOf(index: number): Change[] {
  const language = languages[index] ?? "";
  return [
    { path: "name", after: `Help (${language})` },
    { path: "model", after: "medium-1" },
    { path: "tools", after: ["${toolset:desk}", `\${toolset:help-l${index}}`] },
    { path: "handover", after: { queue: `help-l${index}`, hours: index === 7 ? "8 to 22" : "8 to 18" } },
    {
      path: "system_prompt",
      after: `You help customers.\nAnswer in ${language}.\nNever promise a refund.\nIf you do not know the word in ${language}, say so.\n`,
    },
  ];
}

const agents = languages.map((_, index) =>
  actionOf(`agent:help-l${index}`, "create", { file: "agents/help.yaml", changes: fieldsOf(index) }),
);
const plan = planOf(agents);

test("thirty new agents of one for_each are one block in the terminal", () => {
  const text = renderPlanText(plan, { color: false });
  expect(text.split("\n").length).toBeLessThan(60);
  expect(text).toContain("          + Answer in Language0.\n");
  expect(text).toContain(
    "  + 29 more like it, with what differs\n      agent:help-l1: `Language0` → `Language1`\n",
  );
  expect(text).toContain("      agent:help-l7: `Language0` → `Language7`, `handover.hours`: `8 to 22`\n");
});

test("and in a comment and on the page", () => {
  const markdown = renderPlanMarkdown(plan);
  expect(markdown.split("\n").length).toBeLessThan(75);
  expect(markdown).toContain("\n<details><summary>29 more like it, with what differs</summary>\n");
  expect(markdown).toContain("- `agent:help-l7`: `Language0` → `Language7`, `handover.hours`: `8 to 22`\n");
  const [plain = ""] = renderPlanHtml(plan).split('<script type="application/json"');
  expect(plain.match(/Never promise a refund/g)).toHaveLength(1);
  expect(plain).toContain("agent:help-l7: `Language0` → `Language7`, `handover.hours`: `8 to 22`");
});

test("a line that is another in one of them is shown where it stands", () => {
  const changed = agents.map((action, index) =>
    index === 5
      ? {
          ...action,
          changes: action.changes.map((change) =>
            change.path === "system_prompt"
              ? {
                  ...change,
                  after: String(change.after).replace("Never promise a refund", "Promise a refund"),
                }
              : change,
          ),
        }
      : action,
  );
  const text = renderPlanText(planOf(changed), { color: false });
  expect(text).toContain("              + Promise a refund.\n");
  expect(renderPlanMarkdown(planOf(changed))).toContain("  + Promise a refund.\n");
});

test("a name that may forbid is said where it makes another text", () => {
  const named = ["ask", "never", "nicely"].map((name) =>
    actionOf(`agent:desk-${name}`, "create", {
      changes: [
        { path: "system_prompt", after: `You serve the customers of the shop.\nRefunds: ${name} pay.\n` },
      ],
    }),
  );
  const text = renderPlanText(planOf(named), { color: false });
  expect(text).toContain("2 more like it, with what differs\n      agent:desk-never: `ask` → `never`\n");
});

test("new agents with little in common stay apart, and so do two that are alike", () => {
  const text = (count: number) => renderPlanText(planOf(agents.slice(0, count)), { color: false });
  expect(text(2)).not.toContain("more like it");
  const others = ["a", "b", "c"].map((name) =>
    actionOf(`agent:${name}`, "create", {
      changes: [
        { path: "system_prompt", after: `${name} only\n`.repeat(20).replaceAll(/\w+/g, `${name}$&`) },
      ],
    }),
  );
  expect(renderPlanText(planOf(others), { color: false })).not.toContain("more like it");
});
