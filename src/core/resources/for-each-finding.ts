import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import { isKey } from "../kind/address.js";

/** How many resources one document can make. */
export const mostKeys = 10_000;

const example =
  "write a key for each resource, such as `for_each: {de: {language: German}, fr: {language: French}}`";

/** Reports a `for_each` that is not a mapping; `written` is missing if it is from an included file. */
export function explainMapping(value: Json, written: Json | undefined, place: Place): Finding {
  if (value === null && written === null) {
    const hint = "write a key for each resource, or `for_each: {}` to make none";
    return error("for-each-invalid", place, "`for_each` is empty", hint);
  }
  const message = say`\`for_each\` must be a mapping, not ${bare({ found: typeText(value) })}`;
  return error("for-each-invalid", place, message, mappingHint(value, written));
}

function mappingHint(value: Json, written: Json | undefined): Sentence {
  if (written === undefined) return "the included file must hold a mapping, and end in .yaml, .yml or .json";
  if (Array.isArray(value)) {
    const keys = value.filter((item): item is string => typeof item === "string" && isKey(item)).slice(0, 3);
    const entries = keys.map((key) => `${key}: {}`).join(", ");
    return keys.length > 0 ? say`write ${{ meant: `for_each: {${entries}}` }}` : example;
  }
  const isFile = typeof value === "string" && /^[\w./-]+\.(json|ya?ml)$/i.test(value);
  return isFile ? say`write ${{ meant: `\${file:${value}}` }} to include that file` : example;
}

/** Reports a `for_each` with too many keys. */
export function explainTooMany(count: number, place: Place): Finding {
  const most = bare({ limit: mostKeys }, mostKeys.toLocaleString("en-US"));
  const message = say`\`for_each\` has ${bare({ count }, count.toLocaleString("en-US"))} keys, but a document can make at most ${most} resources`;
  return error("for-each-too-large", place, message, "split it into several documents");
}

/** Reports that the resources of a `for_each` are too large in all. */
export function explainTooLarge(count: number, defaults: number, place: Place): Finding {
  const given = defaults === 0 ? "" : ` with ${defaults.toLocaleString("en-US")} defaults`;
  const message = say`this document is too large to be repeated for ${bare({ count }, count.toLocaleString("en-US"))} keys${given}`;
  const hint = `use fewer keys${defaults === 0 ? "" : " or defaults"}, or make the document smaller`;
  return error("expansion-too-large", place, message, hint);
}

/** Reports a key without a mapping; `value` is missing if it is from an included file. */
export function explainEntry(key: string, value: Json | undefined, place: Place): Finding {
  const hint = "give each parameter a name, such as `de: {language: German}`";
  if (value === undefined) {
    const message = "this key must have a mapping of parameters";
    return error("for-each-invalid", place, message, hint);
  }
  const message = say`the key ${{ key }} must have a mapping of parameters, not ${bare({ found: typeText(value) })}`;
  if (typeof value === "object") return error("for-each-invalid", place, message, hint);
  const named = { meant: `${key}: {value: ${String(value)}}` };
  const use = "`${each:value}` where it is used";
  return error("for-each-invalid", place, message, say`give it a name: write ${named}, and ${use}`);
}

/** Reports a parameter with the name of the key itself. */
export function explainKeyParameter(place: Place): Finding {
  const message = "a parameter cannot have the name `key`: `${each:key}` is the key itself";
  return error("for-each-name", place, message, "give the parameter a different name");
}

/** Reports a name that all keys share. */
export function explainSameName(name: string, place: Place): Finding {
  const message = say`every key of \`for_each\` makes the same name ${{ name }}`;
  const hint = isKey(name)
    ? say`write ${{ meant: `name: ${name}-\${each:key}` }}`
    : "add `${each:key}` to it";
  return error("for-each-name", place, message, hint);
}

/** Reports a key that makes an invalid name; `name` is missing if the key is from an included file. */
export function explainInvalidName(key: string, name: string | undefined, place: Place): Finding {
  const which =
    name === undefined ? "this key makes a name" : say`the key ${{ key }} makes the name ${{ name }},`;
  const message = say`${which} ${name === undefined ? "that" : "which"} is not valid`;
  const hint = "use lower-case letters, digits, `.`, `_` and `-`; begin and end with a letter or digit";
  return error("for-each-name", place, message, hint);
}

/** Reports two keys that make the same name. */
export function explainDoubleName(key: string, name: string, place: Place, first: Place): Finding {
  const message = say`the key ${{ key }} makes the name ${{ name }}, which a key before it makes, too`;
  return {
    ...error("for-each-name", place, message, "change the key, or use `${each:key}` in `metadata.name`"),
    related: [{ message: "the first", place: first }],
  };
}

/** Reports a patch with `for_each`. */
export function explainForEachPatch(place: Place): Finding {
  const hint = "patch each resource by its own name, or change the `for_each` of the document";
  return error("for-each-invalid", place, "a patch changes one resource and cannot have `for_each`", hint);
}

function typeText(value: Json): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a mapping";
  return typeof value === "string" ? "a text" : typeof value === "number" ? "a number" : "a boolean";
}
