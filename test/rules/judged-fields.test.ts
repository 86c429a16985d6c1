import { expect, test } from "vitest";
import { documents, openDesk } from "../cli/desk.js";
import { wholeTest } from "../harness/tier.js";
import { METHODS } from "../../src/core/openapi/openapi-operation.js";
import { changeFields } from "../../src/generated/change-fields.js";
import type { Json } from "../../src/json/json.js";
import { readExtraFields } from "../../src/core/kind/extra-fields.js";
import { compileRules } from "../../src/core/rules/judge.js";
import { explainUnknownFields } from "../../src/core/rules/judged-fields.js";
import type { OwnRule } from "../../src/core/rules/own-rule.js";

const many: OwnRule = {
  name: "many",
  origin: "workspace",
  file: "rules/many.yaml",
  index: 0,
  effect: "review",
  message: "Many codes.",
  scope: { selector: {}, environments: [] },
  subject: "change",
  schema: {},
  targets: {},
  examples: { good: [], bad: [] },
};
const explain = (rule: OwnRule) =>
  explainUnknownFields(rule, { kindFields: readExtraFields(), rules: ["many"] });

wholeTest("of a list that a machine made, of values or of names, the first mistakes are told", () => {
  const codes = Array.from({ length: 20_000 }, (_, index) => `model-chang${index % 10}`);
  const schema = { properties: { notes: { items: { properties: { code: { enum: codes } } } } } };
  expect(explain({ ...many, schema })).toHaveLength(20);
  const required = Array.from({ length: 30_000 }, (_, index) => `unknown${index}`);
  expect(explain({ ...many, schema: { required } })).toHaveLength(20);
});

test("what `dependentRequired` names is looked up, too", () => {
  const schema = { dependentRequired: { speck: ["metadata", "kynd"] } };
  const found = explain({ ...many, subject: "document", schema });
  expect(found.map(({ message }) => message)).toEqual([
    "unknown field `speck`: nothing that the rule judges has it",
    "unknown field `kynd`: nothing that the rule judges has it",
  ]);
});

test.each([
  [
    "unknown field `type`",
    "document",
    { properties: { spec: { properties: { features: { properties: { type: true } } } } } },
  ],
  [
    "unknown field `type`",
    "document",
    { properties: { spec: { properties: { features: { required: ["type"] } } } } },
  ],
  [
    "unknown value `delete`",
    "change",
    {
      properties: {
        gained: {
          properties: { operations: { items: { properties: { method: { not: { const: "delete" } } } } } },
        },
      },
    },
  ],
  ["unknown value `remove`", "change", { properties: { action: { not: { enum: ["forget", "remove"] } } } }],
  ["`if` judges nothing without `then` or `else`", "document", { if: { required: ["spec"] } }],
  ["`else` judges nothing without `if`", "document", { not: { else: { required: ["spec"] } } }],
  [
    "`minContains` judges nothing without `contains`",
    "change",
    { properties: { notes: { minContains: 1 } } },
  ],
] as const)("%s: what a part of a rule would never find is told", (message, subject, schema) => {
  const found = explain({ ...many, subject, schema: structuredClone(schema) as Json });
  expect(
    found.map(({ message: each }) => String(each).replace(": nothing that the rule judges has it", "")),
  ).toEqual([message]);
});

test("the methods that a rule may name are those of operations", () => {
  const operation = changeFields["gained"]?.fields?.["operations"]?.items?.fields;
  expect(operation?.["method"]?.known).toEqual([...METHODS].map((each) => each.toUpperCase()));
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
