import type { Change, Plan, PlanSummary, StateChange } from "../../generated/plan.js";
import type { Json } from "../../json/json.js";
import { hasChanges, recordedSettings } from "../../core/plan/plan-summary.js";
import { reviewOf, type Review } from "../../core/plan/review.js";
import { renderChange } from "../change/change-text.js";
import { shownChange, wholeWidth } from "../change/shown-change.js";
import { renderStateChange, stateCount, stateMeaning, stateTitle } from "../change/state-change-text.js";
import { sameWarnings } from "../words/same-warnings.js";
import { countText, countsTexts, firstOf } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import { knownWords } from "../words/known-words.js";
import { paletteOf, type Palette } from "../words/palette.js";
import { asSentence, reviewTitles } from "../words/review-words.js";
import { safeLine } from "../words/terminal-text.js";
import { editCount } from "./plan-review.js";
import { reviewBlocks } from "./review-text.js";
import { verdictTexts } from "./verdict.js";

/** How a plan is rendered. */
export interface PlanTextOptions {
  readonly color: boolean;
  /** About how many columns a shown value may take, 100 without it. */
  readonly width?: number;
  /** Whether a person sees it on a screen, below its warnings: new objects in short, and no warnings again. */
  readonly isScreen?: boolean;
}

const narrowing: readonly string[] = ["target", "selector", "exclude", "changed-since"];

