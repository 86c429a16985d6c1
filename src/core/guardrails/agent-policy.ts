import { groupBy, countEach } from "../../json/groups.js";
import { canonical, equal, filterMembers } from "../../json/json.js";
import { once } from "../../json/once.js";
import { itemSegment } from "../../json/path.js";
import { isOfKind } from "../kind/kinds.js";
import { guardingFeature } from "../kind/kinds/agent.js";
import {
  featuresIn,
  guardKey,
  policyFeatures,
  policyReferences,
  turns,
  type Feature,
  guardsOvertaken,
} from "./agent-features.js";
import { higherIn } from "./mention.js";
import { turnOf, type FieldTurn } from "./note-parts.js";
import type { RemarkOf, Side, Subject } from "./rule.js";

// Each note names others, so of thousands these would be the square; of more that an agent gains, none stands for another.
const mostNamed = 50;

/** Finds policies that an agent no longer refers to, or only inside a longer text. */
export function policiesDetached({ before, after, formerName }: Subject): RemarkOf<"policy-detached">[] {
  const gained = higherIn(after.mentions(), before.mentions(), "policy").map(
    ({ reference }) => reference.text,
  );
  return higherIn(before.mentions(), after.mentions(), "policy").map(({ reference: { text }, field }) => {
    const former = formerName(text);
    return {
      path: field,
      reference: text,
      parts: {
        policy: text,
        ...(former !== undefined && { former }),
        in_text: after.mentions().has(text),
        ...(gained.length > 0 && gained.length <= mostNamed && { gained: gained.toSorted() }),
      },
    };
  });
}

/** Finds policies that a feature no longer has, while the agent still has them elsewhere. */
export function policyFeaturesGone({ before, after }: Subject): RemarkOf<"policy-feature-gone">[] {
  const detached = new Set(
    higherIn(before.mentions(), after.mentions(), "policy").map(({ reference }) => reference.text),
  );
  return [...countLost(holdingsIn(before), holdingsIn(after)).keys()].flatMap((holding) => {
    const [feature, policy] = readHolding(holding);
    // Of an ID there is a note that the feature has changed or is gone.
    if (detached.has(policy) || !isOfKind(policy, "policy")) return [];
    return [{ path: `features${itemSegment(feature)}`, reference: policy, parts: { feature, policy } }];
  });
}

/** Finds policies that a feature has beside those that it keeps: which of them holds, the service does not say. */
export function policiesAdded(subject: Subject): RemarkOf<"policy-added">[] {
  const [before, after] = [holdingsIn(subject.before), holdingsIn(subject.after)];
  const known = new Set(before);
  const kept = groupBy(
    [...new Set(after)].filter((holding) => known.has(holding)).map(readHolding),
    ([feature]) => feature,
  );
  const besideOf = once((feature) =>
    (kept.get(feature) ?? [])
      .map(([, other]) => other)
      .toSorted()
      .slice(0, mostNamed),
  );
  return [...countLost(after, before).keys()].map(readHolding).flatMap(([feature, policy]) => {
    const beside = besideOf(feature);
    if (beside.length === 0) return [];
    const isMore = known.has(JSON.stringify([feature, policy])) && !beside.includes(policy);
    const parts = { feature, policy, policies: isMore ? [policy, ...beside] : beside };
    return [{ path: `features${itemSegment(feature)}`, reference: policy, parts }];
  });
}

/** Finds features without a policy that an agent no longer has. */
export function featuresGone({ before, after }: Subject): RemarkOf<"feature-removed">[] {
  const lost = countLost(labels(featuresIn(before)), labels(featuresIn(after)));
  const guarded = (side: Side) =>
    labels(featuresIn(side).filter(({ feature }) => policyReferences(feature).length > 0));
  const told = countLost(guarded(before), guarded(after));
  return [...lost]
    .filter(([label, times]) => times > (told.get(label) ?? 0))
    .map(([feature]) => ({ path: `features${itemSegment(feature)}`, parts: { feature } }));
}

function labels(features: readonly Feature[]): string[] {
  return features.map(({ label }) => label);
}

