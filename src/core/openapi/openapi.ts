import { Budget } from "../../json/budget.js";
import { isObject, listOf, type Json, type JsonObject } from "../../json/json.js";
import { buildDigest } from "./openapi-digest.js";
import { operationSources, routeOf, type Operation, type OperationSource } from "./openapi-operation.js";
import { Pointers, valueIn, parsePointer, pointerTo } from "./openapi-pointer.js";
import { outlineRest, outlineSecurity, outlineServers, unfollowedPaths } from "./outline-document.js";
import { buildOperationOutliner, outlineUnused } from "./outline-operation.js";
import { type OperationWords, type Outline, type OutlineOperation, wordsOf } from "./outline-shape.js";
import { addressWork } from "./server-address.js";
import { isEmpty, omit, pick } from "./outline-value.js";
import { groupBy } from "../../json/groups.js";
import { compareText } from "../../json/compare-text.js";
import { hasText, visitTexts } from "../../json/texts.js";
import { OpenApiReach, SECTIONS } from "./openapi-reach.js";
import { thingsIn } from "./schema-names.js";

export { indexOperations, operationKeys, type Operation, type OperationIndex } from "./openapi-operation.js";
export { externalReferences } from "./openapi-pointer.js";
export type { Outline, OutlineOperation } from "./outline-shape.js";

// A text of a document counts once, even if it is used often: most are used once, and files have at most 32 MB.
const WORK_LIMIT = 128 * 1024 * 1024;

/** Gives the limit of work for an outline. */
export function outlineBudget(): Budget {
  return new Budget(WORK_LIMIT);
}

/** Gives the same for the look for some operations, of which a part counts for the workspace: it compares texts alone. */
export function pickBudget(all?: Pick<Budget, "spend" | "isSpent">): Budget {
  return new Budget(WORK_LIMIT, all, 1 / 32);
}

/** Lists the operations of an OpenAPI 3 or Swagger 2.0 document in document order; empty if there are none. */
export function operationsOf(document: Json): Operation[] {
  const pointers = new Pointers(document, outlineBudget());
  return operationSources(document, pointers).map(({ operation }) => operation);
}

/** Gives what each operation says of itself, whole, by `METHOD /path`. */
export function descriptionsOf(document: Json | undefined): Map<string, OperationWords> {
  const pointers = new Pointers(document ?? null, outlineBudget());
  return new Map(
    operationSources(document ?? null, pointers).map(({ operation, pathItem, content }) => [
      routeOf(operation),
      wordsOf({ ...pathItem, ...content }),
    ]),
  );
}

/** Makes an outline, the same for another order of keys or names of components; incomplete at the limit of work. */
export function outline(document: Json, budget: Budget = outlineBudget()): Outline {
  if (!isObject(document)) return { operations: [] };
  const pointers = new Pointers(document, budget);
  const values = { digest: buildDigest(pointers, budget), pointers, budget };
  const outlineOperation = buildOperationOutliner(document, values);
  const operations: OutlineOperation[] = [];
  const sources = operationSources(document, pointers);
  for (const source of sources) {
    if (budget.isSpent) break;
    operations.push(outlineOperation(source));
  }
  const servers = outlineServers(document, document, values);
  const security = outlineSecurity(document, values);
  // Before what no operation says: a part that only that leads to has its own digest, for operations may reach it by name.
  const used = pointers.located();
  const unused = new Map<string, JsonObject>();
  for (const [path, [first, ...others]] of groupBy(sources, ({ operation }) => operation.path)) {
    if (budget.isSpent || first === undefined) break;
    unused.set(path, outlineUnused([first, ...others], document, values));
  }
  const whole: JsonObject = outlineRest(document, unused, used, values);
  const named = namedParts(document, sources, whole, pointers);
  if (named.length > 0) whole.by_name = named;
  if (servers !== undefined) whole.servers = servers;
  if (security !== undefined) whole.security = security;
  whole.operations = operations;
  isBounded(whole as Outline, budget);
  const secrets = unseenSecrets(document, whole);
  if (secrets.length > 0) whole.secrets_in_digests = secrets;
  return whole as Outline;
}

const secretVariable = /(?<!\$)\$\{env:(?![-=?+])[^{}\n]*\}/g;

// A document is sent with the values of these, and a digest does not say that.
function unseenSecrets(document: JsonObject, outlined: JsonObject): string[] {
  // Most have none.
  if (!hasText(document, (text) => text.includes("${env:"))) return [];
  const seen = secretsIn(outlined);
  return [...secretsIn(document)].filter((secret) => !seen.has(secret)).toSorted(compareText);
}

