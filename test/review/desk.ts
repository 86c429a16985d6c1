import type { JsonObject } from "../../src/json/json.js";
import type { Draft } from "./draft.js";
import { shuffled, type Dice } from "./dice.js";

/** How many resources of each kind a workspace has. */
export interface DeskSize {
  readonly agents: number;
  readonly policies: number;
  readonly toolsets: number;
}

/** A workspace as it was last applied, and its addresses in no order. */
export interface Desk {
  readonly draft: Draft;
  readonly agents: readonly string[];
  readonly policies: readonly string[];
  readonly toolsets: readonly string[];
}

const teams = ["pets", "home", "cars", "travel", "phones", "garden", "books", "toys", "music", "sports"];
const duties = ["letters", "chat", "calls", "claims", "returns", "orders", "advice", "parts", "repairs"];

/** Makes a workspace in which each agent has one policy, one tool set and the credential of all. */
export function buildDesk(size: DeskSize, dice: Dice): Desk {
  const [agents, policies, toolsets] = (["agent", "policy", "toolset"] as const).map((kind, index) =>
    shuffled(
      namesOf([size.agents, size.policies, size.toolsets][index] ?? 0).map((name) => `${kind}:${name}`),
      dice,
    ),
  ) as [string[], string[], string[]];
  const documents: Draft["documents"] = new Map();
  const add = (address: string, spec: JsonObject, lifecycle: JsonObject = {}) =>
    documents.set(address, { spec, lifecycle });
  add("credential:models", { name: "models", credentials: { api_key: "${env:MODELS_KEY}" } });
  add("credential:trial", { name: "trial", credentials: { api_key: "${env:TRIAL_KEY}" } });
  add("policy:unused", policySpec("unused"));
  for (const address of policies) add(address, policySpec(address));
  for (const address of toolsets) add(address, toolsetSpec(address));
  for (const [index, address] of agents.entries()) {
    const policy = policies[index % policies.length] ?? "";
    const toolset = toolsets[index % toolsets.length] ?? "";
    add(address, agentSpec(address, policy, toolset), { protect: true });
  }
  const service = {
    base_url: "https://agents.example.com",
    rai_base_url: "https://rai.example.com",
    api_key: "${env:AGENT_API_KEY}",
    tool_ids: "document_order",
  };
  return { draft: { service, documents }, agents, policies, toolsets };
}

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const team = teams[index % teams.length];
    const duty = duties[Math.floor(index / teams.length) % duties.length];
    const round = Math.floor(index / (teams.length * duties.length));
    return `${team}-${duty}${round > 0 ? `-${round + 1}` : ""}`;
  });
}

function policySpec(address: string): JsonObject {
  return {
    name: address,
    description: `What ${address} checks`,
    allowed_topics: { enabled: true, topics: ["orders", "delivery", "returns"] },
    banned_topics: { enabled: true, topics: ["gambling", "weapons", "medical advice"] },
    keywords: { enabled: true, keywords: ["lawsuit", "refund all"] },
    toxicity_check: { enabled: true, threshold: 0.85 },
    prompt_injection: { enabled: true, threshold: 0.75 },
    secrets_detection: { enabled: true, action: "block" },
    pii_detection: { enabled: true, types: { EMAIL: "redact", IBAN: "redact", PHONE: "redact" } },
  };
}

function toolsetSpec(address: string): JsonObject {
  return {
    tool_set_name: address.replace(":", "-"),
    openapi_schema: {
      openapi: "3.1.0",
      info: { title: address, version: "1" },
      servers: [{ url: `https://${address.slice(address.indexOf(":") + 1)}.example.com` }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "Authorization" } } },
      paths: {
        "/orders": {
          get: {
            operationId: "listOrders",
            description: "Lists the orders of a customer.",
            responses: { 200: { description: "The orders" } },
          },
        },
        "/orders/{id}": {
          get: {
            operationId: "readOrder",
            description: "Reads one order by its number.",
            parameters: [{ in: "path", name: "id", required: true, schema: { type: "string" } }],
            responses: { 200: { description: "The order" } },
          },
        },
      },
    },
    default_headers: { Authorization: "Bearer ${env:SHOP_TOKEN}" },
    default_query_params: { tenant: "main" },
    default_body_params: { mode: "draft" },
    endpoint_defaults: { "/orders": { scope: "own" } },
  };
}

function agentSpec(address: string, policy: string, toolset: string): JsonObject {
  return {
    name: address.slice(address.indexOf(":") + 1),
    description: `Answers for ${address}`,
    system_prompt: promptOf(address),
    model: "small-1",
    provider_id: "OpenAI",
    llm_credential_id: "${credential:models}",
    temperature: 0.2,
    tools: [`\${${toolset}}`],
    features: [{ type: "RAI", priority: 0, config: { policy_id: `\${${policy}}` } }],
  };
}

// Of different lengths, so that the same line stands at different places.
function promptOf(address: string): string {
  const own = Array.from({ length: 1 + (address.length % 4) }, (_, index) => `Rule ${index} of ${address}.`);
  return `${[
    `You answer customers for ${address}.`,
    ...own,
    "Greet the customer by name.",
    "Answer in the langauge of the question.",
    "Ask for the order number when it is missing.",
    "Look an order up before you say anything about it.",
    "Never promise a payment date.",
    "Never share a customer's address.",
    "Say so when you do not know something.",
    "In every letter, write:",
    "- the order number",
    "In no letter, write:",
    "- a card number",
    "Opening hours are 9 to 17.",
    "Close with a friendly line.",
  ].join("\n")}\n`;
}
