import { lostEntryText } from "../../core/guardrails/note-phrases.js";
import type { Plan, StateChange } from "../../generated/plan.js";
import { layOutChange } from "../change/change-layout.js";
import { shownChange } from "../change/shown-change.js";
import type { StateItem } from "./plan-section.js";

// More is read after the review.
const mostOpenLines = 12;

/** Gives the item of an edit of the state. */
export function stateItem(change: StateChange, notes: Plan["notes"]): StateItem {
  const { part, key, address, edit, changes } = change;
  const note = notes.find(
    ({ code, parts }) => code === "state-edited" && parts.part === part && parts.key === key,
  );
  const lost = note && lostEntryText(note);
  const lines = changes.reduce((sum, each) => sum + layOutChange(shownChange(each)).lines.length + 1, 0);
  const of = address === undefined || address === key ? "" : ` of ${address}`;
  return {
    sort: "state",
    change,
    name: key ?? part,
    what: `${tables[part] ?? "part of the state"}${of}, ${edit}`,
    ...(lost !== undefined && { lost }),
    isOpen: lines <= mostOpenLines,
  };
}

const tables: Readonly<Record<string, string>> = {
  resources: "managed object",
  retired: "retired object",
  unknown: "create of unknown outcome",
};
