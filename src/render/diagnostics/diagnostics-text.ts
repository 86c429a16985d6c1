import type { Diagnostic, RelatedPlace } from "../../generated/diagnostics.js";
import { countText } from "../words/count-text.js";
import { countsOf } from "../words/diagnostics-count.js";
import { sameWarnings, type SameDiagnostics } from "../words/same-warnings.js";
import { paletteOf, type Palette } from "../words/palette.js";
import { placeText } from "../words/place-text.js";
import { safeLine, safeText } from "../words/terminal-text.js";
import { codes } from "../../generated/codes.js";

const roles = { error: "removed", warning: "changed", note: "dim" } as const;

/** Renders diagnostics for a terminal, and their count; with a page, codes are links to it. */
export function renderDiagnosticsText(
  diagnostics: readonly Diagnostic[],
  { color, codePage }: { readonly color: boolean; readonly codePage?: string | undefined },
): string {
  if (diagnostics.length === 0) return "";
  const palette = paletteOf(color);
  const codeText = (code: string) => (codePage === undefined ? safeLine(code) : linkedCode(code, codePage));
  const blocks = sameWarnings(diagnostics).map((same) =>
    renderDiagnostic(same, palette, codeText).join("\n"),
  );
  return `${[...blocks, countsOf(diagnostics)].join("\n\n")}\n`;
}

const mostPlaces = 10;

function renderDiagnostic(
  { diagnostic, places }: SameDiagnostics<Diagnostic>,
  palette: Palette,
  codeText: (code: string) => string,
): string[] {
  const { severity, code, message, frame, hint, related = [] } = diagnostic;
  const [place, ...others] = places;
  const left = others.length - mostPlaces;
  return [
    `${palette[roles[severity]](`${severity}[${codeText(code)}]`)}: ${safeLine(message)}`,
    ...(place === undefined ? [] : [`  --> ${safeLine(place)}`]),
    ...(frame === undefined || frame === "" ? [] : [frameText(frame)]),
    ...others.slice(0, mostPlaces).map((other) => `  --> ${safeLine(other)}`),
    ...(left > 0 ? [`  --> and ${countText(left, "more place")}`] : []),
    ...(hint === undefined ? [] : [`  = hint: ${safeLine(hint)}`]),
    ...related.flatMap((other) => [
      `  = see: ${safeLine(relatedText(other))}`,
      ...(other.frame === undefined ? [] : [frameText(other.frame)]),
    ]),
  ];
}

function frameText(frame: string): string {
  return safeText(frame).replace(/\n+$/, "");
}

function relatedText(related: RelatedPlace): string {
  const place = placeText(related);
  return place === undefined ? related.message : `${place}: ${related.message}`;
}

const end = "\x1b]8;;\x1b\\";

const known: ReadonlySet<string> = new Set(codes);

/** Makes the code of a diagnostic a link to its anchor in a page (OSC 8); what is in no table of ours stays a text. */
export function linkedCode(code: string, page: string): string {
  return known.has(code) ? `\x1b]8;;${page}#${code}\x1b\\${code}${end}` : safeLine(code);
}
