import type { Plan, PlanDiagnostic } from "../../generated/plan.js";
import type { Review } from "../../core/plan/review.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import { countText, countsTexts } from "../words/count-text.js";
import { code, prose } from "./markdown-text.js";
import { sameWarnings } from "../words/same-warnings.js";
import { editCount } from "../plan/plan-review.js";
import { asLastSent, commandOf, headLines, settingsCount } from "../plan/plan-text.js";
import { verdictTexts } from "../plan/verdict.js";

const mostErrors = 20;
const mostWarnings = 10;
const mostPlaces = 10;

/** Renders the first line: where, what a reviewer must know, and how much there is, in one sentence. */
export function renderVerdict(plan: Plan, review: Review): string {
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
    [summary.changed ?? 0, "changed"],
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
  const lines = errors.slice(0, mostErrors).map((error) => diagnosticItem(error, placesOf(error)));
  return [
    ["**Errors**", "", ...lines, ...(left > 0 ? [`- and ${countText(left, "more error")}`] : [])].join("\n"),
  ];
}

function placesOf({ file, line, address }: PlanDiagnostic): string[] {
  const place = file === undefined ? address : line === undefined ? file : `${file}:${line}`;
  return place === undefined || place === "" ? [] : [place];
}

function diagnosticItem({ code: name, message, hint }: PlanDiagnostic, places: readonly string[]): string {
  const shown = places.slice(0, mostPlaces).map(code).join(", ");
  const left = places.length - mostPlaces;
  const where = shown === "" ? "" : `${shown}${left > 0 ? ` and ${left} more` : ""}: `;
  const way = hint === undefined ? "" : ` · hint: ${prose(hint)}`;
  return `- ${where}${prose(message)} (${code(name)})${way}`;
}

/** Renders warnings and notes folded, those that say the same once; nothing if there are none. */
export function renderWarnings({ diagnostics }: Plan): string[] {
  const warnings = diagnostics.filter(({ severity }) => severity !== "error");
  if (warnings.length === 0) return [];
  const same = sameWarnings(warnings);
  const left = same.length - mostWarnings;
  return [
    [
      `<details><summary>${countText(warnings.length, "warning")}</summary>`,
      "",
      ...same.slice(0, mostWarnings).map(({ diagnostic, places }) => diagnosticItem(diagnostic, places)),
      ...(left > 0 ? [`- and ${left} more`] : []),
      "",
      "</details>",
    ].join("\n"),
  ];
}

/** Renders what the plan was compared with, and that it is partial. */
export function renderComparison(plan: Plan): string {
  const [, compared = "", ...partial] = headLines(plan);
  return [prose(compared), ...partial.map((line) => `**${prose(line)}**`)].join(" ");
}
