import type { Action, Plan } from "../../generated/plan.js";
import { tableHead } from "./plan-resource.js";
import type { Weight } from "./plan-risk.js";

/** What is shown of one action. */
export interface ShownAction {
  readonly action: Action["action"];
  readonly weight: Weight;
  /** The row of the table. */
  readonly row: string;
  /** The folded differences, if there was room. */
  readonly details?: string;
}

const openRows = 12;

/** The bytes that tables and folds take beside what is in them. */
export const frameBytes = 700;

/** Renders actions as a table; of many, the everyday ones in a second one that is folded away. */
export function renderTables(shown: readonly ShownAction[]): string[] {
  if (shown.length === 0) return [];
  const [open, folded] = split(shown);
  if (folded.length === 0) return [tableOf(open)];
  const counts = [...new Set(folded.map(({ action }) => action))].map(
    (action) => `${folded.filter((each) => each.action === action).length} to ${action}`,
  );
  const follows = open.length > 0 && folded.every(({ weight }) => weight === "following");
  const why = follows ? ", which only follow from what is above" : "";
  return [
    ...(open.length > 0 ? [tableOf(open)] : []),
    folds(`${open.length > 0 ? "and " : ""}${counts.join(", ")}${why}`, [tableOf(folded)]),
  ];
}

/** Renders the differences of actions, those of the folded rows folded away together. */
export function renderDifferences(shown: readonly ShownAction[]): string[] {
  const [open, folded] = split(shown).map((some) => some.flatMap(({ details }) => details ?? []));
  if (!open || !folded) return [];
  const rest = `${open.length > 0 ? "and " : ""}the differences of ${folded.length}${open.length > 0 ? " more" : ""}`;
  return [...open, ...(folded.length > 0 ? [folds(rest, folded)] : [])];
}

// What a reviewer must see is never folded; what only follows is the first to go.
function split(shown: readonly ShownAction[]): [readonly ShownAction[], readonly ShownAction[]] {
  if (shown.length <= openRows + 3) return [shown, []];
  const grave = shown.filter(({ weight }) => weight === "grave").length;
  const written = shown.filter(({ weight }) => weight === "written").length;
  const open = Math.max(grave, Math.min(grave + written, openRows));
  return [shown.slice(0, open), shown.slice(open)];
}

function folds(summary: string, blocks: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...blocks, "</details>"].join("\n\n");
}

function tableOf(shown: readonly ShownAction[]): string {
  return [tableHead, ...shown.map(({ row }) => row)].join("\n");
}

const meanings: readonly (readonly [Action["action"], string])[] = [
  ["unknown", "whether a request was carried out is not known, and a person has to find out"],
  ["blocked", "waits for something that this plan cannot give"],
  ["replace", "created anew with a new ID, for the service cannot change it; the old object stays there"],
  ["forget", "managed no longer; the object stays in the service"],
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
