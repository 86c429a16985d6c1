import { readExtraFields } from "../../src/core/kind/extra-fields.js";
import { describe, expect } from "vitest";
import { buildImport } from "../../src/core/import/build-import.js";
import type { Importing } from "../../src/core/import/importing.js";
import { buildFleet } from "../harness/build-fleet.js";
import { buildSettings, parseManifest, type Settings } from "../../src/core/resources/manifest.js";
import { emptyLock } from "../../src/core/state/lock.js";
import { lookupIn } from "../../src/core/state/entry-ids.js";
import { evaluate } from "../../src/core/expression/resolution.js";
import { toReference } from "../../src/core/expression/reference.js";
import { kinds } from "../../src/core/kind/kinds.js";
import type { Json, JsonObject } from "../../src/json/json.js";
import { renderDocumentYaml } from "../../src/render/results/documents-yaml.js";
import { manifest } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";
import { wholeTest } from "../harness/tier.js";

function settingsOf(): Settings {
  const read = parseManifest(manifest);
  if (!read.ok) throw new Error(JSON.stringify(read));
  const built = buildSettings(read, null, new Map<string, never>());
  if (!built.ok) throw new Error(JSON.stringify(built));
  return built.settings;
}

const settings = settingsOf();
const noIncludes = { read: () => ({ ok: false as const, code: "file-missing" as const, message: "none" }) };

function importing(objects: Readonly<Record<string, readonly JsonObject[]>>): Importing {
  const taken = new Map<string, string>();
  return {
    settings,
    kindFields: readExtraFields(),
    fieldNames: {},
    fleet: buildFleet(settings, [], noIncludes),
    lock: emptyLock({ workspace: "test", environment: null }, "lineage"),
    choice: { environment: null },
    elsewhere: { owners: new Map(), unknown: [] },
    promised: new Map(),
    unfinished: new Map(),
    isFile: () => false,
    importFolder: {
      into: "",
      place(folder, stem, suffix, text) {
        const file = `${folder}/${stem}${suffix}`;
        taken.set(file, text);
        return { file, isNew: true };
      },
    },
    listings: Object.entries(objects).map(([kind, bodies]) => ({
      kind: kinds[kind as keyof typeof kinds],
      objects: bodies.map((body, index) => ({ id: `${kind}-${index}`, body })),
      isWithheld: false,
    })),
    includes: noIncludes,
    render: (document) => renderDocumentYaml(document).replace(/^---\n/, ""),
  };
}

const syntax = [
  ..."$ ${ $${ } { ${env:AWS_SECRET} ${file:../../etc/passwd} ${policy:strict} ${HOME:-x} {{y}} # - : | > & * ! % @ ` ' \" <<".split(
    " ",
  ),
  "\n",
  "\n\n\n\n",
  " ",
  "\t",
  "\r\n",
  "\u0000",
  "\u001b[31m",
  "\u202e",
  "\ufeff",
  "é",
  "---",
  "...",
  "<<<<<<< x",
  "=======",
  "::error::",
  "../../x",
  "yes",
  "null",
  "0x1f",
  "~",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...syntax), fc.string({ maxLength: 5, unit: "grapheme" })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));
