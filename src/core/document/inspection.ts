import { depthLimit } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { hasHalfCharacter } from "../../json/texts.js";
import { type Code, error, type Finding, type Place } from "../finding/diagnostic.js";
import { isMap, isScalar, type Document as YamlDocument } from "yaml";
import { keepsDigits } from "../../json/json-text.js";
import { bare, say } from "../finding/said.js";
import { nodesOf } from "./yaml-keys.js";

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
/** The keys that a value must not have: `<<` merges only in YAML 1.1, so 1.2 would send it as a field. */
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

/** Finds what a value must not contain; integers beyond 2^53 and keys `<<` are to be checked in the source. */
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

/** Reports that collections are nested too deeply. */
export function tooDeep(place: Place): Finding {
  const message = say`collections are nested deeper than ${{ limit: depthLimit }}`;
  return error("too-deep", place, message, "use fewer levels of nesting");
}

/** Says what is wrong with a value that cannot be sent as it was meant. */
export function hazardFinding(hazard: Hazard, place: Place): Finding {
  switch (hazard.code) {
    case "too-deep":
      return tooDeep(place);
    case "forbidden-key": {
      const message = say`the key \`${bare({ key: String(hazard.path.at(-1)) })}\` is not allowed: it is unsafe in JavaScript objects`;
      return error("forbidden-key", { ...place, key: true }, message, "rename or remove it");
    }
    case "yaml-tag": {
      const hint = "repeat the fields instead; an alias can replace a whole value: `labels: *labels`";
      return error("yaml-tag", { ...place, key: true }, "the merge key `<<` is not part of YAML 1.2", hint);
    }
    case "yaml-alias-limit": {
      const hint = "repeat the value instead of the alias";
      return error("yaml-alias-limit", place, "the alias is inside the value that it repeats", hint);
    }
    case "integer-too-large": {
      const message =
        "the integer has more digits than a JSON number can represent, so a different number would be sent";
      const hint = "use at most 15 significant digits; quotes would make it a text, not a number";
      return error("integer-too-large", place, message, hint);
    }
    case "half-character":
      return halfCharacter("yaml-syntax", place);
    case "number-not-finite":
      return error(
        "number-not-finite",
        place,
        "infinity and NaN cannot be sent as JSON",
        "use a finite number",
      );
  }
}

/** Says that a text has half of a character. */
export function halfCharacter(code: "yaml-syntax" | "file-syntax", place: Place): Finding {
  const message = "a text has an unpaired surrogate: an escape such as `\\ud83d` without its other half";
  return error(code, place, message, "write the character itself");
}

/** Whether a value that looks like a hazard is one, which only its source can tell. */
export function isHazard({ code, path }: Hazard, yaml: YamlDocument): boolean {
  if (code === "integer-too-large") return losesDigits(yaml, path);
  return code !== "yaml-tag" || !isQuotedKey(yaml, path);
}

function isQuotedKey(yaml: YamlDocument, path: Path): boolean {
  const parent = nodesOf(yaml)(path.slice(0, -1));
  const keys = isMap(parent) ? parent.items.map((pair) => pair.key) : [];
  return keys.some(
    (key) => isScalar(key) && key.value === path.at(-1) && key.type?.startsWith("QUOTE") === true,
  );
}

function losesDigits(yaml: YamlDocument, path: Path): boolean {
  const node = nodesOf(yaml)(path);
  const source = isScalar(node) ? (node.source ?? "") : "";
  return /^([-+]?\d+|0x[0-9a-f]+|0o[0-7]+)$/i.test(source) && !keepsDigits(source);
}
