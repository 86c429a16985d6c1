import { expect, test } from "vitest";
import { guardrailNotes } from "../../../src/core/guardrails/guardrail.js";
import { difference } from "../../../src/core/plan/difference.js";
import { isObject, type Json, type JsonObject } from "../../../src/json/json.js";

const policy = {
  name: "P",
  user_id: "u1",
  mode: "block",
  allowed_topics: { enabled: true, topics: ["billing"] },
  banned_topics: { enabled: true, topics: ["weapons", "drugs"] },
  keywords: { enabled: true, keywords: ["bomb"] },
  toxicity_check: { enabled: true, threshold: 0.4 },
  secrets_detection: { enabled: true, action: "block" },
  pii_detection: {
    enabled: true,
    types: { EMAIL: "mask" },
    custom_pii: [{ label: "badge", replacement: "[b]", action: "mask" }],
  },
  jailbreak_check: { enabled: true, topics: ["dan"], types: { a: "block" }, level: 3 },
};

const agent = {
  name: "A",
  description: "Helps.",
  system_prompt: "Never lie.",
  features: [
    { type: "RAI", priority: 0, config: { policy_id: "${policy:strict}", mode: "block" } },
    { type: "MODERATION", priority: 1, config: { enabled: true } },
  ],
  tools: ["t1"],
  tool: "t2",
  managed_agents: ["66aa01"],
  llm_credential_id: "${credential:c}",
  provider_id: "p",
  model: "m",
  temperature: 0.2,
  response_format: { type: "json" },
  version: "1",
  rai_enabled: true,
  options: { base_url: "https://a.example.com", list: [{ allow: false }] },
};

const credential = {
  name: "C",
  provider_id: "p",
  credentials: { api_key: "${env:KEY}" },
  meta_data: { region: "eu", hosts: ["a"] },
};

const toolset = {
  tool_set_name: "desk",
  enhance_descriptions: false,
  default_headers: { Authorization: "${env:TOKEN}", "X-Tenant": "a" },
  default_query_params: { limit: 10 },
  default_body_params: { filter: { own: true } },
  endpoint_defaults: { "GET /a": { state: "open" } },
  verify_tls: true,
};

/** What weakens nothing and widens nothing, whatever becomes of it. */
const harmless: readonly string[] = [
  "policy:x name",
  "credential:x name",
  "toolset:x tool_set_name",
  "agent:x name",
  "agent:x description",
  "agent:x temperature",
  "agent:x version",
  "agent:x response_format",
  "agent:x response_format.type",
];

/** What loses something, or forbids more. */
const stricter: readonly string[] = [
  "policy:x banned_topics.topics more",
  "policy:x keywords.keywords more",
  "policy:x pii_detection.custom_pii more",
  "policy:x pii_detection.types more",
  "agent:x tools gone",
  "agent:x tools fewer",
  "agent:x tools.0 gone",
  "agent:x tool gone",
  "agent:x managed_agents gone",
  "agent:x managed_agents fewer",
  "agent:x managed_agents.0 gone",
];

/** What has all that it had: the words for models, and what the agent reaches. */
const inOtherForm: readonly string[] = ["agent:x system_prompt in a list", "agent:x tool in a list"];

test("every other edit of a document has a note", () => {
  const bodies = { "policy:x": policy, "agent:x": agent, "credential:x": credential, "toolset:x": toolset };
  const silent = Object.entries(bodies).flatMap(([address, body]) =>
    edits(body).flatMap(({ at, edit, after }) =>
      codesOf(address, body, after as JsonObject).length > 0 || harmless.includes(`${address} ${at}`)
        ? []
        : [`${address} ${at} ${edit}`],
    ),
  );
  expect(silent.toSorted()).toEqual([...stricter, ...inOtherForm].toSorted());
});

interface Edit {
  readonly at: string;
  readonly edit: string;
  readonly after: Json;
}

function edits(value: Json): Edit[] {
  return members(value).flatMap(([key, member]) => [
    { at: key, edit: "gone", after: put(value, key) },
    ...own(member).map(([edit, after]) => ({ at: key, edit, after: put(value, key, after) })),
    ...edits(member).map(({ at, edit, after }) => ({
      at: `${key}.${at}`,
      edit,
      after: put(value, key, after),
    })),
  ]);
}

function own(value: Json): [edit: string, after: Json][] {
  return [...others(value), ["in a list", [value]]];
}

function others(value: Json): [edit: string, after: Json][] {
  if (Array.isArray(value)) {
    return [
      ["fewer", value.slice(1)],
      ["more", [...value, isObject(value[0]) ? { further: "off" } : "66ff99"]],
    ];
  }
  if (isObject(value)) return [["more", { ...value, further: "off" }]];
  if (typeof value === "string") return [["other", `${value}2`]];
  return [["other", typeof value === "number" ? value + 1 : value !== true]];
}

function members(value: Json): [key: string, member: Json][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function put(value: Json, key: string, after?: Json): Json {
  const all = members(value).flatMap(([each, member]): [string, Json][] => {
    if (each !== key) return [[each, member]];
    return after === undefined ? [] : [[each, after]];
  });
  return Array.isArray(value) ? all.map(([, member]) => member) : Object.fromEntries(all);
}

function codesOf(address: string, before: JsonObject, body: JsonObject): string[] {
  const byName = { before: () => undefined, after: () => undefined };
  const action = { address, action: "update" as const, changes: difference(before, body, byName, []) };
  const resource = { body, documents: {}, lifecycle: {}, references: [] };
  const notes = guardrailNotes({
    actions: [action],
    fleet: { resources: new Map([[address, resource]]), settings: { deployment: {} } },
    lock: { resources: { [address]: { id: "x", body: before, digest: "sha256:0" } } },
  });
  return notes.map(({ code }) => code);
}
