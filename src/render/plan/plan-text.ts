import type { Action, Change, GuardrailNote, Plan, PlanSummary, StateChange } from "../../generated/plan.js";
import type { Json } from "../../json/json.js";
import { hasChanges, recordedSettings } from "../../core/plan/plan-summary.js";
import { renderAction } from "../change/action-text.js";
import { renderChange } from "../change/change-text.js";
import { shownChange, wholeWidth } from "../change/shown-change.js";
import { actionWords } from "../words/action-words.js";
import { countText, countsTexts } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import { buildPalette, type Palette } from "../words/palette.js";
import { renderStateChange, stateCount, stateMeaning, stateTitle } from "../change/state-change-text.js";
import { safeLine } from "../words/terminal-text.js";
import { widestOf } from "../words/widest.js";

/** How a plan is rendered: `width` is about how many columns a shown value may take, 100 without it. */
export interface PlanTextOptions {
  readonly color: boolean;
  readonly width?: number;
}

const narrowing: readonly string[] = ["target", "selector", "exclude", "changed-since"];

/** Renders a plan for a terminal, a line end at the end; the same plan and options give the same bytes. */
export function renderPlanText(plan: Plan, { color, width = 100 }: PlanTextOptions): string {
  const palette = buildPalette(color);
  const style = { palette, width: Math.max(40, width), environment: plan.environment };
  const blocks = [
    headLines(plan).join("\n"),
    ...stateBlock(plan.state_changes ?? [], palette),
    ...settingsBlock(plan.setting_changes ?? [], palette),
    ...notesBlock(plan.notes, palette),
    ...Object.values(actionWords).flatMap(({ action: name, title }) => {
      const actions = plan.actions.filter(({ action }) => action === name);
      const texts = actions.map((action) => joined(renderAction(action, style)));
      return texts.length > 0 ? [`${title}\n${texts.join("\n\n")}`] : [];
    }),
    `${summaryText(plan)}\nDigest: ${safeLine(plan.digest)}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function joined(lines: readonly string[]): string {
  return indented(lines, 2).join("\n");
}

/** Renders what a plan is of, what it was compared with and, of a partial one, what it was narrowed by: a line each. */
export function headLines({ workspace, environment, lock, partial, options }: Plan): string[] {
  const where = environment === null ? "" : ` (${environment})`;
  return [
    safeLine(`agentform plan: ${workspace}${where}`),
    safeLine(comparedWith(lock, options)),
    ...(partial ? [`This plan is partial: ${safeLine(narrowedBy(options))}.`] : []),
  ];
}

function comparedWith(lock: Plan["lock"], { against }: Plan["options"]): string {
  if (against !== undefined) {
    const other = typeof against === "string" ? `environment ${against}` : "the default environment";
    return `Compared with what the documents of ${other} say; nothing here can be applied.`;
  }
  if (lock === null) return "Nothing was applied yet.";
  return `Compared with what was last applied (${lock.source}, serial ${lock.serial}).`;
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

function notesBlock(notes: readonly GuardrailNote[], palette: Palette): string[] {
  if (notes.length === 0) return [];
  const column = Math.min(40, widestOf(notes.map(({ address }) => safeLine(address))));
  const lines = notes.map(({ effect, address, message, code }) => {
    const symbol = effect === "weakens" ? palette.removed("!") : palette.changed("!");
    const columns = [effect.padEnd("weakens".length), safeLine(address).padEnd(column), safeLine(message)];
    return `  ${symbol} ${columns.join("  ")}  [${safeLine(code)}]`;
  });
  return [`Guardrail notes\n${lines.join("\n")}`];
}

/** Renders how much of what a plan does, in one line. */
export function summaryText(plan: Plan): string {
  const { actions, summary } = plan;
  const { unchanged } = summary;
  if (!hasChanges(plan)) {
    if (unchanged === 0) return "No changes.";
    const verb = unchanged === 1 ? "resource is as it was" : "resources are as they were";
    return `No changes. ${unchanged} ${verb} last applied.`;
  }
  const parts = [...stateCount(plan.state_changes), ...settingsCount(plan), ...countsOf(summary, actions)];
  return `Plan: ${parts.join(", ")}.${unchanged > 0 ? ` ${unchanged} unchanged.` : ""}`;
}

/** Counts the settings that an apply records; nothing if there are none. */
export function settingsCount(plan: Plan): string[] {
  const count = recordedSettings(plan);
  return count > 0 ? [`${countText(count, "setting")} to record`] : [];
}

function countsOf(summary: PlanSummary, actions: readonly Action[]): string[] {
  const left = actions.reduce(
    (sum, { action, leaves = 0 }) => (action === "replace" ? sum + leaves : sum),
    0,
  );
  const counts: readonly (readonly [number, string])[] = [
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.replace, `to replace${left > 0 ? ` (leaves ${countText(left, "object")} behind)` : ""}`],
    [summary.forget, "to forget"],
    [summary.adopt, "to adopt"],
    [summary.record, "to record"],
    [summary.unknown, "unknown"],
    [summary.blocked, "blocked"],
  ];
  return countsTexts(counts);
}
