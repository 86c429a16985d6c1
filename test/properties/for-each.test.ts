import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";
import { plan } from "../../src/sync/plan.js";
import { makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";

const text = fc
  .array(fc.constantFrom("a", " ", "é🤖", "$${x}", "${HOME}", "${var:model}", "{", "#", '"'), {
    maxLength: 4,
  })
  .map((parts) => parts.join(""));
const scalar = fc.oneof(text, fc.integer({ min: -9, max: 99 }), fc.boolean());
const value: fc.Arbitrary<Json> = fc.oneof(
  text,
  scalar,
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("a", "b"), scalar, { maxKeys: 2 }),
  fc.constant<Json>(["${toolset:desk}", "${toolset:desk/get}"]),
);

/** For each key a text, a value of any type and a label; some keys have only themselves. */
const forEach = fc.dictionary(
  fc.constantFrom("de", "fr", "it", "es-mx", "n1"),
  fc.record({ text, value, label: fc.constantFrom("red", "blue"), kin: fc.constantFrom("a", "b") }),
  { maxKeys: 4 },
);
const piece = fc.constantFrom(
  "${each:key}",
  "${each:text}",
  "${each:label}",
  " and ",
  "${var:model}",
  "$${each:text}",
  "${policy:kin-${each:kin}}",
  "${agent:lead}",
);
const line = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

const fleet = fc.record({
  forEach,
  prompt: line,
  description: line,
  extra: fc.oneof(line, fc.constant("${each:value}")),
  list: fc.array(fc.oneof(line, fc.constant("${each:value}")), { maxLength: 2 }),
  isOnFile: fc.boolean(),
});
type Fleet = typeof fleet extends fc.Arbitrary<infer Value> ? Value : never;

const manifestText = `${manifest}  variables: {model: small-1}\n  extra_fields: {agent: [extra, list]}\n`;
const others = [
  { kind: "Policy", metadata: { name: "kin-a" }, spec: { name: "A" } },
  { kind: "Policy", metadata: { name: "kin-b" }, spec: { name: "B" } },
  { kind: "Agent", metadata: { name: "lead" }, spec: { name: "Lead", model: "${var:model}" } },
  {
    kind: "ToolSet",
    metadata: { name: "desk" },
    spec: {
      tool_set_name: "desk",
      openapi_schema: { openapi: "3.0.0", paths: { "/a": { get: { operationId: "get" } } } },
    },
  },
];

function template({ description, extra, list }: Fleet): JsonObject {
  return {
    kind: "Agent",
    metadata: { name: "support-${each:key}", labels: { color: "${each:label}", for: "x-${each:key}" } },
    spec: { name: "${each:key}", description, extra, list, system_prompt: "${template:../prompts/each.md}" },
    lifecycle: { moved_from: "agent:old-${each:key}" },
  };
}

/** The document for one key as a person would write it: what the parameters hold is put in their places. */
function writtenOut(part: Json, parameters: JsonObject): Json {
  if (typeof part === "string") {
    const whole = /^\$\{each:(\w+)\}$/.exec(part)?.[1];
    if (whole !== undefined) return parameters[whole] ?? null;
    return part.replaceAll(/\$\$\{|\$\{each:(\w+)\}/g, (source, name: string | undefined) =>
      name === undefined ? source : String(parameters[name]),
    );
  }
  if (Array.isArray(part)) return part.map((item) => writtenOut(item, parameters));
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => [key, writtenOut(member, parameters)]),
  );
}

function documents(all: readonly JsonObject[]): string {
  return all.map((each) => `---\n${JSON.stringify({ apiVersion: "agentform/v1", ...each })}\n`).join("");
}

function expanded(made: Fleet): Record<string, string> {
  // What an included mapping holds is taken as it is, so that only the one of the document may have expressions.
  const isOnFile = made.isOnFile && !JSON.stringify(made.forEach).includes("${");
  const mapping = isOnFile ? "${file:../each.json}" : made.forEach;
  return {
    "agents/a.yaml": documents([...others, { ...template(made), for_each: mapping }]),
    "each.json": JSON.stringify(made.forEach),
    "prompts/each.md": made.prompt,
  };
}

function byHand(made: Fleet): Record<string, string> {
  const files: Record<string, string> = {};
  const resources = Object.entries(made.forEach).map(([key, parameters]) => {
    const each = { key, ...parameters };
    files[`prompts/${key}.md`] = String(writtenOut(`${made.prompt} `, each)).slice(0, -1);
    const text = JSON.stringify(writtenOut(template(made), each));
    return JSON.parse(text.replaceAll("prompts/each.md", `prompts/${key}.md`)) as JsonObject;
  });
  return { ...files, "agents/a.yaml": documents([...others, ...resources]) };
}

async function planOf(files: Record<string, string>) {
  const { directory } = makeWorkspace({ "agentform.yaml": manifestText, ...files });
  const { plan: made, diagnostics } = await plan({ directory });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  // Only the places of diagnostics may differ, and what says of a resource which key made it.
  const actions = made?.actions.map(({ made_from: _from, ...action }) => action);
  const bytes = JSON.stringify({ ...made, actions, diagnostics: [] });
  // A text that may be a reference is looked for in the fields of a document, and not among parameters.
  const codes = diagnostics.map(({ code }) => code).filter((code) => code !== "reference-literal");
  return { bytes, codes: [...new Set(codes)].toSorted() };
}

test("a document with for_each is the documents that a person would write out", async () => {
  await fc.assert(
    fc.asyncProperty(fleet, async (made) => {
      expect(await planOf(expanded(made))).toEqual(await planOf(byHand(made)));
    }),
    { numRuns: examples(150) },
  );
});

test("the order of the keys changes nothing in a plan", async () => {
  await fc.assert(
    fc.asyncProperty(fleet, async (made) => {
      const reversed = Object.fromEntries(Object.entries(made.forEach).toReversed());
      const { bytes } = await planOf(expanded({ ...made, forEach: reversed }));
      expect(bytes).toBe((await planOf(expanded(made))).bytes);
    }),
    { numRuns: examples(60) },
  );
});
