import { compareText } from "../../json/compare-text.js";
import { oncePer } from "../../json/once.js";
import { Budget } from "../../json/budget.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { buildDigest, type Digest } from "./openapi-digest.js";
import {
  METHODS,
  operationSources,
  routeOf,
  type Operation,
  type OperationSource,
} from "./openapi-operation.js";
import { Pointers } from "./openapi-pointer.js";

export {
  findOperation,
  indexOperations,
  operationKeys,
  type Operation,
  type OperationIndex,
} from "./openapi-operation.js";
export { externalReferences } from "./openapi-pointer.js";

/**
 * A parameter; the digest covers everything except `in`, `name` and `required`. One whose `$ref` leads to no object
 * of the document has `in: "$ref"` and the reference as its name.
 */
export type OutlineParameter = {
  in: string;
  name: string;
  required: boolean;
  digest: string;
};

/**
 * One operation of an outline. It includes what the path item says, unless the operation says otherwise.
 * All but method, path, operationId and parameters are digests (64 hexadecimal digits), absent if there is
 * nothing to digest: `description` of summary and description, `rest` of everything that has no key here, without tags.
 */
export type OutlineOperation = {
  method: string;
  path: string;
  operationId?: string;
  parameters?: OutlineParameter[];
  request_body?: string;
  responses?: string;
  description?: string;
  rest?: string;
};

/** The security of a document: the top-level requirements, and a digest of the schemes. */
export type OutlineSecurity = {
  requirements?: Json;
  schemes?: string;
};

/** The part of an OpenAPI document that the lock keeps: its operations in document order, local `$ref`s resolved. */
export type Outline = {
  servers?: Json;
  security?: OutlineSecurity;
  operations: OutlineOperation[];
};

type ParameterReader = (parameter: JsonObject) => OutlineParameter;

function omit(object: JsonObject, keys: ReadonlySet<string>): JsonObject {
  const kept = Object.keys(object).filter((key) => !keys.has(key));
  return pick(object, kept);
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const present = keys.filter((key) => object[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, object[key] as Json]));
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function outlineServers(document: JsonObject): Json | undefined {
  if (document.swagger === undefined) return document.servers;
  const { schemes, host, basePath } = document;
  const names = Array.isArray(schemes) ? schemes.filter((scheme) => typeof scheme === "string") : [];
  const path = basePath === "/" ? "" : textOf(basePath);
  if (typeof host !== "string") return path === "" && names.length === 0 ? undefined : [{ url: path }];
  return names.length === 0
    ? [{ url: `//${host}${path}` }]
    : names.map((name) => ({ url: `${name}://${host}${path}` }));
}

function outlineSecurity(document: JsonObject, digest: Digest): OutlineSecurity | undefined {
  const components = isObject(document.components) ? document.components : {};
  const schemes = document.swagger === undefined ? components.securitySchemes : document.securityDefinitions;
  const security: OutlineSecurity = {};
  if (document.security !== undefined) security.requirements = document.security;
  if (schemes !== undefined) security.schemes = digest(schemes);
  return isEmpty(security) ? undefined : security;
}

const PARAMETER_KEYS: ReadonlySet<string> = new Set(["in", "name", "required"]);

function identityOf(parameter: JsonObject): { in: string; name: string } {
  // A reference that could not be followed still needs a unique name.
  if (typeof parameter.$ref === "string") return { in: "$ref", name: parameter.$ref };
  return { in: textOf(parameter.in), name: textOf(parameter.name) };
}

/** Makes a reader that digests each parameter object once, even if many operations share it. */
function buildParameterReader(digest: Digest): ParameterReader {
  return oncePer((parameter) => ({
    ...identityOf(parameter),
    required: parameter.required === true,
    digest: digest(omit(parameter, PARAMETER_KEYS)),
  }));
}

/** Gives the parameters of the operation and those that it inherits from the path, sorted, with `$ref`s followed. */
function parametersOf({ pathItem, content }: OperationSource, pointers: Pointers): JsonObject[] {
  const byIdentity = new Map<string, JsonObject>();
  for (const list of [pathItem.parameters, content.parameters]) {
    for (const item of Array.isArray(list) ? list : []) {
      if (!isObject(item)) continue;
      const parameter = pointers.follow(item) ?? item;
      const identity = identityOf(parameter);
      byIdentity.set(JSON.stringify([identity.in, identity.name]), parameter);
    }
  }
  return [...byIdentity.values()].toSorted((a, b) => {
    const [left, right] = [identityOf(a), identityOf(b)];
    return compareText(left.in, right.in) || compareText(left.name, right.name);
  });
}

