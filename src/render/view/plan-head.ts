import type { Plan } from "../../generated/plan.js";
import type { Json } from "../../json/json.js";
import { prunedIds } from "../../core/plan/prune-plan.js";
import { hasChanges, recordedSettings } from "../../core/plan/plan-summary.js";
import { countText, countsTexts } from "../words/count-text.js";
import { safeLine } from "../words/terminal-text.js";

const narrowing: readonly string[] = ["target", "selector", "exclude", "changed-since"];

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
export function commandOf(plan: Pick<Plan, "options">): "plan" | "drift" | "prune" {
  if (prunedIds(plan)) return "prune";
  return plan.options.drift === true ? "drift" : "plan";
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

/** Renders how much of what a plan does, in one line that begins with what it is. */
export function summaryText(plan: Plan): string {
  const title = commandOf(plan) === "drift" ? "Drift" : "Plan";
  return `${hasChanges(plan) ? `${title}: ` : ""}${summaryWords(plan)}`;
}

/** Renders the same without what it is. */
export function summaryWords(plan: Plan): string {
  const { summary } = plan;
  const { unchanged } = summary;
  const isDrift = commandOf(plan) === "drift";
  if (!hasChanges(plan)) {
    if (isDrift) return [noDrift(plan), ...asLastSent(unchanged)].join(" ");
    if (commandOf(plan) === "prune") return "Nothing to delete.";
    if (unchanged === 0) return "No changes.";
    const verb = unchanged === 1 ? "resource is as it was" : "resources are as they were";
    return `No changes. ${unchanged} ${verb} last applied.`;
  }
  const edits = plan.state_changes?.length ?? 0;
  const parts = [
    ...(edits > 0 ? [`${countText(edits, "edit")} of the state`] : []),
    ...settingsCount(plan),
    ...countsOf(plan),
  ];
  return `${parts.join(", ")}.${unchanged > 0 ? ` ${unchanged} unchanged.` : ""}`;
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

/** Says of objects what somebody did to them, where a plan is not about that alone. */
export function changedWords(plan: Plan): string {
  return commandOf(plan) === "drift" ? "changed" : "changed in the service";
}

function countsOf(plan: Plan): string[] {
  const { summary } = plan;
  return countsTexts([
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.delete ?? 0, "to delete"],
    [summary.changed ?? 0, changedWords(plan)],
    [summary.gone ?? 0, "gone"],
    [summary.replace, "to replace"],
    [summary.forget, "to forget"],
    [summary.adopt, "to adopt"],
    [summary.record, "to record"],
    [summary.unknown, "unknown"],
    [summary.blocked, "blocked"],
  ]);
}
