import { isObject, mapMembers, type Json } from "../../json/json.js";

/** What the value of a keyword must be. */
export type KeywordValue =
  | "schema"
  | "schemas"
  | "named schemas"
  | "named patterns"
  | "named texts"
  | "reference"
  | "pattern"
  | "number"
  | "positive number"
  | "count"
  | "flag"
  | "texts"
  | "types"
  | "values"
  | "any";

/** The keywords of JSON Schema 2020-12 that a rule may use, by what their values must be. */
const table: Readonly<Record<KeywordValue, string>> = {
  reference: "$ref",
  "named schemas": "$defs properties dependentSchemas",
  any: "$comment title description default examples deprecated const",
  types: "type",
  values: "enum",
  "positive number": "multipleOf",
  number: "maximum exclusiveMaximum minimum exclusiveMinimum",
  count: "maxLength minLength maxItems minItems minContains maxContains maxProperties minProperties",
  pattern: "pattern",
  schema:
    "items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else",
  schemas: "prefixItems allOf anyOf oneOf",
  flag: "uniqueItems",
  texts: "required",
  "named patterns": "patternProperties",
  "named texts": "dependentRequired",
};

/** The keywords by name, with what their values must be. */
export const keywords: ReadonlyMap<string, KeywordValue> = new Map(
  (Object.keys(table) as KeywordValue[]).flatMap((value) =>
    table[value].split(" ").map((name) => [name, value] as const),
  ),
);

/** Why a rule does not have other keywords of JSON Schema, and what to write instead. */
export const otherKeywords: ReadonlyMap<string, string> = new Map([
  ["format", "say it with `pattern`: a format is not judged"],
  ["definitions", "JSON Schema 2020-12 calls it `$defs`"],
  ["dependencies", "JSON Schema 2020-12 has `dependentRequired` and `dependentSchemas`"],
  ["additionalItems", "JSON Schema 2020-12 has `prefixItems`, and `items` for the rest"],
  ["$schema", "remove it: rules are in JSON Schema 2020-12"],
  ["$id", "remove it: `$ref` leads to a place in the rule, or in a file of the workspace"],
  ["$anchor", "remove it, and refer to the place by its path, such as `#/$defs/name`"],
  ["$dynamicRef", "use `$ref`"],
  ["$dynamicAnchor", "remove it, and use `$ref`"],
]);

/** The values of `type`. */
export const typeNames = ["null", "boolean", "object", "array", "number", "string", "integer"];

/** Gives a checked schema with each of the schemas directly below it replaced; what only looks like one is left. */
export function mapSubschemas(schema: Json, change: (subschema: Json) => Json): Json {
  if (!isObject(schema)) return schema;
  return mapMembers(schema, (value, keyword) => {
    switch (keywords.get(keyword)) {
      case "schema":
        return change(value);
      case "schemas":
        return Array.isArray(value) ? value.map(change) : value;
      case "named schemas":
      case "named patterns":
        return isObject(value) ? mapMembers(value, change) : value;
      default:
        return value;
    }
  });
}
