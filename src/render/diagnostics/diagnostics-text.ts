import type { Diagnostic, RelatedPlace } from "../../generated/diagnostics.js";
import { countsOf } from "./diagnostics-count.js";
import { buildPalette, type Palette } from "../words/palette.js";
import { placeText } from "../words/place-text.js";
import { safeLine, safeText } from "../words/terminal-text.js";

const roles = { error: "removed", warning: "changed", note: "dim" } as const;

/** Renders diagnostics for a terminal with a count at the end and a line end; nothing if there are none. */
export function renderDiagnosticsText(
  diagnostics: readonly Diagnostic[],
  { color }: { readonly color: boolean },
): string {
  if (diagnostics.length === 0) return "";
  const palette = buildPalette(color);
  const blocks = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, palette).join("\n"));
  return `${[...blocks, countsOf(diagnostics)].join("\n\n")}\n`;
}

function renderDiagnostic(diagnostic: Diagnostic, palette: Palette): string[] {
  const { severity, code, message, address, frame, hint, related = [] } = diagnostic;
  const place = placeText(diagnostic) ?? address;
  return [
    `${palette[roles[severity]](`${severity}[${safeLine(code)}]`)}: ${safeLine(message)}`,
    ...(place === undefined ? [] : [`  --> ${safeLine(place)}`]),
    ...(frame === undefined || frame === "" ? [] : [safeText(frame).replace(/\n+$/, "")]),
    ...(hint === undefined ? [] : [`  = hint: ${safeLine(hint)}`]),
    ...related.map((other) => `  = see: ${safeLine(relatedText(other))}`),
  ];
}

function relatedText(related: RelatedPlace): string {
  const place = placeText(related);
  return place === undefined ? related.message : `${place}: ${related.message}`;
}
