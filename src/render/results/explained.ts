import type { ExplainedField, MemberField } from "../../core/explain/explained-field.js";
import type { ExplainAnswer } from "../../generated/explain.js";
import type { ExplainedCode } from "../../generated/explanations.js";
import { groupBy } from "../../json/groups.js";
import type { Json } from "../../json/json.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { indented, widestOf, wrapped } from "../words/text-lines.js";

/** How an explanation is shown: in colour or not, and how many characters a line has. */
export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

/** Renders what is said of a word for a terminal, a line end at the end. */
export function renderExplained(explained: ExplainAnswer, options: ExplainTextOptions): string {
  const { type, words = [], example = [], code, field } = explained;
  if (field) return renderFieldText(field, options);
  // A rule of the workspace says of itself what a code does.
  if (code) return renderCodeText(code, options, type === "rule" ? "own" : "built in");
  return type === "words" ? renderWordList(words, options.width) : `${example.join("\n")}\n`;
}

/** Renders what a code means, what to do and its example, a line end at the end; the code may be of a rule of one's own. */
function renderCodeText(
  explained: ExplainedCode,
  { color, width }: ExplainTextOptions,
  whose: "built in" | "own",
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

/** Renders what a field means and what a change of it does, with the fields in it, a line end at the end. */
export function renderFieldText(field: ExplainedField, { color, width }: ExplainTextOptions): string {
  const palette = paletteOf(color);
  const facts = [
    ...(field.read_only ? ["Set by the service; an error in a document."] : []),
    ...(field.type === undefined ? [] : [`Type: ${field.type}.`]),
    ...(field.required ? ["Required."] : []),
    ...(field.secret
      ? ["Secret: written as `${env:NAME}`, and as `${env:NAME@2}` when its value is a new one."]
      : []),
    ...(field.default === undefined ? [] : [`Default: ${valuesText([field.default])}.`]),
    ...(field.values.length === 0 ? [] : [`Allowed: ${valuesText(field.values)}.`]),
    ...(field.examples.length === 0 ? [] : [`For example: ${valuesText(field.examples)}.`]),
  ];
  const paragraphs = [
    ...(field.description === undefined ? [] : [field.description]),
    ...facts,
    ...(field.effect === undefined ? [] : [field.effect]),
  ].flatMap((text) => wrapped(text, width));
  const head = field.list ? "Each item has:" : "It has:";
  const members = listLines(field.members.map(rowOf), width);
  const lines = [
    palette.changed(safeLine(field.name)),
    "",
    ...paragraphs,
    ...(members.length === 0 ? [] : ["", head, "", ...members]),
  ];
  return `${lines.join("\n")}\n`;
}

function rowOf({ name, description = "", required }: MemberField): [string, string] {
  return [name, required ? `${description} Required.`.trim() : description];
}

function valuesText(values: readonly Json[]): string {
  return values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ");
}

const narrowest = 30;

/** Gives lines with names, each with a text beside it, in two columns. */
function listLines(rows: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const column = widestOf(rows.map(([name]) => name)) + 4;
  return rows.flatMap(([name, text]) => {
    const [first = "", ...more] = wrapped(text, Math.max(narrowest, width - column));
    return [`  ${name}`.padEnd(column) + first, ...indented(more, column)].map((line) => line.trimEnd());
  });
}

/** Renders the words that can be asked, a line end at the end. */
function renderWordList(words: NonNullable<ExplainAnswer["words"]>, width: number): string {
  const parts = [...groupBy(words, ({ group }) => group)].map(([title, all]) => {
    const rows = all.map(({ word, about }) => [word, about] as const);
    return [`${title}:`, "", ...listLines(rows, width)].join("\n");
  });
  return `${parts.join("\n\n")}\n`;
}
