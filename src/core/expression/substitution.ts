import { Budget } from "../../json/budget.js";
import { mergeConflict, parseData, tooDeep } from "../document/document.js";
import { error, type Code, type Finding, type Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import {
  escapeLiteral,
  isExpression,
  parseEnvironmentLocator,
  parseText,
  type Expression,
  type Part,
} from "./expression.js";
import { measure, type Extent } from "../../json/extent.js";
import { explainNoVariable, explainProblem, explainUndeclared } from "./expression-finding.js";
import { type Json, type JsonObject, depthLimit } from "../../json/json.js";
import { quote } from "../finding/quotation.js";
import { escapeStrings, join, unresolved, type Piece, type Substituted } from "./substituted.js";

/** Reads the files that documents include; the implementation stays inside the workspace. */
export interface Includes {
  /** Gives a file's text, or why it cannot be read; `path` is relative to the folder of `from`. */
  read(from: string, path: string): Included;
}
export type Included =
  | { readonly file: string; readonly text: string }
  | { readonly code: Code; readonly message: string; readonly hint?: string };

/** The content of an included data file, and its cost. */
interface IncludedValue extends Extent {
  readonly value: Json;
  /** The same content, escaped, so that it contains no expressions. */
  readonly escaped: Json;
  readonly findings: readonly Finding[];
}

/** The content of included data files, each parsed once for all documents that include it. */
export type IncludedData = Map<string, IncludedValue>;

/** A variable's value, or the fact that it is declared without a value. */
export type Variables = ReadonlyMap<string, Json | undefined>;

interface Scope {
  /** The file from which relative paths start. */
  readonly file: string;
  /** The chain of templates that included this one. */
  readonly within: readonly string[];
  readonly place: (part: { readonly source: string; readonly offset: number }) => Place;
}

interface Source {
  readonly file: string;
  readonly document: number;
  readonly within: readonly string[];
}

// In characters of text, with a constant for each value, each expression and each `${`, literal or not: otherwise
// files that include two files twice each would double the size with every step.
const resourceLimit = 64 * 1024 * 1024;
const expressionCost = 671;
const openingCost = 64;

/** The limit for all resources of a workspace together: as much as two resources. */
export const workspaceExpansion = 2 * resourceLimit;

/** Resolves everything that is resolved at load, in the documents of one file. */
export class Substitution {
  readonly usedVariables = new Set<string>();
  /** Whether every included file could be read. */
  isAllRead = true;
  /** How much of the workspace's limit was used. */
  expanded = 0;
  #budget = new Budget(resourceLimit);
  #root: Path = [];
  /** Variables without a value, with the places that need one. */
  readonly missing = new Map<string, Place[]>();
  /** The included files, whether or not they could be read. */
  readonly files = new Set<string>();

  constructor(
    private readonly variables: Variables,
    private readonly includes: Includes,
    private readonly data: IncludedData,
    private readonly workspaceBudget: Budget,
  ) {}

  /** Substitutes a value at `path` in document `document` of `file`. */
  substitute(value: Json, file: string, document: number, path: Path): Substituted {
    const result: Substituted = {
      value: null,
      uses: [],
      findings: [],
      included: [],
      origins: [],
      unresolved: [],
      files: new Set(),
    };
    this.#budget = new Budget(resourceLimit);
    this.#root = path;
    const substituted = this.#value(value, path, path, result, { file, document, within: [file] });
    return { ...result, value: substituted };
  }

  // A value without expressions is returned itself, not copied.
  #value(value: Json, from: Path, path: Path, result: Substituted, source: Source): Json {
    if (typeof value === "string") {
      if (!value.includes("${")) return value;
      const { file, document, within } = source;
      const place = (part: { source: string }) => ({ file, document, path: from, expression: part.source });
      return this.#text(value, path, result, { file, within, place });
    }
    if (typeof value !== "object" || value === null) return value;
    let copy: Json | undefined;
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      const segment = isList ? Number(key) : key;
      const member = (value as JsonObject)[key] as Json;
      if (isPlain(member)) continue;
      const substituted = this.#value(member, [...from, segment], [...path, segment], result, source);
      if (substituted === member) continue;
      copy ??= isList ? [...value] : { ...value };
      (copy as JsonObject)[key] = substituted;
    }
    return copy ?? value;
  }

  #text(text: string, path: Path, result: Substituted, scope: Scope): Json {
    if (!this.#spendOpenings(text, result, scope)) return escapeLiteral(text);
    const parts = parseText(text);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined && isExpression(only)) {
      return this.#whole(only, path, result, scope);
    }
    return join(this.#pieces(parts, path, result, scope), path, result);
  }

  // An expression that is the whole scalar keeps the type of its value.
  #whole(expression: Expression, path: Path, result: Substituted, scope: Scope): Json {
    const { scheme, locator } = expression;
    if (!this.#spend(expressionCost, expression, result, scope)) return escapeLiteral(expression.source);
    if (scheme === "var") {
      const value = this.#variable(expression, path, result, scope);
      if (value === undefined || !this.#spend(measure(value).size, expression, result, scope)) {
        return escapeLiteral(expression.source);
      }
      return escapeStrings(value);
    }
    if ((scheme === "file" || scheme === "template") && /\.(json|ya?ml)$/i.test(locator)) {
      return this.#parsed(expression, path, result, scope) ?? escapeLiteral(expression.source);
    }
    return join(this.#inside(expression, path, result, scope), path, result);
  }

  #pieces(parts: readonly Part[], path: Path, result: Substituted, scope: Scope): Piece[] {
    return parts.flatMap((part) => {
      if (typeof part === "string") return [part];
      if (!this.#spend(expressionCost, part, result, scope)) return [part.source];
      if (isExpression(part)) return this.#inside(part, path, result, scope);
      return [unresolved(part, path, result, explainProblem(part, scope.place(part)))];
    });
  }

  #inside(expression: Expression, path: Path, result: Substituted, scope: Scope): Piece[] {
    switch (expression.scheme) {
      case "var": {
        const value = this.#variable(expression, path, result, scope);
        if (typeof value !== "object" || value === null) {
          const text = String(value ?? expression.source);
          return [this.#spend(text.length, expression, result, scope) ? text : expression.source];
        }
        const message = `variable ${quote(expression.locator)} is not a text and cannot be used inside one`;
        const hint = "use it as the whole value, without text around it";
        const finding = error("expression-type", scope.place(expression), message, hint);
        return [unresolved(expression, path, result, finding)];
      }
      case "file":
        return [this.#read(expression, path, result, scope)?.text ?? expression.source];
      case "template":
        return this.#template(expression, path, result, scope);
      default:
        return [this.#symbolic(expression, path, result, scope)];
    }
  }

  #symbolic(expression: Expression, path: Path, result: Substituted, scope: Scope): Piece {
    const place = scope.place(expression);
    if (expression.scheme === "env" && !parseEnvironmentLocator(expression.locator)) {
      return unresolved(expression, path, result, explainNoVariable(expression, place));
    }
    result.uses.push({ expression, path, place });
    return { expression, place };
  }

  #variable(expression: Expression, path: Path, result: Substituted, scope: Scope): Json | undefined {
    const name = expression.locator;
    const place = scope.place(expression);
    this.usedVariables.add(name);
    const value = this.variables.get(name);
    if (!this.variables.has(name)) {
      unresolved(expression, path, result, explainUndeclared(name, this.variables.keys(), place));
    } else if (value === undefined) {
      const places = this.missing.get(name);
      if (places) places.push(place);
      else this.missing.set(name, [place]);
      unresolved(expression, path, result);
    }
    return value;
  }

  #read(expression: Expression, path: Path, result: Substituted, scope: Scope) {
    result.included.push(path);
    const included = this.includes.read(scope.file, expression.locator);
    if ("file" in included) {
      result.files.add(included.file);
      this.files.add(included.file);
    }
    if ("file" in included && !this.#spend(included.text.length, expression, result, scope)) return undefined;
    const problem =
      "file" in included
        ? mergeConflict(included.file, included.text)
        : error(included.code, scope.place(expression), included.message, included.hint);
    if (problem) {
      this.isAllRead = false;
      unresolved(expression, path, result, problem);
    }
    return problem || !("file" in included) ? undefined : included;
  }

  #spendOpenings(text: string, result: Substituted, scope: Scope): boolean {
    let openings = 0;
    for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", at + 2)) openings++;
    return this.#spend(openings * openingCost, { source: "${", offset: text.indexOf("${") }, result, scope);
  }

  // An include beyond the limit is left as it is, and the first one is reported.
  #spend(
    units: number,
    part: { source: string; offset: number },
    result: Substituted,
    scope: Scope,
  ): boolean {
    const wasSpent = this.#budget.isSpent;
    this.expanded += units;
    const [isAfforded, isAffordedByAll] = [this.#budget.spend(units), this.workspaceBudget.spend(units)];
    if (isAfforded && isAffordedByAll) return true;
    this.isAllRead = false;
    if (!wasSpent && !isAfforded) result.findings.push(explainTooMuch(scope.place(part)));
    if (result.unresolved[0] !== this.#root) result.unresolved.unshift(this.#root);
    return false;
  }

  #parsed(expression: Expression, path: Path, result: Substituted, scope: Scope): Json | undefined {
    const included = this.#read(expression, path, result, scope);
    if (!included) return undefined;
    const { file, text } = included;
    const parsed = this.data.get(file) ?? parseIncluded(file, text);
    this.data.set(file, parsed);
    if (parsed.findings.length > 0) {
      this.isAllRead = false;
      unresolved(expression, path, result, ...parsed.findings);
      return undefined;
    }
    if (!this.#spend(parsed.size, expression, result, scope)) return undefined;
    if (path.length + parsed.depth > depthLimit) {
      unresolved(expression, path, result, tooDeep(scope.place(expression)));
      return undefined;
    }
    result.origins.push({ path, file });
    if (expression.scheme === "file") return parsed.escaped;
    const within = this.#enter(expression, file, path, result, scope);
    return within && this.#value(parsed.value, [], path, result, { file, document: 0, within });
  }

  #template(expression: Expression, path: Path, result: Substituted, scope: Scope): Piece[] {
    const included = this.#read(expression, path, result, scope);
    const within = included && this.#enter(expression, included.file, path, result, scope);
    if (!within) return [expression.source];
    const { file, text } = included;
    if (!this.#spendOpenings(text, result, scope)) return [expression.source];
    const place = ({ offset, source }: { offset: number; source: string }) => ({
      file,
      offset,
      expression: source,
    });
    return this.#pieces(parseText(text), path, result, { file, within, place });
  }

  #enter(expression: Expression, file: string, path: Path, result: Substituted, scope: Scope) {
    if (scope.within.length > depthLimit) {
      const message = `templates are nested more than ${depthLimit} deep`;
      unresolved(
        expression,
        path,
        result,
        error("too-deep", scope.place(expression), message, "use fewer levels"),
      );
      return undefined;
    }
    if (!scope.within.includes(file)) return [...scope.within, file];
    const way = [...scope.within.slice(scope.within.indexOf(file)), file];
    const message = `templates include each other in a circle: ${way.join(" → ")}`;
    const hint = "remove one of these `${template:…}`";
    unresolved(expression, path, result, error("expression-cycle", scope.place(expression), message, hint));
    return undefined;
  }
}

function explainTooMuch(place: Place): Finding {
  const message = "this document includes too much: more than 64 MB, or 100,000 expressions";
  return error("expansion-too-large", place, message, "include less, or split the document");
}

function parseIncluded(file: string, text: string): IncludedValue {
  const { value, findings } = parseData(file, text);
  const extent = measure(value);
  // A value that is too large to be included even once is not copied.
  return { value, findings, escaped: extent.size > resourceLimit ? null : escapeStrings(value), ...extent };
}

function isPlain(value: Json): boolean {
  return typeof value === "string" ? !value.includes("${") : typeof value !== "object" || value === null;
}
