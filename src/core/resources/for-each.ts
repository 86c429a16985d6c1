import { error, hasErrors, type Finding, warning, type Place } from "../finding/diagnostic.js";
import { KeyedFindings } from "../finding/merged-findings.js";
import type { Document } from "../document/document.js";
import { measure } from "../../json/extent.js";
import { filterMembers, isObject, type Json, type JsonObject } from "../../json/json.js";
import { hasEach, resolveEach } from "../expression/each-text.js";
import { isKey } from "../kind/address.js";
import { mentionsEach, type Parameters } from "../expression/parameter.js";
import type { Substitution } from "../expression/substitution.js";
import { readForEach, type ForEachEntry } from "./for-each-entries.js";
import { placeOf } from "./layer.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";
import { bare, say } from "../finding/said.js";
import { quote } from "../finding/quotation.js";

/** A document that makes one resource, and what `${each:…}` gives in it. */
export interface PlainDocument {
  readonly document: Document;
  /** Missing for a document without `for_each`. */
  readonly entry?: ForEachEntry;
}

/** The documents that a document makes: itself, or with `for_each` one for each key. */
export interface ExpandedDocument {
  readonly documents: readonly PlainDocument[];
  readonly findings: readonly Finding[];
  /** Whether some of its resources could not be made. */
  readonly isPartial: boolean;
}

/** What the comparison of one default with the labels of one resource counts, as characters that it would make. */
const defaultCost = 64;

/** Makes a document's plain documents; at a problem only secrets of `secretsOf` are told, for names may hold them. */
export function expandDocument(
  document: Document,
  substitution: Substitution,
  secretsOf: (plain: PlainDocument) => readonly Finding[],
  /** How many defaults are compared with the labels of each of its resources. */
  defaults: number,
): ExpandedDocument {
  const { value } = document;
  if (!isObject(value)) return { documents: [{ document }], findings: [], isPartial: false };
  if (value.for_each === undefined) return checkPlain(document, value, substitution);
  const { for_each: forEach, ...rest } = value;
  const place = placeOf(document);
  const { entries, findings: unread } = readForEach(document, forEach, substitution);
  const findings = [...unread, ...explainDotted(rest, place)];
  if (
    entries.length > 0 &&
    !substitution.totals.spend(entries.length * (measure(rest).size + defaultCost * defaults))
  ) {
    const tooLarge = explainTooLarge(entries.length, defaults, place(["for_each"]));
    return { documents: [], findings: [...findings, tooLarge], isPartial: true };
  }
  const found = new KeyedFindings();
  for (const finding of findings) found.add(finding);
  const filled: FilledDocument[] = [];
  for (const entry of entries) {
    if (found.isFull) break;
    const made = fillDocument({ ...document, value: rest }, entry, substitution);
    const secrets = made.findings.length > 0 ? secretsOf(made) : [];
    for (const finding of secrets.length > 0 ? secrets : made.findings) found.add(finding);
    filled.push(secrets.length > 0 ? { ...made, isResolved: false } : made);
  }
  const checked = checkNames(filled, rest, document, (problem, made) => {
    const secrets = made && !found.isFull ? secretsOf(made) : [];
    for (const finding of secrets.length > 0 ? secrets : [problem]) found.add(finding);
  });
  const isPartial = checked.length < entries.length || hasErrors(findings);
  return { documents: checked, findings: found.list(), isPartial };
}

// These are resolved with the references and files in them, when the layers of a resource are merged.
const substituted = ["spec", "lifecycle"];

// Most documents have no `${each:…}`, and are not copied.
function checkPlain(document: Document, value: JsonObject, substitution: Substitution): ExpandedDocument {
  const isUsed = (field: string) => !substituted.includes(field) && hasEach(value[field]);
  if (!Object.keys(value).some(isUsed)) return { documents: [{ document }], findings: [], isPartial: false };
  const { findings } = fill(document, filterMembers(value, isUsed), undefined, substitution);
  return { documents: findings.length > 0 ? [] : [{ document }], findings, isPartial: findings.length > 0 };
}

interface FilledDocument extends PlainDocument {
  readonly entry: ForEachEntry;
  readonly findings: readonly Finding[];
  readonly isResolved: boolean;
}

function fillDocument(document: Document, entry: ForEachEntry, substitution: Substitution): FilledDocument {
  const made = { ...document, each: entry.parameters.place };
  const { value, findings, isResolved } = fill(
    made,
    made.value as JsonObject,
    entry.parameters,
    substitution,
  );
  return { document: { ...made, value }, entry, findings, isResolved };
}

