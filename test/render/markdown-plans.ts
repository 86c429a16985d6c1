import { kindOfAddress } from "../../src/core/kind/kinds.js";
import type { Action, GuardrailNote, Plan } from "../../src/generated/plan.js";

/** Makes a plan of actions, its counts with it. */
export function planOf(actions: readonly Action[], more: Partial<Plan> = {}): Plan {
  const summary: Plan["summary"] = {
    create: 0,
    update: 0,
    replace: 0,
    adopt: 0,
    forget: 0,
    record: 0,
    unknown: 0,
    blocked: 0,
    unchanged: 0,
  };
  for (const { action } of actions) summary[action] = (summary[action] ?? 0) + 1;
  return {
    format: "agentform/plan/v1",
    workspace: "support-desk",
    environment: "production",
    lock: { source: "agentform.production.lock", lineage: "5b1c", serial: 12 },
    options: {},
    partial: false,
    digest: `sha256:${"4f".repeat(32)}`,
    notes: [],
    actions: [...actions],
    summary: { ...summary, unchanged: 34 },
    diagnostics: [],
    ...more,
  };
}

/** Makes an action of a plan. */
export function actionOf(address: string, action: Action["action"], more: Partial<Action> = {}): Action {
  const [kind = "", name = ""] = address.split(":");
  return {
    address,
    action,
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [],
    reads: {},
    file: `${kindOfAddress(address)?.folder ?? kind}/${name}.yaml`,
    ...more,
  };
}

/** Makes an agent's update that follows from a policy's replacement. */
function cascade(index: number, policy: string): Action {
  const reference = `\${${policy}}`;
  return actionOf(`agent:desk-${numbered(index)}`, "update", {
    reasons: [`${policy} gets a new ID`],
    changes: [
      { path: "features[RAI].config.policy_id", before: reference, after: reference, references: [policy] },
    ],
    ids: [`66f1${numbered(index)}`],
  });
}

function numbered(index: number): string {
  return String(index).padStart(4, "0");
}

function prompt(index: number, tone: string): string {
  return [
    `You answer for desk ${index}.`,
    "Be brief and friendly.",
    "Never promise refunds above 50 euros.",
    `Write in a ${tone} tone.`,
    "",
  ].join("\n");
}

function harmlessEdit(index: number): Action {
  return actionOf(`agent:desk-${numbered(index)}`, "update", {
    changes: [
      { path: "description", before: `Desk ${index}`, after: `Customer desk ${index}` },
      { path: "system_prompt", before: prompt(index, "formal"), after: prompt(index, "warm") },
    ],
    ids: [`66f1${numbered(index)}`],
  });
}

function count<T>(times: number, make: (index: number) => T): T[] {
  return Array.from({ length: times }, (_, index) => make(index + 1));
}

/** Makes a note that weakens a guardrail. */
export function weakens(code: string, address: string, message: string, path?: string): GuardrailNote {
  return {
    code,
    effect: "weakens",
    address,
    parts: { message },
    message,
    ...(path !== undefined && { path }),
  };
}

// A check goes off in one policy, and sixty agents that use another, replaced one follow it.
function weakenedPolicy(): Plan {
  const strict = actionOf("policy:strict", "replace", {
    reasons: ["the service cannot update a policy (`description`)"],
    changes: [{ path: "description", before: "For customers", after: "For all customers" }],
    affects: count(60, (index) => `agent:desk-${numbered(index)}`),
    ids: ["66aa01"],
    leaves: 1,
  });
  const refunds = actionOf("policy:refunds", "replace", {
    reasons: ["the service cannot update a policy (`prompt_injection`)"],
    changes: [{ path: "prompt_injection.enabled", before: true, after: false }],
    affects: ["agent:desk-0031"],
    ids: ["66aa02"],
    leaves: 1,
  });
  return planOf([strict, refunds, ...count(60, (index) => cascade(index, "policy:strict"))], {
    notes: [weakens("check-off", "policy:refunds", "the check `prompt_injection` is switched off")],
  });
}

// One agent gets a tool that deletes, among sixty whose wording changes.
function gainedTool(): Plan {
  const edits = count(60, harmlessEdit).map((action) =>
    action.address === "agent:desk-0037"
      ? {
          ...action,
          changes: [
            ...action.changes,
            {
              path: "tools",
              before: ["${toolset:crm/getCustomer}"],
              after: ["${toolset:crm/getCustomer}", "${toolset:crm/deleteCustomer}"],
            },
          ],
        }
      : action,
  );
  return planOf(edits, {
    notes: [
      {
        code: "writing-tool-gained",
        effect: "widens",
        address: "agent:desk-0037",
        path: "tools",
        parts: {},
        message: "gains `deleteCustomer` (DELETE /customers/{id}) of toolset:crm, which writes",
      },
    ],
  });
}

