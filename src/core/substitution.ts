import { parseData } from "./document.js";
import { error, type Code, type Finding, type Path, type Place } from "./diagnostic.js";
import {
  escapeLiteral,
  isExpression,
  parseEnvironmentLocator,
  parseText,
  schemes,
  type Expression,
  type ExpressionProblem,
} from "./expression.js";
import { isObject, type Json } from "./json.js";
import { didYouMean } from "./nearest.js";

/** Reads files that documents include; the edge keeps to the workspace. */
export interface Includes {
  /** Gives a file's text, or why there is none; `path` is relative to the folder of `from`. */
  read(from: string, path: string): Included;
}
export type Included =
  | { readonly file: string; readonly text: string }
  | { readonly code: Code; readonly message: string; readonly hint?: string };

/** A variable's value, or that it is declared and has none. */
export type Variables = ReadonlyMap<string, Json | undefined>;

/** A reference or a secret that stays in a body until the apply. */
export interface Use {
  readonly expression: Expression;
  /** Where the value stands in the substituted value. */
  readonly path: Path;
  readonly place: Place;
}

/** A value with files and variables resolved, references and secrets symbolic. */
export interface Substituted {
  readonly value: Json;
  readonly uses: Use[];
  readonly findings: Finding[];
  /** Paths whose content came from an included file, which no message may quote. */
  readonly included: Path[];
  /** The files that were included. */
  readonly files: Set<string>;
}

interface Scope {
  /** The file that relative paths start from. */
  readonly file: string;
  /** The templates that led here. */
  readonly within: readonly string[];
  readonly place: (expression: Expression | ExpressionProblem) => Place;
}

/** Resolves what is resolved at load, over the documents of one workspace. */
export class Substitution {
  readonly usedVariables = new Set<string>();
  readonly #data = new Map<string, ReturnType<typeof parseData>>();

  constructor(
    private readonly variables: Variables,
    private readonly includes: Includes,
  ) {}

  /** Substitutes a value that stands at `path` in document `document` of `file`. */
  substitute(value: Json, file: string, document: number, path: Path): Substituted {
    const result: Substituted = { value: null, uses: [], findings: [], included: [], files: new Set() };
    const substituted = this.#value(value, path, path, result, { file, within: [file], document });
    return { ...result, value: substituted };
  }