function countLost(before: readonly string[], after: readonly string[]): Map<string, number> {
  const left = countEach(after);
  return new Map(
    [...countEach(before)].flatMap(([label, times]) => {
      const lost = times - (left.get(label) ?? 0);
      return lost > 0 ? [[label, lost] as const] : [];
    }),
  );
}

/** Gives the types of the features that an agent has more often than before, but for those that are known to widen nothing. */
export function featuresGained({ before, after }: Subject): string[] {
  const reaching = featuresIn(after).filter(({ label, policies }) =>
    label === guardingFeature ? policies.length === 0 : label !== "SINGLE_TOOL_CALL",
  );
  return [...countLost(labels(reaching), labels(featuresIn(before))).keys()];
}

/** Finds features that may now come after a laxer one: in which order they work, the service does not say. */
export function policyPriorityChanged(subject: Subject): RemarkOf<"policy-priority-changed">[] {
  const turned = pairs(subject).flatMap(([before, { label, policies: kept, feature }]) => {
    const [was, is] = [before.feature.priority, feature.priority];
    if (equal(was, is)) return [];
    const policies = kept.length > 0 ? kept : before.policies;
    const parts = { feature: label, policies, ...turnOf(was, is) };
    return [{ path: `features[${label}].priority`, parts }];
  });
  return [...turned, ...guardsOvertaken(subject)];
}

/** Finds features in which something else changed: any may guard the agent, or reach what it could not. */
export function policyFeatureChanged(subject: Subject): RemarkOf<"policy-feature-changed">[] {
  return pairs(subject).flatMap((pair) => {
    const [before, after] = pair.map(({ feature }) =>
      filterMembers(feature, (field) => field !== "priority"),
    );
    const [was, { label, policies: kept }] = pair;
    const still = new Set(kept);
    const changes = turns("", before, after).filter(
      (change) => !isExchange(change, still) && !(was.policies.length === 0 && isGuarding(change)),
    );
    if (changes.length === 0) return [];
    const policies = kept.length > 0 ? kept : was.policies;
    return [{ path: `features${itemSegment(label)}`, parts: { feature: label, policies, changes } }];
  });
}

// Of a reference to a policy that the feature no longer has, there is a note that it is detached.
function isExchange({ before, after }: FieldTurn, policies: ReadonlySet<string>): boolean {
  const was = typeof before === "string" ? policyReferences(before) : [];
  const isOther = after === undefined || typeof after === "string";
  return was.length > 0 && isOther && !was.some((policy) => policies.has(policy));
}

function isGuarding({ before, after }: FieldTurn): boolean {
  return before === undefined && typeof after === "string" && policyReferences(after).length > 0;
}

/** Gives the policies of each feature, once for each feature that has one. */
function holdingsIn(side: Side): string[] {
  return policyFeatures(side).flatMap(({ label, policies }) =>
    policies.map((policy) => JSON.stringify([label, policy])),
  );
}

function readHolding(holding: string): [feature: string, policy: string] {
  return JSON.parse(holding) as [string, string];
}

type PolicyPair = readonly [before: Feature, after: Feature];

/** Pairs the features of one type that have the same policies and differ otherwise, then those that exchange or lose them. */
function pairs({ before, after }: Subject): PolicyPair[] {
  const left = changing(featuresIn(before), featuresIn(after));
  const right = changing(featuresIn(after), featuresIn(before));
  const same = paired(left, right, guardKey);
  const known = new Set(same.flat());
  const [rest, others] = [left, right].map((all) => all.filter((each) => !known.has(each)));
  return [...same, ...paired(rest ?? [], others ?? [], ({ label }) => label)];
}

function paired(
  left: readonly Feature[],
  right: readonly Feature[],
  keyOf: (feature: Feature) => string,
): PolicyPair[] {
  const others = groupBy(right, keyOf);
  return [...groupBy(left, keyOf)].flatMap(([key, features]) =>
    features.flatMap((feature, index) => {
      const other = others.get(key)?.[index];
      return other ? [[feature, other] as const] : [];
    }),
  );
}

function changing(features: readonly Feature[], others: readonly Feature[]): Feature[] {
  const same = new Set(others.map(({ feature }) => canonical(feature)));
  return features.filter(({ feature }) => !same.has(canonical(feature)));
}
