import type { ReviewNote } from "../../core/review/review.js";
import { isConsequence } from "../../core/plan/difference.js";
import { layOutChange } from "../change/change-layout.js";
import { outlinePart } from "../change/outline-change.js";
import { shownChange, type ShownChange } from "../change/shown-change.js";
import { withoutContext } from "./plan-review.js";
import type { NoteItem } from "./plan-section.js";

// The first notes have so many lines of their change, the others fewer. All of it is below, in the section of the edit.
const openNotes = 8;
const noteLines = 8;
// A block for fewer takes more room than its lines.
const leastNoteLines = 4;

/** Gives the item of a note at a place among all, and whether it shows all of its change. */
export function noteItem(
  note: ReviewNote,
  at: number,
): { readonly item: NoteItem; readonly isWhole: boolean } {
  const most = at < openNotes ? noteLines : leastNoteLines;
  const item = { sort: "note", note, isAbove: isOfSetting(note) || note.code === "state-edited" } as const;
  const { change } = note;
  // Of a description, the lock has nothing but a digest, and the note says that it changed.
  const saysAll = change !== undefined && outlinePart(change)?.words === "changed";
  if (!change || saysAll || isConsequence(change))
    return { item: { ...item, lines: 0, left: 0 }, isWhole: saysAll };
  const shown = shownChange(change);
  const count = linesOf(shown);
  // A line more takes no more room than saying that there is one.
  if (count <= most + 1) return { item: { ...item, change: shown, lines: count, left: 0 }, isWhole: true };
  const short = withoutContext(shown);
  const left = linesOf(short) - most;
  const isCut = left > 1;
  return {
    item: { ...item, change: short, lines: isCut ? most : most + 1, left: isCut ? left : 0 },
    isWhole: false,
  };
}

function linesOf(shown: ShownChange): number {
  return layOutChange(shown).lines.length + 1;
}

/** Whether a note is about a setting of the workspace. */
export function isOfSetting({ code }: Pick<ReviewNote, "code">): boolean {
  return code === "setting-changed";
}
