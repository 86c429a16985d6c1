import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { didYouMean } from "../finding/nearest.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { keywords, otherKeywords, typeNames, type KeywordValue } from "./keywords.js";

/** The most schemas that a rule may consist of, those that it refers to among them. */
export const mostSchemas = 500;

/** The longest pattern, in characters; what a pattern costs grows with it. */
const longestPattern = 1000;

/** A schema that is checked. */
export interface CheckedSchema {
  readonly findings: Finding[];
  /** What its references say, and where. */
  readonly references: { readonly text: string; readonly path: Path }[];
  /** How many schemas it consists of. */
  count: number;
}

/** Checks that a value is a schema with the keywords of a rule, each with a value of its sort. */
export function checkSchemaOf(root: Json, place: (path: Path) => Place): CheckedSchema {
  const checked: CheckedSchema = { findings: [], references: [], count: 0 };
  const fail = (path: Path, message: Sentence, hint: Sentence, key = false): void => {
    checked.findings.push(error("rule-invalid", { ...place(path), ...(key && { key }) }, message, hint));
  };
  const visit = (schema: Json, path: Path): void => {
    if (++checked.count > mostSchemas || typeof schema === "boolean") return;
    if (!isObject(schema)) return fail(path, "a schema must be a mapping, `true` or `false`", anySchema);
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword];
      const kind = keywords.get(keyword);
      if (kind === undefined) {
        const hint = otherKeywords.get(keyword) ?? didYouMean(keyword, keywords.keys()) ?? unknownHint;
        fail(at, say`unknown keyword ${{ field: keyword }}`, hint, true);
        continue;
      }
      const problem = problemOf(kind, value);
      if (problem !== undefined) fail(at, say`${{ field: keyword }} must be ${problem}`, shapeHint);
      else if (kind === "schema") visit(value, at);
      else if (kind === "schemas") for (const [index, each] of listOf(value)) visit(each, [...at, index]);
      else if (kind === "named schemas" || kind === "named patterns")
        for (const [name, each] of membersOf(value)) visit(each, [...at, name]);
      else if (kind === "reference") checked.references.push({ text: String(value), path: at });
    }
  };
  visit(root, []);
  return checked;
}

/** Reports a rule of more schemas than a rule may have. */
export function tooManySchemas(place: Place): Finding {
  const message = say`the rule consists of more than ${bare({ limit: mostSchemas }, mostSchemas.toLocaleString("en-US"))} schemas`;
  return error("rule-invalid", place, message, "split it into several rules");
}

const anySchema = "such as `{type: string}`";
const shapeHint = "rules are in JSON Schema 2020-12: https://json-schema.org/understanding-json-schema";
const unknownHint = "`agentform explain rule` and docs/how-to/rules.md have the keywords";

function problemOf(kind: KeywordValue, value: Json): Sentence | undefined {
  const isText = (each: unknown) => typeof each === "string";
  const areTexts = (each: unknown) => Array.isArray(each) && each.every(isText);
  switch (kind) {
    case "schemas":
      return Array.isArray(value) && value.length > 0 ? undefined : "a list of schemas";
    case "named schemas":
      return isObject(value) ? undefined : "a mapping of schemas";
    case "named patterns":
      return isObject(value) && Object.keys(value).every(isShort)
        ? undefined
        : say`a mapping of patterns, each of at most ${longestPattern} characters, to schemas`;
    case "named texts":
      return isObject(value) && Object.values(value).every(areTexts)
        ? undefined
        : "a mapping of lists of names";
    case "reference":
      return isText(value) ? undefined : "a text, such as `#/$defs/name`";
    case "pattern":
      return isText(value) && isShort(String(value))
        ? undefined
        : say`a pattern of at most ${longestPattern} characters`;
    case "number":
      return typeof value === "number" ? undefined : "a number";
    case "positive number":
      return typeof value === "number" && value > 0 ? undefined : "a number above 0";
    case "count":
      return Number.isInteger(value) && Number(value) >= 0 ? undefined : "a whole number from 0";
    case "flag":
      return typeof value === "boolean" ? undefined : "`true` or `false`";
    case "texts":
      return areTexts(value) ? undefined : "a list of names";
    case "types": {
      const known = [value].flat().every((each) => isText(each) && typeNames.includes(String(each)));
      return known && [value].flat().length > 0
        ? undefined
        : say`one or several of ${bare({ expected: typeNames })}`;
    }
    case "values":
      return Array.isArray(value) && value.length > 0 ? undefined : "a list of values";
    case "schema":
    case "any":
      return undefined;
  }
}

function isShort(pattern: string): boolean {
  return pattern.length <= longestPattern;
}

function listOf(value: Json): [number, Json][] {
  return Array.isArray(value) ? [...value.entries()] : [];
}

function membersOf(value: Json): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}
