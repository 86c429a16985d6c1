import { expect, test } from "vitest";
import { kindNames } from "../../src/core/kind/kinds.js";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";
import type { Path } from "../../src/json/path.js";
import { validate } from "../harness/validate.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";

const openapi = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths: { "/a": { get: {} } } };

function document(kind: string, name: string, spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { apiVersion: "agentform/v1", kind, metadata: { name, labels: { team: "care" } }, spec, ...more };
}

// Each key is known and can be mistaken; what is in free mappings is anybody's.
const good: Readonly<Record<string, JsonObject>> = {
  "agentform.yaml": {
    apiVersion: "agentform/v1",
    kind: "Workspace",
    metadata: { name: "test" },
    spec: {
      service: {
        base_url: "http://127.0.0.1:1",
        rai_base_url: "http://127.0.0.1:1",
        api_key: "${env:AGENT_API_KEY}",
        tool_ids: "document_order",
      },
      include: ["documents"],
      extra_fields: { agent: ["agent_goal", { fallback_policy_id: "policy" }] },
      limits: { orphans: 50 },
      defaults: [{ kind: "Agent", selector: { team: "care" }, spec: { provider_id: "OpenAI" } }],
    },
  },
  "documents/policy.yaml": document("Policy", "strict", {
    name: "Strict",
    description: "All.",
    allowed_topics: { enabled: true, topics: ["orders"] },
    banned_topics: { enabled: true, topics: ["weapons"] },
    keywords: { enabled: true, keywords: ["x"] },
    toxicity_check: { enabled: true, threshold: 0.5 },
    prompt_injection: { enabled: true, threshold: 0.5 },
    secrets_detection: { enabled: true, action: "mask" },
    pii_detection: {
      enabled: true,
      types: {},
      custom_pii: [{ label: "a", replacement: "A", action: "mask" }],
    },
  }),
  "documents/toolset.yaml": document(
    "ToolSet",
    "desk",
    { tool_set_name: "desk", openapi_schema: openapi, default_headers: {}, default_query_params: {} },
    { operations: ["GET /a"] },
  ),
  "documents/credential.yaml": document("Credential", "provider", {
    name: "Provider",
    provider_id: "OpenAI",
    credentials: { x: "${env:KEY}" },
    meta_data: {},
  }),
  "documents/agent.yaml": document(
    "Agent",
    "support",
    {
      name: "Support",
      system_prompt: "Help.",
      description: "Helps.",
      model: "small-1",
      temperature: 0.2,
      top_p: 0.9,
      agent_goal: "help",
      fallback_policy_id: "${policy:strict}",
      llm_credential_id: "${credential:provider}",
      tools: ["${toolset:desk}", "${toolset:desk/GET /a}"],
      managed_agents: ["${agent:other}"],
      features: [
        { type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } },
        { type: "SINGLE_TOOL_CALL", priority: 1, config: { module_mode: "x" } },
      ],
    },
    { lifecycle: { protect: true, moved_from: "agent:desk", adopt: "66f1c0" } },
  ),
  "documents/other.yaml": document("Agent", "other", { name: "Other" }),
};

