import {
  canonical,
  equal,
  isObject,
  type Json,
  type JsonObject,
  member,
  listOf,
  filterMembers,
} from "../../json/json.js";
import { referencesIn } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { memberTurns, turnOf, type FieldTurn } from "./note-parts.js";
import type { Side, RemarkOf, Subject } from "./rule.js";
import { groupBy } from "../../json/groups.js";
import { itemSegment } from "../../json/path.js";

/** A feature of an agent. */
export interface Feature {
  readonly label: string;
  /** The references to policies, and the ID that is in the place of one. */
  readonly policies: string[];
  readonly feature: JsonObject;
  readonly index: number;
}

/** Gives the features of an agent. */
export function featuresIn({ body }: Side): Feature[] {
  return listOf(body.features)
    .filter(isObject)
    .map((feature, index) => ({
      label: labelOf(feature.type),
      policies: policiesIn(feature),
      feature,
      index,
    }));
}

/** Gives those that have a policy. */
export function policyFeatures(side: Side): Feature[] {
  return featuresIn(side).filter(({ policies }) => policies.length > 0);
}

function policiesIn(feature: JsonObject): string[] {
  const policies = policyReferences(feature);
  const literal = member(feature.config, "policy_id");
  const isLiteral = typeof literal === "string" && literal !== "" && referencesIn(literal).length === 0;
  return [...policies, ...(isLiteral ? [literal] : [])].toSorted();
}

/** Gives the references to policies in a value. */
export function policyReferences(value: Json): string[] {
  return referencesIn(value)
    .map(({ text }) => text)
    .filter((text) => isOfKind(text, "policy"));
}

// Whatever the type of a feature is.
function labelOf(type: Json | undefined): string {
  return typeof type === "string" ? type : canonical(type ?? null);
}

/** Gives what tells apart features with policies: the type, and these. */
export function guardKey({ label, policies }: Feature): string {
  return JSON.stringify([label, policies]);
}

/** Gives the fields in which two values differ. */
export function turns(field: string, before: Json | undefined, after: Json | undefined): FieldTurn[] {
  if (!isObject(before) || !isObject(after)) {
    return equal(before, after) ? [] : [{ field, ...turnOf(before, after) }];
  }
  return memberTurns(before, after).flatMap(({ field: key, before: was, after: is }) =>
    turns(field === "" ? key : `${field}.${key}`, was, is),
  );
}

// Each would be compared with each; of more, any may allow more, and one note says that they have moved.
const mostCompared = 50;

/** Finds features with a policy that may come after one that may allow more, and did not before. */
export function guardsOvertaken({
  before,
  after,
  mayAllowMore,
}: Subject): RemarkOf<"policy-priority-changed">[] {
  const former = policyFeatures(before);
  const kept = new Set(former.map(withoutPriority));
  // The same feature, or another one with the same policies in its place.
  const orders = [withoutPriority, guardKey].map((keyOf) => orderBy(keyOf, former));
  const isLaxer = (one: Feature, guard: Feature) =>
    turns("", guard.feature, one.feature).some((turn) => !isOfOrder(turn)) ||
    one.policies.length * guard.policies.length > mostCompared ** 2 ||
    one.policies.some((policy) => guard.policies.some((than) => mayAllowMore(policy, than)));
  return [...groupBy(policyFeatures(after), ({ label }) => label)].flatMap(([label, guards]) => {
    const overtaken = (some: readonly Feature[], ahead: readonly Feature[]) => {
      const [policies, behind] = [some, ahead].map((all) => [
        ...new Set(all.flatMap((each) => each.policies)),
      ]);
      const reference = behind?.toSorted()[0];
      if (!policies || !behind || reference === undefined) return [];
      const parts = { feature: label, policies, behind: behind.toSorted() };
      return [{ path: `features${itemSegment(label)}`, reference, parts }];
    };
    const still = guards.filter((guard) => kept.has(withoutPriority(guard)));
    if (guards.length > mostCompared) {
      const [was, is] = [former.filter((each) => each.label === label), guards].map(inOrder);
      const fresh = guards.filter((guard) => !kept.has(withoutPriority(guard)));
      if (equal(was, is) || still.length === 0) return [];
      return overtaken(still, fresh.length > 0 ? fresh : still);
    }
    return still.flatMap((guard) => {
      const isAhead = (each: Feature) =>
        mayPrecede(each, guard) && !orders.some((wasAhead) => wasAhead(each, guard)) && isLaxer(each, guard);
      return overtaken([guard], guards.filter(isAhead));
    });
  });
}

// What has no priority may come before all.
function inOrder(features: readonly Feature[]): string[] {
  const rankOf = ({ feature: { priority } }: Feature) =>
    typeof priority === "number" ? priority : -Infinity;
  return features
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.index - other.index)
    .map(withoutPriority);
}

// Of several with one key, the first one stands for all.
function orderBy(keyOf: (feature: Feature) => string, features: readonly Feature[]) {
  const first = new Map<string, Feature>();
  for (const each of features) {
    const known = first.get(keyOf(each));
    if (!known || mayPrecede(each, known)) first.set(keyOf(each), each);
  }
  return (one: Feature, other: Feature): boolean => {
    const [own, its] = [one, other].map((each) => first.get(keyOf(each)));
    return own !== undefined && its !== undefined && mayPrecede(own, its);
  };
}

function withoutPriority({ feature }: Feature): string {
  return canonical(filterMembers(feature, (field) => field !== "priority"));
}

// Of two without an order by their priorities, the first in the list comes first, unless only one of them has any.
function mayPrecede(one: Feature, other: Feature): boolean {
  const [own, its] = [one.feature.priority, other.feature.priority];
  if (equal(own, its)) return one.index < other.index;
  return typeof own !== "number" || typeof its !== "number" || own < its;
}

function isOfOrder({ field, before, after }: FieldTurn): boolean {
  const isPolicy = (side: Json | undefined) => side !== undefined && policyReferences(side).length > 0;
  return field === "priority" || (isPolicy(before) && isPolicy(after));
}
