import { isAlias, isCollection, isMap, isPair, isScalar, LineCounter, parseAllDocuments, type Document, type Node } from "yaml";
import type { Diagnostic, Finding, Path, Place } from "./diagnostic.js";
import { composeOptions } from "./document.js";
import { buildFrame } from "./frame.js";

/** Which of a file's text a diagnostic may show. */
export interface SourceText {
  readonly text: string;
  /** Whether lines of it may be shown; the content of included files never is. */
  readonly quotable: boolean;
}

/** A stretch of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Gives findings their lines, columns and frames, sorted by file and place. Files with findings are parsed
 * again for that, so that a workspace without any keeps no syntax trees.
 */
export function locate(
  findings: readonly Finding[],
  read: (file: string) => SourceText | undefined,
): Diagnostic[] {
  const sources = new Map<string, LocatedSource | undefined>();
  const sourceOf = (file: string) => {
    if (!sources.has(file)) {
      const source = read(file);
      sources.set(file, source && new LocatedSource(source));
    }
    return sources.get(file);
  };
  const diagnostics = findings.map((finding) => toDiagnostic(finding, sourceOf));
  return unique(diagnostics).toSorted(compareDiagnostics);
}

function toDiagnostic(finding: Finding, sourceOf: (file: string) => LocatedSource | undefined): Diagnostic {
  const { code, severity, message, hint, address, place, related } = finding;
  const located = place && { file: place.file, ...sourceOf(place.file)?.locate(place) };
  return {
    ...{ code, severity, message },
    ...(hint !== undefined && { hint }),
    ...(address !== undefined && { address }),
    ...located,
    ...(related && {
      related: related.map(({ message: text, place: at }) => {
        const { line, column } = (at && sourceOf(at.file)?.locate(at)) ?? {};
        return { message: text, ...(at && { file: at.file }), ...(line && { line }), ...(column && { column }) };
      }),
    }),
  };
}

class LocatedSource {
  readonly #text: string;
  readonly #quotable: boolean;
  readonly #lines = new LineCounter();
  #documents: Document[] | undefined;

  constructor({ text, quotable }: SourceText) {
    this.#text = text;
    this.#quotable = quotable;
    this.#lines.addNewLine(0);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#lines.addNewLine(at + 1);
  }

  locate(place: Place): Pick<Diagnostic, "line" | "column" | "end_line" | "end_column" | "frame"> {
    const range = this.#range(place);
    if (!range) return {};
    const start = this.#lines.linePos(range.start);
    const end = this.#lines.linePos(Math.max(range.start, range.end));
    const frame = this.#frame(place, start.line, start.col, end.line === start.line ? end.col : undefined);
    return {
      line: start.line,
      column: start.col,
      ...(range.end > range.start && { end_line: end.line, end_column: end.col }),
      ...(frame !== undefined && { frame }),
    };
  }

  #range(place: Place): Range | undefined {
    if (place.offset !== undefined) return { start: Math.min(place.offset, this.#text.length), end: place.offset };
    if (place.path === undefined && place.document === undefined) return undefined;
    try {
      this.#documents ??= this.#compose();
    } catch {
      return undefined;
    }
    const document = this.#documents[place.document ?? 0];
    return document && rangeOf(document, place, this.#text);
  }

  #compose(): Document[] {
    const composed = parseAllDocuments(this.#text, composeOptions);
    return Array.isArray(composed) ? composed : [];
  }

  #frame(place: Place, line: number, column: number, endColumn: number | undefined): string | undefined {
    if (!this.#quotable) return undefined;
    const isParsed = place.offset === undefined;
    return buildFrame(this.#text, { line, column, endColumn }, isParsed ? this.#documents : undefined);
  }
}

function rangeOf(document: Document, place: Place, text: string): Range | undefined {
  const { node, key } = descend(document, place.path ?? []);
  const target = place.key ? (key ?? node) : node;
  const range = target?.range ?? key?.range ?? document.contents?.range;
  if (!range) return undefined;
  const [start, end] = range;
  if (place.expression !== undefined) {
    const offset = text.slice(start, end).indexOf(place.expression);
    if (offset !== -1) return { start: start + offset, end: start + offset + place.expression.length };
  }
  // A collection's own range is the whole block; its key, or its first line, is what a reader looks for.
  if (isCollection(target)) {
    const anchor = key?.range ?? undefined;
    if (anchor) return { start: anchor[0], end: anchor[1] };
    return { start, end: start };
  }
  return { start, end };
}

// Follows a path as far as the document goes: what was included stands at the expression that included it.
function descend(document: Document, path: Path): { node?: Node | undefined; key?: Node | undefined } {
  let node: Node | undefined = document.contents ?? undefined;
  let key: Node | undefined;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(segment));
      if (!pair) break;
      key = isScalar(pair.key) ? pair.key : undefined;
      node = (pair.value as Node | null) ?? undefined;
      if (!node) break;
    } else if (isCollection(node)) {
      const item: unknown = node.items[Number(segment)];
      if (item === undefined) break;
      node = item as Node;
      key = undefined;
    } else break;
  }
  return { node, key };
}

function unique(diagnostics: Diagnostic[]): Diagnostic[] {
  const seen = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return [...seen.values()];
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareTexts(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareTexts(a.code, b.code) ||
    compareTexts(a.message, b.message)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
