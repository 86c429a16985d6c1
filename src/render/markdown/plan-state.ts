import type { Plan, StateChange } from "../../generated/plan.js";
import { headOf } from "../words/cut-text.js";
import { changeRoom, renderChangeDiff } from "./change-diff.js";
import { code, fence, htmlCode, prose } from "./markdown-text.js";
import { shownChange } from "../change/shown-change.js";
import { stateMeaning, stateName, stateSort, stateTitle } from "../change/state-change-text.js";

const shownFields = 5;
const longestField = 80;
// Few and short edits are seen at once.
const openEdits = 3;
const openLines = 12;

/** How much of the edits of the state is shown: their differences as well, or a line of each. */
export type StateDetail = "whole" | "lines";

/** Renders the edits of the state as a list, and folded below it their differences; nothing if there are none. */
export function renderState({ state_changes: edits = [] }: Plan, detail: StateDetail): string[] {
  if (edits.length === 0) return [];
  const list = [`**${stateTitle}** ${prose(stateMeaning)}`, "", ...edits.map(stateItem)].join("\n");
  return detail === "lines"
    ? [list]
    : [list, ...edits.map((edit, index) => stateDetails(edit, index < openEdits))];
}

/** Whether a note speaks of an edit of the state, and so is shown with it. */
export function isOfState({ code: name }: Pick<Plan["notes"][number], "code">): boolean {
  return name === "state-edited";
}

function stateItem(change: StateChange): string {
  const paths = change.changes.map(({ path }) => path);
  const shown = paths.slice(0, shownFields).map((path) => code(headOf(path, longestField)));
  const left = paths.length - shown.length;
  const fields =
    change.edit === "changed" ? `: ${shown.join(", ")}${left > 0 ? ` and ${left} more` : ""}` : "";
  return `- ${code(stateName(change))} (${prose(stateSort(change))})${fields}`;
}

function stateDetails(change: StateChange, isOpen: boolean): string {
  const lines = change.changes.flatMap((each) =>
    renderChangeDiff(shownChange(each, changeRoom), change.edit === "changed" ? "head" : "few"),
  );
  const name = `${change.edit} in the state:`;
  if (isOpen && lines.length <= openLines)
    return `${name} ${code(stateName(change))}\n\n${fence(lines, "diff")}`;
  return [
    `<details><summary>${name} ${htmlCode(stateName(change))}</summary>`,
    fence(lines, "diff"),
    "</details>",
  ].join("\n\n");
}
