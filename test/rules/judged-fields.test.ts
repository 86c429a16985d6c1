import { expect, test } from "vitest";
import { documents, openDesk } from "../cli/desk.js";
import { readExtraFields } from "../../src/core/kind/extra-fields.js";
import { compileRules } from "../../src/core/rules/judge.js";
import { explainUnknownFields } from "../../src/core/rules/judged-fields.js";
import type { OwnRule } from "../../src/core/rules/own-rule.js";

test("a list that a machine made of values that are nearly known is compared up to a limit", () => {
  const codes = Array.from({ length: 20_000 }, (_, index) => `model-chang${index % 10}`);
  const rule: OwnRule = {
    name: "many",
    origin: "workspace",
    file: "rules/many.yaml",
    index: 0,
    effect: "review",
    message: "Many codes.",
    scope: { selector: {}, environments: [] },
    subject: "change",
    schema: { properties: { notes: { items: { properties: { code: { enum: codes } } } } } },
    targets: {},
    examples: { good: [], bad: [] },
  };
  const found = explainUnknownFields(rule, { kindFields: readExtraFields(), rules: ["many"] });
  expect(found.length).toBeGreaterThan(1000);
  expect(found.length).toBeLessThan(codes.length);
});

test("a plan tells of it as `validate` does", async () => {
  const rule = `apiVersion: agentform/v1
kind: Rule
metadata: {name: known-models}
spec:
  effect: error
  message: Agents use a model that we have tried.
  document: {not: {required: [speck]}}
`;
  const desk = await openDesk({ ...documents, "rules/models.yaml": rule });
  for (const command of ["validate", "plan"]) {
    const { out, err } = await desk.run(command);
    expect(out + err, command).toContain("warning[rule-unused]: unknown field `speck`");
  }
});

test("what was wrong with a rule before a change is not told of the change", () => {
  const ofOrigin = (origin: OwnRule["origin"]): OwnRule => ({
    name: "misspelt",
    origin,
    file: "rules/misspelt.yaml",
    index: 0,
    effect: "review",
    message: "A field.",
    scope: { selector: {}, environments: [] },
    subject: "document",
    schema: { not: { required: ["speck"] } },
    targets: {},
    examples: { good: [], bad: [] },
  });
  const told = (origin: OwnRule["origin"]) =>
    compileRules([ofOrigin(origin)], 1, readExtraFields()).findings.map(({ code }) => code);
  expect([told("workspace"), told("organisation"), told("base")]).toEqual([
    ["rule-unused"],
    ["rule-unused"],
    [],
  ]);
});
