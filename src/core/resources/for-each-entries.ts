import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { isKey } from "../kind/address.js";
import type { Path } from "../../json/path.js";
import type { Document } from "../document/document.js";
import { measure } from "../../json/extent.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { explainSpelling } from "../expression/expression-finding.js";
import { parameterNames, textParameter, type Parameter, type Parameters } from "../expression/parameter.js";
import { partsByKey, type Parts } from "../expression/substituted.js";
import type { Substitution } from "../expression/substitution.js";

/** One key of a `for_each`. */
export interface ForEachEntry {
  readonly key: string;
  readonly parameters: Parameters;
  /** The files that the mapping and the parameters include. */
  readonly files: readonly string[];
}

/** The keys of a `for_each` that can be used, and the problems of the others. */
export interface ForEachEntries {
  readonly entries: readonly ForEachEntry[];
  readonly findings: readonly Finding[];
}

/** The value of one key, with the place of the key. */
interface EntrySource extends Parts {
  readonly key: string;
  readonly value: Json;
  readonly files: readonly string[];
  readonly place: Place;
}

/** Reads the `for_each` of a document: a mapping in the document, or an expression that gives one. */
export function readForEach(document: Document, written: Json, substitution: Substitution): ForEachEntries {
  const { file, index } = document;
  const place: Place = { file, document: index, path: ["for_each"] };
  const substitute = (value: Json, path: readonly string[]) =>
    substitution.substitute(value, file, index, path);
  const whole = isObject(written) ? undefined : substitute(written, ["for_each"]);
  if (whole?.unresolved.some(({ length }) => length <= 1)) return { entries: [], findings: whole.findings };
  const mapping = whole ? whole.value : written;
  const isIncluded = whole !== undefined && whole.included.length > 0;
  if (!isObject(mapping)) return refuse(explainMapping(mapping, isIncluded ? undefined : written, place));
  const keys = Object.keys(mapping);
  if (keys.length > mostKeys) return refuse(explainTooMany(keys.length, place));

  if (whole) {
    const partsOf = partsByKey(whole, 1);
    const from = isIncluded ? whole.files[0] : undefined;
    const placeOf = (key: string) =>
      from === undefined ? { ...place, key: true } : { file: from, document: 0, path: [key], key: true };
    const sources = keys.map((key) => {
      return { ...partsOf(key), key, value: mapping[key] ?? null, files: whole.files, place: placeOf(key) };
    });
    return readSources(sources, whole.findings, isIncluded, substitution);
  }
  const findings: Finding[] = [];
  const sources = keys.map((key): EntrySource => {
    const path = ["for_each", key];
    const substituted = substitute(mapping[key] ?? null, path);
    for (const finding of substituted.findings) findings.push(finding);
    const { value, files } = substituted;
    return { ...partsByKey(substituted, 1)(key), key, value, files, place: { ...place, path, key: true } };
  });
  return readSources(sources, findings, false, substitution);
}

function refuse(finding: Finding): ForEachEntries {
  return { entries: [], findings: [finding] };
}

function readSources(
  sources: readonly EntrySource[],
  before: readonly Finding[],
  isIncluded: boolean,
  substitution: Substitution,
): ForEachEntries {
  const findings = [...before];
  const usable: (EntrySource & { readonly value: JsonObject })[] = [];
  for (const source of sources) {
    const { key, value, place, unresolved, included } = source;
    if (unresolved.some(isWhole)) continue;
    if (value === null) usable.push({ ...source, value: {} });
    else if (isObject(value)) usable.push({ ...source, value });
    else findings.push(explainEntry(key, included.some(isWhole) ? undefined : value, place));
  }
  const own = isIncluded ? [] : usable.filter(({ included }) => !included.some(isWhole));
  const names = parameterNames(namesIn(usable), namesIn(own), own.length < usable.length);
  const entries = usable.map(({ key, value, files, place, ...parts }): ForEachEntry => {
    const [file] = files;
    const isData = file !== undefined && !isIncluded && parts.included.some(isWhole);
    const written = isData ? { file, document: 0, path: [] } : { ...place, key: false };
    const byName = new Map<string, Parameter>([["key", textParameter(key, isIncluded)]]);
    const partsOf = partsByKey(parts, 0);
    for (const [name, member] of Object.entries(value)) {
      const misspelt = spellingProblem(member, name, written, isData || isIncluded, substitution);
      if (name !== "key")
        byName.set(name, { value: member, ...partsOf(name), ...measure(member), ...misspelt });
      else findings.push(explainKeyParameter({ ...place, path: [...(place.path ?? []), "key"] }));
    }
    return { key, files, parameters: { place: { key, of: sources.length, place }, byName, names } };
  });
  return { entries, findings };
}

