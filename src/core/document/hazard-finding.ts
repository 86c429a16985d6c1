import { isMap, isScalar, type Document as YamlDocument } from "yaml";
import { depthLimit } from "../../json/json.js";
import { keepsDigits } from "../../json/json-text.js";
import type { Path } from "../../json/path.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Hazard } from "./inspection.js";
import { nodesOf } from "./yaml-keys.js";

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
  const message =
    "a text has half of a character: an escape such as `\\ud83d` without the one that follows it";
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
