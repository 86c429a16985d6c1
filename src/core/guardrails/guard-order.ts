import { groupBy } from "../../json/groups.js";
import { canonical, equal, filterMembers, type Json } from "../../json/json.js";
import { itemSegment } from "../../json/path.js";
import { guardKey, policyFeatures, policyReferences, turns, type Feature } from "./agent-features.js";
import type { FieldTurn } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

// Each would be compared with each; of more, any may allow more.
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
    one.policies.some((policy) => guard.policies.some((than) => mayAllowMore(policy, than)));
  return [...groupBy(policyFeatures(after), ({ label }) => label)].flatMap(([label, guards]) =>
    guards.flatMap((guard) => {
      if (!kept.has(withoutPriority(guard))) return [];
      const ahead = guards.filter(
        (each) =>
          mayPrecede(each, guard) &&
          !orders.some((wasAhead) => wasAhead(each, guard)) &&
          (guards.length > mostCompared || isLaxer(each, guard)),
      );
      const behind = [...new Set(ahead.flatMap(({ policies }) => policies))].toSorted();
      const [reference] = behind;
      if (reference === undefined) return [];
      const parts = { feature: label, policies: guard.policies, behind };
      return [{ path: `features${itemSegment(label)}`, reference, parts }];
    }),
  );
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
