import { stringify } from "yaml";
import type { ExplainedCode } from "../../generated/explanations.js";
import type { Json } from "../../json/json.js";
import { kinds } from "../kind/kinds.js";
import type { OwnRule } from "../rules/own-rule.js";

const effects = {
  error: "A plan that does not satisfy it is refused.",
  weakens: "What does not satisfy it is a note of a plan, of the rank `weakens`.",
  widens: "What does not satisfy it is a note of a plan, of the rank `widens`.",
  review: "What does not satisfy it is a note of a plan, of the rank `review`.",
} as const satisfies Record<OwnRule["effect"], string>;

/** Says of a rule what a built-in code says of itself. */
export function explainRule(rule: OwnRule): ExplainedCode {
  const { name, message, effect, file, origin, subject, schema, targets, examples } = rule;
  const isBound = origin === "organisation";
  const parts = [
    {
      label: subject === "document" ? "What a document satisfies" : "What an action satisfies",
      value: schema,
    },
    ...Object.entries(targets).map(([label, value]) => ({ label: `\`${label}\``, value })),
    ...examples.good.map((value) => ({ label: "Satisfies it", value })),
    ...examples.bad.map((value) => ({ label: "Does not satisfy it", value })),
  ];
  return {
    code: name,
    meaning: message,
    about: `It is a rule in ${file}, for ${scopeText(rule)}. ${effects[effect]}`,
    fix: isBound
      ? "Change what does not satisfy it; it is a rule of the organisation, from which no document is excused."
      : `Change what does not satisfy it, or excuse the document: \`lifecycle: {except: [{rule: ${name}, reason: …}]}\`, which the plan shows.`,
    parts: parts.map(({ label, value }) => ({ label, lines: linesOf(value) })),
  };
}

function scopeText({ scope: { kind, selector, environments } }: OwnRule): string {
  const what = kind === undefined ? "all documents" : `each ${kinds[kind].document}`;
  const labels = Object.entries(selector).map(([label, value]) => `${label}=${value}`);
  return [
    what,
    ...(labels.length > 0 ? [`with ${labels.join(", ")}`] : []),
    ...(environments.length > 0 ? [`in ${environments.join(", ")}`] : []),
  ].join(" ");
}

function linesOf(value: Json): string[] {
  return stringify(value, { lineWidth: 0 }).trimEnd().split("\n");
}
