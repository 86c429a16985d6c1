import { fields } from "../../../generated/fields.js";
import { validate } from "../../../generated/validate-toolset.js";
import { error, type Finding, type Place } from "../../finding/diagnostic.js";
import { isObject, type JsonObject } from "../../../json/json.js";
import type { Path } from "../../../json/path.js";
import { atPointer } from "../../../json/json-pointer.js";
import type { Kind } from "../kind.js";
import { gatherTools } from "../openapi-tool-sets.js";
import { mapTools } from "../openapi-tools.js";
import { selectOperations } from "../operation-picks.js";
import { essenceOf, isBounded, outline, outlineBudget, type Operation } from "../../openapi/openapi.js";
import { isOutline } from "../../openapi/outline-shape.js";

const replacing = ["tool_set_name", "openapi_schema", "enhance_descriptions"];
const creationOnly = new Set(["provider_api_key"]);
const mappings = ["default_headers", "default_query_params", "default_body_params", "endpoint_defaults"];

/** A tool set (docs/reference/interface.md, 2.2, operations 2 and 3): one tool, and one ID, for each operation. */
export const toolset: Kind = {
  name: "toolset",
  document: "ToolSet",
  noun: ["tool set", "tool sets"],
  folder: "toolsets",
  title: "tool_set_name",
  prose: [],
  words: ["toolset", "toolsets", "tool", "tools"],
  validate,
  fields: fields.toolset,
  places: { tool_set_name: null },
  guards: false,
  holdsSecrets: true,
  create: { host: "base", method: "POST", path: "/v3/tools/" },
  unknownField: "error",
  replacedBy: replacing,
  creationOnly,
  judged: ["tool_set_name", "openapi_schema", "description", "enhance_descriptions"],
  outlined: ["openapi_schema"],
  select: selectOperations,
  outline(body) {
    const { openapi_schema } = body;
    if (!isObject(openapi_schema)) return { body, documents: {} };
    const budget = outlineBudget();
    const content = {
      body: { ...body, openapi_schema: outline(openapi_schema, budget) },
      documents: { openapi_schema },
    };
    return budget.isSpent ? { ...content, tooLarge: ["openapi_schema"] } : content;
  },
  essence({ openapi_schema, ...body }, { openapi_schema: other }) {
    if (!isOutline(openapi_schema)) return body;
    return { ...body, openapi_schema: essenceOf(openapi_schema, isOutline(other) ? other : undefined) };
  },
  isOutlined: ({ openapi_schema }) =>
    !isObject(openapi_schema) || (isOutline(openapi_schema) && isBounded(openapi_schema)),
  check: (body, place) => [...checkOpenapi(body, place), ...checkEnhancement(body, place)],
  operations: operationsIn,
  creation(body) {
    if (body.enhance_descriptions === true) return body;
    const { provider_api_key: _unused, ...rest } = body;
    return rest;
  },
  update({ ids = [] }, fields, body) {
    const sent = fields.filter((field) => !replacing.includes(field) && !creationOnly.has(field));
    if (sent.length === 0) return [];
    // What a deployment takes for a field that only it has is not known, such as a number.
    const removed = (field: string) => (mappings.includes(field) ? {} : null);
    const changed = Object.fromEntries(sent.map((field) => [field, body[field] ?? removed(field)]));
    return ids.map((id) => {
      return { host: "base", method: "PUT", path: `/v3/tools/${encodeURIComponent(id)}`, body: changed };
    });
  },
  // Some deployments name tools by their operations; a key seldom looks like one.
  isId: (text) => /^openapi-|_|[a-z][A-Z]/.test(text) && !/[\s${}:/]/.test(text),
  idFields: ["tool_id", "_id", "id"],
  // The stored name has a prefix (docs/reference/interface.md, 2.2).
  recognise({ tool_set_name: name, ...body }) {
    if (name === undefined) return body;
    return { tool_set_name: typeof name === "string" ? name.replace(/^openapi-/, "") : name, ...body };
  },
  gather: gatherTools,
  identify(answer, body, { idPointer, entryPointer, documentOrder }) {
    const ids = atPointer(answer, idPointer ?? "/tool_ids");
    const operations = operationsIn(body);
    // No tool at all of a document that has some is no answer to a create: an agent would lose all that it has of it.
    if (!Array.isArray(ids) || (ids.length === 0 && operations.length > 0)) return undefined;
    return mapTools(operations, ids, documentOrder, entryPointer);
  },
};

// What has no version is read as a document without operations, so a wrong file would give a set without tools.
function checkOpenapi({ openapi_schema: schema }: JsonObject, place: (...path: Path) => Place): Finding[] {
  if (isObject(schema) && (schema.openapi ?? schema.swagger ?? null) !== null) return [];
  if (typeof schema === "string" && /^\$\{[a-z][a-z0-9_]*:[^{}]*\}$/.test(schema)) return [];
  const isText = typeof schema === "string";
  const message = isText
    ? "`spec.openapi_schema` must be a mapping, not a text"
    : "`spec.openapi_schema` is not an OpenAPI document: it has neither `openapi` nor `swagger`";
  const hint = isText
    ? "include the document from a file whose name ends in `.json`, `.yaml` or `.yml`"
    : "include the file that begins with its version, such as `openapi: 3.1.0` or `swagger: '2.0'`";
  return [error("openapi-version-missing", place("openapi_schema"), message, hint)];
}

function checkEnhancement(body: JsonObject, place: (...path: Path) => Place): Finding[] {
  if (body.enhance_descriptions !== true || body.provider_api_key !== undefined) return [];
  const message = "`enhance_descriptions` needs `provider_api_key`, the key of the provider that enhances";
  const hint = "add `provider_api_key: ${env:NAME}`, or remove `enhance_descriptions`";
  return [error("document-missing-field", place("enhance_descriptions"), message, hint)];
}

// Bodies have outlines here; bodies from files were checked when they were read.
function operationsIn(body: JsonObject): Operation[] {
  const schema = body.openapi_schema;
  return isObject(schema) && Array.isArray(schema.operations)
    ? (schema.operations as unknown[] as Operation[])
    : [];
}