function fill(
  document: Document,
  value: JsonObject,
  parameters: Parameters | undefined,
  substitution: Substitution,
) {
  const filled: JsonObject = { ...value };
  const findings: Finding[] = [];
  let isResolved = true;
  const context = {
    ...(parameters && { parameters }),
    place: placeOf(document),
    spend: (units: number) => substitution.totals.spend(units),
  };
  for (const [field, member] of Object.entries(value)) {
    if (substituted.includes(field) || !hasEach(member)) continue;
    const resolved = resolveEach(member, [field], context);
    filled[field] = resolved.value;
    findings.push(...resolved.findings);
    isResolved &&= resolved.isResolved;
  }
  return { value: filled, findings, isResolved };
}

// A key that makes no name of its own makes no resource.
function checkNames(
  filled: readonly FilledDocument[],
  written: JsonObject,
  document: Document,
  report: (problem: Finding, made?: PlainDocument) => void,
): PlainDocument[] {
  const name = nameOf(written);
  if (name !== undefined && !mentionsEach(name) && filled.length > 1) {
    report(explainSameName(name, placeOf(document)(["metadata", "name"])));
    return [];
  }
  const documents: PlainDocument[] = [];
  const firsts = new Map<string, ForEachEntry>();
  for (const made of filled) {
    if (!made.isResolved) continue;
    const own = nameOf(made.document.value);
    const { entry } = made;
    const { place } = entry.parameters.place;
    const before = own === undefined ? undefined : firsts.get(own);
    if (own !== undefined && own !== name && !isKey(own)) {
      const isQuotable = [...entry.parameters.byName.values()].every(({ included }) => included.length === 0);
      report(explainInvalidName(entry.key, isQuotable ? own : undefined, place), made);
    } else if (own !== undefined && before) {
      report(explainDoubleName(entry.key, own, place, before.parameters.place.place), made);
    } else {
      if (own !== undefined) firsts.set(own, entry);
      documents.push(made);
    }
  }
  return documents;
}

function nameOf(value: Json): string | undefined {
  if (!isObject(value) || !isObject(value.metadata)) return undefined;
  const { name } = value.metadata;
  return typeof name === "string" ? name : undefined;
}

const dotted = /(?<!\$)\$\{each\.(?:value\.)?([\w-]+)\}/g;

/** Warns of parameters in the notation of other tools, such as `${each.value.language}`, which is sent as a text. */
function explainDotted(root: Json, place: (path: Path) => Place): Finding[] {
  const findings: Finding[] = [];
  visitTexts(root, [], (text, path) => {
    for (const [source, name] of text.matchAll(dotted)) {
      const message = say`${{ source }} is not a parameter and is taken as a text`;
      const hint = say`write ${quote(`\${each:${name}}`)}, or ${quote(`$${source}`)} for the text itself`;
      const fix = { type: "write", from: source, to: `\${each:${name}}` } as const;
      const at = { ...place([...path]), expression: source };
      findings.push(warning("reference-literal", at, message, hint.proposing(fix)));
    }
  });
  return findings;
}

function explainTooLarge(count: number, defaults: number, place: Place): Finding {
  const given = defaults === 0 ? "" : ` with ${defaults.toLocaleString("en-US")} defaults`;
  const message = say`this document is too large to be repeated for ${bare({ count }, count.toLocaleString("en-US"))} keys${given}`;
  const hint = `use fewer keys${defaults === 0 ? "" : " or defaults"}, or make the document smaller`;
  return error("expansion-too-large", place, message, hint);
}

function explainSameName(name: string, place: Place): Finding {
  const message = say`every key of \`for_each\` makes the same name ${{ name }}`;
  const hint = isKey(name)
    ? say`write ${{ meant: `name: ${name}-\${each:key}` }}`
    : "add `${each:key}` to it";
  return error("for-each-name", place, message, hint);
}

/** Reports a key that makes an invalid name; `name` is missing if the key is from an included file. */
function explainInvalidName(key: string, name: string | undefined, place: Place): Finding {
  const which =
    name === undefined ? "this key makes a name" : say`the key ${{ key }} makes the name ${{ name }},`;
  const message = say`${which} ${name === undefined ? "that" : "which"} is not valid`;
  const hint = "use lower-case letters, digits, `.`, `_` and `-`; begin and end with a letter or digit";
  return error("for-each-name", place, message, hint);
}

function explainDoubleName(key: string, name: string, place: Place, first: Place): Finding {
  const message = say`the key ${{ key }} makes the name ${{ name }}, which a key before it makes, too`;
  return {
    ...error("for-each-name", place, message, "change the key, or use `${each:key}` in `metadata.name`"),
    related: [{ message: "the first", place: first }],
  };
}
