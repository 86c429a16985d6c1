import { isConsequence } from "../../core/plan/consequence.js";
import type { Action, Plan } from "../../generated/plan.js";

/** A word of a plan, and what it means. */
export interface KnownWord {
  readonly word: string;
  readonly meaning: string;
}

const actionMeanings: readonly (readonly [Action["action"], string])[] = [
  ["unknown", "whether a request was carried out is not known, and a person has to find out"],
  ["blocked", "waits for something that this plan cannot give"],
  ["delete", "deleted in the service at the end of the apply, which cannot be undone"],
  ["replace", "created anew with a new ID, for the service cannot change it; the old object is left behind"],
  ["forget", "managed no longer; the object is left behind"],
  ["adopt", "an object that exists is taken over"],
  ["record", "nothing is sent"],
];

const replacedAndDeleted = [
  "replace",
  "created anew with a new ID, for the service cannot change it; the old object is deleted",
] as const;

const feature = "RAI";

/** Explains the words of a plan that no part of it explains, for whoever never saw one; nothing where there are none. */
export function knownWords({ actions, notes }: Plan): KnownWord[] {
  const present = new Set(actions.map(({ action }) => action));
  const isClean = actions.every(({ action, leaves = 0 }) => action !== "replace" || leaves === 0);
  const hasFeature =
    notes.some(({ message }) => message.includes(feature)) ||
    actions.some(({ changes }) =>
      changes.some((change) => change.path.includes(`[${feature}]`) && !isConsequence(change)),
    );
  return [
    ...actionMeanings
      .filter(([action]) => present.has(action))
      .map((known) => (known[0] === "replace" && isClean ? replacedAndDeleted : known)),
    ...(hasFeature ? [[feature, "the feature by which an agent has a policy"] as const] : []),
  ].map(([word, meaning]) => ({ word, meaning }));
}
