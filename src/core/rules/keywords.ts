import { isObject, mapMembers, type Json, mapParts } from "../../json/json.js";
import { areTexts } from "../../json/texts.js";
import { bare, say, type Sentence } from "../finding/said.js";

/** The longest pattern, in characters; what a pattern costs grows with it. */
const longestPattern = 1000;

const typeNames = ["null", "boolean", "object", "array", "number", "string", "integer"];

const isText = (value: Json): value is string => typeof value === "string";
const isShort = (pattern: string): boolean => pattern.length <= longestPattern;
const isFilled = (value: Json): boolean => Array.isArray(value) && value.length > 0;
const isType = (value: Json): boolean => isText(value) && typeNames.includes(value);
const isAny = (): boolean => true;

/** What the value of a keyword must be, and how that is said. */
type KeywordShape = readonly [names: string, isRight: (value: Json) => boolean, text: Sentence];

/** The keywords of JSON Schema 2020-12 that a rule may use, by what their values must be. */
const table = {
  reference: ["$ref", isText, "a text, such as `#/$defs/name`"],
  "named schemas": ["$defs properties dependentSchemas", isObject, "a mapping of schemas"],
  any: ["$comment title description default examples deprecated const", isAny, ""],
  types: [
    "type",
    (value) => isType(value) || (isFilled(value) && [value].flat().every(isType)),
    say`one or several of ${bare({ expected: typeNames })}`,
  ],
  values: ["enum", isFilled, "a list of values"],
  "positive number": ["multipleOf", (value) => typeof value === "number" && value > 0, "a number above 0"],
  number: [
    "maximum exclusiveMaximum minimum exclusiveMinimum",
    (value) => typeof value === "number",
    "a number",
  ],
  count: [
    "maxLength minLength maxItems minItems minContains maxContains maxProperties minProperties",
    (value) => Number.isInteger(value) && Number(value) >= 0,
    "a whole number from 0",
  ],
  pattern: [
    "pattern",
    (value) => isText(value) && isShort(value),
    say`a pattern of at most ${longestPattern} characters`,
  ],
  // Whether it is a schema, a look at it says.
  schema: [
    "items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else",
    isAny,
    "",
  ],
  schemas: ["prefixItems allOf anyOf oneOf", isFilled, "a list of schemas"],
  flag: ["uniqueItems", (value) => typeof value === "boolean", "`true` or `false`"],
  texts: ["required", areTexts, "a list of names"],
  "named patterns": [
    "patternProperties",
    (value) => isObject(value) && Object.keys(value).every(isShort),
    say`a mapping of patterns, each of at most ${longestPattern} characters, to schemas`,
  ],
  "named texts": [
    "dependentRequired",
    (value) => isObject(value) && Object.values(value).every(areTexts),
    "a mapping of lists of names",
  ],
} as const satisfies Record<string, KeywordShape>;

/** A keyword of a rule. */
export interface Keyword {
  readonly sort: keyof typeof table;
  readonly isRight: (value: Json) => boolean;
  /** What its value must be, in words. */
  readonly text: Sentence;
}

/** The keywords by name. */
export const keywords: ReadonlyMap<string, Keyword> = new Map(
  (Object.keys(table) as Keyword["sort"][]).flatMap((sort) => {
    const [names, isRight, text]: KeywordShape = table[sort];
    return names.split(" ").map((name) => [name, { sort, isRight, text }] as const);
  }),
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

/** The sorts of keywords that have schemas in a list or a mapping. */
export const severalSchemas: ReadonlySet<Keyword["sort"]> = new Set([
  "schemas",
  "named schemas",
  "named patterns",
] as const);

/** Gives a checked schema with each of the schemas directly below it replaced; what only looks like one is left. */
export function mapSubschemas(schema: Json, change: (subschema: Json) => Json): Json {
  if (!isObject(schema)) return schema;
  return mapMembers(schema, (value, name) => {
    const sort = keywords.get(name)?.sort ?? "any";
    if (sort === "schema") return change(value);
    return severalSchemas.has(sort) ? mapParts(value, change) : value;
  });
}