/** The top-level values of Swagger 2.0 that apply to every operation that does not set them. */
function outlineDefaults(document: JsonObject): JsonObject {
  return document.swagger === undefined ? {} : pick(document, ["consumes", "produces"]);
}

const PLACED_KEYS: ReadonlySet<string> = new Set([
  "tags",
  "operationId",
  "parameters",
  "requestBody",
  "responses",
  "summary",
  "description",
]);

const PARAMETER_COST = 200;
const MEMBER_COST = 48;

function buildOperationOutliner(document: JsonObject, digest: Digest, pointers: Pointers, budget: Budget) {
  const defaults = outlineDefaults(document);
  const readParameter = buildParameterReader(digest);
  return (source: OperationSource): OutlineOperation => {
    const outlined: OutlineOperation = { ...source.operation };
    const { requestBody, responses } = source.content;
    const all = { ...defaults, ...omit(source.pathItem, METHODS), ...source.content };
    const parameters = parametersOf(source, pointers);
    budget.spend(MEMBER_COST * Object.keys(all).length);
    budget.spend(parameters.reduce((sum, each) => sum + PARAMETER_COST + identityOf(each).name.length, 0));
    const isBody = (parameter: JsonObject): boolean => parameter.in === "body";
    const bodies = [...(requestBody === undefined ? [] : [requestBody]), ...parameters.filter(isBody)];
    const others = parameters.filter((parameter) => !isBody(parameter)).map(readParameter);
    const description = pick(all, ["summary", "description"]);
    const rest = omit(all, PLACED_KEYS);
    if (others.length > 0) outlined.parameters = others;
    if (bodies.length > 0) outlined.request_body = digest(bodies.length === 1 ? (bodies[0] ?? null) : bodies);
    if (responses !== undefined) outlined.responses = digest(responses);
    if (!isEmpty(description)) outlined.description = digest(description);
    if (!isEmpty(rest)) outlined.rest = digest(rest);
    return outlined;
  };
}

// A text of a document counts once, even if it is used often: most are used once, and files have at most 32 MB.
const WORK_LIMIT = 128 * 1024 * 1024;

/** Gives the limit of work for an outline. */
export function outlineBudget(): Budget {
  return new Budget(WORK_LIMIT);
}

/** Lists the operations of an OpenAPI 3 or Swagger 2.0 document in document order; empty if there are none. */
export function operationsOf(document: Json): Operation[] {
  const pointers = new Pointers(document, outlineBudget());
  return operationSources(document, pointers).map(({ operation }) => operation);
}

/** Gives the summary and description of each operation that has any, by `METHOD /path`. */
export function descriptionsOf(document: Json | undefined): Map<string, string> {
  const pointers = new Pointers(document ?? null, outlineBudget());
  return new Map(
    operationSources(document ?? null, pointers).flatMap(({ operation, pathItem, content }) => {
      const { summary, description } = { ...pathItem, ...content };
      const texts = [summary, description].map(textOf).filter((text) => text !== "");
      return texts.length > 0 ? [[routeOf(operation), texts.join(": ")] as const] : [];
    }),
  );
}

/**
 * Makes the outline of an OpenAPI 3 or Swagger 2.0 document. Documents that differ only in the order of keys,
 * in formatting, or in the names of components that do not contain themselves have the same outline.
 * If the limit of work is reached, it is incomplete.
 */
export function outline(document: Json, budget: Budget = outlineBudget()): Outline {
  if (!isObject(document)) return { operations: [] };
  const pointers = new Pointers(document, budget);
  const digest = buildDigest(pointers, budget);
  const outlineOperation = buildOperationOutliner(document, digest, pointers, budget);
  const operations: OutlineOperation[] = [];
  for (const source of operationSources(document, pointers)) {
    if (budget.isSpent) break;
    operations.push(outlineOperation(source));
  }
  const servers = outlineServers(document);
  const security = outlineSecurity(document, digest);
  return {
    ...(servers === undefined ? {} : { servers }),
    ...(security === undefined ? {} : { security }),
    operations,
  };
}