function secretsIn(value: Json): Set<string> {
  const found = new Set<string>();
  visitTexts(value, [], (text) => {
    for (const [secret] of text.matchAll(secretVariable)) found.add(secret);
  });
  return found;
}

// To compare a demand with the others of its operation.
const demandCost = 256;

/** Whether reading calls and keys of an outline is bounded work: a lock may have one from anybody. */
export function isBounded(outlined: Outline, budget: Budget = outlineBudget()): boolean {
  const { servers, security, operations } = outlined;
  const count = operations.length;
  const work = addressWork(servers, count) + count * demandCost * listOf(security?.requirements).length;
  return (
    budget.spend(work) &&
    operations.every(
      ({ servers: own, link_servers: links, callbacks }) =>
        (own === undefined && links === undefined && callbacks === undefined) ||
        [own, ...membersOf(links), ...membersOf(callbacks).flatMap(membersOf).map(serversOf)].every((each) =>
          budget.spend(addressWork(each)),
        ),
    )
  );
}

function membersOf(value: Json | undefined): Json[] {
  return isObject(value) ? Object.values(value) : [];
}

function serversOf(called: Json): Json | undefined {
  return isObject(called) ? called.servers : undefined;
}

/** Gives an outline without what is no reason to make a tool set anew, such as title, version or tags. */
export function essenceOf(outline: Outline, other: Outline = outline): JsonObject {
  const paths = unfollowedPaths(outline.paths);
  const named = partsOf(outline, [...(outline.by_name ?? []), ...(other.by_name ?? [])]);
  return { ...ownEssenceOf(outline), ...(paths && { paths }), ...(!isEmpty(named) && { by_name: named }) };
}

function ownEssenceOf({ $self, servers, security, operations }: Outline): Outline {
  return {
    ...($self !== undefined && { $self }),
    ...(servers !== undefined && { servers }),
    ...(security !== undefined && { security }),
    operations: operations.map((operation) => omit(operation, unessential) as OutlineOperation),
  };
}

/** Gives an outline with another's inessential parts, and its ways out, which a service may have followed. */
export function withEssence(outline: Outline, other: Outline): Outline {
  const others = new Map(other.operations.map((each) => [routeOf(each), pick(each, [...unessential])]));
  const { operations, ...essence } = ownEssenceOf(outline);
  const named = [...(outline.by_name ?? []), ...(other.by_name ?? [])];
  return {
    ...omit(withPartsOf(other, outline, named), essentialKeys),
    ...essence,
    operations: operations.map((each) => ({ ...each, ...others.get(routeOf(each)) })),
  };
}

// What links lead to is in the digest of the responses, too.
const unessential: ReadonlySet<string> = new Set(["tags", "link_operations"]);
const essentialKeys: ReadonlySet<string> = new Set(["$self", "servers", "security", "operations"]);

/** How deep lies what has a digest of its own in an outline, because no `$ref` of an operation leads to it. */
const depths: ReadonlyMap<string, number> = new Map(
  [...SECTIONS].filter(([section]) => section !== "securityDefinitions" && section !== "webhooks"),
);

/** Gives what operations mean without a `$ref` to it, such as subtypes of a discriminator and anchors. */
function namedParts(
  document: JsonObject,
  sources: readonly OperationSource[],
  rest: JsonObject,
  pointers: Pointers,
): string[] {
  const parts = [...thingsIn(rest, depths)].map(({ path }) => path);
  if (parts.length === 0) return [];
  const items = new Map(sources.map(({ operation, pathItem }) => [operation.path, pathItem]));
  const { kept } = new OpenApiReach(document, items, pointers);
  const named = parts.filter((path) => kept.has(path)).map(pointerTo);
  return named.toSorted(compareText);
}

/** Gives the parts of an outline that some pointers lead to, by pointer; without those that it does not have. */
function partsOf(outline: Outline, names: readonly string[]): JsonObject {
  const found = names.flatMap((name) => {
    const path = parsePointer(name);
    const part = path && valueIn(outline, path);
    return part === undefined ? [] : [[name, part] as const];
  });
  return Object.fromEntries(found);
}

/** Gives an outline with the parts that some pointers lead to as another one has them, as far as it has them at all. */
function withPartsOf(outline: Outline, other: Outline, names: readonly string[]): Outline {
  const parts = Object.entries(partsOf(other, names));
  return parts.reduce<JsonObject>((whole, [name, part]) => replaced(whole, parsePointer(name) ?? [], part), {
    ...outline,
  }) as Outline;
}

function replaced(value: JsonObject, [key, ...rest]: readonly string[], part: Json): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inside = value[key] ?? null;
  if (rest.length === 0) return { ...value, [key]: part };
  return isObject(inside) ? { ...value, [key]: replaced(inside, rest, part) } : value;
}
