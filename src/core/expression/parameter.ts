import { say, type Sentence, bare } from "../finding/said.js";
import { literalHint } from "./expression-finding.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, type Finding, type KeyPlace, type Place } from "../finding/diagnostic.js";
import { measure, type Extent } from "../../json/extent.js";
import type { Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import { once } from "../../json/once.js";
import { quote, quoteFew } from "../finding/quotation.js";
import { escapeLiteral, isExpression, parseText } from "./expression.js";
import { noParts, type Parts, type Substituted } from "./substituted.js";

/** A parameter of a `for_each`: files and variables resolved, references and secrets symbolic; paths are relative to it. */
export interface Parameter extends Extent, Parts {
  readonly value: Json;
  /** Why it cannot be in a text, if it is a number of another spelling. */
  readonly misspelt?: Finding;
}

/** The values of `${each:…}` in one resource. */
export interface Parameters {
  readonly place: KeyPlace;
  /** By name, the key itself as `key`. */
  readonly byName: ReadonlyMap<string, Parameter>;
  readonly names: ParameterNames;
}

/** The names of the parameters that any key of a document has. */
export interface ParameterNames {
  has(name: string): boolean;
  hintFor(name: string): Sentence;
}

/** Collects names of parameters; only those that the document itself has are in a hint. */
export function parameterNames(
  names: ReadonlySet<string>,
  own: ReadonlySet<string>,
  isIncluded: boolean,
): ParameterNames {
  const all = ["key", ...own];
  const shown = quoteFew(all.map((each) => `\${each:${each}}`));
  const list = isIncluded
    ? "it is in no entry of the included file; `${each:key}` is the key"
    : say`it is in no entry of \`for_each\`; known: ${bare({ expected: all }, shown)}`;
  const didYouMean = didYouMeanAmong(all);
  return { has: (name) => names.has(name), hintFor: once((name) => didYouMean(name, "each:") ?? list) };
}

/** Makes a parameter of a plain text. */
export function textParameter(text: string, isIncluded: boolean): Parameter {
  const value = escapeLiteral(text);
  return { ...noParts(), value, included: isIncluded ? [[]] : [], ...measure(value) };
}

/** Puts the value of a parameter at a path of a result. */
export function putParameter(
  { value, uses, included, origins, unresolved }: Parameter,
  at: Path,
  result: Substituted,
): Json {
  for (const { path, ...use } of uses) result.uses.push({ ...use, path: [...at, ...path] });
  for (const path of included) result.included.push([...at, ...path]);
  for (const { path, ...origin } of origins) result.origins.push({ ...origin, path: [...at, ...path] });
  for (const path of unresolved) result.unresolved.push([...at, ...path]);
  return value;
}

/** Whether a text contains an `${each:…}`, be it in the name of a different expression. */
export function mentionsEach(text: string): boolean {
  return text.includes("${each:");
}

/** Where a parameter is used. */
export interface ParameterUse {
  readonly place: Place;
  /** Where the text, or the expression that includes it, is in the document. */
  readonly written: Path;
}

/** Gives a parameter by its name. */
export function findParameter(
  name: string,
  parameters: Parameters | undefined,
  { place, written }: ParameterUse,
): Checked<{ readonly parameter: Parameter }> {
  if (!parameters) return refused([explainOutside(name, place, written)]);
  const parameter = parameters.byName.get(name);
  return parameter ? { ok: true, parameter } : refused([explainUnknown(name, parameters, place)]);
}

/** Gives a locator with the parameters in it filled in; that it would cost too much is no problem of its own. */
export function fillLocator(
  scheme: string,
  locator: string,
  parameters: Parameters | undefined,
  use: ParameterUse,
  spend: (units: number) => boolean,
): Checked<{ readonly locator: string }> {
  const { place } = use;
  let filled = "";
  for (const part of parseText(locator)) {
    if (typeof part === "string") filled += part;
    else if (!isExpression(part) || part.scheme !== "each") filled += part.source;
    else {
      const found = findParameter(part.locator, parameters, use);
      if (!found.ok) return found;
      if (!spend(found.parameter.size)) return refused([]);
      const text = plainText(found.parameter);
      if (text === undefined) return refused([explainNoText(part.locator, place, found.parameter)]);
      filled += text;
    }
  }
  const written = parseText(`\${${scheme}:${filled}}`);
  const [only] = written;
  const isSame = written.length === 1 && only !== undefined && isExpression(only) && only.locator === filled;
  return isSame ? { ok: true, locator: filled } : refused([explainNoLocator(scheme, place)]);
}

/** The text of a parameter without references and secrets; undefined if it is not such a text. */
export function plainText({ value, uses, misspelt }: Parameter): string | undefined {
  if (typeof value === "object" || uses.length > 0 || misspelt) return undefined;
  return parseText(String(value)).join("");
}

/** Reports a parameter in the middle of a text that is not a text itself, or would have another spelling there. */
export function explainNoText(
  name: string,
  place: Place,
  { misspelt }: Pick<Parameter, "misspelt">,
): Finding {
  if (misspelt) return misspelt;
  const message = say`the parameter ${{ name }} is not a text and cannot be used inside one`;
  const hint = "use it as the whole value, without text around it, or make it a text, a number or a boolean";
  return error("expression-type", place, message, hint);
}

function explainNoLocator(scheme: string, place: Place): Finding {
  const message = say`the parameters do not give a valid name for \`\${${bare({ scheme })}:…}\``;
  return error("expression-syntax", place, message, "a name is on one line, and its braces are in pairs");
}

function explainOutside(name: string, place: Place, written: Path): Finding {
  const source = quote(`\${each:${name}}`);
  if (written[0] === "for_each") {
    const message = say`${bare({ source })} cannot be used inside \`for_each\` itself`;
    // A file that gives a parameter could be included in the document as well.
    const isIncluded = written.length > 1 && place.path?.[0] !== "for_each";
    const hint = isIncluded
      ? "include this file outside `for_each`, where parameters have values, or write the value itself"
      : "use it outside `for_each`, where parameters have values, or write the value itself";
    return error("parameter-unknown", place, message, hint);
  }
  const message = say`${bare({ source })} is used for a document without \`for_each\``;
  const hint = say`add \`for_each:\` with a key for each resource, or write the value itself; ${literalHint(`\${each:${name}}`)}`;
  return error("parameter-unknown", place, message, hint);
}

function explainUnknown(name: string, { place: of, names }: Parameters, place: Place): Finding {
  if (names.has(name)) {
    const message = say`the key ${{ key: of.key }} of \`for_each\` has no parameter ${{ name }}`;
    return error(
      "parameter-unknown",
      place,
      message,
      `add ${quote(`${name}:`)} to it, as other keys have it`,
    );
  }
  return error("parameter-unknown", place, say`unknown parameter ${{ name }}`, names.hintFor(name));
}
