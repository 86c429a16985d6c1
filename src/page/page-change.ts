import { actionChanges } from "../render/change/action-changes.js";
import { type ChangeLayout, layOutChange } from "../render/change/change-layout.js";
import { type ShownChange, shownChange } from "../render/change/shown-change.js";
import type { Action, Change } from "../generated/plan.js";

/** A change as the page shows it; texts are safe to show. */
export type PageChange = ChangeLayout & Omit<ShownChange, "content">;

const known = new WeakMap<Change, PageChange>();

/** Lays out a change when it is first shown; the reasons of its action say what becomes of its references. */
export function pageChange(change: Change, action?: Action): PageChange {
  const before = known.get(change);
  if (before) return before;
  const [shown = shownChange(change)] = action ? actionChanges(action, [change]) : [];
  const made = shownLayout(shown);
  known.set(change, made);
  return made;
}

/** Lays out what is shown of a change. */
export function shownLayout(shown: ShownChange): PageChange {
  const { content: _content, ...about } = shown;
  return { ...about, ...layOutChange(shown) };
}
