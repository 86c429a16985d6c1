import { type Path, valueAt } from "../../json/path.js";
import { isObject, type Json } from "../../json/json.js";
import type { Substituted } from "../expression/substituted.js";

/** Merges a substituted layer into a substituted value; references of replaced values are dropped. */
export function mergeSubstituted(
  target: Substituted,
  patch: Substituted,
  root: Path,
  merge: (target: Json | undefined, patch: Json) => Json,
): Substituted {
  const survives = (path: Path) => !replaces(target.value, patch.value, path.slice(root.length));
  // A mapping is merged into the included value and keeps the rest of it.
  const isKept = (path: Path) => survives(path) || isObject(valueAt(patch.value, path.slice(root.length)));
  return {
    value: merge(target.value, patch.value),
    uses: [...target.uses.filter(({ path }) => survives(path)), ...patch.uses],
    findings: [...target.findings, ...patch.findings],
    included: [...target.included.filter(isKept), ...patch.included],
    origins: [...target.origins.filter(({ path }) => isKept(path)), ...patch.origins],
    files: [...target.files, ...patch.files],
    unresolved: [...target.unresolved.filter(survives), ...patch.unresolved],
  };
}

// A mapping is merged into a mapping, and replaces all else.
function replaces(target: Json, patch: Json, path: Path): boolean {
  let [below, value]: (Json | undefined)[] = [target, patch];
  for (const segment of path) {
    if (!isObject(value) || !isObject(below)) return true;
    if (!Object.hasOwn(value, segment)) return false;
    [below, value] = [valueAt(below, [segment]), value[String(segment)]];
  }
  return true;
}
