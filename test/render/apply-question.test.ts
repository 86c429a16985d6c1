import { describe, expect, it } from "vitest";
import { buildPlans } from "../../src/core/review/plans.js";
import { renderQuestion, renderQuestionOfSeveral } from "../../src/render/apply/apply-question.js";
import { fc } from "../harness/property.js";
import { hostilePlan } from "./hostile-plan.js";
import { hiddenCharacter } from "./hostile-text.js";
import { actionOf, planOf } from "./markdown-plans.js";

const change = { path: "prompt_injection.enabled", before: true, after: false };
const actions = Array.from({ length: 55 }, (_, index) =>
  actionOf(`policy:p-${index}`, "update", { changes: [change] }),
);
const note = {
  code: "check-off",
  effect: "weakens",
  address: "policy:p-3",
  path: "prompt_injection.enabled",
  parts: {},
  message: "the check `prompt_injection` is switched off",
} as const;

describe("renderQuestionOfSeveral", () => {
  it("names the workspaces in their order, and repeats the gravest note of all", () => {
    const plans = [
      { folder: "guard", plan: planOf(actions.slice(0, 2), { notes: [{ ...note, effect: "review" }] }) },
      { folder: "quiet", plan: planOf([]) },
      { folder: "care", plan: planOf(actions.slice(0, 4), { notes: [note] }) },
    ];
    expect(renderQuestionOfSeveral(buildPlans("production", plans, []))).toEqual([
      "! weakens: policy:p-3: the check `prompt_injection` is switched off",
      "    ~ prompt_injection.enabled: true → false",
      "",
      "Apply 6 actions to 2 workspaces, in this order: guard, care? 1 weakens, 1 needs",
      "a review.",
    ]);
  });
});

describe("renderQuestion", () => {
  it("names where it applies and how many notes there are, and repeats the gravest", () => {
    const notes = [
      note,
      { ...note, effect: "widens", code: "x", address: "policy:p-4", message: "a" } as const,
      { ...note, effect: "widens", code: "y", address: "policy:p-5", message: "b" } as const,
    ];
    expect(renderQuestion(planOf(actions, { notes }), "https://agents.example.com")).toEqual([
      "! weakens: policy:p-3: the check `prompt_injection` is switched off",
      "    ~ prompt_injection.enabled: true → false",
      "",
      "Apply 55 actions to production of support-desk at https://agents.example.com?",
      "1 weakens, 2 widen.",
    ]);
  });

  it("names the workspace alone where there is one environment, and no notes where there are none", () => {
    const plan = planOf(actions.slice(0, 1), { environment: null });
    expect(renderQuestion(plan, "the emulator")).toEqual(["Apply 1 action to support-desk at the emulator?"]);
  });

  it("never cuts the address, and fits a small screen", () => {
    const address = `https://${"long.".repeat(30)}example.com`;
    const after = Array.from({ length: 40 }, (_, index) => `line ${index} ${"x".repeat(200)}`).join("\n");
    const long = { path: "system_prompt", before: "one\ntwo\n", after };
    const plan = planOf([actionOf("agent:a", "update", { changes: [long] })], {
      notes: [{ ...note, address: "agent:a", path: "system_prompt", message: "long words ".repeat(100) }],
    });
    const lines = renderQuestion(plan, address);
    expect(lines.join("\n")).toContain(`${address}?`);
    expect(lines.length).toBeLessThanOrEqual(18);
    expect(lines.filter((line) => line.length > 80 && !line.includes("https:"))).toEqual([]);
  });

  it("lets no hidden character through, whatever the plan", () => {
    fc.assert(
      fc.property(hostilePlan, fc.string(), (plan, service) => {
        const lines = renderQuestion(plan, service);
        expect(lines.join("\n").replaceAll("\n", "")).not.toMatch(hiddenCharacter);
        expect(lines.some((line) => line.includes("\n"))).toBe(false);
      }),
    );
  });
});