  #value(
    value: Json,
    source: Path,
    path: Path,
    result: Substituted,
    at: { file: string; document: number; within: readonly string[] },
  ): Json {
    if (typeof value === "string") {
      if (!value.includes("${")) return value;
      const place = ({ source: expression }: { source: string }) => {
        return { file: at.file, document: at.document, path: source, expression };
      };
      return this.#text(value, path, result, { file: at.file, within: at.within, place });
    }
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        this.#value(item, [...source, index], [...path, index], result, at),
      );
    }
    if (!isObject(value)) return value;
    const substituted: { [key: string]: Json } = {};
    for (const [key, member] of Object.entries(value)) {
      substituted[key] = this.#value(member, [...source, key], [...path, key], result, at);
    }
    return substituted;
  }

  #text(text: string, path: Path, result: Substituted, scope: Scope): Json {
    const parts = parseText(text);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined && isExpression(only)) {
      return this.#whole(only, path, result, scope);
    }
    let symbolic = "";
    for (const part of parts) {
      if (typeof part === "string") symbolic += escapeLiteral(part);
      else if (!isExpression(part)) result.findings.push(explainProblem(part, scope.place(part)));
      else symbolic += this.#inside(part, symbolic, path, result, scope);
    }
    return symbolic;
  }

  // The value of an expression that is the whole scalar keeps its type.
  #whole(expression: Expression, path: Path, result: Substituted, scope: Scope): Json {
    switch (expression.scheme) {
      case "var":
        return escapeStrings(this.#variable(expression, result, scope) ?? null);
      case "file":
      case "template": {
        if (!/\.(json|ya?ml)$/i.test(expression.locator)) break;
        result.included.push(path);
        return this.#parsed(expression, path, result, scope);
      }
    }
    return this.#inside(expression, "", path, result, scope);
  }

  #inside(expression: Expression, before: string, path: Path, result: Substituted, scope: Scope): string {
    switch (expression.scheme) {
      case "var": {
        const value = this.#variable(expression, result, scope);
        if (typeof value !== "object" || value === null) return escapeLiteral(String(value ?? ""));
        const message = `variable \`${expression.locator}\` is no text and cannot stand inside one`;
        result.findings.push(error("expression-type", scope.place(expression), message));
        return "";
      }
      case "file": {
        result.included.push(path);
        return escapeLiteral(this.#read(expression, result, scope)?.text ?? "");
      }
      case "template": {
        result.included.push(path);
        return this.#template(expression, path, result, scope);
      }
      default:
        return this.#symbolic(expression, before, path, result, scope);
    }
  }

  #symbolic(expression: Expression, before: string, path: Path, result: Substituted, scope: Scope): string {
    const place = scope.place(expression);
    if (before.endsWith("$")) {
      const message = `a \`$\` directly before \`${expression.source}\` would make it literal`;
      result.findings.push(error("expression-syntax", place, message, "put something between them"));
    } else if (expression.scheme === "env" && !parseEnvironmentLocator(expression.locator)) {
      const message = `\`${expression.source}\` names no environment variable`;
      const hint = "write `${env:NAME}`, or `${env:NAME@REVISION}` once the secret was rotated";
      result.findings.push(error("expression-syntax", place, message, hint));
    } else {
      result.uses.push({ expression, path, place });
    }
    return `\${${expression.scheme}:${expression.locator}}`;
  }

  #variable(expression: Expression, result: Substituted, scope: Scope): Json | undefined {
    const name = expression.locator;
    this.usedVariables.add(name);
    if (!this.variables.has(name)) {
      const hint =
        didYouMean(name, this.variables.keys()) ?? "declare it under `spec.variables` of agentform.yaml";
      const message = `variable \`${name}\` is not declared`;
      result.findings.push(error("variable-unknown", scope.place(expression), message, hint));
    }
    const value = this.variables.get(name);
    if (this.variables.has(name) && value === undefined) {
      const hint = `pass \`--var ${name}=VALUE\`, or give it a default or a value in the environment`;
      const message = `variable \`${name}\` is required and has no value`;
      result.findings.push(error("variable-missing", scope.place(expression), message, hint));
    }
    return value;
  }

  #read(expression: Expression, result: Substituted, scope: Scope) {
    const included = this.includes.read(scope.file, expression.locator);
    if ("file" in included) {
      result.files.add(included.file);
      return included;
    }
    result.findings.push(error(included.code, scope.place(expression), included.message, included.hint));
    return undefined;
  }

  #parsed(expression: Expression, path: Path, result: Substituted, scope: Scope): Json {
    const included = this.#read(expression, result, scope);
    if (!included) return null;
    const parsed = this.#data.get(included.file) ?? parseData(included.file, included.text);
    this.#data.set(included.file, parsed);
    if (parsed.findings.length > 0) {
      result.findings.push(...parsed.findings);
      return null;
    }
    if (expression.scheme === "file") return escapeStrings(parsed.value);
    const within = this.#enter(expression, included.file, result, scope);
    if (!within) return null;
    return this.#value(parsed.value, [], path, result, { file: included.file, document: 0, within });
  }

  #template(expression: Expression, path: Path, result: Substituted, scope: Scope): string {
    const included = this.#read(expression, result, scope);
    const within = included && this.#enter(expression, included.file, result, scope);
    if (!within) return "";
    const { file, text } = included;
    const place = ({ offset }: { offset: number }) => ({ file, offset });
    let symbolic = "";
    for (const part of parseText(text)) {
      if (typeof part === "string") symbolic += escapeLiteral(part);
      else if (!isExpression(part)) result.findings.push(explainProblem(part, place(part)));
      else symbolic += this.#inside(part, symbolic, path, result, { file, within, place });
    }
    return symbolic;
  }

  #enter(
    expression: Expression,
    file: string,
    result: Substituted,
    scope: Scope,
  ): readonly string[] | undefined {
    if (!scope.within.includes(file)) return [...scope.within, file];
    const message = `templates include one another: ${[...scope.within, file].join(" → ")}`;
    result.findings.push(error("expression-cycle", scope.place(expression), message));
    return undefined;
  }
}

function escapeStrings(value: Json): Json {
  if (typeof value === "string") return escapeLiteral(value);
  if (Array.isArray(value)) return value.map(escapeStrings);
  if (!isObject(value)) return value;
  const escaped: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value)) escaped[key] = escapeStrings(member);
  return escaped;
}

function explainProblem({ problem, scheme, source }: ExpressionProblem, place: Place): Finding {
  const literal = "for a literal `${`, write `$${`";
  switch (problem) {
    case "unclosed":
      return error("expression-syntax", place, `\`\${${scheme}:\` is not closed on its line`, `add \`}\`; ${literal}`);
    case "empty":
      return error("expression-syntax", place, `\`${source}\` names nothing`, literal);
    case "unknown-scheme": {
      const meant = didYouMean(scheme, schemes);
      const known = `the schemes are ${schemes.join(", ")}`;
      const message = `\`${source}\` has the unknown scheme \`${scheme}\``;
      return error("expression-scheme", place, message, `${meant ?? known}; ${literal}`);
    }
  }
}
