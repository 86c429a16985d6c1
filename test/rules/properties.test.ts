import { expect, test } from "vitest";
import { judgeFleet } from "../../src/sync/judged-fleet.js";
import { loadWorkspace } from "../../src/workspace/load-workspace.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { lazy } from "../../src/json/once.js";
import { plan } from "../../src/sync/plan.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";
import { ofSpec, ruleText } from "./rule-text.js";
import { runs } from "../harness/tier.js";

const models = ["small-1", "medium-1", "large-2"];
const names = ["a", "b", "c"];
const effects = ["error", "weakens", "widens", "review"];

const agent = fc.record({ model: fc.constantFrom(...models), temperature: fc.constantFrom(0, 0.5, 1) });
const schema = fc.oneof(
  fc.constantFrom(...models).map((model) => ofSpec({ properties: { model: { const: model } } })),
  fc.constantFrom(0, 0.5).map((maximum) => ofSpec({ properties: { temperature: { maximum } } })),
  fc.constant(ofSpec({ required: ["features"] })),
);
const rule = fc.record({
  effect: fc.constantFrom(...effects),
  judged: fc.oneof(
    schema.map((document) => ({ document })),
    fc
      .constantFrom("create", "update")
      .map((action) => ({ change: { properties: { action: { const: action } } } })),
  ),
});
const excused = fc.subarray(names);

interface Drawn {
  readonly agents: readonly { readonly model: string; readonly temperature: number }[];
  readonly rules: readonly { readonly effect: string; readonly judged: object }[];
  readonly except: readonly (readonly string[])[];
}

const drawn = fc.record({
  agents: fc.array(agent, { minLength: 1, maxLength: 3 }),
  rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
  except: fc.array(excused, { minLength: 3, maxLength: 3 }),
});

function filesOf({ agents, rules, except }: Drawn): Record<string, string> {
  const known = names.slice(0, rules.length).map((name) => `rule-${name}`);
  const own = rules.map(({ effect, judged }, index) => [
    `rules/${names[index] ?? ""}.yaml`,
    ruleText(known[index] ?? "", { effect, ...judged }),
  ]);
  const written = agents.map((spec, index) => {
    const all = (except[index] ?? []).map((name) => `rule-${name}`).filter((name) => known.includes(name));
    const lifecycle =
      all.length > 0 ? { except: all.map((of) => ({ rule: of, reason: "Because." })) } : undefined;
    const name = `agent-${index}`;
    return [`agents/${name}.yaml`, documentText("Agent", name, { name, ...spec }, lifecycle)];
  });
  return Object.fromEntries([...own, ...written]) as Record<string, string>;
}

async function findingsOf(input: Drawn) {
  const { directory } = makeWorkspace(filesOf(input));
  const { plan: made, diagnostics } = await plan({ directory });
  const ofRule = (code: string) => /^rule-[a-c]$/.test(code);
  const notes = (made?.notes ?? [])
    .filter(({ code }) => ofRule(code))
    .map((each) => `${each.code} ${each.address}`);
  const errors = diagnostics.filter(({ code }) => ofRule(code)).map((each) => `${each.code} ${each.file}`);
  return { made, found: [...notes, ...errors] };
}

test("a plan with rules is the plan without them, and findings", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (input) => {
      const lenient = { ...input, rules: input.rules.map((each) => ({ ...each, effect: "review" })) };
      const { made: with_ } = await findingsOf(lenient);
      const { made: without } = await findingsOf({ ...lenient, rules: [], except: [] });
      expect(with_?.actions).toEqual(without?.actions);
      expect(with_?.summary).toEqual(without?.summary);
    }),
    { numRuns: examples(20) },
  );
});

test("without its exceptions a workspace has every finding that it has with them", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (input) => {
      const [excusing, strict] = [await findingsOf(input), await findingsOf({ ...input, except: [] })];
      // Errors in documents come before a plan, and so before what its changes are judged for.
      if (excusing.made !== undefined && strict.made === undefined) return;
      expect(strict.found).toEqual(expect.arrayContaining(excusing.found));
    }),
    { numRuns: examples(20) },
  );
});

const hostile: Record<string, object> = {
  "schemas that double at each of thirty steps": {
    $ref: "#/$defs/s0",
    $defs: Object.fromEntries(
      Array.from({ length: 31 }, (_, step) => [
        `s${step}`,
        step === 30 ? {} : { allOf: [{ $ref: `#/$defs/s${step + 1}` }, { $ref: `#/$defs/s${step + 1}` }] },
      ]),
    ),
  },
  "a circle": { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  "a pattern of many ways": ofSpec({ properties: { system_prompt: { pattern: "(x+x+)+y" } } }),
  "a pattern that repeats what repeats": ofSpec({
    properties: { system_prompt: { pattern: "((a?){30}){30}y" } },
  }),
  "items that are compared with each other": ofSpec({ properties: { features: { uniqueItems: true } } }),
  "a tree of branches at every level": {
    $ref: "#/$defs/any",
    $defs: {
      any: {
        anyOf: [
          { additionalProperties: { $ref: "#/$defs/any" } },
          { additionalProperties: { $ref: "#/$defs/any" } },
          false,
        ],
      },
    },
  },
};

function load(files: Readonly<Record<string, string>>): Fleet {
  const { fleet } = loadWorkspace({ directory: makeWorkspace(files).directory });
  if (!fleet) throw new Error("the workspace cannot be loaded");
  return fleet;
}

// To load the documents takes longer than to judge them.
const judgedByAll = lazy(() =>
  load({
    "agents/all.yaml": Array.from({ length: runs("documents of a hostile rule", 50, 1000) }, (_, index) =>
      documentText("Agent", `a-${index}`, {
        name: "A",
        system_prompt: "x".repeat(1000),
        features: Array.from({ length: 20 }, (_each, at) => ({ type: `T${at}`, priority: at })),
      }),
    ).join("\n---\n"),
  }),
);

test.each(Object.entries(hostile))(
  "a rule with %s judges many documents or is refused",
  async (_name, document) => {
    const rules = load({ "rules/hostile.yaml": ruleText("hostile", { effect: "error", document }) });
    const judged = await judgeFleet({ ...judgedByAll(), settings: rules.settings });
    const codes = new Set(judged?.findings.map(({ code }) => code));
    expect(
      [...codes].filter((code) => !["hostile", "rule-too-costly", "rule-invalid"].includes(code)),
    ).toEqual([]);
  },
);
