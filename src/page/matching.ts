import type { LayoutLine } from "../render/change/change-layout.js";
import type { Action, Change } from "../generated/plan.js";
import { readable } from "../core/expression/expression.js";
import { safeLine } from "../render/words/terminal-text.js";
import type { PlanIndex } from "./plan-index.js";

const filterNames = ["actions", "kinds", "sorts", "effects"] as const;

/** What of an action is filtered: what is done, its kind, whether it is an edit, and the effects of its notes. */
export type FilterName = (typeof filterNames)[number];

/** The filters; an empty set matches everything. */
export interface Filter extends Readonly<Record<FilterName, ReadonlySet<string>>> {
  readonly query: string;
  /** A shared edit by its index. */
  readonly group: number | undefined;
}

/** A filter that everything passes. */
export const noFilter: Filter = {
  query: "",
  actions: new Set(),
  kinds: new Set(),
  sorts: new Set(),
  effects: new Set(),
  group: undefined,
};

const texts = new WeakMap<Action | Change, string>();

/** Gives what a filter finds an action by. */
export function valuesOf(name: FilterName, plan: PlanIndex, index: number): readonly string[] {
  const { action = "", address = "" } = plan.plan.actions[index] ?? {};
  switch (name) {
    case "actions":
      return [action];
    case "kinds":
      return [address.slice(0, Math.max(0, address.indexOf(":")))];
    case "sorts":
      return [plan.sortOf(index) ?? []].flat();
    case "effects":
      return [...new Set(plan.notesOf(index).map(({ effect }) => effect))];
  }
}

/** Whether an action matches a filter: each word of the query is in its address, fields or texts. */
export function isShown(plan: PlanIndex, index: number, filter: Filter): boolean {
  const action = plan.plan.actions[index];
  if (!action) return false;
  const { query, group } = filter;
  const passes = (name: FilterName): boolean =>
    filter[name].size === 0 || valuesOf(name, plan, index).some((value) => filter[name].has(value));
  if (!filterNames.every(passes)) return false;
  if (group !== undefined && !plan.groupsOf(index).includes(group)) return false;
  return wordsOf(query).every((word) => isFound(word, plan, action));
}

/** Whether a filter may hide anything. */
export function isFiltering(filter: Filter): boolean {
  const { query, group } = filter;
  return query !== "" || group !== undefined || filterNames.some((name) => filter[name].size > 0);
}

/** Gives the words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

function isFound(word: string, plan: PlanIndex, action: Action): boolean {
  const own = textOf(action, () => {
    const { address, action: name, file = "", affects } = action;
    const { reasons, leaves, follows } = plan.aboutOf(action);
    return [address, name, file, ...reasons, ...leaves, ...follows, ...affects];
  });
  return own.includes(word) || action.changes.some((change) => changeText(change).includes(word));
}

// The whole of the values, for to lay out all changes of a large plan takes long.
function changeText(change: Change): string {
  return textOf(change, () => {
    const values = [change.before, change.after].flatMap((value) =>
      value === undefined ? [] : valueText(value),
    );
    return [safeLine(change.path), change.origin?.file ?? "", ...values];
  });
}

function valueText(value: unknown): string {
  return typeof value === "string" ? readable(value) : JSON.stringify(value);
}

function textOf(key: Action | Change, parts: () => readonly string[]): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = parts().join("\n").toLowerCase();
  texts.set(key, text);
  return text;
}

/** Gives the text of a line of a difference. */
export function lineText(line: LayoutLine): string {
  const { kind } = line;
  return kind === "removed" || kind === "added" ? line.segments.map(({ text }) => text).join("") : "";
}
