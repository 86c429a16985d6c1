import type { JsonObject } from "../../../src/json/json.js";

const raiOf = (policy: string): JsonObject => ({
  type: "RAI",
  priority: 0,
  config: { policy_id: `\${policy:${policy}}` },
});
const memory = { type: "MEMORY", priority: 1, config: { messages: 20, expires_after_days: 30 } };

/** The manifest of every fleet: two environments, variables, and what most documents have by default. */
export const manifest: JsonObject = {
  apiVersion: "agentform/v1",
  kind: "Workspace",
  metadata: { name: "shop" },
  spec: {
    service: { api_key: "${env:AGENT_API_KEY}", tool_ids: "document_order" },
    variables: { model: "medium-1", release: "2026.4", refund_limit: "50", systems: "none" },
    environments: {
      staging: {
        service: {
          base_url: "https://agents.staging.shop.example",
          rai_base_url: "https://rai.staging.shop.example",
        },
      },
      production: {
        service: { base_url: "https://agents.shop.example", rai_base_url: "https://rai.shop.example" },
        variables: { systems: "live" },
      },
    },
    extra_fields: { agent: ["handover"] },
    limits: { orphans: 500 },
    defaults: [
      {
        kind: "Agent",
        spec: { provider_id: "OpenAI", model: "${var:model}", temperature: 0.2, version: "${var:release}" },
      },
      {
        kind: "Agent",
        selector: { audience: "customer" },
        spec: {
          llm_credential_id: "${credential:customer-${each:key}}",
          features: [raiOf("customer-${each:key}"), memory],
          handover: { queue: "desk-${each:key}", opens: "08:00", closes: "20:00" },
        },
      },
      { kind: "Agent", selector: { audience: "partner" }, spec: { features: [raiOf("partner"), memory] } },
      {
        kind: "Policy",
        spec: {
          toxicity_check: { enabled: true, threshold: 0.4 },
          prompt_injection: { enabled: true, threshold: 0.3 },
          secrets_detection: { enabled: true, action: "block" },
          pii_detection: { enabled: true, types: { EMAIL: "redact", IBAN: "redact", PHONE: "redact" } },
        },
      },
      {
        kind: "ToolSet",
        selector: { system: "desk" },
        spec: {
          default_headers: { Authorization: "Bearer ${env:DESK_TOKEN}", "X-Systems": "${var:systems}" },
        },
      },
    ],
  },
};
