import { hasText, mapTexts } from "../../json/texts.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { type Json, mapParts } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { isExpression, parseText, unescaped, type Expression } from "./expression.js";
import { explainNoText, findParameter, mentionsEach, plainText, type Parameters } from "./parameter.js";

/** A part of a document with its `${each:…}` resolved and all else as it is written. */
export interface EachText {
  readonly value: Json;
  readonly findings: readonly Finding[];
  /** Whether every `${each:…}` has a value, but for those of labels and annotations. */
  readonly isResolved: boolean;
}

/** What is needed to resolve the `${each:…}` of a part of a document. */
export interface EachContext {
  /** Missing in a document without `for_each`. */
  readonly parameters?: Parameters;
  readonly place: (path: Path) => Place;
  /** Takes the cost of a value from the limit of the workspace; false if there is too little left. */
  readonly spend: (units: number) => boolean;
}

/** Resolves `${each:…}` in a part of a document that a plan needs as it is, such as `metadata`. */
export function resolveEach(root: Json, at: Path, context: EachContext): EachText {
  const findings: Finding[] = [];
  let isResolved = true;
  // Every value in `metadata` is a text.
  const isText = at[0] === "metadata";
  const give = (expression: Expression, path: Path, isWhole: boolean): Json | undefined => {
    const place = { ...context.place(path), expression: expression.source };
    const found = findParameter(expression.locator, context.parameters, { place, written: path });
    if (!found.ok) return void findings.push(...found.problems);
    const { parameter } = found;
    if (parameter.unresolved.length > 0 || !context.spend(parameter.size)) return undefined;
    if (parameter.uses.length > 0) return void findings.push(explainTooLate(expression, place));
    if (isWhole && isText && parameter.misspelt) return void findings.push(parameter.misspelt);
    if (isWhole) return isText ? textsOf(parameter.value) : mapTexts(parameter.value, unescaped);
    const text = parameter.value === null ? undefined : plainText(parameter);
    return text ?? void findings.push(explainNoText(expression.locator, place, parameter));
  };
  const fill = (text: string, path: Path): Json => {
    const parts = parseText(text);
    const values = parts.map((part) => {
      if (typeof part === "string") return part;
      if (!isExpression(part) || part.scheme !== "each") return part.source;
      const value = give(part, path, parts.length === 1);
      if (value !== undefined) return value;
      // The rest of the document is checked all the same.
      if (isText && path.length > 2) return "";
      isResolved = false;
      return part.source;
    });
    const [only = ""] = values;
    return values.length === 1 ? only : values.join("");
  };
  const visit = (value: Json, path: Path): Json => {
    if (typeof value === "string") return mentionsEach(value) ? fill(value, path) : value;
    return mapParts(value, (member, key) => visit(member, [...path, key]));
  };
  const value = visit(root, at);
  return { value, findings, isResolved };
}

/** Whether a value has a text with `${each:…}`. */
export function hasEach(value: Json | undefined): boolean {
  return value !== undefined && hasText(value, mentionsEach);
}

function textsOf(value: Json): Json {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? unescaped(value) : mapParts(value, (member) => textsOf(member));
}

function explainTooLate({ source }: Expression, place: Place): Finding {
  const message = say`${{ source }} has a reference or a secret, which only apply resolves, but a plan needs this value`;
  return error("document-invalid", place, message, "use a parameter with the value itself, or `${var:NAME}`");
}
