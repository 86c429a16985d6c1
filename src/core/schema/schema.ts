import { addTo } from "../../json/groups.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { type Sentence, bare, say } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import { pathOfPointer } from "../../json/json-pointer.js";
import { type Path, valueAt } from "../../json/path.js";
import { hasText, mapTexts } from "../../json/texts.js";
import { quote } from "../finding/quotation.js";
import type { Validate, ValidationError } from "../../json/validate.js";
import { environmentVariable, typeHint } from "./type-hint.js";

/** The rules for reporting violations: what may be shown, and where. */
export interface SchemaRules {
  readonly place: (path: Path) => Place;
  /** Whether the value at a path may be shown: it is not a secret, and is written in the document itself. */
  readonly isQuotable: (path: Path) => boolean;
  /** Whether the value at a path is the text of an included file, which is not read as data. */
  readonly isIncludedText: (path: Path) => boolean;
  /** Whether the value at a path is that of an expression, so that it is written in a different place. */
  readonly isResolved: (path: Path) => boolean;
  /** Whether a field is missing because a layer took it away with null. */
  readonly isRemoved: (path: Path) => boolean;
  /** Whether a missing field is present under a misspelt name. */
  readonly isMisspelt: (parent: Path, field: string) => boolean;
}

/** Checks a document against its schema; unknown fields are left to the table of known fields. */
export function checkSchema(value: Json, validate: Validate, rules: SchemaRules): Finding[] {
  if (validate(withoutEnvironment(value))) return [];
  const byPath = new Map<string, ValidationError[]>();
  const found = validate.errors ?? [];
  // Which fields are allowed may depend on a value beside them, so a wrong one is said alone.
  const unsure = new Set(
    found.flatMap(({ keyword, instancePath }) => (keyword === "enum" ? [parentOf(instancePath)] : [])),
  );
  for (const problem of found) {
    if (problem.keyword === "additionalProperties") continue;
    if (problem.keyword === "false schema" && unsure.has(parentOf(problem.instancePath))) continue;
    addTo(byPath, problem.instancePath, problem);
  }
  const findings: Finding[] = [];
  const above = aboveAll(byPath.keys());
  for (const [pointer, problems] of byPath) {
    const path = pathOfPointer(value, pointer);
    const [missing, present] = [true, false].map((isMissing) =>
      problems.filter(({ keyword }) => (keyword === "required") === isMissing),
    ) as [ValidationError[], ValidationError[]];
    for (const { params } of missing) {
      const field = String(params.missingProperty);
      if (!rules.isMisspelt(path, field)) findings.push(missingField(path, field, rules));
    }
    // Of several forms, the one that fits so far that something inside it is wrong was meant.
    const isMeant = above.has(pointer) && problems.some(({ keyword }) => keyword === "anyOf");
    const others = present.filter(({ keyword }) => keyword !== "anyOf" || problems.length === 1);
    if (others.length > 0 && !isMeant) findings.push(invalid(path, others, value, rules));
  }
  return findings;
}

/** Gives a document for its schema: an expression fits any type, and an environment variable is always a text. */
function withoutEnvironment(document: Json): Json {
  if (!isObject(document) || document.kind === "Workspace" || !isObject(document.spec)) return document;
  const { spec: whole } = document;
  // Few documents have one, and only these are copied.
  const isOwn = (field: string) => field !== "openapi_schema";
  if (!Object.keys(whole).some((field) => isOwn(field) && hasText(whole[field] ?? null, isVariable)))
    return document;
  const { openapi_schema, ...own } = whole;
  const spec = mapTexts(own, (text) => (isVariable(text) ? "a text" : text));
  if (!isObject(spec)) return document;
  return { ...document, spec: openapi_schema === undefined ? spec : { ...spec, openapi_schema } };
}

const isVariable = (text: string): boolean => text.includes("${env:") && environmentVariable.test(text);

/** Writes a path for people, such as `spec.features[0].type`. */
export function pathText(path: Path): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

// That no alternative matches is only reported if no alternative gives a better reason.
function aboveAll(pointers: Iterable<string>): Set<string> {
  const above = new Set<string>();
  for (let pointer of pointers) {
    for (let slash = pointer.lastIndexOf("/"); slash !== -1; slash = pointer.lastIndexOf("/")) {
      pointer = pointer.slice(0, slash);
      if (above.has(pointer)) break;
      above.add(pointer);
    }
  }
  return above;
}

function missingField(path: Path, field: string, { place, isRemoved }: SchemaRules): Finding {
  const where = path.length > 0 ? say` in ${quote(pathText(path))}` : "";
  const message = say`${{ field }} is missing${where}`;
  const at = [...path, field];
  if (isRemoved(at))
    return error(
      "document-missing-field",
      place(at),
      message,
      "`null` takes it away: give it a value, or remove this line",
    );
  return error("document-missing-field", { ...place(path), key: true }, message, `add \`${field}:\``);
}

function invalid(path: Path, problems: ValidationError[], value: Json, rules: SchemaRules): Finding {
  const named = problems.find(({ keyword }) => keyword === "propertyNames");
  if (named) return misnamed(path, String(named.params.propertyName), rules);
  const found = valueAt(value, path);
  const shown = rules.isQuotable(path) ? found : undefined;
  const types = problems.filter(({ keyword }) => keyword === "type").flatMap(({ params }) => params.type);
  const [{ keyword, params } = { keyword: "", params: {} }] = problems;
  const isText = rules.isIncludedText(path) && typeof found === "string" && !types.includes("string");
  const { message, hint } =
    types.length > 0
      ? explainType(
          types.map(String),
          found,
          shown,
          isText ? includedTextHint : typeHint(types, found, rules.isResolved(path), path),
        )
      : explain(keyword, params, shown);
  return error("document-invalid", rules.place(path), say`${{ field: pathText(path) }} ${message}`, hint);
}

