import type { Action, Plan } from "../../generated/plan.js";
import type { Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import { mappingPath } from "../guardrails/change-path.js";
import { type Change, isConsequence } from "../plan/difference.js";
import { isRecorded } from "../plan/recorded-marks.js";

/** Adds where new values come from, if from a default or a patch; `linesOf` gives the lines, if known. */
export function withOrigins(
  plan: Plan,
  { resources }: Fleet,
  linesOf: (places: readonly Place[]) => readonly (number | undefined)[],
): Plan {
  const places = new Map<Change, Place>();
  for (const action of plan.actions) {
    const resource = resources.get(action.address);
    if (!resource || !hasOwnEdits(action) || resource.files.length === 1) continue;
    for (const change of action.changes) {
      const place = isConsequence(change) ? undefined : placeAbove(resource, pathOf(change.path));
      if (place) places.set(change, place);
    }
  }
  if (places.size === 0) return plan;
  const lines = linesOf([...places.values()]);
  const origins = new Map(
    [...places].map(([change, { file }], index) => [change, originOf(file, lines[index])]),
  );
  const attribute = (change: Change): Change => {
    const origin = origins.get(change);
    return origin ? { ...change, origin } : change;
  };
  return {
    ...plan,
    actions: plan.actions.map((action) =>
      action.changes.some((change) => origins.has(change))
        ? { ...action, changes: action.changes.map(attribute) }
        : action,
    ),
  };
}

// What a new object is made of is no edit of its own.
function hasOwnEdits({ action }: Action): boolean {
  return action === "update" || action === "replace" || action === "record";
}

function originOf(file: string, line: number | undefined): NonNullable<Change["origin"]> {
  return line === undefined ? { file } : { file, line };
}

function placeAbove(resource: Resource, path: Path): Place | undefined {
  const type = resource.layerType(path);
  return type === "default" || type === "patch" ? resource.place(path) : undefined;
}

function pathOf(change: string): Path {
  const path = mappingPath(change);
  return isRecorded(change) ? path : ["spec", ...path];
}
