import { expect, test } from "vitest";
import type { Plan } from "../../src/core/plan/plan.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { plan } from "../../src/sync/plan.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";

async function planOf(prompt: string): Promise<Plan> {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {production: {}}\n`,
    "agents/plain.yaml": documentText("Agent", "plain", { name: "Plain" }),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support", system_prompt: prompt }),
  });
  const { plan: built } = await plan({ directory, environment: "production" });
  if (!built) throw new Error("no plan");
  return built;
}

const long = Array.from({ length: 300 }, (_, line) => `Line ${line} of the prompt.`).join("\n");
const hint = "`agentform render agent:support -e production` shows the whole document of a new object.";

test("where a terminal does not show a new object whole, a command is named that does", async () => {
  const cut = await planOf(long);
  expect(renderPlanText(cut, { color: false })).toContain(`\n\n${hint}\n\n`);
  const short = await planOf("You help.");
  expect(renderPlanText(short, { color: false })).not.toContain("agentform render");
});

test("a comment that has no room for a new object names it too", async () => {
  const cut = await planOf(long);
  const meaning = "shows the whole document of a new object.";
  expect(renderPlanMarkdown(cut, { maxBytes: 2000 })).toContain(meaning);
  expect(renderPlanMarkdown(cut)).not.toContain(meaning);
});
