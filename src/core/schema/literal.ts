import { say } from "../finding/said.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { isExpression, parseText, withoutActions } from "../expression/expression.js";
import { isObject, type Json } from "../../json/json.js";
import { once } from "../../json/once.js";
import { hasText, visitTexts } from "../../json/texts.js";
import type { KindName } from "../../generated/kinds.js";
import { isKey } from "../kind/address.js";
import type { Kind } from "../kind/kind.js";
import { kindNames, kinds } from "../kind/kinds.js";
import { isSecret } from "./known-field.js";
import { quote } from "../finding/quotation.js";
import { readReference } from "../expression/reference.js";
import { pathText } from "./schema.js";

/** A literal text of a document, and the references that may have been meant, most likely first. */
export interface Literal {
  readonly text: string;
  /** Each without braces, such as `policy:strict` or `var:model`. */
  readonly meant: readonly string[];
  /** Whether it is a whole value of the form `${NAME}`, which is not meant as a text even if nothing has the name. */
  readonly isWhole?: true;
  readonly place: Place;
}

/** Fields with free text, or with the names of a different interface. */
export const freeText: ReadonlySet<string> = new Set([
  "name",
  "description",
  "system_prompt",
  "agent_role",
  "agent_instructions",
  "examples",
  "tool_usage_description",
  "tool_set_name",
  "openapi_schema",
  "topics",
  "keywords",
  "label",
  "replacement",
]);
const longest = 1000;
const address = new RegExp(`^(?:${[...kindNames, "var"].join("|")}):[^\\s{}]+$`);
const braced = /(?<!\$)\$\{[A-Za-z_][\w.-]*\}/g;
// How shells, Windows and other tools write a variable.
const otherVariable = /^(?:\$([A-Za-z_]\w*)|\$\(([A-Za-z_]\w*)\)|%([A-Za-z_]\w*)%|var\.([A-Za-z_]\w*))$/;
// How templates of other tools write one, such as those of Helm and Jinja.
const moustache = /^\{\{-?\s*(?:(?:\.?Values|vars?|variables)\.|\.)?([A-Za-z_]\w*)\s*-?\}\}$/;
const wholeName = /^\$\{[A-Za-z_]\w*\}$/;
const kindWords: ReadonlyMap<string, KindName> = new Map(
  Object.values(kinds).flatMap(({ name, words }) => words.map((word) => [word, name] as const)),
);

/** Collects the texts of a document's `spec`, as written, that may have been meant as references, but for typed places. */
export function collectLiterals(
  document: Json,
  kind: Kind,
  place: (path: Path) => Place,
  isTyped: (path: Path) => boolean,
): Literal[] {
  const found: Literal[] = [];
  if (!isObject(document) || document.spec === undefined) return found;
  const visit = (value: string, path: Path): void => {
    // A text with spaces is free text, in which `${…}` may belong to a shell.
    const isTemplate = value.length <= longest && value.startsWith("{{") && moustache.test(value);
    if (value.length > longest || (isTemplate ? isForeign(kind, path) : /\s/.test(value))) return;
    const named = kindNamedBy(fieldIn(path));
    const meant = meantBy(value, named && isForeign(kind, path) ? undefined : named);
    if (meant.length === 0 || isTyped(path) || isSecret(kind.fields, path)) return;
    const isWhole = !isForeign(kind, path) && wholeName.test(value);
    for (const [text, references] of meant) {
      found.push(literalOf({ text, meant: references }, isWhole, place([...path])));
    }
  };
  visitTexts(document.spec, ["spec"], visit, (name) => freeText.has(name));
  return found;
}

/** Gives the name of the field of a value; the items of a list have that of the list. */
export function fieldIn(path: Path): string {
  return String(path.findLast((step) => typeof step === "string"));
}

function literalOf(each: Pick<Literal, "text" | "meant">, isWhole: boolean, place: Place): Literal {
  return isWhole ? { ...each, place, isWhole: true } : { ...each, place };
}

