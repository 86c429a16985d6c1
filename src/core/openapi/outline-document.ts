import {
  equal,
  filterMembers,
  isObject,
  mapMembers,
  member,
  type Json,
  type JsonObject,
} from "../../json/json.js";
import { areTexts } from "../../json/texts.js";
import type { OutlineSecurity } from "./outline-shape.js";
import { childOf, pointerTo, type PointedValue } from "./openapi-pointer.js";
import {
  isEmpty,
  keptMembers,
  keptValue,
  omit,
  resolved,
  textOf,
  type OutlineValues,
} from "./outline-value.js";

/** How deep servers say something: themselves, their members, and what the variables of one say. */
export const serverDepth = 4;
const schemeDepth = 3;
// Alternatives, what each demands, and scopes.
const demandDepth = 3;

/** Gives the servers that a place says, those of Swagger 2.0's keys too; with schemes but no host they are relative. */
export function outlineServers(
  said: JsonObject,
  document: JsonObject,
  values: OutlineValues,
): Json | undefined {
  const own = said.servers === undefined ? undefined : resolved(said.servers, serverDepth, values);
  const hasOwn = said === document || said.schemes !== undefined;
  const swagger = hasOwn ? swaggerServers(said, document, values) : [];
  if (swagger.length === 0) return own;
  return Array.isArray(own) ? [...own, ...swagger] : own === undefined ? swagger : [own, ...swagger];
}

// A document of a later version has no such keys; one that has them may be read by them.
function swaggerServers(said: JsonObject, document: JsonObject, values: OutlineValues): Json[] {
  if ((said.schemes ?? document.host ?? document.basePath) === undefined) return [];
  const read = (value: Json | undefined): Json => resolved(value ?? null, 1, values);
  const [host, basePath] = [read(document.host), read(document.basePath)];
  const names = [read(said.schemes)].flat().filter((scheme) => typeof scheme === "string");
  const path = basePath === "/" ? "" : textOf(basePath);
  if (typeof host !== "string") {
    if (names.length > 0) return [{ url: path, schemes: names }];
    return path === "" ? [] : [{ url: path }];
  }
  return names.length === 0
    ? [{ url: `//${host}${path}` }]
    : names.map((name) => ({ url: `${name}://${host}${path}` }));
}

/** Gives the security of a document: its requirements, and its schemes with where their keys and tokens go. */
export function outlineSecurity(document: JsonObject, values: OutlineValues): OutlineSecurity | undefined {
  const components = values.pointers.end(document.components ?? null);
  const schemes = [document.securityDefinitions, childOf(components, "securitySchemes")].filter(
    (each) => each !== undefined,
  );
  const security: OutlineSecurity = {};
  if (document.security !== undefined) security.requirements = outlineDemands(document.security, values);
  if (schemes.length > 0)
    security.schemes = schemes.map((each) => keptSchemes(each, values)).reduce(withSchemes);
  return isEmpty(security) ? undefined : security;
}

// What has the name of another one stays with it, like what a sibling of a `$ref` has replaced.
function withSchemes(schemes: JsonObject, others: JsonObject): JsonObject {
  const both = mapMembers(others, (scheme, name) => {
    const replaced = member(schemes, name);
    if (replaced === undefined || equal(replaced, scheme)) return scheme;
    return isObject(scheme) && scheme.$ref === undefined ? { ...scheme, $ref: replaced } : [scheme, replaced];
  });
  return { ...schemes, ...both };
}

/** Gives the security requirements that a document or an operation says. */
export function outlineDemands(requirements: Json, values: OutlineValues): Json {
  return resolved(requirements, demandDepth, values);
}

function keptSchemes(schemes: Json, values: OutlineValues): JsonObject {
  const whole = keptMembers(schemes, 1 + schemeDepth, values);
  return isObject(whole) ? whole : { $ref: whole };
}

const placed: ReadonlySet<string> = new Set([
  "paths",
  "servers",
  "security",
  "securityDefinitions",
  "components",
  "tags",
]);

