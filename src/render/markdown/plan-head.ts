import type { GuardrailNote, Plan, PlanDiagnostic } from "../../generated/plan.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import { effects } from "../../core/guardrails/guardrail.js";
import { countText, countsTexts } from "../words/count-text.js";
import { code, prose } from "./markdown-text.js";
import { resourceNotes } from "./plan-notes.js";
import { headLines, settingsCount } from "../plan/plan-text.js";

const mostErrors = 20;

/** Renders the first line: where, what a reviewer must know, and how much there is, in one sentence. */
export function renderVerdict(plan: Plan): string {
  const { workspace, environment, partial } = plan;
  const given = [environment === null ? [] : [prose(environment)], partial ? ["partial"] : []].flat();
  const where = prose(workspace) + (given.length > 0 ? ` (${given.join(", ")})` : "");
  const verdict = [errorsText(plan), stateText(plan), notesText(resourceNotes(plan))]
    .filter((text) => text !== "")
    .join(", ");
  const counts = countsText(plan);
  return `### agentform plan for ${where}: ${verdict === "" ? counts : `${verdict} · ${counts}`}`;
}

function errorsText({ diagnostics }: Plan): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return errors === 0 ? "" : `it cannot be applied, for it has ${countText(errors, "error")}`;
}

function stateText({ state_changes: edits = [] }: Plan): string {
  if (edits.length === 0) return "";
  return `the change edits the state in ${countText(edits.length, "place")}`;
}

function notesText(notes: readonly GuardrailNote[]): string {
  const counts = effects.flatMap((effect) => {
    const count = notes.filter((note) => note.effect === effect).length;
    return count > 0 ? [{ count, ...effectWords[effect] }] : [];
  });
  return counts
    .map(({ count, one, many, object }, index) => {
      const [single, several] = index === 0 ? [`change ${one}`, `changes ${many}`] : [one, many];
      return `${countText(count, single, several)} ${object}`;
    })
    .join(", ");
}

const effectWords = {
  weakens: { one: "weakens", many: "weaken", object: "a guardrail" },
  widens: { one: "widens", many: "widen", object: "an agent's reach" },
  review: { one: "needs", many: "need", object: "a review" },
} as const;

function countsText(plan: Plan): string {
  const { summary } = plan;
  const { unchanged } = summary;
  if (!hasChanges(plan)) {
    if (unchanged === 0) return "no changes";
    return `no changes, ${countText(unchanged, "resource is", "resources are")} as last applied`;
  }
  const counts: readonly (readonly [number, string])[] = [
    [summary.unknown, "with an unknown outcome"],
    [summary.blocked, "blocked"],
    [summary.replace, "to replace"],
    [summary.forget, "to forget"],
    [summary.adopt, "to adopt"],
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.record, "to record"],
    [unchanged, "unchanged"],
  ];
  return [...settingsCount(plan), ...countsTexts(counts)].join(", ");
}

/** Renders the errors of a plan as a list; nothing if there are none. */
export function renderErrors({ diagnostics }: Plan): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return [];
  const left = errors.length - mostErrors;
  const lines = errors.slice(0, mostErrors).map(diagnosticItem);
  return [
    ["**Errors**", "", ...lines, ...(left > 0 ? [`- and ${countText(left, "more error")}`] : [])].join("\n"),
  ];
}

/** Renders one diagnostic as an item of a list. */
export function diagnosticItem({ code: name, message, hint, file, line, address }: PlanDiagnostic): string {
  const place = file === undefined ? address : line === undefined ? file : `${file}:${line}`;
  const where = place === undefined || place === "" ? "" : `${code(place)}: `;
  const way = hint === undefined ? "" : ` · hint: ${prose(hint)}`;
  return `- ${where}${prose(message)} (${code(name)})${way}`;
}

/** Renders what the plan was compared with, and that it is partial. */
export function renderComparison(plan: Plan): string {
  const [, compared = "", ...partial] = headLines(plan);
  return [prose(compared), ...partial.map((line) => `**${prose(line)}**`)].join(" ");
}