function misnamed(path: Path, name: string, { place }: SchemaRules): Finding {
  const message = say`${{ name }} in ${{ field: pathText(path) }} is not a valid name`;
  const letters = path.at(-1) === "uses" ? "lower-case letters" : "letters";
  const hint = `use ${letters}, digits, \`.\`, \`_\` and \`-\`; begin and end with a letter or digit`;
  return error("document-invalid", { ...place([...path, name]), key: true }, message, hint);
}

interface Explained {
  readonly message: Sentence;
  readonly hint: string;
}

const includedTextHint =
  "a file is included as data only if its name ends in `.json`, `.yaml` or `.yml` and nothing else is in the value";

function explainType(
  types: string[],
  found: Json | undefined,
  shown: Json | undefined,
  hint: string,
): Explained {
  const wanted = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
    [...new Set(types)].map(withArticle),
  );
  const value = valueText(shown, " ");
  const message = say`must be ${bare({ expected: wanted })}, not ${value === "" ? typeName(found) : `the ${typeNoun(found)}${value}`}`;
  return { message, hint };
}

function explain(keyword: string, params: Record<string, unknown>, shown: Json | undefined): Explained {
  const instead = foundText(shown, ", not ");
  switch (keyword) {
    case "const":
      return {
        message: say`must be \`${bare({ expected: String(params.allowedValue) })}\`${instead}`,
        hint: `write \`${String(params.allowedValue)}\``,
      };
    case "enum": {
      const expected = (params.allowedValues as unknown[]).map(String);
      const allowed = bare({ expected }, expected.map((each) => `\`${each}\``).join(", "));
      return { message: say`must be one of ${allowed}${instead}`, hint: "use one of these values" };
    }
    case "pattern":
      return explainPattern(String(params.pattern), valueText(shown, " "));
    case "minimum":
    case "maximum": {
      const most = keyword === "minimum" ? "least" : "most";
      const message = say`must be at ${most} ${bare({ limit: Number(params.limit) })}${instead}`;
      return { message, hint: "use a number within the limit" };
    }
    case "maxLength":
    case "maxItems":
    case "maxProperties": {
      const [parts, hint] = bounded[keyword];
      return { message: say`must have at most ${bare({ limit: Number(params.limit) })} ${parts}`, hint };
    }
    case "minLength":
    case "minItems":
    case "minProperties":
      return { message: "must not be empty", hint: "give it a value, or remove the field" };
    case "uniqueItems":
      return { message: "contains a duplicate item", hint: "remove one of them" };
    case "false schema":
      return { message: "is not allowed here", hint: "remove it" };
    default:
      return {
        message: "does not match any accepted form",
        hint: "`agentform schema` prints the accepted forms",
      };
  }
}

// What a keyword limits the number of, and what to do about too many.
const bounded = {
  maxLength: ["characters", "use a shorter one"],
  maxItems: ["items", "remove some of them"],
  maxProperties: ["keys", "remove some of them"],
} as const;

const keyPattern: readonly [form: string, hint: string] = [
  "a key",
  "use lower-case letters, digits, `.`, `_` and `-`; begin and end with a letter or digit",
];

// The patterns of the schemas in words; any other pattern is shown as it is.
const patterns: Readonly<Record<string, readonly [form: string, hint: string]>> = {
  "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$": keyPattern,
  "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$|\\$\\{each:": keyPattern,
  "^(?![\\s\\S]*~([^01]|$))(/|$)": ["a JSON pointer", "use a form such as `/data/id`"],
  "^refs/agentform(/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,100}$": [
    "a ref below `refs/agentform`",
    "use a form such as `refs/agentform/desk`",
  ],
  "^(?!$)([A-Za-z0-9._-]*\\{environment\\}){0,100}[A-Za-z0-9._-]*$": [
    "the name of a state",
    "use letters, digits, `.`, `_` and `-`, and `{environment}` for the name of the environment",
  ],
  "^.+=.+$": ["of the form `operation=id`", "use a form such as `createTicket=66f1c0`"],
};

function explainPattern(pattern: string, value: string): Explained {
  const [form, hint] = patterns[pattern] ?? [`of the form \`${pattern}\``, "use that form"];
  return { message: value === "" ? `is not ${form}` : `has the value${value}, which is not ${form}`, hint };
}

function valueText(value: Json | undefined, before: string): string {
  return typeof value === "object" || value === undefined || value === ""
    ? ""
    : before + quote(String(value));
}

function foundText(value: Json | undefined, before: string): Sentence {
  const text = valueText(value, before);
  return text === "" ? "" : bare({ found: value ?? null }, text);
}

function typeName(value: Json | undefined): string {
  return value === null || value === undefined ? "empty" : withArticle(typeNoun(value));
}

function typeNoun(value: Json | undefined): string {
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  return isObject(value) ? "object" : typeof value;
}

// In YAML's terms, because the files are YAML.
const nouns: Readonly<Record<string, string>> = { array: "list", object: "mapping" };

function withArticle(type: string): string {
  const noun = nouns[type] ?? type;
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
