import { reviewOf } from "../../core/plan/review.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import type { Plan } from "../../generated/plan.js";
import { countText, countsTexts } from "../words/count-text.js";
import { asLastSent, changedWords, commandOf, headLines, settingsCount } from "../view/plan-head.js";
import { editCount } from "../view/plan-review.js";
import { verdictTexts } from "../view/verdict.js";
import { prose } from "./markdown-text.js";

/** Renders the first line: where, what a reviewer must know, and how much there is, in one sentence. */
export function renderVerdict(plan: Plan): string {
  const review = reviewOf(plan);
  const { workspace, environment, partial } = plan;
  const given = [environment === null ? [] : [prose(environment)], partial ? ["partial"] : []].flat();
  const where = prose(workspace) + (given.length > 0 ? ` (${given.join(", ")})` : "");
  const [first, ...more] = verdictTexts(review).map(prose);
  const verdict = [errorsText(plan), stateText(plan), first ?? ""].filter((text) => text !== "").join(", ");
  const counts = [countsText(plan), ...editCount(review)].join("; ");
  return `### agentform ${commandOf(plan)} for ${where}: ${[verdict, ...more, counts].filter((text) => text !== "").join(" · ")}`;
}

function errorsText(plan: Plan): string {
  const { diagnostics } = plan;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  if (errors === 0) return "";
  const what = commandOf(plan) === "drift" ? "not all could be read:" : "it cannot be applied, for it has";
  return `${what} ${countText(errors, "error")}`;
}

function stateText({ state_changes: edits = [] }: Plan): string {
  if (edits.length === 0) return "";
  return `the change edits the state in ${countText(edits.length, "place")}`;
}

function countsText(plan: Plan): string {
  const { summary } = plan;
  const { unchanged } = summary;
  if (!hasChanges(plan)) {
    if (commandOf(plan) === "drift")
      return ["no drift", ...asLastSent(unchanged)].join(", ").replace(/\.$/, "");
    if (commandOf(plan) === "prune") return "nothing to delete";
    if (unchanged === 0) return "no changes";
    return `no changes, ${countText(unchanged, "resource is", "resources are")} as last applied`;
  }
  const counts: readonly (readonly [number, string])[] = [
    [summary.unknown, "with an unknown outcome"],
    [summary.blocked, "blocked"],
    [summary.delete ?? 0, "to delete"],
    [summary.replace, "to replace"],
    [summary.forget, "to forget"],
    [summary.adopt, "to adopt"],
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.gone ?? 0, "gone"],
    [summary.changed ?? 0, changedWords(plan)],
    [summary.record, "to record"],
    [unchanged, "unchanged"],
  ];
  return [...settingsCount(plan), ...countsTexts(counts)].join(", ");
}

/** Renders what the plan was compared with, and that it is partial. */
export function renderComparison(plan: Plan): string {
  const [, compared = "", ...partial] = headLines(plan);
  return [prose(compared), ...partial.map((line) => `**${prose(line)}**`)].join(" ");
}
