import {
  type Json,
  listOf,
  canonical,
  equal,
  isObject,
  type JsonObject,
  mapMembers,
  member,
} from "../../json/json.js";
import { groupBy } from "../../json/groups.js";
import { oncePer } from "../../json/once.js";
import { referencesIn, referencesInText } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { policyReferences } from "./agent-features.js";
import { featuresGained } from "./agent-policy.js";
import { higherIn, mentionRank, type Mention } from "./mention.js";
import { sortOperations, type SortedOperations } from "./operations.js";
import type { Remark, RemarkOf, Side, Subject } from "./rule.js";
import { compareText } from "../../json/compare-text.js";
import { pathSegment } from "../../json/path.js";
import { parseText } from "../expression/expression.js";
import {
  holdsSecret,
  isSameValue,
  leafOf,
  othersOf,
  pairsOf,
  type DefaultPair,
  type Leaf,
} from "./default-value.js";
import { turnOf, type ToolsOfSet } from "./note-parts.js";

/** Finds new tools of an agent that read, and features of new types. */
export function toolsGained(subject: Subject): RemarkOf<"tool-gained">[] {
  const features = featuresGained(subject);
  return [
    ...gainedOf(subject, "reading"),
    ...(features.length === 0 ? [] : [{ path: "features", parts: { features } }]),
  ];
}

const toolFields = ["tools", "tool"];

/** The fields of an agent in which an item that is a text may be the ID of what it reaches. */
const idFields: ReadonlySet<string> = new Set([...toolFields, "managed_agents"]);

/** Gives what an agent has as tools without a reference, such as IDs: what these do is not known here. */
export function unknownToolsIn(body: JsonObject): string[] {
  const items = toolFields.flatMap((field) => listOf(body[field]));
  const unknown = items.filter((item) => item !== "" && referencesIn([item]).length === 0);
  return unknown.map((item) => (typeof item === "string" ? item : canonical(item)));
}

/** Finds new tools of an agent that write, or of which nothing but an ID is known. */
export function writingToolsGained(subject: Subject): RemarkOf<"writing-tool-gained">[] {
  return orNew<"writing-tool-gained">(subject, () => [
    ...gainedOf(subject, "writing"),
    ...toolFields.flatMap((field) => {
      const tools = literalsGained(subject, field);
      return tools.length === 0 ? [] : [{ path: field, parts: { tools } }];
    }),
  ]);
}

// Of a new agent it is all that it comes with, unless everything is new.
function orNew<Key extends "writing-tool-gained" | "agent-gained">(
  { isNew, isBegun }: Subject,
  find: () => RemarkOf<Key>[],
): RemarkOf<Key>[] {
  if (!isNew) return find();
  return isBegun ? find().map((remark) => ({ ...remark, parts: { ...remark.parts, new: true } })) : [];
}

function gainedOf(subject: Subject, sort: keyof SortedOperations): Remark<ToolsOfSet>[] {
  return gained(subject).flatMap(({ toolset, field, [sort]: operations }) =>
    operations.length === 0 ? [] : [{ path: field, parts: { toolset, operations } }],
  );
}

/** Finds further agents that an agent refers to, or has the IDs of. */
export function agentsGained(subject: Subject): RemarkOf<"agent-gained">[] {
  const { before, after } = subject;
  return orNew<"agent-gained">(subject, () => {
    const referred = higherIn(after.mentions(), before.mentions(), "agent").map(({ reference, field }) => ({
      path: field,
      reference: reference.text,
      parts: { agent: reference.text },
    }));
    const agents = literalsGained(subject, "managed_agents");
    return agents.length === 0 ? referred : [...referred, { path: "managed_agents", parts: { agents } }];
  });
}

interface Gain extends SortedOperations {
  readonly toolset: string;
  readonly field: string;
}

// For two rules.
const gained = oncePer((subject: Subject): readonly Gain[] => {
  const before = reachOf(subject.before);
  return [...reachOf(subject.after)].flatMap(([toolset, reach]) =>
    newIn(toolset, reach, before.get(toolset), subject),
  );
});

function newIn(toolset: string, reach: Reach, before: Reach | undefined, subject: Subject): Gain[] {
  // The growth of a set is computed once for all agents that have the whole set.
  if (reach.whole?.alone && before?.whole?.alone)
    return [{ toolset, field: reach.whole.field, ...subject.added(toolset) }];
  const { all } = subject.after.operations(toolset);
  const had = subject.before.operations(toolset).all;
  const routes = new Set([...(reach.whole ? all.keys() : []), ...reach.single.keys()]);
  const fresh = [...routes].filter(
    (route) => mentionRank(holding(reach, route, all)) > mentionRank(before && holding(before, route, had)),
  );
  const fieldOf = (route: string) => holding(reach, route, all)?.field ?? "";
  const edited = fresh.map(fieldOf).find((field) => subject.changed.has(field));
  // What comes with the growth of a set is told with what was edited, if anything was.
  const placeOf = (field: string) => (subject.changed.has(field) ? field : (edited ?? field));
  return [...groupBy(fresh, (route) => placeOf(fieldOf(route)))].map(([field, found]) => {
    const operations = found.map((route) => all.get(route) ?? { named: { name: route }, writes: false });
    return { toolset, field, ...sortOperations(operations) };
  });
}

/** Gives the mention of an operation that ranks highest. */
function holding(reach: Reach, route: string, all: { has(route: string): boolean }): Mention | undefined {
  return higher(all.has(route) ? reach.whole : undefined, reach.single.get(route));
}

/** The part of one tool set that an agent has. */
interface Reach {
  whole?: Mention;
  /** What holds single operations, by `METHOD /path`. */
  readonly single: Map<string, Mention>;
}

