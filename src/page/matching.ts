import type { LayoutLine } from "../render/change/change-layout.js";
import type { ActionName } from "../render/words/action-words.js";
import type { Action, Change, GuardrailNote } from "../generated/plan.js";
import { readable } from "../core/expression/expression.js";
import { safeLine } from "../render/words/terminal-text.js";
import type { PlanIndex, Sort } from "./plan-index.js";

/** The filters; an empty set matches everything. */
export interface Filter {
  readonly query: string;
  readonly actions: ReadonlySet<ActionName>;
  readonly kinds: ReadonlySet<string>;
  readonly sorts: ReadonlySet<Sort>;
  readonly effects: ReadonlySet<GuardrailNote["effect"]>;
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

/** Gives the kind of an address. */
export function kindOf(address: string): string {
  return address.slice(0, Math.max(0, address.indexOf(":")));
}

/** Whether an action matches a filter: each word of the query is in its address, fields or texts. */
export function isShown(plan: PlanIndex, index: number, filter: Filter): boolean {
  const action = plan.plan.actions[index];
  if (!action) return false;
  const { query, actions, kinds, sorts, effects, group } = filter;
  const sort = plan.sortOf(index);
  if (actions.size > 0 && !actions.has(action.action)) return false;
  if (kinds.size > 0 && !kinds.has(kindOf(action.address))) return false;
  if (sorts.size > 0 && (sort === undefined || !sorts.has(sort))) return false;
  if (effects.size > 0 && !plan.notesOf(index).some(({ effect }) => effects.has(effect))) return false;
  if (group !== undefined && !plan.groupsOf(index).includes(group)) return false;
  return wordsOf(query).every((word) => isFound(word, plan, action));
}

/** Whether a filter may hide anything. */
export function isFiltering({ query, actions, kinds, sorts, effects, group }: Filter): boolean {
  return query !== "" || group !== undefined || [actions, kinds, sorts, effects].some(({ size }) => size > 0);
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