// What no rule notes: one prompt that somebody wrote, among sixty agents that only follow a policy.
function writtenPrompt(): Plan {
  const strict = actionOf("policy:strict", "replace", {
    reasons: ["the service cannot update a policy (`description`)"],
    changes: [{ path: "description", before: "For customers", after: "For all customers" }],
    affects: count(60, (index) => `agent:desk-${numbered(index)}`),
    ids: ["66aa01"],
    leaves: 1,
  });
  const agents = count(60, (index) => cascade(index, "policy:strict"));
  const written = actionOf("agent:billing", "update", {
    changes: [
      {
        path: "system_prompt",
        before: prompt(1, "warm"),
        after: prompt(1, "warm").replace("Never promise refunds above 50 euros.", "Grant every refund."),
      },
    ],
    ids: ["66f1aa"],
  });
  return planOf([strict, ...agents.slice(0, 45), written, ...agents.slice(45)]);
}

// A tool set grows, so sixty agents that have the whole of it read more, and one of another set can delete.
function toolAmongTools(): Plan {
  const agents = count(60, (index) => cascade(index, "toolset:desk"));
  const gained = (
    address: string,
    code: string,
    toolset: string,
    route: string,
    message: string,
  ): GuardrailNote => {
    const parts = { toolset, operations: [{ route }] };
    return { code, effect: "widens", address, path: "tools", parts, message };
  };
  const reads = agents.map(({ address }) =>
    gained(
      address,
      "tool-gained",
      "toolset:desk",
      "GET /tickets",
      "gains `listTickets` (GET /tickets) of toolset:desk",
    ),
  );
  const deletes = gained(
    "agent:desk-0037",
    "writing-tool-gained",
    "toolset:crm",
    "DELETE /customers/{id}",
    "gains `deleteCustomer` (DELETE /customers/{id}) of toolset:crm, which writes",
  );
  const desk = actionOf("toolset:desk", "replace", {
    reasons: ["the service cannot change `openapi_schema` of a tool set"],
    changes: [
      {
        path: "openapi_schema.operations[GET /tickets]",
        after: { method: "GET", path: "/tickets" },
        outline: true,
      },
    ],
    affects: agents.map(({ address }) => address),
    leaves: 3,
  });
  return planOf([desk, ...agents], { notes: [deletes, ...reads] });
}

/** Makes a plan of very many actions, a few of them grave. */
export function hugePlan(many = 2000): Plan {
  const edits = count(many - 20, harmlessEdit);
  const replaced = count(20, (index) =>
    actionOf(`policy:region-${numbered(index)}`, "replace", {
      reasons: ["the service cannot update a policy (`toxicity_check`)"],
      changes: [{ path: "toxicity_check.threshold", before: 0.5, after: 0.8 }],
      ids: [`66aa${numbered(index)}`],
      leaves: 1,
    }),
  );
  const notes = replaced.map(({ address }) =>
    weakens(
      "threshold-changed",
      address,
      "the threshold of `toxicity_check` changes from 0.5 to 0.8",
      "toxicity_check.threshold",
    ),
  );
  return planOf([...edits.slice(0, 900), ...replaced, ...edits.slice(900)], { notes });
}

// More replacements than a comment has room for.
function manyReplacements(): Plan {
  const replaced = count(1500, (index) =>
    actionOf(`policy:region-${numbered(index)}`, "replace", {
      reasons: ["the service cannot update a policy (`toxicity_check`)"],
      changes: [{ path: "toxicity_check.threshold", before: 0.5, after: 0.8 }],
      leaves: 1,
    }),
  );
  const notes = replaced
    .slice(0, 40)
    .map(({ address }) =>
      weakens(
        "threshold-changed",
        address,
        "the threshold of `toxicity_check` changes from 0.5 to 0.8",
        "toxicity_check.threshold",
      ),
    );
  return planOf(replaced, { notes });
}

function withProblems(): Plan {
  return planOf([actionOf("policy:strict", "replace", { leaves: 1 })], {
    diagnostics: [
      {
        code: "protected",
        severity: "error",
        message: "`policy:strict` is protected, and the plan would replace it",
        hint: "take `lifecycle.protect` away first, in a change of its own",
        file: "policies/strict.yaml",
        line: 9,
        column: 3,
      },
      { code: "move-done", severity: "note", message: "`moved_from` was followed", address: "agent:support" },
      {
        code: "variable-unused",
        severity: "warning",
        message: "`region` is used nowhere",
        file: "agentform.yaml",
      },
    ],
  });
}

/** Plans for which a fixture would be too long or too much alike, by the name of their golden text. */
export const madePlans: Readonly<Record<string, () => Plan>> = {
  "one-policy-weakened-among-sixty": weakenedPolicy,
  "one-tool-gained-among-sixty": gainedTool,
  "one-prompt-written-among-sixty": writtenPrompt,
  "one-deleting-tool-among-sixty-reading": toolAmongTools,
  "two-thousand-actions": hugePlan,
  "too-many-replacements": manyReplacements,
  "errors-and-warnings": withProblems,
};
