import { expect, test } from "vitest";
import type { Finding } from "../../src/core/finding/diagnostic.js";
import { buildFleet, type FleetSource } from "../harness/build-fleet.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { buildSettings, parseManifest } from "../../src/core/resources/manifest.js";
import { writtenDocument } from "../../src/core/resources/written-document.js";
import { depthLimit, type JsonObject } from "../../src/json/json.js";
import { renderDocumentYaml } from "../../src/render/results/documents-yaml.js";
import { manifest } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";

function load(sources: readonly FleetSource[], included: ReadonlyMap<string, string> = new Map()): Fleet {
  const read = parseManifest(`${manifest}  variables: {text: {default: ""}, value: {default: ""}}\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const built = buildSettings(read, null, new Map<string, never>([["text", "$" as never]]));
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  const { settings } = built;
  const includes = {
    read: (_from: string, file: string) => ({ ok: true as const, file, text: included.get(file) ?? "" }),
  };
  const fleet = buildFleet(settings, sources, includes);
  const errors = fleet.findings.filter(({ severity }: Finding) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return fleet;
}

const syntax = [
  "$",
  "${",
  "$${",
  "}",
  "{",
  "${HOME:-x}",
  "${x}",
  "{{y}}",
  "\n",
  " ",
  "é",
  "\u200d",
  "#",
  "::error::",
];
const literal = fc
  .array(fc.oneof(fc.constantFrom(...syntax), fc.string({ maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(""));
// What is written in a document, so that it is taken as it is.
const written = literal.map((text) => text.replaceAll("${", () => "$${"));
const expression = fc.constantFrom(
  "${policy:strict}",
  "${env:KEY}",
  "${env:KEY@2}",
  "${var:text}",
  "${toolset:desk/listTickets}",
);
// A dollar directly before an expression is an error of its own.
const mixed = fc
  .tuple(written, expression, written)
  .map(([before, middle, after]) => `${before.replace(/\$+$/, "")}${middle}${after}`);
const name = fc
  .oneof({ weight: 20, arbitrary: fc.string({ maxLength: 6 }) }, { weight: 1, arbitrary: fc.constant("<<") })
  .filter((each) => !["__proto__", "constructor", "prototype"].includes(each));
const { open } = fc.letrec((tie) => ({
  open: fc.oneof(
    { depthSize: "small" },
    written,
    mixed,
    fc.jsonValue({ maxDepth: 0 }).map(withoutOpenings),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("open"), { maxLength: 3 }),
  object: fc.dictionary(name, tie("open"), { maxKeys: 3 }),
}));

function withoutOpenings(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("${", "") : value;
}

const workspace = fc.record({
  description: fc.oneof(written, mixed),
  format: fc.dictionary(name, open, { maxKeys: 4 }),
  header: written,
  prompt: literal.filter((text) => !/\$\{[a-z][a-z0-9_]*:/.test(text)),
  data: fc
    .jsonValue({ maxDepth: 3 })
    .filter((each) => !/"(__proto__|constructor|prototype|<<)":/.test(JSON.stringify(each))),
  label: fc.string({ maxLength: 6 }),
});

const desk = {
  openapi: "3.1.0",
  paths: { "/tickets": { get: { operationId: "listTickets", responses: {} } } },
};

function document(kind: string, key: string, spec: object, more: object = {}): string {
  return JSON.stringify({ apiVersion: "agentform/v1", kind, metadata: { name: key }, spec, ...more });
}

test("a written document, loaded again, gives the same resource and is written the same way", () => {
  fc.assert(
    fc.property(workspace, ({ description, format, header, prompt, data, label }) => {
      const agent = {
        name: "Support",
        description,
        system_prompt: "${file:prompt.md}",
        response_format: { written: format, included: "${file:data.json}" },
        tools: ["${toolset:desk}"],
        features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }],
      };
      const sources = [
        document("Policy", "strict", { name: "Strict" }, { lifecycle: { protect: true } }),
        document("ToolSet", "desk", {
          tool_set_name: "desk",
          openapi_schema: "${file:openapi.json}",
          default_headers: { trace: header },
        }),
        document("Agent", "support", agent, {
          metadata: { name: "support", labels: { team: label } },
          lifecycle: { moved_from: "agent:old" },
        }),
      ].map((text, index) => ({ file: `agents/${index}.yaml`, text }));
      const included = new Map([
        ["prompt.md", prompt],
        ["data.json", JSON.stringify(data)],
        ["openapi.json", JSON.stringify({ ...desk, "x-more": data })],
      ]);
      const before = load(sources, included);
      const text = render(before);
      const after = load([{ file: "agents/all.yaml", text }]);
      expect(contents(after)).toEqual(contents(before));
      expect(render(after)).toBe(text);
    }),
    { numRuns: examples(500) },
  );
});

function render({ resources }: Fleet): string {
  return [...resources.values()].map((each) => renderDocumentYaml(writtenDocument(each))).join("");
}

function contents({ resources, graph }: Fleet): unknown {
  const all = [...resources.values()].map(({ address, digest, body, documents, labels, lifecycle }) => {
    const texts = [body, documents].map((each: JsonObject) => JSON.stringify(each));
    return { address, digest, texts, labels, lifecycle };
  });
  return { all, dependencies: graph.dependencies };
}

test.each(["objects", "lists", "objects in lists"])(
  "%s nested to the limit are written so that they can be read",
  (what) => {
    const nested = (depth: number): unknown => {
      if (depth === 0) return "end";
      const isList = what === "lists" || (what !== "objects" && depth % 2 === 0);
      return isList ? [nested(depth - 1)] : { a: nested(depth - 1) };
    };
    const text = document("Agent", "deep", { name: "Deep", response_format: { a: "${file:deep.json}" } });
    const before = load(
      [{ file: "agents/deep.yaml", text }],
      new Map([["deep.json", JSON.stringify(nested(depthLimit - 3))]]),
    );
    const after = load([{ file: "agents/all.yaml", text: render(before) }]);
    expect(contents(after)).toEqual(contents(before));
  },
);
