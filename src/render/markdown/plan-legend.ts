import type { Action, Plan } from "../../generated/plan.js";

const meanings: readonly (readonly [Action["action"], string])[] = [
  ["unknown", "whether a request was carried out is not known, and a person has to find out"],
  ["blocked", "waits for something that this plan cannot give"],
  ["replace", "created anew with a new ID, for the service cannot change it; the old object is left behind"],
  ["forget", "managed no longer; the object is left behind"],
  ["adopt", "an object that exists is taken over"],
  ["record", "nothing is sent"],
];

/** Renders what the actions of a plan mean, for whoever never saw one; nothing where all speak for themselves. */
export function renderLegend({ actions }: Plan): string[] {
  const present = new Set(actions.map(({ action }) => action));
  const lines = meanings
    .filter(([action]) => present.has(action))
    .map(([action, meaning]) => `**${action}**: ${meaning}.`);
  return lines.length > 0 ? [lines.join(" ")] : [];
}
