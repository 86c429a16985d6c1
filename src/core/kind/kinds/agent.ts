import { fields } from "../../../generated/fields.js";
import { validate } from "../../../generated/validate-agent.js";
import { isLikelyId } from "../id.js";
import { findId } from "../identity.js";
import { error, warning, type Finding, type Place } from "../../finding/diagnostic.js";
import type { Path } from "../../../json/path.js";
import { hasText } from "../../../json/texts.js";
import { canonical, isObject, type Json, type JsonObject, member } from "../../../json/json.js";
import { say } from "../../finding/said.js";
import type { Kind } from "../kind.js";

const idFields = ["agent_id", "_id", "id"];

/** An agent (docs/reference/interface.md, 2.3, operations 4 and 5): an update sends its whole body. */
export const agent: Kind = {
  name: "agent",
  document: "Agent",
  noun: ["agent", "agents"],
  folder: "agents",
  title: "name",
  prose: ["system_prompt"],
  words: ["agent", "agents"],
  validate,
  fields: fields.agent,
  places: {
    name: null,
    provider_id: null,
    model: null,
    "features.type": null,
    tools: "toolset",
    llm_credential_id: "credential",
    "features.config.policy_id": "policy",
    managed_agents: "agent",
  },
  guards: false,
  holdsSecrets: false,
  create: { host: "base", method: "POST", path: "/v3/agents/" },
  unknownField: "warning",
  replacedBy: [],
  updatesWhole: true,
  creationOnly: new Set(),
  judged: [
    "name",
    "description",
    "system_prompt",
    "features",
    "llm_credential_id",
    "provider_id",
    "model",
    "top_p",
    "temperature",
    "response_format",
    "agent_role",
    "agent_instructions",
    "examples",
    "tool_usage_description",
    "version",
  ],
  outlined: [],
  outline: (body) => ({ body, documents: {} }),
  check: (body, place, extra) => [
    ...unguarded(body, place, extra),
    ...repeated(body, place),
    ...promptless(body, place),
  ],
  creation: (body) => body,
  idFields,
  update: ({ id }, _fields, body) => {
    if (id === undefined) return [];
    return [{ host: "base", method: "PUT", path: `/v3/agents/${encodeURIComponent(id)}`, body }];
  },
  identify(answer, _body, { idPointer }) {
    const id = findId(answer, idFields, idPointer);
    return id === undefined ? undefined : { id };
  },
};

/** The type of the features that guard an agent, each with a policy. */
export const guardingFeature = "RAI";

// Without a policy, such a feature guards nothing.
function unguarded(
  { features }: JsonObject,
  place: (...path: Path) => Place,
  extra: readonly string[],
): Finding[] {
  if (!Array.isArray(features)) return [];
  return features.flatMap((feature, index) => {
    if (!isObject(feature) || feature.type !== guardingFeature || hasPolicy(feature.config, extra)) return [];
    const message = "the feature `RAI` has no policy, so it guards nothing";
    const other = otherName(feature.config);
    if (other !== undefined) {
      const at = { ...place("features", index, "config", other), key: true };
      const hint = say`did you mean \`policy_id\`? If your deployment has ${{ name: other }}, list it under \`spec.extra_fields\` of agentform.yaml`;
      return [error("document-missing-field", at, message, hint)];
    }
    const hint = 'write `config: {policy_id: "${policy:KEY}"}` with the key of a policy';
    return [error("document-missing-field", place("features", index), message, hint)];
  });
}

// A deployment may have another name for the field, which it lists.
function hasPolicy(config: Json | undefined, extra: readonly string[]): boolean {
  if (!isObject(config)) return false;
  return holdsPolicy(config.policy_id) || extra.some((name) => hasReference(member(config, name)));
}

// An empty list holds none, nor does one of such lists, or a mapping without a reference or an ID.
function holdsPolicy(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(holdsPolicy);
  return isObject(value) ? hasReference(value) || hasText(value, isLikelyId) : value !== undefined;
}

function otherName(config: Json | undefined): string | undefined {
  return isObject(config) ? Object.keys(config).find((name) => hasReference(config[name])) : undefined;
}

function hasReference(value: Json | undefined): boolean {
  // With a dollar sign before it, it is a text.
  return value !== undefined && hasText(value, (text) => /(?<!\$)\$\{policy:/.test(text));
}

function repeated(body: JsonObject, place: (...path: Path) => Place): Finding[] {
  return ["tools", "features"].flatMap((field) => {
    const list = body[field];
    if (!Array.isArray(list) || list.length < 2) return [];
    const items = list.map(canonical);
    return items.flatMap((item, index) => {
      if (items.indexOf(item) === index) return [];
      const message = say`${{ field: `spec.${field}` }} has the same item twice`;
      return [warning("document-ineffective", place(field, index), message, "remove one of them")];
    });
  });
}

function promptless(body: JsonObject, place: (...path: Path) => Place): Finding[] {
  if (typeof body.system_prompt !== "string" || body.system_prompt.trim() !== "") return [];
  const message = "`spec.system_prompt` is empty, so the agent is told nothing";
  return [warning("document-ineffective", place("system_prompt"), message, "write it, or remove the field")];
}