function reachOf({ mentions, operations }: Side): Map<string, Reach> {
  const reached = new Map<string, Reach>();
  for (const mention of mentions().values()) {
    const { address, operation } = mention.reference;
    if (!isOfKind(address, "toolset")) continue;
    const reach = reached.get(address) ?? { single: new Map<string, Mention>() };
    reached.set(address, reach);
    if (operation === undefined) reach.whole = mention;
    else hold(reach, operations(address).routeOf(operation), mention);
  }
  return reached;
}

function hold({ single }: Reach, route: string, mention: Mention): void {
  single.set(route, higher(single.get(route), mention) ?? mention);
}

function higher(one: Mention | undefined, other: Mention | undefined): Mention | undefined {
  return mentionRank(other) > mentionRank(one) ? other : one;
}

function literalsGained({ before, after, changed }: Subject, field: string): string[] {
  if (!changed.has(field)) return [];
  const known = new Set(literalsIn(before.body, field));
  return [...new Set(literalsIn(after.body, field))].filter((text) => !known.has(text));
}

function literalsIn(body: JsonObject, field: string): string[] {
  const isText = (item: Json): item is string => typeof item === "string" && item !== "";
  return listOf(body[field])
    .filter(isText)
    .filter((text) => referencesInText(text).length === 0);
}

/** Finds changed settings of an agent that no other rule knows: any may switch off what guards it. */
export function agentSettingsChanged(subject: Subject): RemarkOf<"policy-setting-changed">[] {
  const { before, after, changed } = subject;
  const isOther = othersOf(subject);
  const found = [...changed].filter(isOther).flatMap((field): Pick<DefaultPair, "path" | "was" | "is">[] => {
    const [was, is] = [before, after].map(({ body }) => wholeLeaf(body, field));
    // What is new or gone is one thing, whatever it has, but for secrets.
    const isOne = was === undefined || is === undefined;
    if (isOne && !holdsSecret(was ?? is)) return [{ path: pathSegment(field), was, is }];
    return pairsOf(subject, (each) => each === field);
  });
  return found.flatMap(({ path, was, is }) => {
    if (isSameValue(was, is) || holdsSecret(was) || holdsSecret(is)) return [];
    if ([was, is].every((leaf) => isForModels(leaf?.value))) return [];
    const isReferenceUnjudged = unjudgedReferences(subject, was, is);
    const isSame = equal(unjudgedIn(was, is, isReferenceUnjudged), unjudgedIn(is, was, isReferenceUnjudged));
    if (isSame && !isOtherForm(was, is)) return [];
    return [{ path, parts: { field: path, ...turnOf(was?.value, is?.value) } }];
  });
}

// A service that takes no list where a value was may leave it out, but a tool or an agent is reached in either.
function isOtherForm(was: Leaf | undefined, is: Leaf | undefined): boolean {
  if (!was || !is || idFields.has(is.field)) return false;
  return Array.isArray(was.value) !== Array.isArray(is.value);
}

function wholeLeaf(body: JsonObject, field: string): Leaf | undefined {
  const value = member(body, field);
  return value === undefined ? undefined : leafOf(value, { field, path: pathSegment(field), name: field });
}

function isForModels(value: Json | undefined): boolean {
  return typeof value === "string" && /\s/.test(value);
}

// Other rules find what is gained, and policies that the agent has lost; one that it still has elsewhere may guard
// nothing there, and a tool or an agent that is gone from a field that nobody knows may have been guarded by that.
function unjudgedReferences(
  { before, after }: Subject,
  was: Leaf | undefined,
  is: Leaf | undefined,
): (reference: string) => boolean {
  const policies = policyReferences(was?.value ?? null);
  const isDetached = (text: string) =>
    mentionRank(after.mentions().get(text)) < mentionRank(before.mentions().get(text));
  const arePoliciesTold = policies.length === 0 || policies.some(isDetached);
  const kept = new Set(listOf(is?.value).map(wholeReference));
  return (reference) => {
    if (isOfKind(reference, "credential")) return true;
    if (isOfKind(reference, "policy")) return !arePoliciesTold;
    return was !== undefined && !idFields.has(was.field) && !kept.has(reference);
  };
}

// Other rules find what an agent reaches, the policies that it has, and what texts for models lost.
function unjudgedIn(
  leaf: Leaf | undefined,
  other: Leaf | undefined,
  isReferenceUnjudged: (reference: string) => boolean,
): Json[] {
  if (!leaf) return [];
  const holdsIds = idFields.has(leaf.field) && leaf.path === leaf.field;
  const isUnjudged = (item: Json) => {
    if (typeof item !== "string") return true;
    const reference = wholeReference(item);
    return reference === undefined ? !holdsIds : isReferenceUnjudged(reference);
  };
  const items = listOf(leaf.value).filter(isUnjudged);
  if (!holdsIds) return items;
  // An item for what both sides reach says how; their order says nothing.
  const known = new Set(listOf(other?.value).map(reachedBy));
  return items
    .filter((item) => reachedBy(item) === undefined || known.has(reachedBy(item)))
    .map((item) =>
      reachedBy(item) !== undefined && isObject(item)
        ? mapMembers(item, (value) => (isForModels(value) ? " " : value))
        : item,
    )
    .toSorted((left, right) => compareText(canonical(left), canonical(right)));
}

function reachedBy(item: Json): string | undefined {
  const references = isObject(item) ? Object.values(item).map(wholeReference) : [];
  return references.find(
    (text) => text !== undefined && (isOfKind(text, "agent") || isOfKind(text, "toolset")),
  );
}

function wholeReference(value: Json): string | undefined {
  if (typeof value !== "string" || parseText(value).length !== 1) return undefined;
  return referencesInText(value)[0]?.text;
}
