import { expect, test } from "vitest";
import { hasErrors } from "../../src/core/finding/diagnostic.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { buildFleet } from "../harness/build-fleet.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { buildSettings, parseManifest } from "../../src/core/resources/manifest.js";
import { canonical, isObject, type Json, type JsonObject } from "../../src/json/json.js";
import { manifest } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";
import { applyTo, noLock, planOf } from "../plan/history.js";

interface Document {
  readonly name: string;
  readonly labels: JsonObject;
  readonly spec: JsonObject;
}

interface Default {
  readonly selector?: JsonObject;
  readonly spec: JsonObject;
}

const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  1,
  "text",
  "${var:model}",
  "${policy:strict}",
  "in ${policy:other}",
  "${file:FOLDERprompts/one.md}",
  "${env:TOKEN}",
  [],
  ["${policy:strict}", { a: null }],
);
const nested: fc.Arbitrary<Json> = fc.oneof(
  leaf,
  fc.dictionary(fc.constantFrom("a", "b"), leaf, { maxKeys: 2 }),
);
const spec = fc.record<JsonObject>(
  {
    model: fc.constantFrom<Json[]>("small", "${var:model}", null),
    temperature: fc.constantFrom<Json[]>(0.1, 0.9),
    // Without these a deployment's own fields would be warned of.
    agent_goal: fc.dictionary(fc.constantFrom("a", "b", "c"), nested, { maxKeys: 3 }),
    agent_notes: nested,
  },
  { requiredKeys: [] },
);
const labels = fc.record<JsonObject>(
  { team: fc.constantFrom("care", "sales"), tone: fc.constantFrom("warm", "plain") },
  { requiredKeys: [] },
);
const documents: fc.Arbitrary<Document[]> = fc
  .tuple(fc.record({ labels, spec }), fc.record({ labels, spec }), fc.record({ labels, spec }))
  .map((all) => all.map((each, index) => ({ name: `a${index}`, ...each })));
const defaults: fc.Arbitrary<Default[]> = fc.array(
  fc.record({ selector: labels, spec }, { requiredKeys: ["spec"] }),
  { maxLength: 3 },
);

// As a person would write it out: what is given wins, and null takes away what would be there without it.
function written(below: Json | undefined, value: Json): Json {
  if (!isObject(below) || !isObject(value)) return value;
  const names = new Set([...Object.keys(value), ...Object.keys(below)]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, Json][] => {
      const [under, over] = [below[name], value[name]];
      if (over === undefined) return under === undefined ? [] : [[name, under]];
      return over === null && under !== undefined ? [] : [[name, written(under, over)]];
    }),
  );
}

/** Whether any of the defaults gives a value at a path, or below it. */
function isGiven(given: readonly Default[], path: readonly string[]): boolean {
  return given.some((each) => {
    let value: Json | undefined = each.spec;
    for (const name of path) value = isObject(value) ? value[name] : undefined;
    return value !== undefined && value !== null;
  });
}

// A null for a default that is not for this document is left out.
function withoutIdle(value: Json, below: Json | undefined, given: readonly Default[], path: string[]): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const under = isObject(below) ? below[name] : undefined;
      if (!isGiven(given, [...path, name])) return [[name, member]];
      if (member === null) return under === undefined ? [] : [[name, member]];
      return [[name, withoutIdle(member, under, given, [...path, name])]];
    }),
  );
}

function at(folder: string, value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value).replaceAll("FOLDER", folder)) as JsonObject;
}

function fleetOf(all: readonly Document[], given: readonly Default[] | undefined): Fleet {
  const parsed = parseManifest(
    [
      manifest.trimEnd(),
      "  variables: {model: small}",
      "  extra_fields: {agent: [agent_goal, agent_notes]}",
      `  defaults: ${JSON.stringify((given ?? []).map((each) => ({ kind: "Agent", ...each, spec: at("", each.spec) })))}`,
    ].join("\n"),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const built = buildSettings(parsed, null, new Map());
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  const { settings } = built;
  const envelope = { apiVersion: "agentform/v1" };
  const texts = [
    ...["strict", "other"].map((name) => ({
      ...envelope,
      kind: "Policy",
      metadata: { name },
      spec: { name },
    })),
    ...all.map(({ name, labels: own, spec: value }) => ({
      ...envelope,
      kind: "Agent",
      metadata: { name, labels: own },
      spec: { name, ...at("../", value) },
    })),
  ].map((each) => JSON.stringify(each));
  // Relative to the file that has the expression.
  const read = (from: string, path: string) =>
    path === (from === "agentform.yaml" ? "" : "../") + "prompts/one.md"
      ? ({ ok: true, file: "prompts/one.md", text: "One ${policy:no}." } as const)
      : ({ ok: false, code: "file-missing", message: "there is none" } as const);
  return buildFleet(settings, [{ file: "agents/all.yaml", text: texts.join("\n---\n") }], { read });
}

function writtenOut(all: readonly Document[], given: readonly Default[]): Document[] {
  return all.map((each) => {
    const own = given.filter(({ selector = {} }) =>
      Object.entries(selector).every(([name, value]) => each.labels[name] === value),
    );
    const value = [...own.map((one) => one.spec), each.spec].reduce<Json | undefined>(
      (below, layer) => written(below, withoutIdle(layer, below, given, [])),
      undefined,
    );
    return { ...each, spec: value as JsonObject };
  });
}

function comparable({ actions, ...rest }: Plan): string {
  const sorted = actions.map(({ files: _files, made_from: _from, changes, ...action }) => ({
    ...action,
    changes: changes.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  }));
  return canonical(JSON.parse(JSON.stringify({ ...rest, actions: sorted })) as Json);
}

// A variable counts as used by a default that every document replaces.
const onlyLaid: readonly string[] = ["default-unused", "variable-unused"];
const codesOf = ({ findings }: Fleet) =>
  [...new Set(findings.map(({ code }) => code).filter((code) => !onlyLaid.includes(code)))].toSorted();

test("a workspace with defaults has the plans of the same workspace with the defaults written out", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(documents, defaults, documents, defaults, async (first, below, second, belowLater) => {
      const before = fleetOf(writtenOut(first, below), undefined);
      const laidBefore = fleetOf(first, below);
      expect(codesOf(laidBefore)).toEqual(codesOf(before));
      if (hasErrors(before.findings)) return;
      const { plan } = planOf(before, noLock);
      expect(comparable(planOf(laidBefore, noLock).plan)).toBe(comparable(plan));
      const { after: lock } = await applyTo(noLock, plan);
      expect(planOf(laidBefore, lock).plan.actions).toEqual([]);
      const after = fleetOf(writtenOut(second, belowLater), undefined);
      if (hasErrors(after.findings)) return;
      const changed = planOf(fleetOf(second, belowLater), lock).plan;
      expect(comparable(changed)).toBe(comparable(planOf(after, lock).plan));
      compared++;
    }),
    { numRuns: examples(300) },
  );
  expect(compared).toBeGreaterThan(examples(300) / 5);
});
