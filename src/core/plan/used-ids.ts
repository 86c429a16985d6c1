import type { Action, GuardrailNote } from "../../generated/plan.js";
import type { ResolvedReferences } from "../../generated/lock.js";
import { equal } from "../../json/json.js";
import { readReference } from "../expression/reference.js";
import { noteOf } from "../guardrails/note-words.js";
import { kindOfAddress } from "../kind/kinds.js";
import { usedAddress, type UsedWorkspaces } from "../resources/used.js";
import { once } from "../../json/once.js";
import { ownersIn } from "../state/known-ids.js";
import type { Lock } from "../state/lock.js";

/**
 * Notes what references to other workspaces stand for, where that is not what was last sent: by the resource itself, or
 * by another if it had no such reference.
 */
export function notesOnUsed(
  actions: readonly Action[],
  { resources }: Pick<Lock, "resources">,
  used: UsedWorkspaces,
): GuardrailNote[] {
  if (actions.every(({ used: ids }) => ids === undefined)) return [];
  const sentBefore: Record<string, ResolvedReferences[string]> = {};
  for (const { references } of Object.values(resources)) Object.assign(sentBefore, references);
  const movedOf = findMoved(used);
  return actions.flatMap(({ address, used: ids = {} }) => {
    const own = resources[address]?.references ?? {};
    return Object.entries(ids).flatMap(([reference, after]) => {
      const before = own[reference] ?? sentBefore[reference];
      // What gets its ID in the same command is in the plan over there.
      if (after === null || equal(before, after)) return [];
      const moved = movedOf(reference, before);
      const parts = {
        reference,
        ...(before !== undefined && { before }),
        after,
        ...(moved !== undefined && { moved }),
      };
      return [
        noteOf("used-id-changed", parts, { effect: moved === undefined ? "review" : "weakens", address }),
      ];
    });
  });
}

// A replacement is judged over there. Whoever moves another object to the address exchanges it for its users alone.
function findMoved(used: UsedWorkspaces) {
  const ownersThere = once((use) => ownersIn({ resources: used.get(use)?.entries ?? {} }));
  return (reference: string, before: ResolvedReferences[string] = []): string | undefined => {
    const of = usedAddress(readReference(reference).address);
    if (of === undefined) return undefined;
    const kind = kindOfAddress(of.address);
    const owner = [before]
      .flat()
      .flatMap(ownersThere(of.use))
      .find((address) => address !== of.address && kindOfAddress(address) === kind);
    return owner && `${owner}@${of.use}`;
  };
}