async function codesOf(files: Readonly<Record<string, Json>>): Promise<string[]> {
  const texts = Object.entries(files).map(([file, value]) => [file, JSON.stringify(value)]);
  const workspace = makeWorkspace(Object.fromEntries(texts) as Record<string, string>);
  const diagnostics = await validate({ directory: workspace.directory });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

interface Found {
  readonly file: string;
  readonly path: Path;
  readonly value: Json;
}

function everything(file: string, value: Json, path: Path = []): Found[] {
  const members = isObject(value) ? Object.entries(value) : Array.isArray(value) ? [...value.entries()] : [];
  return [{ file, path, value }, ...members.flatMap(([key, each]) => everything(file, each, [...path, key]))];
}

const all = Object.entries(good).flatMap(([file, value]) => everything(file, value));

function changed({ file, path }: Found, change: (parent: Json, key: string | number) => Json) {
  const walk = (value: Json, at: Path): Json => {
    const [key = "", ...rest] = at;
    if (rest.length === 0) return change(value, key);
    if (Array.isArray(value)) return value.map((each, index) => (index === key ? walk(each, rest) : each));
    if (!isObject(value)) return value;
    return { ...value, [key]: walk(value[key] ?? null, rest) };
  };
  return { ...good, [file]: walk(good[file] ?? null, path) };
}

function withValue(found: Found, value: Json) {
  return changed(found, (parent, key) =>
    Array.isArray(parent)
      ? parent.map((each, index) => (index === key ? value : each))
      : { ...(parent as JsonObject), [key]: value },
  );
}

function withKey(found: Found, name: string) {
  return changed(found, (parent, key) =>
    Object.fromEntries(
      Object.entries(parent as JsonObject).map(([each, value]) => [each === key ? name : each, value]),
    ),
  );
}

/** A word with two letters swapped, in another case, or with other separators. */
function slips(word: string): string[] {
  const swapped = [...word].slice(1).map((letter, index) => {
    return word.slice(0, index) + letter + (word[index] ?? "") + word.slice(index + 2);
  });
  const camel = word.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const others = [word.toUpperCase(), word.toLowerCase(), camel, word.replaceAll("_", "-")];
  return [...new Set([...swapped, ...others])].filter((each) => each !== word);
}

test("the workspace whose values are changed is valid", async () => {
  expect(await codesOf(good)).toEqual([]);
});

const references = all.filter(
  ({ value }) => typeof value === "string" && /^\$\{(policy|toolset|credential|agent):/.test(value),
);

test("a reference in the place of one to another kind is an error", async () => {
  const targets = { policy: "strict", toolset: "desk", credential: "provider", agent: "other" };
  expect(references).toHaveLength(6);
  const cases = references.flatMap((found) =>
    kindNames.flatMap((kind) =>
      String(found.value).startsWith(`\${${kind}:`) ? [] : [withValue(found, `\${${kind}:${targets[kind]}}`)],
    ),
  );
  for (const files of cases) expect(await codesOf(files)).toEqual(["reference-place"]);
});

test("what is no reference in the place of one is an error", async () => {
  for (const found of references) {
    const [, kind = "", key = ""] = /^\$\{(\w+):([^}]*)\}$/.exec(String(found.value)) ?? [];
    const forms = [
      key,
      `${kind}:${key}`,
      `\${${kind}/${key}}`,
      `\${${kind}.${key}}`,
      `\${${kind.toUpperCase()}:${key}}`,
      `$\${${kind}:${key}}`,
      `\${${kind}:${key}} x`,
      "",
      " ",
      "${KEY}",
      `{{ ${kind} }}`,
    ];
    for (const form of forms) {
      // Of a whole set as a part of a text it is said how it is written.
      const isPart = form === "${toolset:desk} x";
      const codes = await codesOf(withValue(found, form));
      expect(codes, `${found.path.join(".")}: ${form}`).toEqual([
        isPart ? "expression-splice" : "reference-place",
      ]);
    }
  }
});

const keys = all.filter(({ path }) => {
  const key = path.at(-1);
  const isFree =
    path.includes("openapi_schema") || /labels|selector|credentials|types/.test(String(path.at(-2)));
  return typeof key === "string" && !isFree;
});
const values = all.filter(({ path, value }) => path.at(-1) === "type" && typeof value === "string");

test("a known key with a slip is an error", async () => {
  const cases = keys.flatMap((found) => slips(String(found.path.at(-1))).map((name) => ({ found, name })));
  expect(keys.length).toBeGreaterThan(60);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...cases), async ({ found, name }) => {
      expect(await codesOf(withKey(found, name)), `${found.path.join(".")}: ${name}`).not.toEqual([]);
    }),
    { numRuns: examples(1500) },
  );
});

test("a known value with a slip is an error", async () => {
  expect(values).toHaveLength(2);
  for (const found of values) {
    for (const value of slips(String(found.value))) {
      expect(await codesOf(withValue(found, value)), value).toEqual(["document-misspelt-value"]);
    }
  }
});
