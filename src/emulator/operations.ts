import {
  type Answers,
  answerAgent,
  answerCredential,
  answerToolSet,
  nameTool,
  stampPolicy,
} from "./answers.js";
import { isObject, type Json, type JsonObject } from "../json/json.js";
import { listOperations } from "./openapi.js";
import { keepSecretsOut } from "./secret.js";
import type { PlainKind, Storage } from "./storage.js";

/** What the operations work on. */
export interface Service {
  storage: Storage;
  answers: Answers;
  /** The only key that passes; without it any does that is not empty. */
  apiKey: string | undefined;
  now: () => string;
}

/** An answer, and in `did` what was done, in words for the log. */
export interface Answer {
  status: number;
  body: Json;
  headers?: Readonly<Record<string, string>>;
  did: string;
}

/** An operation of interface.md section 4: the body is checked, the ID comes from the path (or is empty). */
export type Operate = (service: Service, body: JsonObject, id: string) => Answer;

/** Operation 1: a new policy. */
export const createPolicy: Operate = ({ storage, answers, now }, body) => {
  const { _id: _ignored, ...fields } = body;
  const policy = stampPolicy(answers, fields, now());
  const { id } = storage.create("policies", keepSecretsOut(policy));
  return done({ _id: id, ...policy }, `policy ${title(body, "name")} created as ${id}`);
};

/** Operation 2: a new tool set, with a tool for every operation of its OpenAPI document. */
export const createToolSet: Operate = ({ storage, answers }, body) => {
  const schema = body["openapi_schema"];
  const operations = isObject(schema) ? listOperations(schema) : [];
  const kept = { ...keepSecretsOut(body), tool_set_name: `openapi-${title(body, "tool_set_name")}` };
  const tools = storage.createToolSet(kept, operations, (id, operation) => nameTool(answers, id, operation));
  const did = `tool set ${kept.tool_set_name} created with ${tools.length} tools`;
  return done(answerToolSet(answers, tools), did);
};

/** Operation 3: the fields to change of one tool. */
export const updateTool: Operate = ({ storage }, body, id) => {
  if (!storage.changeTool(id, keepSecretsOut(body))) return unknownId("tool", id);
  const names = Object.keys(body).join(", ");
  return done({ message: "Tool updated successfully" }, `tool ${id} updated: ${names}`);
};

/** Operation 4: a new agent. */
export const createAgent: Operate = ({ storage, answers }, body) => {
  const { id } = storage.create("agents", keepSecretsOut(body));
  const did = `agent ${title(body, "name")} created as ${id}`;
  return done(answerAgent(answers, id), [did, ...listUnknown(storage, body)].join("; "));
};

/** Operation 5: a whole new body for an agent. */
export const updateAgent: Operate = ({ storage }, body, id) => {
  if (!storage.replaceAgent(id, keepSecretsOut(body))) return unknownId("agent", id);
  const did = [`agent ${title(body, "name")} updated`, ...listUnknown(storage, body)].join("; ");
  return done({ message: "Agent updated successfully" }, did);
};

/** Operation 6: a new credential. */
export const createCredential: Operate = ({ storage, answers }, body) => {
  const { id } = storage.create("credentials", keepSecretsOut(body));
  return done(answerCredential(answers, id), `credential ${title(body, "name")} created as ${id}`);
};

function done(body: JsonObject, did: string): Answer {
  return { status: 200, body, did };
}

function unknownId(kind: string, id: string): Answer {
  return { status: 404, body: { message: `There is no ${kind} with this ID` }, did: `no ${kind} ${id}` };
}

function title(body: JsonObject, field: string): string {
  const value = body[field];
  return typeof value === "string" ? value : "";
}

function listUnknown(storage: Storage, agent: JsonObject): string[] {
  const say = (kind: PlainKind | "tools", word: string, ids: readonly Json[]): string[] =>
    ids
      .filter((id) => typeof id === "string")
      .filter((id) => !storage.has(kind, id))
      .map((id) => `agent ${title(agent, "name")}: ${word} ${id} is unknown here`);
  return [
    ...say("tools", "tool", listOf(agent["tools"])),
    ...say("policies", "policy", listOf(agent["features"]).map(policyOf)),
    ...say("credentials", "credential", [agent["llm_credential_id"] ?? null]),
  ];
}

function policyOf(feature: Json): Json {
  const config = isObject(feature) ? feature["config"] : null;
  return isObject(config) ? (config["policy_id"] ?? null) : null;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
