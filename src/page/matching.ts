import type { ActionName } from "./action-word.js";
import type { PageAction, PageLine } from "../render/html/page-data.js";

/** The filters; an empty set matches everything. */
export interface Filter {
  readonly query: string;
  readonly actions: ReadonlySet<ActionName>;
  readonly kinds: ReadonlySet<string>;
}

const texts = new WeakMap<PageAction, string>();

/** Gives the kind of an address. */
export function kindOf(address: string): string {
  return address.slice(0, Math.max(0, address.indexOf(":")));
}

/** Whether an action matches a filter: each word of the query is in its address, fields or texts. */
export function isShown(action: PageAction, { query, actions, kinds }: Filter): boolean {
  if (actions.size > 0 && !actions.has(action.action)) return false;
  if (kinds.size > 0 && !kinds.has(kindOf(action.address))) return false;
  return wordsOf(query).every((word) => textOf(action).includes(word));
}

/** Gives the words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

function textOf(action: PageAction): string {
  const known = texts.get(action);
  if (known !== undefined) return known;
  const { address, action: name, file = "", reasons, changes, consequences, affects } = action;
  const parts = [address, name, file, ...reasons, ...consequences, ...affects];
  for (const { path, said = "", before = "", after = "", lines = [] } of changes) {
    parts.push(path, said, before, after, ...lines.map(lineText));
  }
  const text = parts.join("\n").toLowerCase();
  texts.set(action, text);
  return text;
}

/** Gives the text of a line of a difference. */
export function lineText([kind, ...segments]: PageLine): string {
  return kind === "@" ? "" : segments.map((part) => (typeof part === "object" ? part[0] : part)).join("");
}
