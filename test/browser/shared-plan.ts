import type { Action, Change, Plan } from "../../src/generated/plan.js";
import { makeAction, makePlan } from "./sample-plan.js";

const moved: Change = {
  path: "features[RAI].config.policy_id",
  before: "${policy:strict}",
  after: "${policy:strict}",
  references: ["policy:strict"],
};

function promptOf(index: number, line: string): string {
  return `You work for team ${index}.\n${line}\nAsk team ${index} if you do not know.\n`;
}

function agent(index: number, changes: readonly Change[]): Action {
  return makeAction(`agent:a${index}`, "update", {
    reasons: ["policy:strict gets a new ID"],
    changes: [...changes, moved],
    waits_for: ["policy:strict"],
  });
}

const prompts = (index: number): Change => ({
  path: "system_prompt",
  before: promptOf(index, "Be kind."),
  after: promptOf(index, "Be brief."),
});
const model: Change = { path: "model", before: "small-1", after: "large-2" };

/** A plan in which five agents share an edit of their prompts, two of them another one, one has its own, and four only follow. */
export const sharedPlan: Plan = makePlan(
  [
    makeAction("policy:strict", "replace", {
      reasons: ["the service cannot update a policy (`name`)"],
      changes: [{ path: "toxicity_check.threshold", before: 0.4, after: 0.9 }],
      leaves: 1,
    }),
    ...[0, 1, 2, 3, 4].map((index) => agent(index, index < 2 ? [prompts(index), model] : [prompts(index)])),
    agent(5, [{ path: "default_query_params.tenant", before: "main", after: "*" }]),
    ...[6, 7, 8, 9].map((index) => agent(index, [])),
  ],
  {
    notes: [
      {
        code: "threshold-changed",
        effect: "weakens",
        address: "policy:strict",
        parts: {},
        message: "the threshold of `toxicity_check` changes",
        path: "toxicity_check.threshold",
      },
      ...["agent:a0", "agent:a1"].map((address) => ({
        code: "model-changed",
        effect: "widens" as const,
        address,
        parts: {},
        message: "the model changes",
        path: "model",
      })),
    ],
  },
);

/** A plan of as many agents, each with an edit of its own or, if it is shared, all with one. */
export function makeLongPlan(count: number, isShared: boolean): Plan {
  return makePlan(
    Array.from({ length: count }, (_, index) =>
      agent(index, [isShared ? prompts(index) : { path: "temperature", before: 0, after: index + 1 }]),
    ),
  );
}
