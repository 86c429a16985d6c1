import { expect, test } from "vitest";
import type { Plan } from "../../src/core/plan/plan.js";
import { planDigest } from "../../src/core/plan/plan-digest.js";
import { reviewOf } from "../../src/core/review/review.js";
import { parseSavedPlan } from "../../src/core/review/saved-plan.js";
import { renderQuestion } from "../../src/render/apply/apply-question.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { sample } from "../harness/tier.js";
import { applyTo } from "../plan/history.js";
import { dangers } from "./dangers.js";
import { plantedPlan } from "./planted-plan.js";
import { planJson, savedPlanText } from "../harness/plan-text.js";

const some = sample("dangers whose plan is digested and applied", dangers, 4);

/** Gives a plan without what only a review needs. */
function bare({ unchanged: _unchanged, ...plan }: Plan): Plan {
  return { ...plan, notes: plan.notes.toReversed() };
}

test.each(some)(
  "a review and its forms leave the plan, its digest and its apply as they are: $name",
  async (danger) => {
    const { plan, lock } = await plantedPlan({ size: 55, seed: 2 }, danger);
    const before = structuredClone(plan);
    reviewOf(plan);
    renderPlanText(plan, { color: true });
    renderPlanMarkdown(plan);
    renderPlanHtml(plan);
    planJson(plan);
    renderQuestion(plan, "https://agents.example.com");
    expect(plan).toEqual(before);
    expect(planDigest(plan)).toBe(plan.digest);
    const { unchanged: _unchanged, ...rest } = plan;
    expect(planDigest(rest)).toBe(plan.digest);
    const read = parseSavedPlan(savedPlanText(plan), "plan.json");
    expect(read).toEqual({ ok: true, plan });
    const [applied, without] = await Promise.all([applyTo(lock, plan), applyTo(lock, bare(plan))]);
    expect(without.after).toEqual(applied.after);
    expect(without.journal).toBe(applied.journal);
  },
);
