import { groupBy, countEach } from "../../json/groups.js";
import {
  canonical,
  equal,
  isObject,
  type Json,
  type JsonObject,
  member,
  filterMembers,
} from "../../json/json.js";
import { itemSegment } from "../../json/path.js";
import { referencesIn } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { firmerIn } from "./mention.js";
import { turnOf, type FieldTurn } from "./note-parts.js";
import { listOf, type RemarkOf, type Side, type Subject } from "./rule.js";

/** Finds policies that an agent no longer refers to, or only inside a longer text. */
export function policiesDetached({ before, after }: Subject): RemarkOf<"policy-detached">[] {
  const gained = firmerIn(after.mentions(), before.mentions(), "policy").map(
    ({ reference }) => reference.text,
  );
  return firmerIn(before.mentions(), after.mentions(), "policy").map(({ reference: { text }, field }) => ({
    path: field,
    reference: text,
    parts: {
      policy: text,
      in_text: after.mentions().has(text),
      ...(gained.length > 0 && { gained: gained.toSorted() }),
    },
  }));
}

/** Finds policies that a feature no longer has, while the agent still has them elsewhere. */
export function policyFeaturesGone({ before, after }: Subject): RemarkOf<"policy-feature-gone">[] {
  const detached = new Set(
    firmerIn(before.mentions(), after.mentions(), "policy").map(({ reference }) => reference.text),
  );
  const holdingsIn = (side: Side) => policyFeatures(side).flatMap(holdings);
  return [...countLost(holdingsIn(before), holdingsIn(after)).keys()].flatMap((holding) => {
    const [feature, policy] = JSON.parse(holding) as [string, string];
    if (detached.has(policy)) return [];
    return [{ path: `features${itemSegment(feature)}`, reference: policy, parts: { feature, policy } }];
  });
}

/** Finds policies that a feature has beside those that it keeps: which of them holds, the service does not say. */
export function policiesAdded(subject: Subject): RemarkOf<"policy-added">[] {
  const [before, after] = [policiesByFeature(subject.before), policiesByFeature(subject.after)];
  return [...after].flatMap(([feature, policies]) => {
    const beside = [...policies].filter((policy) => before.get(feature)?.has(policy));
    if (beside.length === 0) return [];
    return [...policies]
      .filter((policy) => !beside.includes(policy))
      .map((policy) => ({
        path: `features${itemSegment(feature)}`,
        reference: policy,
        parts: { feature, policy, policies: beside },
      }));
  });
}

function policiesByFeature(side: Side): Map<string, Set<string>> {
  const groups = groupBy(policyFeatures(side), ({ label }) => label);
  return new Map(
    Array.from(groups, ([label, features]) => [
      label,
      new Set(features.flatMap(({ policies }) => policies).toSorted()),
    ]),
  );
}

/** Finds features without a policy that an agent no longer has. */
export function featuresGone({ before, after }: Subject): RemarkOf<"feature-removed">[] {
  const lost = countLost(labels(before), labels(after));
  const guarded = (side: Side) => policyFeatures(side).map(({ label }) => label);
  const told = countLost(guarded(before), guarded(after));
  return [...lost]
    .filter(([label, times]) => times > (told.get(label) ?? 0))
    .map(([feature]) => ({ path: `features${itemSegment(feature)}`, parts: { feature } }));
}

function labels({ body }: Side): string[] {
  return listOf(body.features)
    .filter(isObject)
    .map(({ type }) => labelOf(type));
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

/** Finds features with a policy whose priority changed. */
export function policyPriorityChanged(subject: Subject): RemarkOf<"policy-priority-changed">[] {
  return pairs(subject).flatMap(([before, { label, policies, feature }]) => {
    const [was, is] = [before.feature.priority, feature.priority];
    if (equal(was, is)) return [];
    const parts = { feature: label, policies, ...turnOf(was, is) };
    return [{ path: `features[${label}].priority`, parts }];
  });
}

/** Finds features with a policy in which something else changed. */
export function policyFeatureChanged(subject: Subject): RemarkOf<"policy-feature-changed">[] {
  return pairs(subject).flatMap((pair) => {
    const [before, after] = pair.map(({ feature }) =>
      filterMembers(feature, (field) => field !== "priority"),
    );
    const changes = turns("", before, after).filter((change) => !isExchange(change));
    if (changes.length === 0) return [];
    const [, { label, policies }] = pair;
    return [{ path: `features${itemSegment(label)}`, parts: { feature: label, policies, changes } }];
  });
}

// Of another policy, there is a note that the one before is detached.
function isExchange({ before, after }: FieldTurn): boolean {
  return [before, after].every(
    (value) => typeof value === "string" && referencesIn(value).some(({ text }) => isOfKind(text, "policy")),
  );
}

function turns(field: string, before: Json | undefined, after: Json | undefined): FieldTurn[] {
  if (!isObject(before) || !isObject(after)) {
    return equal(before, after) ? [] : [{ field, ...turnOf(before, after) }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    turns(field === "" ? key : `${field}.${key}`, member(before, key), member(after, key)),
  );
}

interface PolicyFeature {
  readonly label: string;
  readonly policies: string[];
  readonly feature: JsonObject;
}

function policyFeatures({ body }: Side): PolicyFeature[] {
  return listOf(body.features)
    .filter(isObject)
    .map((feature) => ({ label: labelOf(feature.type), policies: policiesIn(feature), feature }))
    .filter(({ policies }) => policies.length > 0);
}

function policiesIn(feature: JsonObject): string[] {
  return referencesIn(feature)
    .map(({ text }) => text)
    .filter((text) => isOfKind(text, "policy"))
    .toSorted();
}

function labelOf(type: Json | undefined): string {
  return typeof type === "string" ? type : canonical(type ?? null);
}

function holdings({ label, policies }: PolicyFeature): string[] {
  return policies.map((policy) => JSON.stringify([label, policy]));
}

type PolicyPair = readonly [before: PolicyFeature, after: PolicyFeature];

/** Pairs the features of one type that have the same policies and differ otherwise, then those that exchange them. */
function pairs({ before, after }: Subject): PolicyPair[] {
  const left = changing(policyFeatures(before), policyFeatures(after));
  const right = changing(policyFeatures(after), policyFeatures(before));
  const same = paired(left, right, ({ label, policies }) => JSON.stringify([label, policies]));
  const known = new Set(same.flat());
  const [rest, others] = [left, right].map((all) => all.filter((each) => !known.has(each)));
  return [...same, ...paired(rest ?? [], others ?? [], ({ label }) => label)];
}

function paired(
  left: readonly PolicyFeature[],
  right: readonly PolicyFeature[],
  keyOf: (feature: PolicyFeature) => string,
): PolicyPair[] {
  const others = groupBy(right, keyOf);
  return [...groupBy(left, keyOf)].flatMap(([key, features]) =>
    features.flatMap((feature, index) => {
      const other = others.get(key)?.[index];
      return other ? [[feature, other] as const] : [];
    }),
  );
}

function changing(features: readonly PolicyFeature[], others: readonly PolicyFeature[]): PolicyFeature[] {
  const same = new Set(others.map(({ feature }) => canonical(feature)));
  return features.filter(({ feature }) => !same.has(canonical(feature)));
}
