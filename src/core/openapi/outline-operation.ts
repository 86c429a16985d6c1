import { compareText } from "../../json/compare-text.js";
import { oncePer } from "../../json/once.js";
import { pathSegment } from "../../json/path.js";
import {
  equal,
  filterMembers,
  isObject,
  listOf,
  mapMembers,
  type Json,
  type JsonObject,
} from "../../json/json.js";
import { type OutlineOperation, type OutlineParameter, wordKeys } from "./outline-shape.js";
import { addressesIn } from "./server-address.js";
import { METHODS, type OperationSource } from "./openapi-operation.js";
import { childOf, replacedIn, type Pointers } from "./openapi-pointer.js";
import { isOfAddress, outlineDemands, outlineServers, ownName, serverDepth } from "./outline-document.js";
import {
  isEmpty,
  keptMembers,
  keptText,
  keptValue,
  omit,
  pick,
  resolved,
  textOf,
  type OutlineValues,
} from "./outline-value.js";

function identityOf(parameter: JsonObject): { in: string; name: string } {
  // A reference that could not be followed still needs a unique name.
  if (typeof parameter.$ref === "string") return { in: "$ref", name: parameter.$ref };
  return { in: textOf(parameter.in), name: textOf(parameter.name) };
}

function nameOf(parameter: JsonObject): string {
  const identity = identityOf(parameter);
  return JSON.stringify([identity.in, identity.name]);
}

// What is of another type than it should be is a part of the digest, for a client may read it.
function isPlaced(key: string, value: Json | undefined): boolean {
  if (key === "in" || key === "name") return typeof value === "string";
  return key === "required" && typeof value === "boolean";
}

/** Makes a reader that digests each parameter object once, even if many operations share it. */
function buildParameterReader({ digest }: OutlineValues): (parameter: JsonObject) => OutlineParameter {
  return oncePer((parameter) => {
    const { in: place, name } = identityOf(parameter);
    const rest = filterMembers(parameter, (key, value) => !isPlaced(key, value));
    return { in: place, name, required: parameter.required === true, digest: digest(rest) };
  });
}

/** Gives the parameters of the operation and those that it inherits from the path, sorted, with `$ref`s followed. */
function parametersOf({ pathItem, content }: OperationSource, pointers: Pointers): JsonObject[] {
  const own = parametersIn(content.parameters, pointers);
  if (own.length <= 1 && pathItem.parameters === undefined) return own;
  const names = new Set(own.map(nameOf));
  const inherited = parametersIn(pathItem.parameters, pointers).filter((each) => !names.has(nameOf(each)));
  return [...inherited, ...own].toSorted((a, b) => {
    const [left, right] = [identityOf(a), identityOf(b)];
    return compareText(left.in, right.in) || compareText(left.name, right.name);
  });
}

// Whatever is no parameter is one without a name, so that a change of it is seen; what is there twice counts once.
function parametersIn(written: Json | undefined, pointers: Pointers): JsonObject[] {
  if (written === undefined) return [];
  const whole = pointers.end(written);
  // One that is in no list is none for some clients.
  const alone = isObject(whole) ? { value: whole } : whole;
  const items = Array.isArray(whole) ? whole.map((item) => pointers.end(item)) : [alone];
  const said = [...new Set(items)].filter((item) => item !== null);
  return said.map((item) => (isObject(item) ? item : { value: item }));
}

/** Gives what a path item says and all operations override, for a service may read it, and keys of no operation. */
export function outlineUnused(
  [first, ...others]: readonly [OperationSource, ...OperationSource[]],
  document: JsonObject,
  values: OutlineValues,
): JsonObject {
  const { pathItem } = first;
  // Most path items have operations alone.
  if (isEmpty(filterMembers(pathItem, (key, value) => !METHODS.has(key) || !isObject(value)))) return {};
  const contents = [first, ...others].map(({ content }) => content);
  const unused = filterMembers(pathItem, (key, value) =>
    METHODS.has(key)
      ? !isObject(value)
      : key !== "parameters" && contents.every((content) => content[key] !== undefined),
  );
  const servers = outlineServers(unused, document, values);
  const parameters = parametersIn(pathItem.parameters, values.pointers);
  const names = (parameters.length > 0 ? contents : []).map(
    (content) => new Set(parametersIn(content.parameters, values.pointers).map(nameOf)),
  );
  const replaced = parameters.filter((each) => names.every((own) => own.has(nameOf(each))));
  const kept = Object.entries(unused).map(([key, value]) => [
    // What a `$ref` has replaced is no reference.
    key === "$ref" && isObject(value) ? "$$ref" : key,
    keptValue(value, values),
  ]);
  return {
    ...(Object.fromEntries(kept) as JsonObject),
    ...(servers !== undefined && { servers }),
    ...(replaced.length > 0 && { parameters: values.digest(replaced) }),
  };
}

/** The addresses that an operation's callbacks are called at, by the name of the callback, with digests of their calls, and their own servers. */
function outlineCallbacks(callbacks: Json, values: OutlineValues): Json {
  const whole = values.pointers.end(callbacks);
  if (!isObject(whole)) return keptValue(whole, values);
  if (!takes(whole, values)) return null;
  return mapMembers(whole, (callback) => {
    const addresses = values.pointers.end(callback);
    if (!isObject(addresses)) return keptValue(addresses, values);
    if (!takes(addresses, values)) return null;
    return mapMembers(addresses, (called) => {
      const servers = calledServers(called, values);
      return servers.length > 0 ? { digest: values.digest(called), servers } : values.digest(called);
    });
  });
}

