import { isObject, type Json } from "./json.js";
import type { Code, Path } from "./diagnostic.js";

/** How deep collections may be nested. */
export const depthLimit = 100;

/** One thing in a parsed value that JSON, or the object model, cannot carry safely. */
export interface Hazard {
  readonly code: Extract<Code, "too-deep" | "forbidden-key" | "integer-too-large" | "number-not-finite">;
  readonly path: Path;
}

const poisonous = new Set(["__proto__"]);
const poisonousInDocuments = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Finds what a parsed value must not hold. Integers beyond 2^53 are candidates only: whether the source
 * spelt an integer or a float is for the caller to look up.
 */
export function inspect(root: unknown, isDocument: boolean): Hazard[] {
  const forbidden = isDocument ? poisonousInDocuments : poisonous;
  const hazards: Hazard[] = [];
  const path: (string | number)[] = [];
  const report = (code: Hazard["code"]) => {
    if (hazards.length < 100) hazards.push({ code, path: [...path] });
  };
  const visit = (value: unknown): void => {
    if (typeof value === "number") {
      if (!Number.isFinite(value)) report("number-not-finite");
      else if (Number.isInteger(value) && !Number.isSafeInteger(value)) report("integer-too-large");
    } else if (typeof value === "object" && value !== null) {
      if (path.length >= depthLimit) return report("too-deep");
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++) enter(index, value[index]);
      } else {
        for (const key of Object.keys(value)) {
          enter(key, (value as Record<string, unknown>)[key], forbidden.has(key));
        }
      }
    }
  };
  const enter = (segment: string | number, value: unknown, isForbidden = false) => {
    path.push(segment);
    if (isForbidden) report("forbidden-key");
    visit(value);
    path.pop();
  };
  visit(root);
  return hazards;
}

/** Gives the value at a path, or undefined where the path leaves the value. */
export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isObject(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}
