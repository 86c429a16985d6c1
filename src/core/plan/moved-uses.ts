import type { Plan } from "../../generated/plan.js";
import { equal, type Json } from "../../json/json.js";
import { readReference } from "../expression/reference.js";
import { isPending, usedLookup, type UsedWorkspaces } from "../resources/used.js";

/** Names the references to other workspaces that stand for another ID now than in a plan. */
export function movedUses({ actions }: Plan, used: UsedWorkspaces): string[] {
  const lookup = usedLookup(used);
  return actions.flatMap(({ used: sent = {} }) =>
    Object.entries(sent).flatMap(([text, ids]) => {
      const reference = readReference(text);
      const isAwaited = ids === null && isPending(used, reference.address);
      return isAwaited || equal(lookup(reference) as Json, ids) ? [] : [text];
    }),
  );
}
