import type { KindName } from "../../generated/kinds.js";
import { groupBy } from "../../json/groups.js";
import { isObject, type Json } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import type { Path } from "../../json/path.js";
import { parseText, unescaped } from "../expression/expression.js";
import { readReference, toReference } from "../expression/reference.js";
import type { Use } from "../expression/substituted.js";
import { error, withHint, type Finding } from "../finding/diagnostic.js";
import { nearest, slipOf } from "../finding/nearest.js";
import { quote, quoteFew } from "../finding/quotation.js";
import { bare, say, type Sentence } from "../finding/said.js";
import type { KindFields } from "../kind/extra-fields.js";
import { isLikelyId } from "../kind/id.js";
import type { Kind, ReferencePlaces } from "../kind/kind.js";
import { kindOfAddress, kinds } from "../kind/kinds.js";
import type { FieldRules } from "./field-check.js";
import { fieldIn, isForeign, kindNamedBy } from "./literal.js";
import { pathText } from "./schema.js";

/** What stands in the place of a reference and is none, or one of another kind; its hint needs to know what there is. */
export interface Misplaced {
  /** The kind whose references belong there; undefined if none do. */
  readonly takes?: KindName;
  /** What is written, if it may be shown. */
  readonly text?: string;
  /** The address that may have been meant. */
  readonly meant?: string;
  /** Whether it can be the ID of an object that is not managed here, so that it is only wrong if it is near an address. */
  readonly mayBeId?: true;
  readonly finding: Finding;
}

const mostCompared = 1000;

type PlaceRules = Pick<FieldRules, "place" | "isIncluded">;

/** Gives the kind whose references a place below `spec` takes, null if it takes none, undefined if that is not known. */
export function placeAt(path: Path, { places, extra }: KindFields): KindName | null | undefined {
  const names = path.filter((step) => typeof step === "string").slice(1);
  const last = names.at(-1) ?? "";
  const key = extra.includes(last) ? last : names.join(".");
  return Object.hasOwn(places, key) ? places[key] : undefined;
}

/** Finds what does not belong in the places of references; `uses` are the expressions that stay in the document. */
export function findMisplaced(
  spec: Json,
  uses: readonly Use[],
  kind: Kind,
  fields: KindFields,
  rules: PlaceRules,
): Misplaced[] {
  const misplaced = new Map<string, Misplaced>();
  for (const { steps, takes } of placesOf(fields.places)) {
    valuesAt(spec, steps, ["spec"], (value, at) => {
      const path = [...at];
      const wrong = noReference(takes, value, path, rules);
      if (wrong) misplaced.set(pathText(path), wrong);
    });
  }
  for (const { expression, path, place } of uses) {
    const reference = toReference(expression);
    if (!reference || (misplaced.size > 0 && misplaced.has(pathText(path)))) continue;
    const known = placeAt(path, fields);
    const takes = known === undefined && !isForeign(kind, path) ? kindNamedBy(fieldIn(path)) : known;
    const of = kindOfAddress(reference.address);
    if (takes === undefined || takes === of.name) continue;
    const found = say`and ${quote(expression.source)} is ${article(of.noun[0])}`;
    const field = { field: pathText(path) };
    misplaced.set(
      pathText(path),
      takes === null
        ? { finding: error("reference-place", place, say`${field} takes no reference, ${found}`) }
        : {
            takes,
            text: expression.source,
            meant: takes + reference.text.slice(of.name.length),
            finding: error("reference-place", place, say`${taken(path, takes)}, ${found}`),
          },
    );
  }
  return [...misplaced.values()];
}

const placesOf = oncePer((places: ReferencePlaces) =>
  Object.entries(places).flatMap(([field, takes]) =>
    takes === null ? [] : [{ steps: field.split("."), takes }],
  ),
);

// What is in a list, at any depth, is in the same place. There is one path for all, which is only valid during a visit.
function valuesAt(
  value: Json | undefined,
  steps: readonly string[],
  path: (string | number)[],
  visit: (value: Json, path: Path) => void,
  at = 0,
): void {
  const step = steps[at];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      valuesAt(value[index], steps, path, visit, at);
      path.pop();
    }
  } else if (step === undefined) {
    if (value !== undefined) visit(value, path);
  } else if (isObject(value) && Object.hasOwn(value, step)) {
    path.push(step);
    valuesAt(value[step], steps, path, visit, at + 1);
    path.pop();
  }
}

