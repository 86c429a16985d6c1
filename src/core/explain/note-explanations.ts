import { edited, type Explanation } from "./explanation.js";
import { agent, credential, manifest, openapi, policy, toolset } from "./sample-workspace.js";

const intended = "If it is intended, say why in the review; else put back what was there.";

const pii = (inside: string) => `spec:\n  pii_detection:\n    enabled: true\n${inside}`;
const keywords = (words: string) => `spec:\n  keywords: {enabled: true, keywords: [${words}]}`;
const features = (items: string) => `spec:\n  features:\n    - ${items}`;
const rai = (priority: number, more = "") =>
  `{type: RAI, priority: ${priority}, config: {policy_id: "\${policy:strict}"${more}}}`;

const lead = `apiVersion: agentform/v1
kind: Agent
metadata:
  name: lead
spec:
  name: Lead
  features:
    - {type: RAI, priority: 0, config: {policy_id: "\${policy:strict}"}}`;

const second = (spec: string) =>
  `apiVersion: agentform/v1\nkind: Credential\nmetadata:\n  name: azure\nspec:\n${spec}`;

const withDelete = `spec:
  service:
    operations:
      agent: {delete: "DELETE /v3/agents/{id}"}`;

/** What the notes of a plan mean, by their codes. */
export const noteExplanations: Readonly<Record<string, Explanation>> = {
  "object-deleted": {
    about:
      "The document has `lifecycle.on_removal: delete`, and `service.operations` names the delete of its kind.",
    fix: "Make sure that nothing outside the workspace uses the object: it cannot be brought back. To keep it, set `on_removal: forget` and apply that before the document is removed.",
    example: {
      applied: { [manifest]: withDelete, "agents/lead.yaml": `${lead}\nlifecycle:\n  on_removal: delete` },
      wrong: { [manifest]: withDelete },
      right: { [manifest]: withDelete, "agents/lead.yaml": `${lead}\nlifecycle:\n  on_removal: delete` },
    },
  },
  "check-off": {
    fix: intended,
    example: edited(
      policy,
      "spec:\n  toxicity_check: {enabled: true}",
      "spec:\n  toxicity_check: {enabled: false}",
    ),
  },
  "policy-detached": {
    about: "From then on nothing of that policy is checked for the agent.",
    fix: "Put the reference back into `features`, or say in the review which policy guards the agent now.",
    example: edited(agent, features(rai(0)), "spec:\n  features: []"),
  },
  "policy-forgotten": {
    fix: "Agents that still name the object by its ID keep it. `agentform lock retired` lists what stays behind, and `agentform prune` deletes it where the service can.",
    example: {
      applied: {
        "policies/mild.yaml":
          "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: mild\nspec:\n  name: Mild",
      },
      wrong: {},
      right: {
        "policies/mild.yaml":
          "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: mild\nspec:\n  name: Mild",
      },
    },
  },
  "policy-feature-gone": {
    fix: intended,
    example: edited(
      agent,
      `spec:\n  features:\n    - ${rai(0)}\n    - {type: OUTPUT, priority: 1, config: {policy_id: "\${policy:strict}"}}`,
      features(rai(0)),
    ),
  },
  "security-dropped": {
    about: "`security` of an OpenAPI document lists alternatives, of which a call needs one.",
    fix: intended,
    example: edited(openapi, "security: [{key: []}]", "security: [{key: []}, {}]"),
  },
  "protect-removed": {
    about: "Without `protect`, a later plan may replace, forget or delete the object.",
    fix: "Put it back once the change that needed it is applied.",
    example: edited(policy, "lifecycle:\n  protect: true", "lifecycle:\n  protect: false"),
  },
  "removal-deletes": {
    about: "From then on, removing the document deletes the object in the service.",
    fix: intended,
    example: {
      applied: { [manifest]: withDelete },
      wrong: { [manifest]: withDelete, [agent]: "lifecycle:\n  on_removal: delete" },
      right: { [manifest]: withDelete, [agent]: "lifecycle:\n  on_removal: forget" },
    },
  },
  "banned-topic-gone": {
    fix: intended,
    example: edited(
      policy,
      "spec:\n  banned_topics: {enabled: true, topics: [politics, weapons]}",
      "spec:\n  banned_topics: {enabled: true, topics: [politics]}",
    ),
  },
  "keyword-gone": {
    fix: intended,
    example: edited(policy, keywords("root password, project-heron"), keywords("project-heron")),
  },
  "pii-type-gone": {
    fix: intended,
    example: edited(
      policy,
      pii("    types: {EMAIL: redact, PHONE: redact}"),
      pii("    types: {EMAIL: redact}"),
    ),
  },
  "custom-pii-gone": {
    fix: intended,
    example: edited(
      policy,
      pii('    custom_pii: [{label: CUSTOMER, replacement: "[customer]", action: redact}]'),
      pii("    custom_pii: []"),
    ),
  },
  "allowed-topics-emptied": {
    fix: "List the topics again, or switch the check off if any topic is allowed.",
    example: edited(
      policy,
      "spec:\n  allowed_topics: {enabled: true, topics: [orders]}",
      "spec:\n  allowed_topics: {enabled: true, topics: []}",
    ),
  },
  "feature-removed": {
    fix: intended,
    example: edited(
      agent,
      `spec:\n  features:\n    - ${rai(0)}\n    - {type: SINGLE_TOOL_CALL, priority: 1}`,
      features(rai(0)),
    ),
  },
  "policy-feature-changed": {
    fix: intended,
    example: edited(agent, features(rai(0, ", mode: block")), features(rai(0, ", mode: log"))),
  },
  "policy-priority-changed": {
    fix: intended,
    example: edited(agent, features(rai(0)), features(rai(5))),
  },
  "threshold-changed": {
    fix: "Compare with what the deployment says of the direction of its thresholds.",
    example: edited(
      policy,
      "spec:\n  toxicity_check: {enabled: true, threshold: 0.4}",
      "spec:\n  toxicity_check: {enabled: true, threshold: 0.9}",
    ),
  },
  "check-action-changed": {
    fix: intended,
    example: edited(
      policy,
      "spec:\n  secrets_detection: {enabled: true, action: block}",
      "spec:\n  secrets_detection: {enabled: true, action: log}",
    ),
  },
  "pii-type-changed": {
    fix: intended,
    example: edited(policy, pii("    types: {EMAIL: redact}"), pii("    types: {EMAIL: log}")),
  },
  "custom-pii-changed": {
    fix: intended,
    example: edited(
      policy,
      pii('    custom_pii: [{label: CUSTOMER, replacement: "[customer]", action: redact}]'),
      pii('    custom_pii: [{label: CUSTOMER, replacement: "[customer]", action: log}]'),
    ),
  },
  "writing-tool-gained": {
    fix: "Check that the agent should be able to change data. Name single operations instead of the whole set to keep others out.",
    example: edited(
      agent,
      'spec:\n  tools: ["${toolset:helpdesk/listTickets}"]',
      'spec:\n  tools: ["${toolset:helpdesk/listTickets}", "${toolset:helpdesk/createTicket}"]',
    ),
  },
  "host-added": {
    fix: "Check that calls, and the headers that go with them, may be sent to this host.",
    example: edited(
      openapi,
      "servers:\n  - url: https://desk.example.com",
      "servers:\n  - url: https://desk.example.net",
    ),
  },
  "credential-changed": {
    fix: intended,
    example: {
      applied: { "credentials/azure.yaml": second("  name: Azure") },
      wrong: {
        "credentials/azure.yaml": second("  name: Azure"),
        [agent]: "spec:\n  llm_credential_id: ${credential:azure}",
      },
      right: {
        "credentials/azure.yaml": second("  name: Azure"),
        [agent]: "spec:\n  llm_credential_id: ${credential:openai}",
      },
    },
  },
  "secret-header-changed": {
    fix: "Check that the tools should call with this secret.",
    example: edited(
      toolset,
      "spec:\n  default_headers: {authorization: 'Bearer ${env:DESK_TOKEN}'}",
      "spec:\n  default_headers: {authorization: 'Bearer ${env:ADMIN_TOKEN}'}",
    ),
  },
  "secret-changed": {
    fix: "Check that the new variable holds the secret that is meant. For a new value of the same secret write a revision: `${env:NAME@2}`.",
    example: edited(
      credential,
      "spec:\n  credentials: {api_key: '${env:OPENAI_API_KEY}'}",
      "spec:\n  credentials: {api_key: '${env:OTHER_API_KEY}'}",
    ),
  },
  "default-changed": {
    fix: intended,
    example: edited(
      toolset,
      "spec:\n  default_query_params: {tenant: test}",
      "spec:\n  default_query_params: {tenant: live}",
    ),
  },
  "agent-gained": {
    about: "What the other agent can do, this one can now ask for.",
    fix: intended,
    example: {
      applied: { "agents/lead.yaml": lead },
      wrong: { "agents/lead.yaml": `${lead}\n  examples: ["\${agent:support}"]` },
      right: { "agents/lead.yaml": lead },
    },
  },
  "provider-changed": {
    about: "Conversations are sent to a different company.",
    fix: intended,
    example: edited(agent, "spec:\n  provider_id: OpenAI", "spec:\n  provider_id: Azure"),
  },
  "model-changed": {
    about: "A prompt that works with one model may not work with a different one.",
    fix: "Try the agent with the new model first, for example in an environment for tests.",
    example: edited(agent, "spec:\n  model: small-1", "spec:\n  model: large-2"),
  },
  "tool-gained": {
    fix: intended,
    example: edited(
      agent,
      'spec:\n  tools: ["${toolset:helpdesk/createTicket}"]',
      'spec:\n  tools: ["${toolset:helpdesk/createTicket}", "${toolset:helpdesk/listTickets}"]',
    ),
  },
  "agent-without-policy": {
    fix: "Add a feature with a policy, as the other agents have.",
    example: {
      applied: {},
      wrong: { "agents/lead.yaml": lead.replace(/\n {2}features:[^]*/, "") },
      right: { "agents/lead.yaml": lead },
    },
  },
  "policy-without-checks": {
    fix: "Switch on what the policy is for.",
    example: {
      applied: {},
      wrong: {
        "policies/mild.yaml":
          "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: mild\nspec:\n  name: Mild\n  toxicity_check: {enabled: false}",
      },
      right: {
        "policies/mild.yaml":
          "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: mild\nspec:\n  name: Mild\n  toxicity_check: {enabled: true}",
      },
    },
  },
  "prohibition-lost": {
    about: "Sentences are compared without regard to case and Markdown; any other change of words counts.",
    fix: "Read both texts. If the agent may now do what was forbidden, say so in the review.",
    example: edited(
      agent,
      "spec:\n  system_prompt: Answer kindly. Never promise a refund.",
      "spec:\n  system_prompt: Answer kindly.",
    ),
  },
  "description-changed": {
    fix: "Read the new text as you would read a change of a prompt.",
    example: edited(
      openapi,
      "paths:\n  /tickets:\n    get: {operationId: listTickets, summary: List my tickets, responses: {}}",
      "paths:\n  /tickets:\n    get: {operationId: listTickets, summary: List all tickets, responses: {}}",
    ),
  },
  "allowed-topic-added": {
    fix: intended,
    example: edited(
      policy,
      "spec:\n  allowed_topics: {enabled: true, topics: [orders]}",
      "spec:\n  allowed_topics: {enabled: true, topics: [orders, refunds]}",
    ),
  },
  "setting-changed": {
    about:
      "Settings change what is sent, where to, or how an answer is read, without a change in any document. The lock keeps those of the last apply. The effect depends on the setting.",
    fix: "Check each setting: a wrong address receives the API key.",
    example: edited(
      manifest,
      "spec:\n  service:\n    rejected_statuses: [529]",
      "spec:\n  service:\n    rejected_statuses: [503, 529]",
    ),
  },
  "state-edited": {
    about:
      "The change edits the lock, which only an apply should write. With `--lock-from` the plan still uses the lock of the base branch.",
    fix: "Take the change of the lock out of the branch, unless a command of `agentform lock` made it.",
  },
};