/** Whether a key of Swagger 2.0 says a part of the addresses of calls; of another type, only some client may read it. */
export function isOfAddress(key: string, value: Json): boolean {
  if (key === "schemes") return areTexts(value);
  return (key === "host" || key === "basePath") && typeof value === "string";
}

/** The members of a Swagger 2.0 document that hold what operations refer to. */
const sections: ReadonlySet<string> = new Set(["definitions", "parameters", "responses"]);

/** Gives what else a document says; only ways out of it and what is reached by a name make a tool set anew. */
export function outlineRest(
  document: JsonObject,
  outlined: ReadonlyMap<string, JsonObject>,
  used: ReadonlySet<PointedValue>,
  values: OutlineValues,
): JsonObject {
  const unused = (things: Json, path: readonly string[]): Json => {
    if (!isObject(things)) return keptValue(things, values);
    const names = Object.keys(things).filter((name) => {
      const place = values.pointers.locate(pointerTo([...path, name]));
      return place === undefined || !used.has(place);
    });
    return Object.fromEntries(names.map((name) => [name, values.digest(things[name] ?? null)]));
  };
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(document)) {
    if (placed.has(key) || isOfAddress(key, value)) continue;
    const kept = sections.has(key) ? unused(value, [key]) : keptMembers(value, 1, values);
    if (!sections.has(key) || !isObject(kept) || !isEmpty(kept)) rest[ownName(key, outlineKeys)] = kept;
  }
  const { components, paths, tags } = document;
  if (isObject(paths)) {
    const kept = mapMembers(paths, (item, path) => outlined.get(path) ?? keptPath(item, values));
    const said = filterMembers(
      kept,
      (path, item) => !outlined.has(path) || (isObject(item) && !isEmpty(item)),
    );
    if (!isEmpty(said)) rest.paths = said;
  } else if (paths !== undefined) rest.paths = keptMembers(paths, 2, values);
  const parts = isObject(components) ? omit(components, schemeSection) : {};
  const left = mapMembers(parts, (things, section) => unused(things, ["components", section]));
  const lasting = filterMembers(left, (_section, things) => !isObject(things) || !isEmpty(things));
  if (!isEmpty(lasting)) rest.components = lasting;
  else if (components !== undefined && !isObject(components)) rest.components = keptValue(components, values);
  if (tags !== undefined) rest.tags = keptTags(tags, values);
  return rest;
}

// Through other references, one may lead out of the document at last.
function keptPath(item: Json, values: OutlineValues): Json {
  const isLost = isObject(item) && item.$ref !== undefined && !values.pointers.follow(item);
  return isLost && !leadsOut(item) ? { $ref: values.digest(item) } : keptMembers(item, 1, values);
}

/** Whether a value is a reference that leads out of its document. */
export function leadsOut(value: Json | undefined): boolean {
  const ref = childOf(value, "$ref");
  return typeof ref === "string" && !ref.startsWith("#");
}

/** Gives the paths behind references that agentform does not follow, and a service may: for it, they are tools. */
export function unfollowedPaths(paths: Json | undefined): JsonObject | undefined {
  if (!isObject(paths)) return undefined;
  const found = Object.entries(paths).filter(
    ([path, item]) => !path.startsWith("x-") && childOf(item, "$ref"),
  );
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

const schemeSection: ReadonlySet<string> = new Set(["securitySchemes"]);

function keptTags(tags: Json, values: OutlineValues): Json {
  if (!Array.isArray(tags) || !tags.every(isObject)) return keptMembers(tags, 1, values);
  return tags.map((tag) => mapMembers(tag, (member) => keptValue(member, values)));
}

const outlineKeys: ReadonlySet<string> = new Set(["operations", "by_name", "secrets_in_digests"]);

/** Gives the name of a document's key in an outline, which has some keys of its own. */
export function ownName(key: string, taken: ReadonlySet<string>): string {
  return taken.has(key.replace(/^\$+/, "")) ? `$${key}` : key;
}