// As its path and its operations say them, below which a relative address is.
function calledServers(called: Json, values: OutlineValues): Json[] {
  const whole = values.pointers.end(called);
  const said = [whole, ...[...METHODS].map((method) => values.pointers.end(childOf(whole, method) ?? null))];
  return said.flatMap((each) => {
    const servers = childOf(each, "servers");
    return servers === undefined ? [] : listOf(resolved(servers, serverDepth, values));
  });
}

/** The servers of the links in an operation's responses, and operations at other addresses, by status and name of the link. */
function outlineLinks(responses: Json | undefined, values: OutlineValues) {
  const found: Record<"servers" | "operations", JsonObject> = { servers: {}, operations: {} };
  eachMember(responses, values, (response, status) => {
    eachMember(childOf(response, "links"), values, (link, name) => {
      for (const [said, mark] of [
        [link, ""],
        [replacedIn(link), " $ref"],
      ] as const) {
        const key = `${pathSegment(status)} ${pathSegment(name)}${mark}`;
        const server = childOf(said, "server");
        if (server !== undefined) found.servers[key] = keptMembers(server, 3, values);
        // An operation of another document, which says where it is called.
        const other = textOf(childOf(said, "operationRef"));
        if (other !== "" && addressesIn(other).some(({ host }) => host !== ""))
          found.operations[key] = keptText(other, values);
      }
    });
  });
  return found;
}

function eachMember(
  value: Json | undefined,
  values: OutlineValues,
  visit: (member: Json, key: string) => void,
): void {
  const whole = values.pointers.end(value ?? null);
  if (!isObject(whole) || !takes(whole, values)) return;
  for (const key in whole) visit(values.pointers.end(whole[key] as Json), key);
}

// Many operations may refer to what has many members.
function takes(whole: JsonObject, { budget }: OutlineValues): boolean {
  return budget.spend(MEMBER_COST * Object.keys(whole).length);
}

const PLACED_KEYS: ReadonlySet<string> = new Set([
  "operationId",
  "parameters",
  "requestBody",
  "responses",
  ...wordKeys,
  "servers",
  "schemes",
  "security",
  "callbacks",
]);

const ownKeys: ReadonlySet<string> = new Set([
  "method",
  "path",
  "operationId",
  "request_body",
  "link_servers",
  "link_operations",
]);

// What is no text says nothing here, but may for a service.
function isOdd(key: string, value: Json): boolean {
  if (key === "schemes") return !isOfAddress(key, value);
  return key === "operationId" && value !== null && typeof value !== "string";
}

const PARAMETER_COST = 200;
const MEMBER_COST = 48;

/** Makes what outlines the operations of one document: what they do not say, their path item and the document do. */
export function buildOperationOutliner(document: JsonObject, values: OutlineValues) {
  const { digest, pointers, budget } = values;
  // Of Swagger 2.0.
  const defaults = pick(document, ["consumes", "produces"]);
  const ofAll = outlineServers(document, document, values);
  const ofAllDemands = outlineDemands(document.security ?? [], values);
  const readParameter = buildParameterReader(values);
  return (source: OperationSource): OutlineOperation => {
    const { requestBody, responses } = source.content;
    const shared = { ...defaults, ...omit(source.pathItem, METHODS) };
    const all = isEmpty(shared) ? { ...source.content } : { ...shared, ...source.content };
    const parameters = parametersOf(source, pointers);
    budget.spend(MEMBER_COST * Object.keys(all).length);
    budget.spend(parameters.reduce((sum, each) => sum + PARAMETER_COST + identityOf(each).name.length, 0));
    const bodies = requestBody === undefined ? [] : [requestBody];
    const others: OutlineParameter[] = [];
    for (const parameter of parameters) {
      if (parameter.in === "body") bodies.push(parameter);
      else others.push(readParameter(parameter));
    }
    const servers = outlineServers(all, document, values);
    const links = outlineLinks(responses, values);
    const { method, path, operationId } = source.operation;
    const outlined: OutlineOperation = { method, path };
    if (operationId !== undefined) outlined.operationId = operationId;
    if (others.length > 0) outlined.parameters = others;
    if (bodies.length > 0) outlined.request_body = digest(bodies.length === 1 ? (bodies[0] ?? null) : bodies);
    if (responses !== undefined) outlined.responses = digest(responses);
    for (const key of wordKeys) if (all[key] !== undefined) outlined[key] = described(all[key], values);
    if (servers !== undefined && !equal(servers, ofAll)) outlined.servers = servers;
    const demands = all.security === undefined ? undefined : outlineDemands(all.security, values);
    if (demands !== undefined && !equal(demands ?? [], ofAllDemands ?? [])) outlined.security = demands;
    if (all.callbacks !== undefined) outlined.callbacks = outlineCallbacks(all.callbacks, values);
    if (!isEmpty(links.servers)) outlined.link_servers = links.servers;
    if (!isEmpty(links.operations)) outlined.link_operations = links.operations;
    const unplaced = filterMembers(all, (key, value) => !PLACED_KEYS.has(key) || isOdd(key, value));
    if (isEmpty(unplaced)) return outlined;
    const rest = Object.entries(unplaced).map(([key, value]) => [
      ownName(key, ownKeys),
      keptValue(value, values),
    ]);
    return { ...outlined, ...Object.fromEntries(rest) } as OutlineOperation;
  };
}

function described(text: Json, values: OutlineValues): string {
  return typeof text === "string" ? keptText(text, values) : values.digest(text);
}
