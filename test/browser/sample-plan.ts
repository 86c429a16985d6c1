import type { Action, Change, Plan } from "../../src/generated/plan.js";

const summary: Plan["summary"] = {
  create: 0,
  update: 0,
  replace: 0,
  adopt: 0,
  forget: 0,
  record: 0,
  unknown: 0,
  blocked: 0,
  unchanged: 41,
};

/** Makes an action of its address, its sort and what else there is to it. */
export function makeAction(address: string, action: Action["action"], more: Partial<Action> = {}): Action {
  const name = address.slice(address.indexOf(":") + 1);
  return {
    address,
    action,
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [],
    reads: {},
    file: `documents/${name}.yaml`,
    ...more,
  };
}

/** Makes a plan of actions, counted. */
export function makePlan(actions: Action[], more: Partial<Plan> = {}): Plan {
  const counts = { ...summary };
  for (const { action } of actions) counts[action]++;
  return {
    format: "agentform/plan/v1",
    workspace: "support-desk",
    environment: "production",
    lock: { source: "agentform.production.lock", lineage: "5b1c", serial: 12 },
    options: {},
    partial: false,
    digest: `sha256:${"4f".repeat(32)}`,
    notes: [],
    actions,
    summary: counts,
    diagnostics: [],
    ...more,
  };
}

const prompt = `You are the support agent of Example, an online shop for bicycles and parts.

Answer in the customer's language. Be short and friendly, and never guess.
Never promise a refund above 50 euros without a person's approval.
Ask for the order number first.

Use the tools for everything about tickets.
Hand over to a person when asked to.
`;

const newPrompt = prompt
  .replace("above 50 euros without a person's approval", "above 100 euros unless a person approves it")
  .replace(
    "Ask for the order number first.\n",
    "Ask for the order number and the postcode first.\nSay what happens next.\n",
  );

const moved: Change = {
  path: "features[RAI].config.policy_id",
  before: "${policy:strict}",
  after: "${policy:strict}",
  references: ["policy:strict"],
};

function agent(name: string, tools: string[], more: Partial<Action> = {}): Action {
  const body = {
    name,
    tools: tools.map((tool) => `\${toolset:${tool}}`),
    features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }],
    llm_credential_id: "${credential:openai}",
  };
  return makeAction(`agent:${name}`, "update", {
    reasons: ["policy:strict gets a new ID"],
    changes: [moved],
    body,
    waits_for: ["policy:strict"],
    file: `agents/${name}.yaml`,
    ...more,
  });
}

const agents = ["support", "triage", "billing", "night", "returns"];

function policies(): Action[] {
  return [
    makeAction("policy:strict", "replace", {
      file: "policies/strict.yaml",
      reasons: ["the service cannot update a policy (`toxicity_check`, `pii_detection`)"],
      changes: [
        { path: "toxicity_check.threshold", before: 0.5, after: 0.8 },
        { path: "pii_detection.types.SSN", before: "block" },
        {
          path: "banned_topics.topics",
          before: ["weapons", "politics", "medical advice"],
          after: ["weapons", "medical advice", "legal advice"],
        },
      ],
      affects: agents.map((name) => `agent:${name}`),
      ids: ["66aa01"],
      leaves: 1,
      body: { name: "Strict" },
    }),
    makeAction("policy:old", "forget", {
      file: "policies/old.yaml",
      reasons: ["the workspace has no document for it any more"],
      leaves: 1,
      ids: ["66aa00"],
      affects: ["agent:archive"],
    }),
  ];
}

function toolsets(): Action[] {
  return [
    makeAction("toolset:helpdesk", "update", {
      file: "toolsets/helpdesk.yaml",
      changes: [
        {
          path: "default_headers.authorization",
          before: "Bearer ${env:DESK@1}",
          after: "Bearer ${env:DESK@2}",
        },
        {
          path: "default_query_params",
          before: { region: "eu", page: 20 },
          after: { region: "eu-west", page: 50 },
        },
      ],
      ids: ["t1", "t2"],
      tools: { listTickets: "t1", createTicket: "t2" },
      requests: ["PUT /v3/tools/t1", "PUT /v3/tools/t2"],
      body: { tool_set_name: "helpdesk" },
    }),
    makeAction("toolset:warehouse", "create", {
      file: "toolsets/warehouse.yaml",
      changes: [
        { path: "tool_set_name", after: "warehouse" },
        {
          path: "openapi_schema",
          after: {
            servers: [{ url: "https://warehouse.example.com" }],
            operations: [
              { method: "GET", path: "/stock/{id}", operationId: "getStock" },
              { method: "POST", path: "/orders", operationId: "createOrder" },
            ],
          },
        },
      ],
      affects: ["agent:support"],
      body: { tool_set_name: "warehouse" },
    }),
  ];
}

