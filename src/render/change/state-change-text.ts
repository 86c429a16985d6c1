import type { StateChange } from "../../generated/plan.js";
import { renderChange } from "./change-text.js";
import { shownChange, wholeWidth } from "./shown-change.js";
import { countText } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import type { Palette } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

/** What the edits of the state are called, wherever a plan is shown. */
export const stateTitle = "State edited by this change";

/** What a reviewer must know of them. */
export const stateMeaning =
  "Applies and `agentform lock` write the state. An edit of it decides which objects are updated, and what counts as sent already.";

const tables: Readonly<Record<string, string>> = {
  resources: "managed object",
  retired: "retired object",
  unknown: "create of unknown outcome",
};

/** Names what was edited, such as `policy:strict` or the ID of a retired object. */
export function stateName({ key, part }: StateChange): string {
  return key ?? part;
}

/** Says what the edited part is, and what was done to it. */
export function stateSort({ part, key, address, edit }: StateChange): string {
  const of = address === undefined || address === key ? "" : ` of ${address}`;
  return `${tables[part] ?? "member of the lock"}${of}, ${edit}`;
}

/** Renders one edit of the state as lines. */
export function renderStateChange(change: StateChange, palette: Palette): string[] {
  const [symbol, paint] = {
    added: ["+", palette.added] as const,
    removed: ["-", palette.removed] as const,
    changed: ["~", palette.changed] as const,
  }[change.edit];
  const style = { palette, width: wholeWidth, compact: change.edit !== "changed" };
  return [
    `${paint(symbol)} ${safeLine(stateName(change))}  ${palette.dim(safeLine(stateSort(change)))}`,
    ...indented(
      change.changes.flatMap((each) => renderChange(shownChange(each, style), style)),
      4,
    ),
  ];
}

/** Counts the edits of the state; nothing if there are none. */
export function stateCount(changes: readonly StateChange[] = []): string[] {
  return changes.length > 0 ? [`${countText(changes.length, "edit")} of the state`] : [];
}
