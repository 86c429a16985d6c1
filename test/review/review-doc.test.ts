import { expect, test } from "vitest";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { markedPart } from "../docs/marked-part.js";
import { dangers } from "./dangers.js";
import { plantedPlan } from "./planted-plan.js";

const begin = "<!-- begin: a plan, written by UPDATE_GOLDEN=1 npx vitest run test/review -->";

test("docs/explanation/review.md shows a plan as it is rendered now", async () => {
  const danger = dangers.find(({ name }) => name === "prompt-loses-prohibition");
  const { plan } = await plantedPlan({ size: 55, seed: 2 }, danger);
  const current = renderPlanMarkdown(plan).trim();
  expect(current).toContain("agentform plan for support-desk");
  expect(markedPart("docs/explanation/review.md", begin, current)).toBe(current);
});