/** A plan with most of what a plan can hold. */
export const samplePlan: Plan = makePlan(
  [
    ...policies(),
    ...toolsets(),
    agent("support", ["helpdesk", "warehouse"], {
      reasons: ["policy:strict gets a new ID", "toolset:warehouse gets a new ID"],
      changes: [
        { path: "system_prompt", before: prompt, after: newPrompt },
        { path: "model", before: "small-1", after: "large-2" },
        {
          path: "tools",
          before: ["${toolset:helpdesk}"],
          after: ["${toolset:helpdesk}", "${toolset:warehouse}"],
        },
        moved,
      ],
      affects: ["agent:supervisor"],
    }),
    ...agents.slice(1).map((name) => agent(name, ["helpdesk"])),
    makeAction("agent:escalation", "create", {
      file: "agents/escalation.yaml",
      changes: [
        { path: "name", after: "Escalation desk" },
        { path: "system_prompt", after: prompt },
        { path: "temperature", after: 0.2 },
      ],
      body: {
        name: "Escalation desk",
        llm_credential_id: "${credential:openai}",
        managed_agents: ["${agent:support}"],
      },
      waits_for: ["agent:support"],
    }),
    makeAction("agent:intake", "unknown", {
      file: "agents/intake.yaml",
      reasons: ["whether the create of 2026-03-01T10:00:00Z happened is not known"],
    }),
    makeAction("agent:frontdoor", "blocked", {
      file: "agents/frontdoor.yaml",
      reasons: ["agent:intake has an unknown outcome"],
      body: { name: "Front door", managed_agents: ["${agent:intake}", "${agent:support}"] },
      waits_for: ["agent:intake"],
    }),
  ],
  {
    notes: [
      {
        code: "threshold-changed",
        effect: "weakens",
        address: "policy:strict",
        parts: {},
        message: "the threshold of `toxicity_check` changes from 0.5 to 0.8",
      },
      {
        code: "pii-type-gone",
        effect: "weakens",
        address: "policy:strict",
        parts: {},
        message: "the PII type `SSN` is no longer looked for",
      },
      {
        code: "tool-added",
        effect: "widens",
        address: "agent:support",
        parts: {},
        message: "`toolset:warehouse/createOrder`, which writes, comes into reach",
      },
      {
        code: "model-changed",
        effect: "widens",
        address: "agent:support",
        parts: {},
        message: "the model changes from small-1 to large-2",
      },
    ],
    diagnostics: [
      {
        code: "field-unknown",
        severity: "warning",
        message: "`goal` is no field that is known of an agent; it is sent as it is",
        hint: "list it in `extra_fields`",
        file: "agents/night.yaml",
        line: 9,
        column: 3,
      },
    ],
  },
);

const sentence = "You answer customers of the shop in their own language and say so when you do not know. ";

/** A plan that changes many agents, each in its prompt and more, and a policy that all of them use. */
export function makeLargePlan(count: number): Plan {
  const names = Array.from({ length: count - 1 }, (_, index) => `agent:agent-${index}`);
  const changed = names.map((address, index) =>
    makeAction(address, "update", {
      reasons: ["policy:strict gets a new ID"],
      changes: [
        {
          path: "system_prompt",
          before: `${sentence.repeat(4)}\n${sentence}\n${sentence.repeat(6)}\nGroup ${index}.\n`,
          after: `${sentence.repeat(4)}\n${sentence}Be short. \n${sentence.repeat(6)}\nThis is group ${index}.\n`,
        },
        { path: "model", before: "small-1", after: "large-2" },
        moved,
      ],
      waits_for: ["policy:strict"],
      body: { name: address, features: [{ config: { policy_id: "${policy:strict}" } }] },
    }),
  );
  const policy = makeAction("policy:strict", "replace", {
    reasons: ["the service cannot update a policy (`name`)"],
    changes: [{ path: "name", before: "Strict", after: "Stricter" }],
    affects: names,
    leaves: 1,
    body: { name: "Stricter" },
  });
  return makePlan([policy, ...changed]);
}
