import { compareText } from "../../json/compare-text.js";
import { lazy, once, oncePer } from "../../json/once.js";
import { LineCounter, type Document } from "yaml";
import type { Diagnostic, Finding, Place } from "../finding/diagnostic.js";
import type { Fix } from "../finding/said.js";
import { composeAll } from "../document/compose.js";
import { Frames } from "./frame.js";
import { LocatedDocument } from "./located-document.js";
import { secretNames, secretNamesOfManifest, type SecretNames } from "./secret-name.js";
import { editOf } from "./fix-edit.js";
import type { Range } from "./range.js";
import { yamlHazard } from "../document/yaml-hazard.js";

/** The part of a file's text that a diagnostic may show. */
export interface SourceText {
  readonly text: string;
  /** Whether lines of it may be shown; the content of included files is never shown. */
  readonly quotable: boolean;
  readonly isManifest?: boolean;
}

/** Gives findings lines, columns and frames, sorted; only their files are parsed again, to keep no trees. */
export function locate(
  findings: readonly Finding[],
  read: (file: string) => SourceText | undefined = () => undefined,
): Diagnostic[] {
  const sourceOf = located(read);
  const diagnostics = findings.map((finding) => toDiagnostic(finding, sourceOf));
  return mergeDiagnostics(diagnostics);
}

/** Gives the lines of places, from 1; undefined where a place cannot be found. */
export function linesOf(
  places: readonly Place[],
  read: (file: string) => SourceText | undefined,
): (number | undefined)[] {
  const sourceOf = located(read);
  return places.map((place) => sourceOf(place.file)?.locate(place).line);
}

function located(read: (file: string) => SourceText | undefined) {
  return once((file: string) => {
    const source = read(file);
    return source && new LocatedSource(source);
  });
}

function toDiagnostic(finding: Finding, sourceOf: (file: string) => LocatedSource | undefined): Diagnostic {
  const { code, severity, message, hint, parts, fixes, address, place, related } = finding;
  const source = place && sourceOf(place.file);
  const located = place && { file: place.file, ...source?.locate(place) };
  return {
    code,
    severity,
    message,
    ...(hint !== undefined && { hint }),
    ...(parts && { parts }),
    ...(fixes && { fixes: fixes.map((fix) => (source ? source.withEdit(fix, place) : fix)) }),
    ...(address !== undefined && { address }),
    ...located,
    ...(related && {
      related: related.map(({ message: also, place: at }, index) => {
        const { line, column, frame } = (at && sourceOf(at.file)?.locate(at)) ?? {};
        const isShown = index === 0 && source?.quotable === false;
        return {
          message: also,
          ...(at && { file: at.file }),
          ...(line && { line }),
          ...(column && { column }),
          ...(isShown && frame !== undefined && { frame }),
        };
      }),
    }),
  };
}

// To find the secrets, a text that mentions one is composed as a whole.
const longestFramed = 4_000_000;
// To find a value in an included file, too, and such files may be as large as 32 MB.
const longestIncluded = 1_000_000;

class LocatedSource {
  readonly #text: string;
  /** Whether lines of it may be shown. */
  readonly quotable: boolean;
  readonly #secrets: SecretNames;
  readonly #lines = new LineCounter();
  readonly #located = oncePer((document: Document) => new LocatedDocument(document, this.#text));
  // A text that was refused because composing it is unsafe is not composed to report that.
  readonly #composed = lazy((): readonly Document[] =>
    yamlHazard(this.#text) ? [] : [...composeAll(this.#text)],
  );
  readonly #framed = lazy(() =>
    this.#text.length > longestFramed ? undefined : Frames.of(this.#text, this.#composed, this.#secrets),
  );

  constructor({ text, quotable, isManifest = false }: SourceText) {
    this.#text = text;
    this.quotable = quotable;
    this.#secrets = isManifest ? secretNamesOfManifest : secretNames;
    this.#lines.addNewLine(0);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      this.#lines.addNewLine(at + 1);
    }
  }

  locate(place: Place): Pick<Diagnostic, "line" | "column" | "end_line" | "end_column" | "frame"> {
    const range = this.#range(place);
    if (!range) return {};
    const { line, column, ...end } = this.#linesOf(range);
    const frame = this.quotable ? this.#framed()?.render(range, line) : undefined;
    return {
      line,
      column,
      ...(range.end > range.start && end),
      ...(frame !== undefined && { frame }),
    };
  }

  /** Gives a fix with what it changes in this text; what an included file has is never shown. */
  withEdit(fix: Fix, place: Place): Fix {
    const range = this.quotable ? this.#range(place) : undefined;
    const found = range && editOf(this.#text, range, fix);
    return found ? { ...fix, edit: { ...this.#linesOf(found.range), text: found.newText } } : fix;
  }

  #linesOf(range: Range) {
    const [start, end] = [this.#lines.linePos(range.start), this.#lines.linePos(range.end)];
    return { line: start.line, column: start.col, end_line: end.line, end_column: end.col };
  }

  #range(place: Place): Range | undefined {
    if (place.offset !== undefined) {
      const start = Math.min(place.offset, this.#text.length);
      return { start, end: start + (place.expression?.length ?? 0) };
    }
    if (place.path === undefined && place.document === undefined) return undefined;
    if (!this.quotable && this.#text.length > longestIncluded) return undefined;
    const document = this.#composed()[place.document ?? 0];
    return document && this.#located(document).rangeOf(place);
  }
}

/** Sorts diagnostics by file and place, without repeats. */
export function mergeDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return [...seen.values()].toSorted(compareDiagnostics);
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
