import { type ActionName, actionWords } from "../render/words/action-words.js";

// What looks better than the symbol of a terminal where fonts have it.
const finer: Readonly<Record<string, string>> = { "-/+": "±", "-": "−", ">": "›" };

/** The sorts of actions; what a reviewer must not miss is first. */
export const actionNames = Object.keys(actionWords) as readonly ActionName[];

/** Gives the place of a sort among all. */
export function rankOf(action: ActionName): number {
  return actionNames.indexOf(action);
}

/** Gives the sign of an action. */
export function signOf(action: ActionName): string {
  const { symbol } = actionWords[action];
  return finer[symbol] ?? symbol;
}

/** Shows the sign of an action; what it is must be said beside it. */
export function Badge({ action }: { readonly action: ActionName }) {
  return (
    <span class="badge" aria-hidden="true">
      {signOf(action)}
    </span>
  );
}

/** Renders a number with its noun: `1 change`, `2,000 changes`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
