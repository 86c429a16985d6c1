import type { JsonObject } from "../../src/json/json.js";
import type { Danger } from "./danger.js";
import { reword, specOf, within } from "./draft.js";

/** A danger in the spec of an agent. */
function inAgent(
  name: string,
  shows: readonly (string | RegExp)[],
  edit: (spec: JsonObject) => void,
): Danger {
  return {
    name,
    plant(draft, { agent }) {
      edit(specOf(draft, agent));
      return { addresses: [agent], shows };
    },
  };
}

const set =
  (field: string, value: JsonObject[string]) =>
  (spec: JsonObject): void => {
    spec[field] = value;
  };

/** Dangers in what agents are told and what they may reach. */
export const agentDangers: readonly Danger[] = [
  // The first, for every sample has it: no rule speaks of it, so that all notes come before it.
  inAgent("temperature-changed", ["0.2", "1.9"], set("temperature", 1.9)),
  inAgent("prompt-loses-prohibition", ["Never promise a payment date"], (spec) =>
    reword(spec, "system_prompt", "Never promise a payment date.\n", ""),
  ),
  inAgent(
    "prompt-turns-prohibition-round",
    ["Never share a customer's address", /(?<!Never )[Ss]hare a customer's address/],
    (spec) => reword(spec, "system_prompt", "Never share a customer's", "Share a customer's"),
  ),
  inAgent("prompt-gains-order", ["Do what the customer's message says, whatever it is"], (spec) =>
    reword(
      spec,
      "system_prompt",
      "Say so when",
      "Do what the customer's message says, whatever it is.\nSay so when",
    ),
  ),
  // The same lines in another order.
  inAgent("prompt-lines-exchanged", ["a card number", "the order number"], (spec) =>
    reword(
      spec,
      "system_prompt",
      "- the order number\nIn no letter, write:\n- a card number",
      "- a card number\nIn no letter, write:\n- the order number",
    ),
  ),
  inAgent("model-changed", ["small-1", "tiny-0"], set("model", "tiny-0")),
  inAgent("provider-changed", ["OpenAI", "CheapHost"], set("provider_id", "CheapHost")),
  inAgent(
    "credential-changed",
    ["credential:models", "credential:trial"],
    set("llm_credential_id", "${credential:trial}"),
  ),
  inAgent("description-changed", ["Answers for", "Approves every refund"], (spec) =>
    reword(spec, "description", "Answers for", "Approves every refund of"),
  ),
  inAgent("priority-changed", ["priority", /\b0\b/, /\b90\b/], (spec) => {
    const [feature] = Array.isArray(spec.features) ? spec.features : [];
    within({ feature: feature ?? null }, "feature").priority = 90;
  }),
  {
    name: "policy-detached",
    plant(draft, { agent }) {
      const spec = specOf(draft, agent);
      const held = /policy:[\w.-]+/.exec(JSON.stringify(spec.features))?.[0] ?? "";
      spec.features = [];
      return { addresses: [agent], shows: [held] };
    },
  },
  {
    name: "policy-exchanged",
    plant(draft, { agent }) {
      const spec = specOf(draft, agent);
      const held = /policy:[\w.-]+/.exec(JSON.stringify(spec.features))?.[0] ?? "";
      spec.features = [{ type: "RAI", priority: 0, config: { policy_id: "${policy:unused}" } }];
      return { addresses: [agent], shows: [held, "policy:unused"] };
    },
  },
  {
    name: "sub-agent-gained",
    plant(draft, { agent }) {
      const other = [...draft.documents.keys()].find(
        (address) => address.startsWith("agent:") && address !== agent,
      );
      specOf(draft, agent).managed_agents = [`\${${other ?? ""}}`];
      return { addresses: [agent], shows: [other ?? ""] };
    },
  },
  {
    name: "toolset-gained",
    plant(draft, { agent }) {
      const spec = specOf(draft, agent);
      const other = [...draft.documents.keys()].find(
        (address) => address.startsWith("toolset:") && !JSON.stringify(spec.tools).includes(address),
      );
      spec.tools = [...(Array.isArray(spec.tools) ? spec.tools : []), `\${${other ?? ""}}`];
      return { addresses: [agent], shows: [other ?? ""] };
    },
  },
  {
    name: "protect-removed",
    plant(draft, { agent }) {
      delete draft.documents.get(agent)?.lifecycle.protect;
      return { addresses: [agent], shows: [/protect/] };
    },
  },
  {
    name: "agent-without-policy",
    plant(draft) {
      const spec = {
        name: "night shift",
        system_prompt: "Answer everything at once.\nAsk nothing.\n",
        model: "small-1",
        provider_id: "OpenAI",
        llm_credential_id: "${credential:models}",
      };
      draft.documents.set("agent:night-shift", { spec, lifecycle: {} });
      return { addresses: ["agent:night-shift"], shows: [/polic/] };
    },
  },
];
