import type { Finding, Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import type { Document } from "../document/document.js";
import { isSpelt } from "../document/spelling.js";
import { measure } from "../../json/extent.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { explainSpelling } from "../expression/expression-finding.js";
import { parameterNames, textParameter, type Parameter, type Parameters } from "../expression/parameter.js";
import { partsByKey, type Parts } from "../expression/substituted.js";
import type { Substitution } from "../expression/substitution.js";
import {
  explainEntry,
  explainKeyParameter,
  explainMapping,
  explainTooMany,
  mostKeys,
} from "./for-each-finding.js";

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
      const own = partsOf(name);
      const misspelt = spellingProblem(member, name, written, isData || isIncluded, substitution);
      const variable = own.variables.find(({ path }) => isWhole(path))?.name;
      const asText = variable === undefined ? misspelt : () => void substitution.noteText(variable);
      if (name !== "key")
        byName.set(name, { value: member, ...own, ...measure(member), ...(asText && { misspelt: asText }) });
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
): Parameter["misspelt"] {
  if (!isSpelt(value)) return undefined;
  const at = { file, document, path: [...path, name] };
  const source = inclusion.spellingIn(file)(document, at.path);
  return source === undefined ? undefined : () => explainSpelling(at, value, isIncluded ? undefined : source);
}

function namesIn(sources: readonly { readonly value: JsonObject }[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ value }) => Object.keys(value)));
}

function isWhole(path: Path): boolean {
  return path.length === 0;
}
