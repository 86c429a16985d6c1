import { elsewhereText } from "../core/import/importing.js";
import { error, type Finding, type Place } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import { kindOfAddress } from "../core/kind/kinds.js";
import type { Settings } from "../core/resources/manifest.js";
import type { ServiceObject } from "../core/state/object-users.js";
import { managedElsewhere } from "./other-environments.js";
import type { PlanRequest } from "./request.js";

/** An object to take over, and where a document asks for that. */
export interface ObjectToTake extends ServiceObject {
  readonly place?: Place;
}

/**
 * Finds objects that are to be taken over while another environment of the workspace, or another workspace of the
 * repository, manages them: two would each update them to what their own documents say.
 */
export async function findTakenElsewhere(
  wanted: readonly ObjectToTake[],
  settings: Settings,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  if (wanted.length === 0) return [];
  const elsewhere = await managedElsewhere(settings, request);
  if (!elsewhere.ok) return elsewhere.problems;
  return wanted.flatMap(({ address, id, place }) => {
    const owner = elsewhere.owners.get(`${kindOfAddress(address)?.name ?? ""}:${id}`);
    if (!owner || owner.isLeft) return [];
    const message = say`${bare({ address })} cannot have the ID ${bare({ id })}: ${elsewhereText(owner)} has it`;
    return [error("adopt-taken", place, message, "remove it there first, and apply that")];
  });
}
