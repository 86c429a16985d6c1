import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Answers } from "../answers.js";
import { anyObject, type Check, integer, listOf, number, record, text } from "../check.js";
import { readRoutes } from "../full.js";
import { done, type EmulatedKind, type Operate, type EmulatedService, title, unknownId } from "../kind.js";
import { plainObjects } from "../plain-objects.js";
import { keepSecretsOut } from "../secret.js";
import type { PlainKind, Storage } from "../storage.js";

/** The body of an agent, at its creation and at its update (docs/interface.md, 2.3). */
const checkAgent: Check = record(
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
);

/** Operation 4: a new agent. */
const createAgent: Operate = (service, body) => {
  const id = storeAgent(service, body);
  const did = `agent ${title(body, "name")} created as ${id}`;
  return done(answerAgent(service.answers, id), [did, ...listUnknown(service.storage, body)].join("; "));
};

/** Operation 5: a whole new body for an agent. */
const updateAgent: Operate = ({ storage, now }, body, id) => {
  if (!storage.replace("agents", id, keepSecretsOut(body), now())) return unknownId("agent", id);
  const did = [`agent ${title(body, "name")} updated`, ...listUnknown(storage, body)].join("; ");
  return done({ message: "Agent updated successfully" }, did);
};

const agents = plainObjects({
  noun: "agent",
  folder: "agents",
  checkNew: checkAgent,
  create: (service, body) => [storeAgent(service, body)],
  filledIn: { version: "1", top_p: 1 },
  idMember: "agent_id",
});

const all = /^\/v3\/agents\/$/;
const one = /^\/v3\/agents\/([^/]+)$/;

/** An agent: its objects and operations. */
export const agent: EmulatedKind = {
  objects: agents,
  documented: [
    { method: "POST", path: all, check: checkAgent, operate: createAgent, accept: true },
    { method: "PUT", path: one, check: checkAgent, operate: updateAgent, accept: true },
  ],
  full: readRoutes(agents, { all, one }),
};

function storeAgent({ storage, now }: EmulatedService, body: JsonObject): string {
  return storage.create("agents", keepSecretsOut(body), now()).id;
}

/** The answer to a new agent (operation 4): its ID and, unless minimal, a message. */
function answerAgent(answers: Answers, id: string): JsonObject {
  return answers === "minimal" ? { agent_id: id } : { agent_id: id, message: "Agent created successfully" };
}

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
