import { compareText } from "../../json/compare-text.js";
import {
  canonical,
  equal,
  isObject,
  type Json,
  type JsonObject,
  mapMembers,
  member,
  listOf,
} from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { parseText } from "../expression/expression.js";
import { referencesInText } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { idFields } from "./agent-reach.js";
import {
  holdsSecret,
  isSameValue,
  leafOf,
  othersOf,
  pairsOf,
  type DefaultPair,
  type Leaf,
} from "./default-value.js";
import { turnOf } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

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
    if (equal(unjudgedIn(was, is), unjudgedIn(is, was))) return [];
    return [{ path, parts: { field: path, ...turnOf(was?.value, is?.value) } }];
  });
}

function wholeLeaf(body: JsonObject, field: string): Leaf | undefined {
  const value = member(body, field);
  return value === undefined ? undefined : leafOf(value, { field, path: pathSegment(field), name: field });
}

function isForModels(value: Json | undefined): boolean {
  return typeof value === "string" && /\s/.test(value);
}

// Other rules find what an agent reaches, the policies that it has, and what texts for models lost.
function unjudgedIn(leaf: Leaf | undefined, other: Leaf | undefined): Json[] {
  if (!leaf) return [];
  const holdsIds = idFields.has(leaf.field) && leaf.path === leaf.field;
  const isUnjudged = (item: Json) => {
    if (typeof item !== "string") return true;
    const reference = wholeReference(item);
    return reference === undefined ? !holdsIds : isOfKind(reference, "credential");
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
