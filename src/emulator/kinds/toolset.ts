import { createHash } from "node:crypto";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { anyObject, type Check, flag, record, text } from "../check.js";
import type { EmulatedObject } from "../folder.js";
import { readRoutes } from "../full.js";
import {
  done,
  type EmulatedKind,
  type Objects,
  type Operate,
  type EmulatedService,
  title,
  unknownId,
} from "../kind.js";
import { describeOperation, listOperations, type RoutedOperation } from "../openapi.js";
import { renderRecord } from "../record.js";
import { keepSecretsOut } from "../secret.js";
import type { KeptTool } from "../storage.js";
import type { Answers } from "../world.js";

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

/** The body of a tool set (docs/reference/interface.md, 2.2). */
const checkToolSet: Check = record(TOOL_SET_FIELDS, ["tool_set_name", "openapi_schema"]);

/** The body of a tool's update: any object, in which the known fields of 2.2 have their types. */
const checkToolUpdate: Check = record(TOOL_SET_FIELDS);

/** Operation 2: a new tool set, with a tool for every operation of its OpenAPI document. */
const createToolSet: Operate = (service, body) => {
  const tools = storeToolSet(service, body);
  const did = `tool set ${storedName(body)} created with ${tools.length} tools`;
  return done(answerToolSet(service.answers, tools), did);
};

function storeToolSet({ storage, answers, now }: EmulatedService, body: JsonObject): KeptTool[] {
  const schema = body["openapi_schema"];
  const operations = isObject(schema) ? listOperations(schema) : [];
  const kept = { ...keepSecretsOut(body), tool_set_name: storedName(body) };
  const name = (id: string, operation: RoutedOperation): string => nameTool(answers, id, operation);
  return storage.createToolSet(kept, operations, name, now());
}

function storedName(body: JsonObject): string {
  return `openapi-${title(body, "tool_set_name")}`;
}

/** Operation 3: the fields to change of one tool. */
const updateTool: Operate = ({ storage, now }, body, id) => {
  if (!storage.changeTool(id, keepSecretsOut(body), now())) return unknownId("tool", id);
  const names = Object.keys(body).join(", ");
  return done({ message: "Tool updated successfully" }, `tool ${id} updated: ${names}`);
};

const tools: Objects = {
  noun: "tool",
  plural: "tools",
  checkNew: checkToolSet,
  checkChanged: checkToolUpdate,
  create: (service, body) => storeToolSet(service, body).map(({ id }) => id),
  list: (storage) => storage.listTools().map(asShown),
  find: (storage, id) => {
    const tool = storage.findTool(id);
    return tool && asShown(tool);
  },
  replace: ({ storage, now }, id, body) => {
    const tool = storage.findTool(id);
    if (tool !== undefined)
      storage.changeTool(id, keepSecretsOut(changesOf(asShown(tool).body, body)), now());
  },
  remove: (storage, id) => storage.remove("tools", id),
  render: (tool) => renderRecord(tool, {}, {}),
};

const all = /^\/v3\/tools\/$/;
const one = /^\/v3\/tools\/([^/]+)$/;

/** A tool set: its tools and operations. */
export const toolset: EmulatedKind = {
  objects: tools,
  documented: [
    { method: "POST", path: all, check: checkToolSet, operate: createToolSet, accept: false },
    { method: "PUT", path: one, check: checkToolUpdate, operate: updateTool, accept: false },
  ],
  // The credentials have their place among the tools.
  full: readRoutes(tools, { all, one: /^\/v3\/tools\/(?!credentials$)([^/]+)$/ }),
};

/** A tool with all its fields: those of its operation, of its set and its own; one that is null was taken away. */
function asShown(tool: KeptTool): EmulatedObject {
  const { operationId, method, path, body } = tool;
  const schema = body["openapi_schema"];
  const description = isObject(schema) ? describeOperation(schema, tool) : undefined;
  const name = operationId ?? `${method} ${path}`;
  const fields = { name, method, path, ...(description !== undefined && { description }), ...body };
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  return { ...tool, body: Object.fromEntries(present) };
}

/** The fields in which a body differs from the one before, null for those that it lacks. */
function changesOf(before: JsonObject, after: JsonObject): JsonObject {
  const names = Object.keys({ ...before, ...after }).filter((name) => !equal(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, after[name] ?? null]));
}

/** Adapts an opaque tool ID to the mode: `names` appends `_` and the operation's name. */
function nameTool(answers: Answers, id: string, operation: RoutedOperation): string {
  if (answers !== "names") return id;
  return `${id}_${operation.operationId ?? nameByPlace(operation)}`;
}

function nameByPlace({ method, path }: RoutedOperation): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

/** The answer to a new tool set (docs/reference/interface.md, operation 2). */
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
