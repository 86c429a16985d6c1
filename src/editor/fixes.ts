import type { Fix } from "../core/finding/said.js";
import { editOf } from "../core/position/fix-edit.js";
import type { TextPlace } from "./find-names.js";
import type { OfferedChange } from "./lifecycle-changes.js";

/** Gives the change that a diagnostic at a range of a text proposes, if the text is still the one it is about. */
export function correctionOf({ file, text, range }: TextPlace, fix: Fix): OfferedChange | undefined {
  const edit = editOf(text, range, fix);
  return edit && { title: titleOf(fix, edit.newText), change: { file, text, ...edit } };
}

function titleOf({ type, to = "" }: Fix, newText: string): string {
  switch (type) {
    case "quote":
      return "Put it in quotes";
    case "escape":
      return "Send the text itself: write $${";
    case "write":
      return `Write ${to}`;
    default:
      return `Change to ${newText}`;
  }
}
