import { withParents } from "../../core/guardrails/change-path.js";
import { isConsequence } from "../../core/plan/difference.js";
import type { Action, Plan } from "../../generated/plan.js";
import type { SaidItem } from "./plan-section.js";

const actionMeanings: readonly (readonly [Action["action"], string])[] = [
  ["unknown", "whether a request was carried out is not known, and a person has to find out"],
  ["blocked", "waits for something that this plan cannot give"],
  ["delete", "deleted in the service at the end of the apply, which cannot be undone"],
  ["replace", "created anew with a new ID, for the service cannot change it; the old object is left behind"],
  ["forget", "managed no longer; the object is left behind"],
  ["changed", "what was changed in the service since the last apply; before is what was sent"],
  ["gone", "the service does not have it any more"],
  ["adopt", "an object that exists is taken over"],
  ["record", "nothing is sent"],
];

const replaced = {
  gone: "created anew with a new ID, for the service does not have it any more",
  deleted:
    "created anew with a new ID, for the service cannot change it; the old object is deleted if nothing refers to it any more",
};

const feature = "RAI";

/** Explains the words of a plan that no part of it explains, for whoever never saw one; nothing where there are none. */
export function knownWords({ actions, notes }: Plan): SaidItem[] {
  const present = new Set(actions.map(({ action }) => action));
  const hasFeature =
    notes.some(({ parts }) => parts.feature === feature) ||
    actions.some(({ changes }) =>
      changes.some(
        (change) => withParents(change.path).includes(`features[${feature}]`) && !isConsequence(change),
      ),
    );
  const replacements = actions.filter(({ action }) => action === "replace");
  const areGone = replacements.every(({ gone = [] }) => gone.length > 0);
  const isClean = replacements.every(({ leaves = 0 }) => leaves === 0);
  const anew = isClean ? (areGone ? replaced.gone : replaced.deleted) : undefined;
  return [
    ...actionMeanings
      .filter(([action]) => present.has(action))
      .map(([action, meaning]) => [action, (action === "replace" && anew) || meaning] as const),
    ...(hasFeature ? [[feature, "the feature by which an agent has a policy"] as const] : []),
  ].map(([word, text]) => ({ sort: "said", word, text }));
}
