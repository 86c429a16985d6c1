import type { ValidationError } from "../generated/validate-agent.js";
import { error, type Finding, type Path, type Place } from "./diagnostic.js";
import { valueAt } from "./inspection.js";
import { isObject, type Json } from "./json.js";

export type Validate = ((value: unknown) => boolean) & { errors?: readonly ValidationError[] | null };

/** Checks a document against its schema; unknown fields are left to the table of known fields. */
export function checkSchema(value: Json, validate: Validate, place: (path: Path) => Place): Finding[] {
  if (validate(value)) return [];
  const byPath = new Map<string, ValidationError[]>();
  for (const problem of validate.errors ?? []) {
    if (problem.keyword === "additionalProperties") continue;
    byPath.set(problem.instancePath, [...(byPath.get(problem.instancePath) ?? []), problem]);
  }
  const findings: Finding[] = [];
  for (const [pointer, problems] of byPath) {
    const path = toPath(pointer, value);
    const missing = problems.filter(({ keyword }) => keyword === "required");
    for (const { params } of missing) findings.push(missingField(path, String(params.missingProperty), place));
    const others = problems.filter((problem) => !missing.includes(problem) && isPrecise(problem, byPath));
    if (others.length > 0) findings.push(invalid(path, others, value, place));
  }
  return findings;
}

/** Writes a path as a person would, such as `spec.features[0].type`. */
export function pathText(path: Path): string {
  return path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("").replace(/^\./, "");
}

// That no alternative fits is worth a word only where no alternative says what is wrong with it.
function isPrecise({ keyword, instancePath }: ValidationError, byPath: Map<string, unknown[]>): boolean {
  if (keyword !== "anyOf") return true;
  return ![...byPath].some(
    ([pointer, problems]) =>
      pointer.startsWith(`${instancePath}/`) || (pointer === instancePath && problems.length > 1),
  );
}

function missingField(path: Path, field: string, place: (path: Path) => Place): Finding {
  const where = path.length > 0 ? ` in \`${pathText(path)}\`` : "";
  return error(
    "document-missing-field",
    { ...place(path), key: true },
    `\`${field}\` is missing${where}`,
    `add \`${field}:\``,
  );
}

function invalid(path: Path, problems: ValidationError[], value: Json, place: (path: Path) => Place): Finding {
  const name = `\`${pathText(path)}\``;
  const types = problems.filter(({ keyword }) => keyword === "type").flatMap(({ params }) => params.type);
  const [problem] = problems;
  const found = valueAt(value, path);
  if (types.length > 0) {
    const message = `${name} must be ${alternatives(types.flat().map(String))}, not ${typeName(found)}`;
    const hint =
      types.includes("string") && typeof found !== "object" ? "put it in quotes" : undefined;
    return error("document-invalid", place(path), message, hint);
  }
  const { keyword, params } = problem as ValidationError;
  const explained = explain(keyword, params, found);
  return error("document-invalid", place(path), `${name} ${explained.message}`, explained.hint);
}

function explain(
  keyword: string,
  params: Record<string, unknown>,
  found: Json | undefined,
): { message: string; hint?: string } {
  switch (keyword) {
    case "const":
      return { message: `must be \`${String(params.allowedValue)}\`` };
    case "enum":
      return { message: `must be one of ${(params.allowedValues as unknown[]).map((each) => `\`${String(each)}\``).join(", ")}` };
    case "pattern":
      return {
        message: `has the value \`${String(found)}\`, which is not of the form \`${String(params.pattern)}\``,
      };
    case "propertyNames":
      return { message: `has the name \`${String(params.propertyName)}\`, which is not of the right form` };
    case "minimum":
      return { message: `must be at least ${String(params.limit)}` };
    case "minLength":
    case "minItems":
      return { message: "must not be empty" };
    case "false schema":
      return { message: "is not allowed here" };
    default:
      return { message: "is of no form that is accepted here" };
  }
}

function alternatives(types: string[]): string {
  return [...new Set(types)].map(withArticle).join(" or ");
}

function typeName(value: Json | undefined): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return withArticle("array");
  if (Number.isInteger(value)) return withArticle("integer");
  return withArticle(isObject(value) ? "object" : typeof value);
}

// In YAML's words, which are those of the files.
const nouns: Readonly<Record<string, string>> = { array: "list", object: "mapping" };

function withArticle(type: string): string {
  const noun = nouns[type] ?? type;
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Turns a JSON pointer into a path, with numbers for the indexes of lists. */
function toPath(pointer: string, root: Json): Path {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const key: string | number = Array.isArray(value) ? Number(name) : name;
    path.push(key);
    value = valueAt(value, [key]);
  }
  return path;
}
