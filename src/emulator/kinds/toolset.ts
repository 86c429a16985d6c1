import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Answers } from "../answers.js";
import { anyObject, type Check, flag, record, text } from "../check.js";
import { done, type EmulatedKind, type Operate, title, unknownId } from "../kind.js";
import { listOperations, type Operation } from "../openapi.js";
import { keepSecretsOut } from "../secret.js";
import type { KeptTool } from "../storage.js";

const TOOL_SET_FIELDS = {
  tool_set_name: text,
  openapi_schema: anyObject,
  default_headers: anyObject,
  default_query_params: anyObject,
  default_body_params: anyObject,
  endpoint_defaults: anyObject,
  enhance_descriptions: flag,
  provider_api_key: text,
};

/** The body of a tool set (docs/interface.md, 2.2). */
const checkToolSet: Check = record(TOOL_SET_FIELDS, ["tool_set_name", "openapi_schema"]);

/** The body of a tool's update: any object, in which the known fields of 2.2 have their types. */
const checkToolUpdate: Check = record(TOOL_SET_FIELDS);

/** Operation 2: a new tool set, with a tool for every operation of its OpenAPI document. */
const createToolSet: Operate = ({ storage, answers }, body) => {
  const schema = body["openapi_schema"];
  const operations = isObject(schema) ? listOperations(schema) : [];
  const kept = { ...keepSecretsOut(body), tool_set_name: `openapi-${title(body, "tool_set_name")}` };
  const tools = storage.createToolSet(kept, operations, (id, operation) => nameTool(answers, id, operation));
  const did = `tool set ${kept.tool_set_name} created with ${tools.length} tools`;
  return done(answerToolSet(answers, tools), did);
};

/** Operation 3: the fields to change of one tool. */
const updateTool: Operate = ({ storage }, body, id) => {
  if (!storage.changeTool(id, keepSecretsOut(body))) return unknownId("tool", id);
  const names = Object.keys(body).join(", ");
  return done({ message: "Tool updated successfully" }, `tool ${id} updated: ${names}`);
};

/** A tool set: its operations. */
export const toolset: EmulatedKind = [
  { method: "POST", path: /^\/v3\/tools\/$/, check: checkToolSet, operate: createToolSet, accept: false },
  {
    method: "PUT",
    path: /^\/v3\/tools\/([^/]+)$/,
    check: checkToolUpdate,
    operate: updateTool,
    accept: false,
  },
];

/** Adapts an opaque tool ID to the mode: `names` appends `_` and the operation's name. */
function nameTool(answers: Answers, id: string, operation: Operation): string {
  if (answers !== "names") return id;
  return `${id}_${operation.operationId ?? nameByPlace(operation)}`;
}

function nameByPlace({ method, path }: Operation): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

/** The answer to a new tool set (docs/interface.md, operation 2). */
function answerToolSet(answers: Answers, tools: readonly KeptTool[]): JsonObject {
  if (answers === "objects") {
    return { tool_ids: tools.map(({ id, method, path }): Json => ({ name: id, method, path })) };
  }
  const ids = tools.map(({ id }) => id);
  return { tool_ids: answers === "shuffled" ? shuffle(ids) : ids };
}

// One cycle through all places, so that with two or more IDs none keeps the place that it has in the document.
function shuffle(ids: readonly string[]): string[] {
  const shuffled = [...ids];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = createHash("sha256").update(`${last} of ${ids.length}`).digest().readUInt32BE() % last;
    const taken = shuffled.splice(last, 1, ...shuffled.slice(other, other + 1));
    shuffled.splice(other, 1, ...taken);
  }
  return shuffled;
}
