import type { Action } from "../../generated/plan.js";
import { readReference } from "../expression/reference.js";
import { hasOldId, newIdLookup, usedAddress, type UsedWorkspaces } from "../resources/used.js";
import { cause, type Cause } from "../plan/cause.js";

const nothing: UsedWorkspaces = new Map();

/** Fills in the IDs of other workspaces that were not known when the plan was made, as far as they have them now. */
export function withNewIds(action: Action, workspaces = nothing): Action {
  const texts = pendingIn(action);
  if (texts.length === 0) return action;
  const lookup = newIdLookup(workspaces);
  const found = texts.flatMap((text) => {
    const ids = lookup(readReference(text));
    return ids === undefined ? [] : [[text, typeof ids === "string" ? ids : [...ids]] as const];
  });
  return { ...action, used: { ...action.used, ...Object.fromEntries(found) } };
}

/** Gives why an action cannot run whose IDs of other workspaces are not all there; undefined if they are. */
export function lackedId(action: Action, workspaces = nothing): Cause | undefined {
  const [text] = pendingIn(action);
  if (text === undefined) return undefined;
  const { address, operation } = readReference(text);
  const of = usedAddress(address) ?? { address, use: "" };
  return hasOldId(workspaces, address)
    ? cause("old-id-there", { ...of })
    : cause("not-applied-there", { ...of, ...(operation !== undefined && { operation }) });
}

function pendingIn({ used = {} }: Action): string[] {
  return Object.keys(used).filter((text) => used[text] === null);
}
