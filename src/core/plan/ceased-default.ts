import type { Action, Change } from "../../generated/plan.js";
import { valueAt } from "../../json/path.js";
import { mappingPath, withParents } from "../guardrails/change-path.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Default } from "../resources/defaults.js";
import { selectorText } from "../resources/field-origin.js";
import type { Resource } from "../resources/resource.js";
import type { LockEntry } from "../state/lock.js";
import { isConsequence } from "./difference.js";

/** Why a value that a default gave is not given any more. */
export type Ceased = NonNullable<Change["ceased"]>;

/** Says of the changes of an action which default of the manifest gave the value before, if it gives none now. */
export function withCeased(
  action: Action,
  resource: Resource,
  entry: LockEntry | undefined,
  defaults: readonly Default[],
): Action {
  const given = Object.entries(entry?.made_from?.defaults ?? {});
  if (given.length === 0 || (action.action !== "update" && action.action !== "replace")) return action;
  const own = defaults.filter(({ kind }) => kind === kindOfAddress(action.address).name);
  const changes = action.changes.map((change) => {
    if (isConsequence(change)) return change;
    const ceased = ceasedFor(change, given, { action, resource, own });
    return ceased ? { ...change, ceased } : change;
  });
  return { ...action, changes };
}

function ceasedFor(
  { path: changed, after }: Change,
  given: readonly (readonly [selector: string, fields: readonly string[]])[],
  { action, resource, own }: { action: Action; resource: Resource; own: readonly Default[] },
): Ceased | undefined {
  const parents = withParents(changed);
  // A damaged lock may have any text for a selector, such as `constructor`.
  const still = action.made_from?.defaults ?? {};
  for (const [selector, fields] of given) {
    const field = fields.find((each) => parents.includes(each));
    if (field === undefined) continue;
    const isGiven = Object.hasOwn(still, selector) && still[selector]?.includes(field) === true;
    const path = ["spec", ...mappingPath(field)];
    // It may still give a mapping, and no longer what was in it.
    const isEmptied =
      after === undefined && resource.layerType(["spec", ...mappingPath(changed)]) === undefined;
    if (isGiven && isEmptied) return { selector, why: "field" };
    // What a document says itself, it says whatever the defaults are.
    const type = resource.layerType(path);
    if (isGiven || type === "patch" || (type === "document" && after !== undefined)) return undefined;
    const same = own.filter((each) => selectorText(each) === selector);
    const left = same.filter(({ layer }) => (valueAt(layer.value, path) ?? null) !== null);
    // What lies over a default takes away what it gives; another default only if it is for this document.
    const lower = type === "default" ? left.map(({ layer }) => layer) : undefined;
    if (resource.isOver(path, lower)) return undefined;
    return { selector, why: same.length === 0 ? "removed" : left.length > 0 ? "labels" : "field" };
  }
  return undefined;
}

/** Says which default ceased and why, as a clause of its own. */
export function ceasedText({ selector, why }: Ceased): string {
  const labels = selector.split(",").map((label) => `\`${label.replace("=", ": ")}\``);
  const name =
    selector === "" ? "the default for all of the kind" : `the default for ${labels.join(" and ")}`;
  const says = {
    labels: "does not apply any more",
    removed: "is gone from the manifest",
    field: "does not give it any more",
  } as const;
  return `${name} ${says[why]}`;
}
