import type { PageAction } from "../render/html/page-data.js";

export type ActionName = PageAction["action"];

/** How a sort of action is shown. */
export interface ActionWord {
  readonly action: ActionName;
  readonly title: string;
  readonly sign: string;
}

/** The sorts of actions; what a reviewer must not miss stands first. */
export const actionWords: readonly ActionWord[] = [
  { action: "unknown", title: "Unknown", sign: "?" },
  { action: "blocked", title: "Blocked", sign: "!" },
  { action: "replace", title: "Replace", sign: "±" },
  { action: "forget", title: "Forget", sign: "−" },
  { action: "adopt", title: "Adopt", sign: "›" },
  { action: "create", title: "Create", sign: "+" },
  { action: "update", title: "Update", sign: "~" },
  { action: "record", title: "Record", sign: "=" },
];

const signs = new Map(actionWords.map(({ action, sign }) => [action, sign]));

/** Gives the sign of an action. */
export function signOf(action: ActionName): string {
  return signs.get(action) ?? "";
}

/** Renders a number with its noun: `1 change`, `2,000 changes`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