/** Warns about the texts if the target that may have been meant exists. */
export function explainLiterals(
  literals: Iterable<Literal>,
  addresses: { has(address: string): boolean },
  variables: Iterable<string>,
): Finding[] {
  const names = new Map(Array.from(variables, (name) => [name.toLowerCase(), name]));
  const existing = (reference: string): string | undefined => {
    if (!reference.startsWith("var:"))
      return addresses.has(readReference(reference).address) ? reference : undefined;
    const name = names.get(reference.slice("var:".length).toLowerCase());
    return name === undefined ? undefined : `var:${name}`;
  };
  return [...literals].flatMap(({ text, meant, place, isWhole }) => {
    const reference = meant.map(existing).find((each) => each !== undefined);
    if (reference === undefined && !isWhole) return [];
    const message = say`${{ field: pathText(place.path ?? []) }} is sent as the text ${{ found: text }}, which is not a reference`;
    const escaped = text.startsWith("${") ? `, or ${quote(`$${text}`)} to send the text itself` : "";
    const form = reference ?? `var:${text.slice(2, -1)}`;
    const declared = reference === undefined ? " and declare the variable in agentform.yaml" : "";
    const hint = say`write ${{ meant: `\${${form}}` }}${declared}${escaped}`;
    const fix = { type: "write", from: text, to: `\${${form}}` } as const;
    return [warning("reference-literal", place, message, hint.proposing(fix))];
  });
}

/** Warns about references in a value that is taken literally. */
export function explainUnresolved(
  root: Json,
  where: string,
  hint: string,
  place: (path: Path) => Place,
): Finding[] {
  const found: Finding[] = [];
  if (!hasText(root, (text) => text.includes("${"))) return found;
  visitTexts(root, [], (text, path) => {
    if (withoutActions(text) !== text) {
      const message = say`${quote(text)} is of GitHub Actions, and ${where} is taken as it is written`;
      const own = "write the value itself; a job gives that of a variable with `--var NAME=VALUE`";
      found.push(warning("reference-literal", place([...path]), message, own));
    }
    for (const { source } of parseText(text).filter(isExpression)) {
      const message = say`${{ source }} is not resolved in ${where} and is taken as a text`;
      const at = { ...place([...path]), expression: source };
      found.push(warning("reference-literal", at, message, hint));
    }
  });
  return found;
}

function meantBy(text: string, named: KindName | undefined): [text: string, references: string[]][] {
  if (address.test(text)) return [[text, [text]]];
  const inBraces = text.includes("${") ? text.match(braced) : null;
  if (inBraces)
    return Array.from(new Set(inBraces), (source) => [source, referencesNamed(source.slice(2, -1), named)]);
  const variable = otherVariable.exec(text) ?? (text.startsWith("{{") ? moustache.exec(text) : null);
  const name = variable?.slice(1).find((each) => each !== undefined);
  if (name !== undefined) return [[text, [`var:${name}`]]];
  if (named === undefined) return [];
  const key = kinds[named].operations ? text.replace(/\/\S.*$/, "") : text;
  return isKey(key) ? [[text, [`${named}:${text}`]]] : [];
}

// `${policy.strict}` and `${var.model}` are the notation of other tools.
function referencesNamed(name: string, named: KindName | undefined): string[] {
  const dotted = name.replace(".", ":");
  return [
    ...(address.test(dotted) ? [dotted] : []),
    `var:${name}`,
    ...(named === undefined ? [] : [`${named}:${name}`]),
  ];
}

/** Gives the kind that a field's name refers to; kept, because it is asked for many texts with few names. */
export const kindNamedBy = once((field: string): KindName | undefined => {
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_-]/);
  const last = words.at(-1) ?? "";
  const isId = /^ids?$/.test(last);
  const word = (isId ? words.at(-2) : last) ?? "";
  return isId || word.endsWith("s") ? kindWords.get(word) : undefined;
});

/** Whether a path is in an open field of the service, whose names are of a different interface, such as default parameters. */
export function isForeign({ fields }: Kind, [, field = ""]: Path): boolean {
  return fields.fields.spec.fields[String(field)]?.open === true;
}