function noReference(takes: KindName, value: Json, path: Path, rules: PlaceRules): Misplaced | undefined {
  const of = (what: Sentence, text?: string): Misplaced => {
    const meant = text === undefined ? undefined : meantBy(text, takes);
    const finding = error("reference-place", rules.place(path), say`${taken(path, takes)}, and ${what}`);
    return { takes, finding, ...(text !== undefined && { text }), ...(meant !== undefined && { meant }) };
  };
  // Without its `$`, a reference is a mapping: `{policy:strict}` is a key without a value.
  if (isObject(value) && Object.values(value).every((member) => member === null))
    return of("this is a mapping");
  // Numbers are IDs of some services; the schema says where any other mapping cannot be.
  if (typeof value !== "string") {
    return value === null || typeof value === "boolean" ? of(`this is ${String(value)}`) : undefined;
  }
  const parts = parseText(value);
  // What is no valid expression is reported as such.
  if (parts.length === 1 && typeof parts[0] !== "string") return undefined;
  const text = unescaped(value).trim();
  if (text === "") return of("this is empty");
  const isText = parts.every((part) => typeof part === "string");
  const mayBeId = isText && (isLikelyId(text) || kinds[takes].isId?.(text) === true);
  if (rules.isIncluded(path)) return mayBeId ? undefined : of("the included text is not a reference");
  if (mayBeId) return { ...of(say`${quote(text)} is not a reference`, text), mayBeId };
  if (!isText) return of(say`${quote(text)} has something beside the reference`, text);
  return of(say`${quote(text)} is not a reference`, text);
}

function taken(path: Path, takes: KindName): Sentence {
  return say`${{ field: pathText(path) }} takes ${article(kinds[takes].noun[0], { expected: takes })}`;
}

function article(noun: string, parts = {}): Sentence {
  return bare(parts, `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`);
}

// The key in what another tool, another case or another kind would write: `${Policy:strict}`, `policy/strict`, `@strict`.
function meantBy(text: string, takes: KindName): string | undefined {
  const [first = "", ...rest] = text.replaceAll(/^\W+|[\s}\])]+$/g, "").split(/[:./\s]+/);
  const isKind = Object.values(kinds).some(({ words }) => words.includes(first.toLowerCase()));
  const key = isKind ? rest.join("/") : [first, ...rest].join("/");
  return key === "" ? undefined : `${takes}:${key}`;
}

/** Says what to write where references belong, by what the workspace has. */
export function explainMisplaced(all: readonly Misplaced[], addresses: Iterable<string>): Finding[] {
  if (all.length === 0) return [];
  const ofKind = groupBy([...addresses], (address) => kindOfAddress(address).name);
  return all.flatMap(({ takes, text = "", meant = `${takes}:`, mayBeId, finding }) => {
    if (takes === undefined) return [withHint(finding, "write the value itself")];
    const known: readonly string[] = ofKind.get(takes) ?? [];
    const { address } = readReference(meant);
    // What is wrong in many documents would be compared for long.
    const isFew = known.length <= mostCompared;
    const same = known.includes(address) ? address : isFew ? slipOf(address, known) : undefined;
    const there = same ?? (isFew && !mayBeId ? nearest(address, known) : undefined);
    if (there === undefined) return mayBeId ? [] : [withHint(finding, formOf(takes, known))];
    return [withHint(finding, written(text, there + meant.slice(address.length)))];
  });
}

function written(text: string, reference: string): Sentence {
  const to = `\${${reference}}`;
  const sentence = say`write ${quote(to)}`;
  // Where no text is written, there is none to put it in the place of.
  return text ? sentence.proposing({ type: "write", from: text, to }) : sentence;
}

function formOf(takes: KindName, known: readonly string[]): Sentence {
  const form = `\`\${${takes}:KEY}\``;
  const id = "or the ID of an object that is not managed here";
  if (known.length === 0) return `write ${form} and a document of kind ${kinds[takes].document}, ${id}`;
  return `write ${form}, ${id}; known: ${quoteFew(known.map((each) => `\${${each}}`))}`;
}
