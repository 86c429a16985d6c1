import { expect, test } from "vitest";
import { likenessIn, weightOf } from "../../../src/core/review/edit-weight.js";
import type { Change } from "../../../src/generated/plan.js";

const prompt = (before: string, after: string): Change => ({ path: "system_prompt", before, after });

test.each<[string, string, Change, number]>([
  ["tools", "agent:a", { path: "tools", before: ["a"], after: ["b"] }, 0],
  [
    "the policy of a feature",
    "agent:a",
    { path: "features[RAI].config.policy_id", before: "a", after: "b" },
    0,
  ],
  ["a prompt", "agent:a", prompt("Be kind.", "Be brief."), 1],
  ["a check", "policy:p", { path: "toxicity_check.threshold", before: 0.5, after: 0.8 }, 1],
  ["a name", "agent:a", { path: "name", before: "a", after: "b" }, 2],
  ["a detail of an API", "toolset:t", { path: "openapi_schema.info.title", outline: true, after: "a" }, 2],
  ["punctuation", "agent:a", prompt("Be kind, brief", "Be kind; brief."), 3],
  ["a number's sign", "agent:a", prompt("Pay 1.5 at most", "Pay 15 at most"), 1],
  ["a hidden character", "agent:a", prompt("Be kind", "Be kind\u{e0041}"), 1],
])("the place of %s", (_, address, change, weight) => {
  expect(weightOf(address, change)).toBe(weight);
});

test("an edit whose words others change, too, is like them", () => {
  const edits = [
    prompt("Answer in the langauge of the caller", "Answer in the language of the caller"),
    prompt("Use the langauge of the letter", "Use the language of the letter"),
    prompt("Refund up to 50 euros", "Refund up to 5000 euros"),
  ];
  expect(edits.map(likenessIn(edits))).toEqual([2, 2, 0]);
});
