import type { AgentDocument } from "../../src/generated/agent.js";
import type { CredentialDocument } from "../../src/generated/credential.js";
import type { KindName } from "../../src/generated/kinds.js";
import type { PolicyDocument } from "../../src/generated/policy.js";
import type { ToolSetDocument } from "../../src/generated/toolset.js";
import type { WorkspaceManifest } from "../../src/generated/workspace.js";

/** A good document that uses much of what its schema knows. */
export const policy: PolicyDocument = {
  apiVersion: "agentform/v1",
  kind: "Policy",
  metadata: { name: "strict", labels: { team: "care" }, annotations: { ticket: "CARE-12" } },
  spec: {
    name: "Strict",
    allowed_topics: { enabled: true, topics: ["orders", { name: "returns" }] },
    banned_topics: { enabled: "${var:ban}", topics: "${file:topics.yaml}" },
    toxicity_check: { enabled: true, threshold: 0.5 },
    pii_detection: {
      enabled: true,
      types: { EMAIL: "redact" },
      custom_pii: [{ label: "order", replacement: "ORDER", action: "mask" }],
    },
  },
  lifecycle: { protect: true, adopt: { production: "65" }, moved_from: ["policy:old", "policy:older"] },
};

/** A good document that uses much of what its schema knows. */
export const toolset: ToolSetDocument = {
  apiVersion: "agentform/v1",
  kind: "ToolSet",
  metadata: { name: "helpdesk" },
  spec: {
    tool_set_name: "helpdesk",
    openapi_schema: "${file:../openapi/helpdesk.yaml}",
    default_headers: { authorization: "Bearer ${env:HELPDESK_TOKEN}", "x-team": 7 },
    enhance_descriptions: true,
    provider_api_key: "${env:PROVIDER_KEY}",
  },
  lifecycle: { adopt: { production: ["createTicket=71", "GET /tickets=72"] } },
};

/** A good document that uses much of what its schema knows. */
export const credential: CredentialDocument = {
  apiVersion: "agentform/v1",
  kind: "Credential",
  metadata: { name: "openai" },
  spec: {
    name: "OpenAI",
    provider_id: "OpenAI",
    credentials: { api_key: "${env:OPENAI_KEY@2}" },
    meta_data: {},
  },
  lifecycle: { adopt: "${var:credential_id}" },
};

/** A good document that uses much of what its schema knows. */
export const agent: AgentDocument = {
  apiVersion: "agentform/v1",
  kind: "Agent",
  metadata: { name: "support" },
  spec: {
    name: "Support desk",
    tools: ["${toolset:helpdesk}", "${toolset:billing/getInvoice}"],
    features: [
      { type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } },
      "${file:feature.yaml}",
    ],
    temperature: 0.2,
    top_p: "${var:top_p}",
    response_format: { type: "json" },
    examples: ["one", { input: "two" }],
  },
  lifecycle: { protect: "${var:protect}", moved_from: "agent:helpdesk" },
};

/** A good document that uses much of what its schema knows. */
export const workspace: WorkspaceManifest = {
  apiVersion: "agentform/v1",
  kind: "Workspace",
  metadata: { name: "support-desk" },
  spec: {
    service: {
      base_url: "https://agents.example.com",
      rai_base_url: "https://rai.example.com",
      api_key: "${env:AGENT_API_KEY}",
      field_names: { provider_api_key: "acme_api_key" },
      tool_ids: "document_order",
      id_pointers: { agent: "/data/id" },
      rejected_statuses: [503],
    },
    include: ["policies", "agents"],
    variables: { model: "small-1", temperature: 0.2, region: { description: "Where it runs" } },
    environments: {
      production: { service: { base_url: "https://p.example.com" }, variables: { model: "large-2" } },
    },
    extra_fields: { agent: ["agent_goal", "managed_agents"] },
    limits: { orphans: 50 },
    lock: { store: "git", remote: "origin", ref: "refs/agentform/support-desk/production" },
  },
};

/** A good document of each kind. */
export const documents = { policy, toolset, credential, agent } satisfies Record<KindName, unknown>;
