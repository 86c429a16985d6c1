import { actionChanges } from "../render/change/action-changes.js";
import { type ChangeLayout, layOutChange } from "../render/change/change-layout.js";
import { type ShownChange, shownChange } from "../render/change/shown-change.js";
import { wholeRoom } from "../render/words/value-excerpt.js";
import type { Action, Change } from "../generated/plan.js";

/** A change as the page shows it; texts are safe to show. */
export type PageChange = ChangeLayout & Omit<ShownChange, "content">;

const width = 2000;
// Characters that are shown beside the field.
const beside = 120;

/** The room of a change on the page. */
export const changeRoom = { width, short: beside };

/** The room of its values. */
export const changeLayout = { width, values: { ...wholeRoom(beside), longest: width } };

const known = new WeakMap<Change, PageChange>();

/** Lays out a change when it is first shown; the reasons of its action say what becomes of its references. */
export function pageChange(change: Change, action?: Action): PageChange {
  const before = known.get(change);
  if (before) return before;
  const [shown = shownChange(change, changeRoom)] = action
    ? actionChanges({ ...action, changes: [change] }, changeRoom).changes
    : [];
  const { content: _content, ...about } = shown;
  const made = { ...about, ...layOutChange(shown, changeLayout) };
  known.set(change, made);
  return made;
}
