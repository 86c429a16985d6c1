import { depthLimit } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { hasHalfCharacter } from "../../json/texts.js";
import type { Code } from "../finding/diagnostic.js";

/** The role of a parsed value, which decides which keys are allowed: a document, or data that a document includes. */
export type ValueRole = "document" | "data";

/** A part of a parsed value that JSON, or the object model, cannot represent safely. */
export interface Hazard {
  readonly code:
    | Extract<
        Code,
        | "too-deep"
        | "forbidden-key"
        | "yaml-tag"
        | "yaml-alias-limit"
        | "integer-too-large"
        | "number-not-finite"
      >
    | "half-character";
  readonly path: Path;
}

const hazardLimit = 100;
/**
 * The keys that a value must not have, and why. `<<` merges only in YAML 1.1; in 1.2 the fields would silently be sent
 * under a field of this name.
 */
export const refusedKeys: Readonly<Record<ValueRole, ReadonlyMap<string, Hazard["code"]>>> = {
  document: new Map([
    ["__proto__", "forbidden-key"],
    ["constructor", "forbidden-key"],
    ["prototype", "forbidden-key"],
    ["<<", "yaml-tag"],
  ]),
  data: new Map([
    ["__proto__", "forbidden-key"],
    ["<<", "yaml-tag"],
  ]),
};

/**
 * Finds what a parsed value must not contain. Two are only candidates, which the caller must check in the source:
 * integers beyond 2^53, which may be no integers or lose no digits, and keys `<<`, which in quotes merge nothing.
 */
export function inspect(root: unknown, origin: ValueRole): Hazard[] {
  const refused = refusedKeys[origin];
  const hazards: Hazard[] = [];
  const path: (string | number)[] = [];
  const ancestors = new Set<object>();
  const report = (code: Hazard["code"]) => {
    if (hazards.length < hazardLimit) hazards.push({ code, path: [...path] });
  };
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (hasHalfCharacter(value)) report("half-character");
    } else if (typeof value === "number") {
      if (!Number.isFinite(value)) report("number-not-finite");
      else if (Number.isInteger(value) && !Number.isSafeInteger(value)) report("integer-too-large");
    } else if (typeof value === "object" && value !== null) {
      if (ancestors.has(value)) return report("yaml-alias-limit");
      if (path.length >= depthLimit) return report("too-deep");
      ancestors.add(value);
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++) enter(index, value[index]);
      } else {
        for (const [key, member] of Object.entries(value)) {
          enter(key, member, refused.get(key) ?? (hasHalfCharacter(key) ? "half-character" : undefined));
        }
      }
      ancestors.delete(value);
    }
  };
  const enter = (segment: string | number, value: unknown, code?: Hazard["code"]) => {
    path.push(segment);
    if (code) report(code);
    visit(value);
    path.pop();
  };
  visit(root);
  return hazards;
}
