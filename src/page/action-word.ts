import type { PageAction } from "../render/html/page-data.js";
import { actionWords as words } from "../render/words/action-words.js";

export type ActionName = PageAction["action"];

/** How an action of one type is shown. */
export interface ActionWord {
  readonly action: ActionName;
  readonly title: string;
  readonly sign: string;
}

// What looks better than the symbol of a terminal where fonts have it.
const finer: Readonly<Record<string, string>> = { "-/+": "±", "-": "−", ">": "›" };

/** The sorts of actions; what a reviewer must not miss is first. */
export const actionWords: readonly ActionWord[] = Object.values(words).map(({ action, title, symbol }) => ({
  action,
  title,
  sign: finer[symbol] ?? symbol,
}));

const signs = new Map(actionWords.map(({ action, sign }) => [action, sign]));

/** Gives the sign of an action. */
export function signOf(action: ActionName): string {
  return signs.get(action) ?? "";
}

/** Renders a number with its noun: `1 change`, `2,000 changes`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
