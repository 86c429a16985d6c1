import type { ExplainedCode } from "../../generated/explanations.js";
import { indented } from "../words/indented.js";
import { paletteOf } from "../words/palette.js";
import { wrapped } from "../words/wrapped.js";

/** How an explanation is shown: in colour or not, and how many characters a line has. */
export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

/** Renders what a code means, what to do and its example, a line end at the end; the code may be of a rule of one's own. */
export function renderCodeText(
  explained: ExplainedCode,
  { color, width }: ExplainTextOptions,
  whose: "built in" | "own" = "built in",
): string {
  const { code, effect, meaning, about, fix, parts } = explained;
  const palette = paletteOf(color);
  const lines = [
    effect === undefined ? palette.changed(code) : `${palette.changed(code)} (a note of a plan: ${effect})`,
    "",
    ...wrapped(about === undefined ? meaning : `${meaning} ${about}`, width),
    "",
    ...wrapped(`What to do: ${fix}`, width),
    ...parts.flatMap((part) => ["", `${part.label}:`, "", ...indented(part.lines, 2)]),
    ...(parts.length === 0 || whose === "own"
      ? []
      : [
          "",
          palette.dim("These are parts of a small workspace: `agentform explain example` shows all of it."),
        ]),
  ];
  return `${lines.join("\n")}\n`;
}
