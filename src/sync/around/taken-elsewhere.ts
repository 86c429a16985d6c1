import { elsewhereText, type Elsewhere } from "../../core/import/importing.js";
import { error, type Finding, type Place } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { kindOfAddress } from "../../core/kind/kinds.js";
import type { Plan } from "../../core/plan/plan.js";
import type { Fleet } from "../../core/resources/fleet.js";
import type { Settings } from "../../core/resources/manifest.js";
import type { ServiceObject } from "../../core/state/object-users.js";
import { managedElsewhere, managedNearby } from "./other-environments.js";
import type { PlanRequest } from "../request.js";

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
  return elsewhere.ok ? takenFrom(elsewhere, wanted) : elsewhere.problems;
}

/** Warns of what a plan would take over in this way, as far as files show it: until the apply, it may be given away. */
export async function findTakenNearby(
  plan: Plan,
  fleet: Fleet,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  const wanted = adoptedBy(plan, fleet);
  if (wanted.length === 0) return [];
  const taken = takenFrom(await managedNearby(fleet.settings, request), wanted);
  return taken.map((finding) => ({ ...finding, severity: "warning" }));
}

/** Gives the objects that a plan takes over. */
export function adoptedBy(
  { actions }: Pick<Plan, "actions">,
  { resources }: Pick<Fleet, "resources">,
): ObjectToTake[] {
  return actions.flatMap(({ action, address, ids = [] }) => {
    const place = resources.get(address)?.place(["lifecycle", "adopt"]);
    return action === "adopt" ? ids.map((id) => ({ id, address, ...(place && { place }) })) : [];
  });
}

function takenFrom({ owners }: Elsewhere, wanted: readonly ObjectToTake[]): Finding[] {
  return wanted.flatMap(({ address, id, place }) => {
    const owner = owners.get(`${kindOfAddress(address).name}:${id}`);
    if (!owner || owner.isLeft) return [];
    const message = say`${bare({ address })} cannot have the ID ${bare({ id })}: ${elsewhereText(owner)} has it`;
    return [error("adopt-taken", place, message, "remove it there first, and apply that")];
  });
}
