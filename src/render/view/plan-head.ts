import type { Plan, PlanSummary } from "../../generated/plan.js";
import type { Json } from "../../json/json.js";
import { prunedIds, hasChanges, recordedSettings } from "../../core/plan/plan-summary.js";
import { countText, countsTexts } from "../words/count-text.js";
import type { Plans } from "../../core/review/plans.js";
import { reviewOf, type Review } from "../../core/review/review.js";
import { stateOptions } from "../../core/state/state-choice.js";
import { effectClauses } from "../words/effect-words.js";
import { asSentence } from "../words/review-words.js";
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
    return `Compared with what the documents of ${other} say; nothing here can be applied, and no guardrail note judges it.`;
  }
  if (lock === null) return "Nothing was applied yet.";
  const applied = `what was last applied (${lock.source})`;
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

/** Says how much of what a plan does, in one sentence that begins with what it is. */
export function summaryText(plan: Plan): string {
  const title = commandOf(plan) === "drift" ? "Drift" : "Plan";
  return `${hasChanges(plan) ? `${title}: ` : ""}${summaryWords(plan)}`;
}

/** Says the same without what it is. */
export function summaryWords(plan: Plan): string {
  const parts = summaryParts(plan);
  return hasChanges(plan) ? asSentence(parts.join(", ")) : parts.map(asSentence).join(" ");
}

/** Says how much of what a plan does, what must not be missed first. */
export function summaryParts(plan: Plan): string[] {
  const { summary } = plan;
  const { unchanged } = summary;
  if (!hasChanges(plan)) {
    if (commandOf(plan) === "drift") return [noDrift(plan), ...asLastSent(unchanged)];
    if (commandOf(plan) === "prune") return ["nothing to delete"];
    if (unchanged === 0) return ["no changes"];
    if (plan.options.against !== undefined)
      return ["no changes", `${countText(unchanged, "resource says", "resources say")} the same in both`];
    return ["no changes", `${countText(unchanged, "resource is", "resources are")} as last applied`];
  }
  return [...settingsCount(recordedSettings(plan)), ...countsOf(plan.summary, changedWords(plan))];
}

function noDrift({ diagnostics }: Plan): string {
  const isWhole = diagnostics.every(({ severity }) => severity !== "error");
  return isWhole ? "no drift" : "no drift in what could be read";
}

// How many resources the service has as they were sent; nothing if that is none.
function asLastSent(count: number): string[] {
  if (count === 0) return [];
  return [`${countText(count, "resource is", "resources are")} in the service as last applied`];
}

/** Counts the settings that an apply records; nothing if there are none. */
export function settingsCount(count: number): string[] {
  return count > 0 ? [`${countText(count, "setting")} to record`] : [];
}

// What somebody did to objects, where a plan is not about that alone.
function changedWords(plan: Plan): string {
  return commandOf(plan) === "drift" ? "changed" : "changed in the service";
}

/** Counts what a plan does, by what it is. */
export function countsOf(summary: PlanSummary, changed: string): string[] {
  return countsTexts([
    [summary.unknown, "with an unknown outcome"],
    [summary.blocked, "blocked"],
    [summary.delete ?? 0, "to delete"],
    [summary.replace, "to replace"],
    [summary.forget, "to forget"],
    [summary.adopt, "to adopt"],
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.gone ?? 0, "gone"],
    [summary.changed ?? 0, changed],
    [summary.record, "to record"],
    [summary.unchanged, "unchanged"],
  ]);
}

/** What must be known of a plan before anything else, the gravest first: errors, edits of the state, notes, what is alone. */
export function graveParts(plan: Plan): string[] {
  const what = commandOf(plan) === "drift" ? "not all could be read:" : "it cannot be applied, for it has";
  return [...firstParts([plan], what), ...verdictTexts(reviewOf(plan), plan.options.against === undefined)];
}

/** What must be known of the plans of several workspaces before how much they do: errors, edits of the state, notes. */
export function gravePartsOfAll(members: Plans["plans"]): string[] {
  const notes = members.flatMap(({ folder, plan }) =>
    reviewOf(plan).notes.map(({ effect, addresses }) => ({
      effect,
      addresses: addresses.map((address) => `${folder} ${address}`),
    })),
  );
  const plans = members.map(({ plan }) => plan);
  return [...firstParts(plans, "they cannot be applied, for they have"), ...effectClauses(notes)];
}

function firstParts(plans: readonly Plan[], what: string): string[] {
  const found = plans.flatMap(({ diagnostics }) => diagnostics);
  const errors = found.filter(({ severity }) => severity === "error").length;
  const edits = plans.flatMap(({ state_changes = [] }) => state_changes).length;
  return [
    ...(errors > 0 ? [`${what} ${countText(errors, "error")}`] : []),
    ...(edits > 0 ? [`the change edits the state in ${countText(edits, "place")}`] : []),
  ];
}

const manyEdits = 20;

/** Says what a reviewer must know first: what the guardrail notes do, if any are made, and whether one resource alone is edited. */
export function verdictTexts(review: Review, isJudged = true): string[] {
  const effects = effectClauses(review.notes);
  const alone = aloneText(review);
  if (alone === undefined) return effects;
  const { edits, unjudged } = review;
  return [
    ...(effects.length > 0 || !isJudged ? effects : ["no guardrail notes"]),
    alone,
    ...(unjudged > 0
      ? [edits === 1 ? "1 edit not judged" : `${unjudged} of ${edits} distinct edits not judged`]
      : []),
  ];
}

// Where no edit is shared, none is odd; a reader sees a few of them at once.
function aloneText({ onlyHere, groups }: Review): string | undefined {
  // How many are new and forgotten stands among the counts.
  const alone = onlyHere.filter(({ action }) => action.action !== "create" && action.action !== "forget");
  if (groups.length === 0 && alone.length < manyEdits) return undefined;
  const [first, ...more] = new Set(alone.map(({ action }) => action.address));
  if (first === undefined) {
    if (onlyHere.length > 0) return undefined;
    return groups.length === 1 ? "the same edit in each" : "every edit is shared";
  }
  const edits = countText(alone.length, "edit");
  return more.length === 0 ? `${edits} only in \`${first}\`` : `${edits} that one resource alone has`;
}

/** The command that shows the document of a new object to its end; the folder of its workspace if there are several. */
export function renderCommand(address: string, { environment }: Plan, folder?: string): string {
  return `agentform render ${address}${stateOptions({ folder, environment })}`;
}

/** What is said after that command. */
export const renderMeaning = "shows the whole document of a new object.";