function spellingProblem(
  value: Json,
  name: string,
  { file, document = 0, path = [] }: Place,
  isIncluded: boolean,
  { inclusion }: Substitution,
): Pick<Parameter, "misspelt"> {
  if (typeof value !== "number" && typeof value !== "boolean") return {};
  const at = { file, document, path: [...path, name] };
  const source = inclusion.spellingIn(file)(document, at.path);
  return source === undefined
    ? {}
    : { misspelt: explainSpelling(at, value, isIncluded ? undefined : source) };
}

function namesIn(sources: readonly { readonly value: JsonObject }[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ value }) => Object.keys(value)));
}

function isWhole(path: Path): boolean {
  return path.length === 0;
}

const mostKeys = 10_000;

const example =
  "write a key for each resource, such as `for_each: {de: {language: German}, fr: {language: French}}`";

/** Reports a `for_each` that is not a mapping; `written` is missing if it is from an included file. */
function explainMapping(value: Json, written: Json | undefined, place: Place): Finding {
  if (value === null && written === null) {
    const hint = "write a key for each resource, or `for_each: {}` to make none";
    return error("for-each-invalid", place, "`for_each` is empty", hint);
  }
  const message = say`\`for_each\` must be a mapping, not ${bare({ found: typeText(value) })}`;
  return error("for-each-invalid", place, message, mappingHint(value, written));
}

function mappingHint(value: Json, written: Json | undefined): Sentence {
  if (written === undefined) return "the included file must hold a mapping, and end in .yaml, .yml or .json";
  if (Array.isArray(value)) {
    const keys = value.filter((item): item is string => typeof item === "string" && isKey(item)).slice(0, 3);
    const entries = keys.map((key) => `${key}: {}`).join(", ");
    return keys.length > 0 ? say`write ${{ meant: `for_each: {${entries}}` }}` : example;
  }
  const isFile = typeof value === "string" && /^[\w./-]+\.(json|ya?ml)$/i.test(value);
  return isFile ? say`write ${{ meant: `\${file:${value}}` }} to include that file` : example;
}

function explainTooMany(count: number, place: Place): Finding {
  const most = bare({ limit: mostKeys }, mostKeys.toLocaleString("en-US"));
  const message = say`\`for_each\` has ${bare({ count }, count.toLocaleString("en-US"))} keys, but a document can make at most ${most} resources`;
  return error("for-each-too-large", place, message, "split it into several documents");
}

/** Reports a key without a mapping; `value` is missing if it is from an included file. */
function explainEntry(key: string, value: Json | undefined, place: Place): Finding {
  const hint = "give each parameter a name, such as `de: {language: German}`";
  if (value === undefined) {
    const message = "this key must have a mapping of parameters";
    return error("for-each-invalid", place, message, hint);
  }
  const message = say`the key ${{ key }} must have a mapping of parameters, not ${bare({ found: typeText(value) })}`;
  if (typeof value === "object") return error("for-each-invalid", place, message, hint);
  const named = { meant: `${key}: {value: ${String(value)}}` };
  const use = "`${each:value}` where it is used";
  return error("for-each-invalid", place, message, say`give it a name: write ${named}, and ${use}`);
}

function explainKeyParameter(place: Place): Finding {
  const message = "a parameter cannot have the name `key`: `${each:key}` is the key itself";
  return error("for-each-name", place, message, "give the parameter a different name");
}

function typeText(value: Json): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a mapping";
  return typeof value === "string" ? "a text" : typeof value === "number" ? "a number" : "a boolean";
}
