import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import type { Settings } from "../../core/resources/manifest.js";
import type { Lock } from "../../core/state/lock.js";
import {
  findNeighbours,
  neighbourName,
  readNeighbours,
  type Neighbour,
} from "../../workspace/others/neighbours.js";
import type { PlanRequest } from "../request.js";
import type { MovedStates } from "./moved-states.js";

/** Finds a neighbour with the state to move: a copied folder has its lock, or finds it by the name. */
export function findCopied(
  { lineage }: Lock,
  { lock: { store } }: Settings,
  moving: MovedStates,
  request: PlanRequest,
): Finding[] {
  if (!("fromWorkspace" in moving) && store !== "file") return [];
  const { states } = readNeighbours(findNeighbours(request.directory, request), request);
  return states
    .filter(({ lock }) => lock.lineage === lineage)
    .slice(0, 1)
    .map(explainCopy);
}

function explainCopy(other: Neighbour): Finding {
  const message = say`the workspace ${bare({ source: neighbourName(other) })} of this repository has the same state, so both would manage the same objects`;
  const hint =
    "a workspace that is a copy begins with no state: delete the lock that was copied with it; if this one takes the place of the other, remove that first";
  return error("lock-foreign", undefined, message, hint);
}
