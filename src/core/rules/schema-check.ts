import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { didYouMean } from "../finding/nearest.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { keywords, otherKeywords, severalSchemas } from "./keywords.js";

/** The most schemas that a rule may consist of, those that it refers to among them. */
export const mostSchemas = 500;

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
      const known = keywords.get(keyword);
      if (known === undefined) {
        const hint = otherKeywords.get(keyword) ?? didYouMean(keyword, keywords.keys()) ?? unknownHint;
        fail(at, say`unknown keyword ${{ field: keyword }}`, hint, true);
        continue;
      }
      const { sort, isRight, text } = known;
      if (!isRight(value)) fail(at, say`${{ field: keyword }} must be ${text}`, shapeHint);
      else if (sort === "schema") visit(value, at);
      else if (severalSchemas.has(sort))
        for (const [step, each] of partsOf(value)) visit(each, [...at, step]);
      else if (sort === "reference") checked.references.push({ text: String(value), path: at });
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

function partsOf(value: Json): [string | number, Json][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}
