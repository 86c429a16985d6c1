import type { Action, Change } from "../../generated/plan.js";
import { isObject, type Json } from "../../json/json.js";
import { pathSegment, valueAt, type Path } from "../../json/path.js";
import { withParents } from "../guardrails/change-path.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Default } from "../resources/defaults.js";
import { selectorText } from "../resources/made-from.js";
import type { Resource } from "../resources/resource.js";
import type { LockEntry } from "../state/lock.js";
import { isConsequence } from "./consequence.js";

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
  const own = defaults.filter(({ kind }) => kind === kindOfAddress(action.address)?.name);
  const changes = action.changes.map((change) => {
    if (isConsequence(change)) return change;
    const ceased = ceasedFor(change, given, { action, resource, own });
    return ceased ? { ...change, ceased } : change;
  });
  return { ...action, changes };
}

function ceasedFor(
  { path, after }: Change,
  given: readonly (readonly [selector: string, fields: readonly string[]])[],
  { action, resource, own }: { action: Action; resource: Resource; own: readonly Default[] },
): Ceased | undefined {
  const parents = withParents(path);
  for (const [selector, fields] of given) {
    const field = fields.find((each) => parents.includes(each));
    if (field === undefined) continue;
    const isGiven = action.made_from?.defaults?.[selector]?.includes(field) === true;
    // What a document says itself, it says whatever the defaults are.
    const written = pathIn(resource.body, field);
    const type = written && resource.layerType(["spec", ...written]);
    if (isGiven || type === "patch" || (type === "document" && after !== undefined)) return undefined;
    const same = own.filter((each) => selectorText(each) === selector);
    if (same.length === 0) return { selector, why: "removed" };
    const selected = same.filter((each) => isSelected(each, resource));
    if (selected.length === 0) return { selector, why: "labels" };
    // What still gives it has not ceased: something over it takes it away, such as a null or an empty list.
    return selected.some((each) => gives(each, field)) ? undefined : { selector, why: "field" };
  }
  return undefined;
}

function isSelected({ selector }: Default, { labels }: Resource): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

function gives({ layer }: Default, field: string): boolean {
  const given = valueAt(layer.value, ["spec"]);
  const path = pathIn(given, field);
  return path !== undefined && valueAt(given, path) !== null;
}

// A lock may have any text for a field, so it is compared with what there is, and not parsed.
function pathIn(value: Json | undefined, field: string): Path | undefined {
  if (!isObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const name = pathSegment(key);
    if (field === name) return [key];
    if (!field.startsWith(`${name}.`)) continue;
    const rest = pathIn(member, field.slice(name.length + 1));
    return rest && [key, ...rest];
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
