import { tooDeep } from "../document/inspection.js";
import { error } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import {
  escapeLiteral,
  isExpression,
  parseEnvironmentLocator,
  parseText,
  type Expression,
  type ParsedPart,
} from "./expression.js";
import { measure } from "../../json/extent.js";
import { expressionCost } from "./expansion-limit.js";
import { explainNoVariable, explainProblem, explainUndeclared } from "./expression-finding.js";
import type { Inclusion } from "./inclusion.js";
import {
  explainNoText,
  fillLocator,
  findParameter,
  mentionsEach,
  putParameter,
  type Parameter,
  type Parameters,
} from "./parameter.js";
import { type Json, type JsonObject, depthLimit } from "../../json/json.js";
import { Resolving, type FileScope, type TextPart, type SubstitutionTotals } from "./resolving.js";
import { escapeStrings, join, type Piece, type Substituted } from "./substituted.js";

/** A variable's value, or the fact that it is declared without a value. */
export type Variables = ReadonlyMap<string, Json | undefined>;

interface TextSource {
  readonly file: string;
  readonly document: number;
  readonly within: readonly string[];
}

/** Resolves everything that is resolved at load, in the documents of one file. */
export class Substitution {
  constructor(
    private readonly variables: Variables,
    readonly inclusion: Inclusion,
    readonly totals: SubstitutionTotals,
    private readonly parameters?: Parameters,
  ) {}

  /** Gives the substitution for one key of a `for_each`. */
  within(parameters: Parameters): Substitution {
    return new Substitution(this.variables, this.inclusion, this.totals, parameters);
  }

  /** Substitutes a value at `path`; one that many documents share is written at `from`, and counts as included. */
  substitute(value: Json, file: string, document: number, path: Path, shared?: Path): Substituted {
    const from = shared ?? path;
    const cost = shared ? measure(value).size : 0;
    const source = { file, document, within: [file] };
    const place = { file, document, path: from };
    const to = new Resolving(path, this.parameters, this.totals);
    const scope = { file, within: source.within, place: () => place };
    if (cost > 0 && !to.spend(cost, { source: "", offset: 0 }, scope)) return { ...to.result, value: {} };
    return { ...to.result, value: this.#value(value, from, path, to, source) };
  }

  #value(value: Json, from: Path, path: Path, to: Resolving, source: TextSource): Json {
    if (typeof value === "string") {
      if (!value.includes("${")) return value;
      const { file, document, within } = source;
      const place = (part: { source: string }) =>
        to.placed({ file, document, path: from, expression: part.source });
      return this.#text(value, path, to, { file, within, place });
    }
    // Without expressions it is returned itself, not copied.
    let copy: Json | undefined;
    for (const [step, part] of Array.isArray(value) ? value.entries() : Object.entries(value ?? {})) {
      if (isPlain(part)) continue;
      const substituted = this.#value(part, [...from, step], [...path, step], to, source);
      if (substituted === part) continue;
      copy ??= Array.isArray(value) ? [...value] : { ...(value as JsonObject) };
      (copy as JsonObject)[step] = substituted;
    }
    return copy ?? value;
  }

