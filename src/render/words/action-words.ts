import type { Action } from "../../generated/plan.js";
import type { Palette } from "./palette.js";

/** The name of a sort of action. */
export type ActionName = Action["action"];

/** How a sort of action is shown. */
export interface ActionWord<Key extends ActionName = ActionName> {
  readonly action: Key;
  /** The heading of the actions of this sort. */
  readonly title: string;
  /** The symbol in a terminal, and what it means by its colour. */
  readonly symbol: string;
  readonly role: Exclude<keyof Palette, "word">;
}

/** The sorts of actions in the order of a review: what must not be missed is first. */
export const actionWords: { readonly [Key in ActionName]: ActionWord<Key> } = {
  unknown: { action: "unknown", title: "Unknown", symbol: "?", role: "grave" },
  blocked: { action: "blocked", title: "Blocked", symbol: "!", role: "grave" },
  delete: { action: "delete", title: "Delete", symbol: "--", role: "grave" },
  replace: { action: "replace", title: "Replace", symbol: "-/+", role: "grave" },
  forget: { action: "forget", title: "Forget", symbol: "-", role: "removed" },
  gone: { action: "gone", title: "Gone", symbol: "-", role: "removed" },
  adopt: { action: "adopt", title: "Adopt", symbol: ">", role: "added" },
  create: { action: "create", title: "Create", symbol: "+", role: "added" },
  update: { action: "update", title: "Update", symbol: "~", role: "changed" },
  changed: { action: "changed", title: "Changed", symbol: "~", role: "changed" },
  record: { action: "record", title: "Record", symbol: "=", role: "changed" },
};
