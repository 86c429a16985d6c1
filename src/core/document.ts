import { isScalar, parseAllDocuments, type Document as YamlDocument, type ErrorCode } from "yaml";
import { error, type Code, type Finding, type Path, type Place } from "./diagnostic.js";
import { depthLimit, inspect, type Hazard } from "./inspection.js";
import type { Json } from "./json.js";
import { offsetTooDeep } from "./yaml-depth.js";

/** One YAML document of a file, as plain data. */
export interface Document {
  readonly file: string;
  /** Which document of the file, from 0. */
  readonly index: number;
  readonly value: Json;
}

/** A text read as data, with all that is wrong with it. */
export interface Parsed<T> {
  readonly value: T;
  readonly findings: Finding[];
}

const documentLimit = 10_000;
/** How documents are composed: messages without source, no warnings on the process. */
export const composeOptions = { prettyErrors: false, logLevel: "silent" } as const;

/** Parses the YAML documents of one file; a document with an error is left out, its errors are not. */
export function parseDocuments(file: string, text: string): Parsed<Document[]> {
  const refused = refusal(file, text);
  if (refused) return { value: [], findings: [refused] };
  const composed = parseAllDocuments(text, composeOptions);
  if (!Array.isArray(composed)) return { value: [], findings: [] };
  if (composed.length > documentLimit) {
    const message = `the file holds ${composed.length} documents, and at most ${documentLimit} are read`;
    const finding = error("too-many-documents", { file }, message, "split the file");
    return { value: [], findings: [finding] };
  }
  const documents: Document[] = [];
  const findings: Finding[] = [];
  composed.forEach((yaml, index) => {
    const { value, findings: found } = toData(file, index, yaml, true);
    findings.push(...found);
    if (found.length === 0 && value !== null) documents.push({ file, index, value });
  });
  return { value: documents, findings };
}

/** Parses an included data file as JSON or YAML; no finding quotes its content. */
export function parseData(file: string, text: string): Parsed<Json> {
  if (file.toLowerCase().endsWith(".json")) {
    try {
      const value = JSON.parse(text) as Json;
      const hazards = inspect(value, false);
      if (hazards.length === 0) return { value, findings: [] };
    } catch {
      const hint = "check it with a JSON linter";
      return { value: null, findings: [error("file-syntax", { file }, `\`${file}\` is not valid JSON`, hint)] };
    }
  }
  const refused = refusal(file, text);
  if (refused) return { value: null, findings: [refused] };
  const composed = parseAllDocuments(text, composeOptions);
  const [yaml] = Array.isArray(composed) ? composed : [];
  if (composed.length > 1) {
    const finding = error("file-syntax", { file }, `\`${file}\` holds more than one document`);
    return { value: null, findings: [finding] };
  }
  return yaml ? toData(file, 0, yaml, false) : { value: null, findings: [] };
}

function refusal(file: string, text: string): Finding | undefined {
  const conflict = /^<{7} .*$/m.exec(text);
  if (conflict && /^>{7} /m.test(text)) {
    const place = { file, offset: conflict.index };
    return error("merge-conflict", place, "the file holds merge-conflict markers", "resolve the merge");
  }
  const deep = offsetTooDeep(text);
  if (deep !== undefined) return tooDeep({ file, offset: deep });
  return undefined;
}

function tooDeep(place: Place): Finding {
  return error("too-deep", place, `collections are nested deeper than ${depthLimit}`);
}

function toData(file: string, index: number, yaml: YamlDocument, isDocument: boolean): Parsed<Json> {
  const findings = [...yaml.errors, ...yaml.warnings].map(({ code, pos }) => {
    const [findingCode, message, hint] = explain(code);
    return error(findingCode, { file, offset: pos[0] }, message, hint);
  });
  if (findings.length > 0) return { value: null, findings: findings.slice(0, 20) };
  let value: Json;
  try {
    value = yaml.toJS() as Json;
  } catch {
    const hint = "write the values out, or include them with `${file:…}`";
    const place = { file, document: index };
    const finding = error("yaml-alias-limit", place, "aliases expand to too many values", hint);
    return { value: null, findings: [finding] };
  }
  for (const hazard of inspect(value, isDocument)) {
    if (hazard.code !== "integer-too-large" || spelledAsInteger(yaml, hazard.path)) {
      findings.push(hazardFinding(hazard, { file, document: index, path: hazard.path }));
    }
  }
  return { value, findings };
}

function hazardFinding(hazard: Hazard, place: Place): Finding {
  switch (hazard.code) {
    case "too-deep":
      return tooDeep(place);
    case "forbidden-key": {
      const message = `the key \`${hazard.path.at(-1)}\` is refused: it can poison objects`;
      return error("forbidden-key", { ...place, key: true }, message, "rename or remove it");
    }
    case "integer-too-large": {
      const hint = "quote it, if the service takes a string there";
      return error("integer-too-large", place, "the integer is beyond 2^53 and would lose digits", hint);
    }
    case "number-not-finite":
      return error("number-not-finite", place, "infinity and NaN cannot be sent as JSON");
  }
}

function spelledAsInteger(yaml: YamlDocument, path: Path): boolean {
  const node = yaml.getIn(path, true);
  return isScalar(node) && /^[-+]?(0x[0-9a-f]+|0o[0-7]+|\d+)$/i.test(node.source ?? "");
}

// The library's own messages may quote the source, so each of its codes gets a sentence of ours.
function explain(code: ErrorCode): readonly [Code, string, string?] {
  switch (code) {
    case "DUPLICATE_KEY":
      return ["yaml-duplicate-key", "the key stands twice in this mapping", "keep one of them"];
    case "TAG_RESOLVE_FAILED":
      return ["yaml-tag", "the tag is unknown: YAML's core schema alone is read", "remove the tag"];
    case "BAD_INDENT":
      return ["yaml-syntax", "the indentation does not fit what is around it"];
    case "TAB_AS_INDENT":
      return ["yaml-syntax", "a tab is used as indentation", "indent with spaces"];
    case "MISSING_CHAR":
      return ["yaml-syntax", "a character is missing: a colon, a quote or a closing bracket"];
    case "MULTILINE_IMPLICIT_KEY":
      return ["yaml-syntax", "a key spans several lines", "is the colon missing, or a quote left open?"];
    case "BLOCK_AS_IMPLICIT_KEY":
      return ["yaml-syntax", "a mapping stands where a value is expected", "quote the value if it holds `: `"];
    case "BAD_ALIAS":
      return ["yaml-syntax", "the alias has no anchor before it"];
    case "BAD_DQ_ESCAPE":
      return ["yaml-syntax", "the escape sequence is unknown", "use single quotes, or double the backslash"];
    case "RESOURCE_EXHAUSTION":
      return ["too-deep", `collections are nested deeper than ${depthLimit}`];
    default:
      return ["yaml-syntax", `the YAML is broken here (${code.toLowerCase().replaceAll("_", " ")})`];
  }
}
