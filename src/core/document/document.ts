import type { Document as YamlDocument } from "yaml";
import { composeAll } from "./compose.js";
import { error, type Finding, type KeyPlace, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import {
  halfCharacter,
  hazardFinding,
  isHazard,
  tooDeep,
  inspect,
  refusedKeys,
  type ValueRole,
} from "./inspection.js";
import { countKeys, depthLimit, type Json } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { parseJson as parseJsonText } from "../../json/parse-json.js";
import { scanJson, type JsonProblem } from "../../json/json-scan.js";
import { readSubset } from "./subset-reader.js";
import type { RefusedKeys } from "./subset-value.js";
import { harmlessValues, yamlHazard } from "./yaml-hazard.js";
import { explainMistake, troubleAt } from "./yaml-mistake.js";
import { explainAlias, explainYaml } from "./yaml-problem.js";
import { valueOf, type NoValue } from "./yaml-value.js";

/** One YAML document of a file, as plain data. */
export interface Document {
  readonly file: string;
  /** The index of the document in the file, from 0. */
  readonly index: number;
  readonly value: Json;
  /** The key of its `for_each` for which it was made. */
  readonly each?: KeyPlace;
}

/** The data of a text, with all its problems. */
export interface Parsed<T> {
  readonly value: T;
  readonly findings: Finding[];
}

/** The documents of one file, and the texts of those that could not be parsed. */
export interface ParsedDocuments extends Parsed<Document[]> {
  readonly broken: string[];
}

/** Reads texts as the library would, with nothing that `inspect` would find; undefined leaves a text to the library. */
export type FastReader = (text: string, limit: number, refused: RefusedKeys) => readonly Json[] | undefined;

const documentLimit = 10_000;

/** Parses the YAML documents of one file; a document with an error is left out, and its errors are reported. */
export function parseDocuments(file: string, text: string, fast: FastReader = readSubset): ParsedDocuments {
  const conflict = mergeConflict(file, text);
  const read = conflict ? undefined : readFast(text, "document", fast);
  if (read) {
    const all = read.map((value, index) => ({ file, index, value }));
    return { value: all.filter(({ value }) => value !== null), findings: [], broken: [] };
  }
  const refused = conflict ?? refusal(file, text);
  if (refused) return { value: [], findings: [refused], broken: [text] };
  const documents: Document[] = [];
  const findings: Finding[] = [];
  const broken: string[] = [];
  let index = -1;
  for (const yaml of composeAll(text)) {
    if (++index === documentLimit) {
      const finding = tooManyDocuments({ file, offset: yaml.range?.[0] ?? 0 });
      return { value: [], findings: [finding], broken: [text] };
    }
    const { value, findings: found } = toData(file, text, index, yaml, true);
    findings.push(...found);
    if (found.length > 0) broken.push(text.slice(yaml.range?.[0], yaml.range?.[2]));
    else if (value !== null) documents.push({ file, index, value });
  }
  return { value: documents, findings, broken };
}

// What has a finding is left to the library, which knows its place.
function readFast(text: string, origin: ValueRole, fast: FastReader): readonly Json[] | undefined {
  const values = fast(text, harmlessValues(text), refusedKeys[origin]);
  return values && values.length <= documentLimit ? values : undefined;
}

/** Parses an included data file as JSON or YAML; no finding quotes its content. */
export function parseData(file: string, text: string, fast: FastReader = readSubset): Parsed<Json> {
  const refused = mergeConflict(file, text);
  if (refused) return { value: null, findings: [refused] };
  return file.toLowerCase().endsWith(".json") ? parseJson(file, text) : parseYaml(file, text, fast);
}

function parseJson(file: string, text: string): Parsed<Json> {
  const { value } = parseJsonText(text);
  const isHarmless =
    value !== undefined &&
    inspect(value, "data").length === 0 &&
    !repeatsKey(text, countKeys(value, depthLimit));
  if (isHarmless) return { value, findings: [] };
  const problem = scanJson(text);
  if (!problem) return { value: JSON.parse(text) as Json, findings: [] };
  return { value: null, findings: [jsonFinding(problem, { file, offset: problem.offset }, text)] };
}

function parseYaml(file: string, text: string, fast: FastReader): Parsed<Json> {
  const read = readFast(text, "data", fast);
  if (read && read.length <= 1) return { value: read[0] ?? null, findings: [] };
  const refused = refusal(file, text);
  if (refused) return { value: null, findings: [refused] };
  const [yaml, second] = composeAll(text);
  if (second) {
    const place = { file, offset: second.range?.[0] ?? 0 };
    const finding = error(
      "file-syntax",
      place,
      "an included file must contain one document; a second one begins here",
      "split the file",
    );
    return { value: null, findings: [finding] };
  }
  return yaml ? toData(file, text, 0, yaml, false) : { value: null, findings: [] };
}

/** Finds the markers of an unresolved merge, which may even be valid YAML. */
export function mergeConflict(file: string, text: string): Finding | undefined {
  const conflict = text.includes("<<<<<<< ") ? /^<{7} .*$/m.exec(text) : null;
  if (!conflict || !/^={7}\r?$/m.test(text) || !/^>{7} /m.test(text)) return undefined;
  const place = { file, offset: conflict.index };
  return error(
    "merge-conflict",
    place,
    "the file contains markers of an unresolved merge",
    "resolve the merge",
  );
}

function refusal(file: string, text: string): Finding | undefined {
  const excess = offsetOfExcess(text);
  if (excess !== undefined) return tooManyDocuments({ file, offset: excess });
  const hazard = yamlHazard(text);
  if (hazard === undefined) return undefined;
  const place = { file, offset: hazard.offset };
  if (hazard.problem === "too-deep") return tooDeep(place);
  const message = "the YAML has too many values or lines; the limit is reached here";
  return error("yaml-too-large", place, message, "split the file, or include large data as JSON");
}

function tooManyDocuments(place: { file: string; offset: number }): Finding {
  const limit = bare({ limit: documentLimit }, documentLimit.toLocaleString("en-US"));
  const message = say`the file contains more than ${limit} documents`;
  return error("too-many-documents", place, message, "split the file");
}

// Counted in the text, because syntax trees of a million documents are what the limit is to prevent. The first document
// may be without a marker, so what passes here may have one too many.
function offsetOfExcess(text: string): number | undefined {
  for (const marker of [/^---(?=\s|$)/gm, /^\.\.\.(?=\s|$)/gm]) {
    let count = 0;
    for (let match = marker.exec(text); match; match = marker.exec(text)) {
      if (++count > documentLimit) return match.index;
    }
  }
  return undefined;
}

function toData(
  file: string,
  text: string,
  index: number,
  yaml: YamlDocument,
  isDocument: boolean,
): Parsed<Json> {
  const findings = explainYaml(file, text, yaml, isDocument);
  if (findings.length > 0) return { value: null, findings };
  const converted = valueOf(yaml);
  if (!converted.ok) return { value: null, findings: [explainNoValue(file, text, converted, isDocument)] };
  const value = converted.value as Json;
  for (const hazard of inspect(value, isDocument ? "document" : "data")) {
    if (isHazard(hazard, yaml)) {
      findings.push(hazardFinding(hazard, { file, document: index, path: hazard.path }));
    }
  }
  return { value: findings.length > 0 ? null : value, findings };
}

function explainNoValue(
  file: string,
  text: string,
  { problem, offset }: NoValue,
  isQuotable: boolean,
): Finding {
  const place = { file, offset };
  switch (problem) {
    case "unresolved-alias":
      return error("yaml-syntax", place, ...explainAlias(text, offset));
    case "too-many-aliases": {
      const hint = "repeat the values instead, or include them with `${file:…}`";
      return error(
        "yaml-alias-limit",
        place,
        "aliases expand to too many values; the limit is reached here",
        hint,
      );
    }
    case "collection-key": {
      const told = explainMistake(troubleAt(text, offset, "COLLECTION_KEY", isQuotable));
      const hint = "use a text as the key, in quotes if necessary";
      return error("yaml-syntax", place, ...(told ?? ["a key must not be a list or mapping", hint]));
    }
  }
}

function jsonFinding({ code, offset }: JsonProblem, place: Place, text: string): Finding {
  switch (code) {
    case "file-syntax":
      return error(
        code,
        place,
        "the included file is not valid JSON; the first error is here",
        /[}\]]/.test(text.charAt(offset)) && text.slice(0, offset).trimEnd().endsWith(",")
          ? "remove the comma before it"
          : "check it with a JSON linter",
      );
    case "half-character":
      return halfCharacter("file-syntax", place);
    case "yaml-duplicate-key":
      return error(code, place, "duplicate key in this mapping", "remove one of them");
    default:
      return hazardFinding({ code, path: ["__proto__"] }, place);
  }
}
