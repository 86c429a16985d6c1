import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { anyObject, integer, listOf, number, record, text } from "../check.js";
import { type EmulatedKind, title } from "../kind.js";
import { plainKind } from "../plain-kind.js";
import type { PlainKind, Storage } from "../storage.js";

/** An agent (docs/reference/interface.md, 2.3): its objects and operations, of which 4 makes one and 5 updates it. */
export const agent: EmulatedKind = plainKind({
  noun: "agent",
  folder: "agents",
  check: record(
    {
      name: text,
      system_prompt: text,
      description: text,
      features: listOf(record({ type: text, config: anyObject, priority: integer })),
      tools: listOf(text),
      llm_credential_id: text,
      provider_id: text,
      model: text,
      top_p: number,
      temperature: number,
      response_format: anyObject,
      version: text,
    },
    ["name"],
  ),
  places: { all: /^\/v3\/agents\/$/, one: /^\/v3\/agents\/([^/]+)$/ },
  accept: true,
  isUpdatable: true,
  // The ID and, unless minimal, a message.
  answerNew: (answers, id) =>
    answers === "minimal" ? { agent_id: id } : { agent_id: id, message: "Agent created successfully" },
  listUnknown,
  filledIn: { version: "1", top_p: 1 },
  idMember: "agent_id",
});

function listUnknown(storage: Storage, agent: JsonObject): string[] {
  const say = (kind: PlainKind | "tools", word: string, ids: readonly Json[]): string[] =>
    ids
      .filter((id) => typeof id === "string")
      .filter((id) => !storage.has(kind, id))
      .map((id) => `agent ${title(agent, "name")}: ${word} ${id} does not exist`);
  return [
    ...say("tools", "tool", itemsOf(agent["tools"])),
    ...say("policies", "policy", itemsOf(agent["features"]).map(policyOf)),
    ...say("credentials", "credential", [agent["llm_credential_id"] ?? null]),
  ];
}

function policyOf(feature: Json): Json {
  const config = isObject(feature) ? feature["config"] : null;
  return isObject(config) ? (config["policy_id"] ?? null) : null;
}

function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
