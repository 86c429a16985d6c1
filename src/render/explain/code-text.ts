import type { ExplainedCode } from "../../core/explain/explanations.js";
import { indented } from "../words/indented.js";
import { paletteOf } from "../words/palette.js";
import { wrapped } from "../words/wrapped.js";
import { exampleParts } from "./example-parts.js";

/** How an explanation is shown: in colour or not, and how many characters a line has. */
export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

/** Renders what a code means, what to do and its example, a line end at the end. */
export function renderCodeText(explained: ExplainedCode, { color, width }: ExplainTextOptions): string {
  const { code, effect, meaning, about } = explained;
  const palette = paletteOf(color);
  const parts = exampleParts(explained);
  const lines = [
    effect === undefined ? palette.changed(code) : `${palette.changed(code)} (a note of a plan: ${effect})`,
    "",
    ...wrapped(about === undefined ? meaning : `${meaning} ${about}`, width),
    "",
    ...wrapped(`What to do: ${adviceOn(explained)}`, width),
    ...parts.flatMap((part) => ["", `${part.label}:`, "", ...indented(part.lines, 2)]),
    ...(parts.length === 0
      ? []
      : [
          "",
          palette.dim("These are parts of a small workspace: `agentform explain example` shows all of it."),
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Gives what to do about a code, in Markdown; of a warning also how it is silenced. */
export function adviceOn({ code, fix, isIgnorable }: ExplainedCode): string {
  return isIgnorable
    ? `${fix} A warning that you have judged is silenced by \`ignore: [${code}]\` under \`spec\` of the manifest.`
    : fix;
}

/** Renders the files of the sample workspace, a line end at the end. */
export function renderSampleText(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([file, text]) => `# ${file}\n${text}`)
    .join("\n");
}