const key = text.filter((each) => !["__proto__", "constructor", "prototype", "<<"].includes(each));
const plainKey = key.filter((each) => !/key|secret|token|auth|cred|cook|passw|sig|ids?$|s$/i.test(each));
const { open } = fc.letrec((tie) => ({
  open: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.boolean(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((each) => !Object.is(each, -0) && (!Number.isInteger(each) || Number.isSafeInteger(each))),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("open"), { maxLength: 3 }),
  object: fc.dictionary(plainKey, tie("open"), { maxKeys: 3 }),
}));
const enabled = { enabled: fc.boolean() };
const policy = fc.record(
  {
    name: text,
    description: text,
    user_id: text,
    banned_topics: fc.record({ ...enabled, topics: fc.array(text, { maxLength: 3 }) }, { requiredKeys: [] }),
    toxicity_check: fc.record({ ...enabled, threshold: fc.integer() }, { requiredKeys: [] }),
    pii_detection: fc.record(
      {
        ...enabled,
        types: fc.dictionary(key, text, { maxKeys: 3 }),
        custom_pii: fc.array(fc.record({ label: text, replacement: text, action: text }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["name"] },
);
const agent = fc.record(
  {
    name: text,
    description: text,
    system_prompt: text,
    model: text,
    provider_id: text,
    temperature: fc.integer(),
    version: text,
    llm_credential_id: fc.constantFrom("credential-0", "elsewhere-7"),
    tools: fc.uniqueArray(fc.constantFrom("toolset-0", "toolset-1", "toolset-2", "foreign-7"), {
      maxLength: 4,
    }),
    features: fc.array(
      fc.record({
        type: text,
        priority: fc.integer(),
        config: fc.record({ policy_id: fc.constantFrom("policy-0", "unknown-7") }),
      }),
      { maxLength: 2 },
    ),
    response_format: fc.dictionary(plainKey, open, { maxKeys: 3 }),
  },
  { requiredKeys: ["name"] },
);
const document = {
  openapi: "3.1.0",
  info: { title: "${file:x}", version: "1" },
  paths: {
    "/a": { get: { operationId: "a", description: "${env:X}" }, post: {} },
    "/b/{id}": { get: { operationId: "b${c}}" } },
  },
};
const routes = [
  ["GET", "/a"],
  ["POST", "/a"],
  ["GET", "/b/{id}"],
];
// What is imported as a literal must be one that a document may have.
const telling =
  "X-Token Private-Token apikey sort_key primary_key page_token Cookie note max_token x-functions-key".split(
    " ",
  );
const keyLike = ["a8F3kd92LLx0PPq7", "id", "ghp_0123456789abcdefghij", "hunter2", "created_at", "***", ""];
// What has the value of a secret in a different place is left out, so each name has values of its own.
const defaults = fc.record(
  Object.fromEntries(
    telling.map((name, index) => {
      const value = fc.constantFrom(...keyLike).map((each) => (/\w/.test(each) ? each + index : each));
      return [name, fc.oneof(value, fc.array(value, { maxLength: 2 }))];
    }),
  ),
  { requiredKeys: [] },
);
const toolset = fc
  .record({ name: text, count: fc.integer({ min: 1, max: 3 }), header: text, defaults })
  .map(({ name, count, header, defaults: params }) =>
    routes.slice(0, count).map(([method = "", path = ""]) => ({
      tool_set_name: `openapi-${name}`,
      openapi_schema: document,
      method,
      path,
      default_headers: { trace: header, Authorization: "***" },
      default_query_params: params,
      endpoint_defaults: { "/a": { deep: [params] } },
    })),
  );
const world = fc.record({
  policy: fc.array(policy, { minLength: 1, maxLength: 3 }),
  credential: fc.array(
    fc.record({ name: text, credentials: fc.dictionary(key, fc.constant("***"), { maxKeys: 2 }) }),
    { minLength: 1, maxLength: 2 },
  ),
  toolset,
  agent: fc.array(agent, { maxLength: 3 }),
});

describe("import", () => {
  wholeTest(
    "every body is read back from its document as it is, and the entry is what the document says",
    () => {
      fc.assert(
        fc.property(world, (objects) => {
          const input = importing(objects as never);
          const found = buildImport(input);
          expect(found.findings.filter(({ severity }) => severity === "error")).toEqual([]);
          const files = new Map(
            found.imported.flatMap((each) => each.files.map(({ file, text: written }) => [file, written])),
          );
          const sources = [...files]
            .filter(([file]) => file.endsWith(".yaml"))
            .map(([file, written]) => ({ file, text: written }));
          for (const file of files.keys())
            expect(file).toMatch(
              /^(policies|toolsets|credentials|agents|prompts|openapi)\/[a-z0-9][a-z0-9-]*\.(yaml|md|json)$/,
            );
          const includes = {
            read: (_from: string, path: string) => ({
              ok: true as const,
              file: path.slice(3),
              text: files.get(path.slice(3)) ?? "",
            }),
          };
          const fleet = buildFleet(settings, sources, includes);
          expect(fleet.findings.filter(({ severity }) => severity === "error")).toEqual([]);
          expect(fleet.resources.size).toBe(found.imported.length);
          const resources = Object.fromEntries(found.imported.map(({ address, entry }) => [address, entry]));
          const lookup = lookupIn({ resources });
          for (const { address, entry } of found.imported) {
            expect(fleet.resources.get(address)?.digest).toBe(entry.digest);
            const [kind, id = ""] = [address.split(":")[0] ?? "", entry.id ?? entry.ids?.[0] ?? ""];
            if (kind !== "agent" && kind !== "policy") continue;
            const original =
              (objects as unknown as Record<string, JsonObject[]>)[kind]?.[Number(id.split("-")[1])] ?? {};
            const sent = evaluate(entry.body, (expression) => {
              const reference = toReference(expression);
              return reference && lookup(reference);
            }) as JsonObject;
            expect(withSortedTools(sent)).toEqual(withSortedTools(original));
          }
        }),
        { numRuns: examples(400) },
      );
    },
  );
});

function withSortedTools({ tools, ...rest }: JsonObject): JsonObject {
  return Array.isArray(tools) ? { ...rest, tools: (tools as Json[]).toSorted() } : rest;
}