  #text(text: string, path: Path, to: Resolving, scope: FileScope): Json {
    if (!to.spendOpenings(text, scope)) return escapeLiteral(text);
    const parts = parseText(text);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined && isExpression(only)) {
      return this.#whole(only, path, to, scope);
    }
    return join(this.#pieces(parts, path, to, scope), path, to.result);
  }

  // An expression that is the whole scalar keeps the type of its value.
  #whole(written: Expression, path: Path, to: Resolving, scope: FileScope): Json {
    const expression = this.#filled(written, path, to, scope);
    if (!expression || !to.spend(expressionCost, expression, scope)) {
      return escapeLiteral(written.source);
    }
    const { scheme, locator } = expression;
    if (scheme === "each") {
      const parameter = this.#parameter(expression, path, to, scope);
      return parameter ? putParameter(parameter, path, to.result) : escapeLiteral(expression.source);
    }
    if (scheme === "var") {
      const value = this.#variable(expression, path, to, scope);
      if (value === undefined || !to.spend(measure(value).size, expression, scope)) {
        return escapeLiteral(expression.source);
      }
      return escapeStrings(value);
    }
    if ((scheme === "file" || scheme === "template") && /\.(json|ya?ml)$/i.test(locator)) {
      const value = this.#data(expression, path, to, scope);
      return value === undefined ? escapeLiteral(expression.source) : value;
    }
    return join(this.#inside(expression, path, to, scope), path, to.result);
  }

  #pieces(parts: readonly ParsedPart[], path: Path, to: Resolving, scope: FileScope): Piece[] {
    return parts.flatMap((part) => {
      if (typeof part === "string") return [part];
      if (!to.spend(expressionCost, part, scope)) return [part.source];
      if (isExpression(part)) {
        const expression = this.#filled(part, path, to, scope);
        return expression ? this.#inside(expression, path, to, scope) : [part.source];
      }
      return [to.unresolved(part, path, explainProblem(part, scope.place(part)))];
    });
  }

  #inside(expression: Expression, path: Path, to: Resolving, scope: FileScope): Piece[] {
    switch (expression.scheme) {
      case "var": {
        const value = this.#variable(expression, path, to, scope);
        if (typeof value !== "object") {
          const text = String(value ?? expression.source);
          return [to.spend(text.length, expression, scope) ? text : expression.source];
        }
        const message = say`variable ${{ name: expression.locator }} is not a text and cannot be used inside one`;
        const hint = "use it as the whole value, without text around it";
        const finding = error("expression-type", scope.place(expression), message, hint);
        return [to.unresolved(expression, path, finding)];
      }
      case "each":
        return this.#parameterText(expression, path, to, scope);
      case "file":
        return [this.inclusion.read(expression, path, to, scope)?.text ?? expression.source];
      case "template":
        return this.#template(expression, path, to, scope);
      default:
        return [this.#symbolic(expression, path, to, scope)];
    }
  }

  #symbolic(expression: Expression, path: Path, to: Resolving, scope: FileScope): Piece {
    const place = scope.place(expression);
    if (expression.scheme === "env" && !parseEnvironmentLocator(expression.locator)) {
      return to.unresolved(expression, path, explainNoVariable(expression, place));
    }
    to.result.uses.push({ expression, path, place });
    return { expression, place };
  }

  // The names in a document with `for_each` may be made with parameters.
  #filled(expression: Expression, path: Path, to: Resolving, scope: FileScope): Expression | undefined {
    const { scheme, locator } = expression;
    if (!mentionsEach(locator)) return expression;
    const spend = (units: number) => to.spend(units, expression, scope);
    const filled = fillLocator(scheme, locator, to.parameters, to.useOf(expression, scope), spend);
    if (filled.ok) return { ...expression, locator: filled.locator };
    for (const each of filled.problems) to.unresolved(expression, path, each);
    return undefined;
  }

  #parameter(expression: Expression, path: Path, to: Resolving, scope: FileScope): Parameter | undefined {
    const place = scope.place(expression);
    const found = findParameter(expression.locator, to.parameters, to.useOf(expression, scope));
    if (!found.ok) {
      for (const each of found.problems) to.unresolved(expression, path, each);
      return undefined;
    }
    const { parameter } = found;
    const cost = parameter.size + parameter.uses.length * expressionCost;
    if (!to.spend(cost, expression, scope)) return undefined;
    if (path.length + parameter.depth <= depthLimit) return parameter;
    to.unresolved(expression, path, tooDeep(place));
    return undefined;
  }

  #parameterText(expression: Expression, path: Path, to: Resolving, scope: FileScope): Piece[] {
    const parameter = this.#parameter(expression, path, to, scope);
    if (!parameter) return [expression.source];
    if (typeof parameter.value === "object" || parameter.misspelt) {
      const finding = explainNoText(expression.locator, scope.place(expression), parameter);
      return [to.unresolved(expression, path, finding)];
    }
    const text = String(putParameter({ ...parameter, uses: [] }, path, to.result));
    const uses = parameter.uses.values();
    return parseText(text).map((part) => {
      const use = isExpression(part) ? uses.next().value : undefined;
      if (!use) return typeof part === "string" ? part : part.source;
      to.result.uses.push({ ...use, path });
      return use;
    });
  }

  #variable(expression: Expression, path: Path, to: Resolving, scope: FileScope): Json | undefined {
    const name = expression.locator;
    const place = scope.place(expression);
    this.totals.usedVariables.add(name);
    const value = this.variables.get(name);
    if (!this.variables.has(name)) {
      to.unresolved(expression, path, explainUndeclared(name, this.variables, place));
    } else if (value === undefined) {
      this.totals.addMissing(name, place);
      to.unresolved(expression, path);
    }
    return value;
  }

  #data(expression: Expression, path: Path, to: Resolving, scope: FileScope): Json | undefined {
    const parsed = this.inclusion.parse(expression, path, to, scope);
    if (!parsed || expression.scheme === "file") return parsed?.escaped;
    const { file, value } = parsed;
    const within = this.inclusion.enter(expression, file, path, to, scope);
    if (!within) return undefined;
    const source = { file, document: 0, within };
    return to.inside(scope.place(expression), () => this.#value(value, [], path, to, source));
  }

  #template(expression: Expression, path: Path, to: Resolving, scope: FileScope): Piece[] {
    const included = this.inclusion.read(expression, path, to, scope);
    const within = included && this.inclusion.enter(expression, included.file, path, to, scope);
    if (!within) return [expression.source];
    const { file, text } = included;
    if (!to.spendOpenings(text, scope)) return [expression.source];
    const place = ({ offset, source }: TextPart) => to.placed({ file, offset, expression: source });
    const source = { file, within, place };
    return to.inside(scope.place(expression), () => this.#pieces(parseText(text), path, to, source));
  }
}

function isPlain(value: Json): boolean {
  return typeof value === "string" ? !value.includes("${") : typeof value !== "object" || value === null;
}