/** Renders a plan in the order of a review, a line end at the end; the same plan and options give the same bytes. */
export function renderPlanText(
  plan: Plan,
  { color, width = 100, isScreen = false }: PlanTextOptions,
): string {
  const palette = paletteOf(color);
  const style = { palette, width: Math.max(40, width), environment: plan.environment, isWhole: !isScreen };
  const review = reviewOf(plan);
  const counts = countsLines(plan, review).join("\n");
  const blocks = [
    [...headLines(plan), counts].join("\n"),
    ...stateBlock(plan.state_changes ?? [], palette),
    ...settingsBlock(plan.setting_changes ?? [], palette),
    ...reviewBlocks(plan, review, style),
    ...wordsBlock(plan),
    ...(isScreen ? [] : warningsBlock(plan)),
    `${counts}\nDigest: ${safeLine(plan.digest)}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

// What must be known first is first.
function countsLines(plan: Plan, review: Review): string[] {
  const verdict = verdictTexts(review).join("; ");
  return [
    ...(verdict === "" ? [] : [safeLine(asSentence(verdict))]),
    [summaryText(plan), ...editCount(review).map((count) => `${count}.`)].join(" "),
  ];
}

function wordsBlock(plan: Plan): string[] {
  const lines = knownWords(plan).map(({ word, meaning }) => `  ${word}: ${meaning}`);
  return lines.length > 0 ? [`${reviewTitles.words}\n${lines.join("\n")}`] : [];
}

function joined(lines: readonly string[]): string {
  return indented(lines, 2).join("\n");
}

/** Renders what a plan is of, what it was compared with and, of a partial one, what it was narrowed by: a line each. */
export function headLines(plan: Plan): string[] {
  const { workspace, environment, partial, options } = plan;
  const where = environment === null ? "" : ` (${environment})`;
  return [
    safeLine(`agentform ${commandOf(plan)}: ${workspace}${where}`),
    safeLine(comparedWith(plan)),
    ...(partial ? [`This plan is partial: ${safeLine(narrowedBy(options))}.`] : []),
  ];
}

/** Gives the command of which a plan is the result: one that looks at the service has no plan to apply. */
export function commandOf({ options }: Pick<Plan, "options">): "plan" | "drift" {
  return options.drift === true ? "drift" : "plan";
}

function comparedWith(plan: Plan): string {
  const { lock, observation } = plan;
  const { against } = plan.options;
  if (against !== undefined) {
    const other = typeof against === "string" ? `environment ${against}` : "the default environment";
    return `Compared with what the documents of ${other} say; nothing here can be applied.`;
  }
  if (lock === null) return "Nothing was applied yet.";
  const applied = `what was last applied (${lock.source}, serial ${lock.serial})`;
  const found = observation && `what was found in the service at ${observation.at}`;
  if (found !== undefined && commandOf(plan) === "drift") return `Compared ${applied} with ${found}.`;
  return `Compared with ${applied}${found === undefined ? "" : `, and with ${found}`}.`;
}

function narrowedBy(options: Plan["options"]): string {
  const given = Object.entries(options).flatMap(([key, value]) => {
    const name = key.replaceAll("_", "-");
    if (!narrowing.includes(name)) return [];
    return (Array.isArray(value) ? value : [value]).map((item) => `--${name} ${optionText(item)}`);
  });
  if (given.length === 0) return "it covers a part of the workspace";
  return `narrowed by ${given.join(" ")}`;
}

function optionText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function stateBlock(edits: readonly StateChange[], palette: Palette): string[] {
  if (edits.length === 0) return [];
  const texts = edits.map((edit) => joined(renderStateChange(edit, palette)));
  return [`${stateTitle}\n  ${stateMeaning}\n${texts.join("\n")}`];
}

function settingsBlock(changes: readonly Change[], palette: Palette): string[] {
  if (changes.length === 0) return [];
  return [`Settings\n${joined(changes.flatMap((change) => renderSetting(change, palette)))}`];
}

/** Renders the change of a setting as lines, its values whole. */
export function renderSetting(change: Change, palette: Palette): string[] {
  const style = { palette, width: wholeWidth, compact: false };
  return renderChange(shownChange(change, style), style);
}

const mostPlaces = 5;

function warningsBlock({ diagnostics }: Plan): string[] {
  const lines = sameWarnings(diagnostics.filter(({ severity }) => severity !== "error")).flatMap(
    ({ diagnostic: { severity, code, message, hint }, places }) => [
      `  ${severity}: ${safeLine(message)}  [${safeLine(code)}]`,
      ...(places.length > 0 ? [`      ${safeLine(firstOf(places, mostPlaces))}`] : []),
      ...(hint === undefined ? [] : [`      hint: ${safeLine(hint)}`]),
    ],
  );
  return lines.length > 0 ? [`${reviewTitles.warnings}\n${lines.join("\n")}`] : [];
}

/** Renders how much of what a plan does, in one line. */
export function summaryText(plan: Plan): string {
  const { summary } = plan;
  const { unchanged } = summary;
  const isDrift = commandOf(plan) === "drift";
  if (!hasChanges(plan)) {
    if (isDrift) return [noDrift(plan), ...asLastSent(unchanged)].join(" ");
    if (unchanged === 0) return "No changes.";
    const verb = unchanged === 1 ? "resource is as it was" : "resources are as they were";
    return `No changes. ${unchanged} ${verb} last applied.`;
  }
  const parts = [...stateCount(plan.state_changes), ...settingsCount(plan), ...countsOf(summary)];
  const title = isDrift ? "Drift" : "Plan";
  return `${title}: ${parts.join(", ")}.${unchanged > 0 ? ` ${unchanged} unchanged.` : ""}`;
}

function noDrift({ diagnostics }: Plan): string {
  const isWhole = diagnostics.every(({ severity }) => severity !== "error");
  return isWhole ? "No drift." : "No drift in what could be read.";
}

/** Says how many resources the service has as they were sent; nothing if that is none. */
export function asLastSent(count: number): string[] {
  if (count === 0) return [];
  return [`${countText(count, "resource is", "resources are")} in the service as last applied.`];
}

/** Counts the settings that an apply records; nothing if there are none. */
export function settingsCount(plan: Plan): string[] {
  const count = recordedSettings(plan);
  return count > 0 ? [`${countText(count, "setting")} to record`] : [];
}

function countsOf(summary: PlanSummary): string[] {
  return countsTexts([
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.delete ?? 0, "to delete"],
    [summary.changed ?? 0, "changed"],
    [summary.gone ?? 0, "gone"],
    [summary.replace, "to replace"],
    [summary.forget, "to forget"],
    [summary.adopt, "to adopt"],
    [summary.record, "to record"],
    [summary.unknown, "unknown"],
    [summary.blocked, "blocked"],
  ]);
}
