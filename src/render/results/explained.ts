import type { ExplainedField, MemberField } from "../../core/explain/explained-field.js";
import type { ExplainAnswer } from "../../generated/explain.js";
import type { ExplainedCode } from "../../generated/explanations.js";
import type { Json } from "../../json/json.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { indented, widestOf, wrapped } from "../words/text-lines.js";

/** How an explanation is shown: in colour or not, and how many characters a line has. */
export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

/** What can be asked, as groups of words with a line about each. */
export interface WordGroup {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

/** What is said of a word that was asked, or all words that can be asked. */
export type ExplainedWord =
  | { readonly type: "words"; readonly groups: readonly WordGroup[] }
  | { readonly type: "example"; readonly lines: readonly string[] }
  | { readonly type: "code"; readonly code: ExplainedCode }
  /** A rule of the workspace, which says of itself what a code does. */
  | { readonly type: "rule"; readonly rule: ExplainedCode }
  | { readonly type: "field"; readonly field: ExplainedField };

/** Renders what is said of a word for a terminal, a line end at the end. */
export function renderExplained(explained: ExplainedWord, options: ExplainTextOptions): string {
  switch (explained.type) {
    case "words":
      return renderWordList(explained.groups, options.width);
    case "example":
      return `${explained.lines.join("\n")}\n`;
    case "code":
      return renderCodeText(explained.code, options);
    case "rule":
      return renderCodeText(explained.rule, options, "own");
    case "field":
      return renderFieldText(explained.field, options);
  }
}

/** Renders what a code means, what to do and its example, a line end at the end; the code may be of a rule of one's own. */
function renderCodeText(
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

/** Renders what a field means and what a change of it does, with the fields in it, a line end at the end. */
export function renderFieldText(field: ExplainedField, { color, width }: ExplainTextOptions): string {
  const palette = paletteOf(color);
  const facts = [
    ...(field.isReadOnly ? ["Set by the service; an error in a document."] : []),
    ...(field.type === undefined ? [] : [`Type: ${field.type}.`]),
    ...(field.isRequired ? ["Required."] : []),
    ...(field.isSecret
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
  const head = field.isList ? "Each item has:" : "It has:";
  const members = listLines(field.members.map(rowOf), width);
  const lines = [
    palette.changed(safeLine(field.name)),
    "",
    ...paragraphs,
    ...(members.length === 0 ? [] : ["", head, "", ...members]),
  ];
  return `${lines.join("\n")}\n`;
}

function rowOf({ name, description = "", isRequired }: MemberField): [string, string] {
  return [name, isRequired ? `${description} Required.`.trim() : description];
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
function renderWordList(groups: readonly WordGroup[], width: number): string {
  const parts = groups.map(({ title, rows }) => [`${title}:`, "", ...listLines(rows, width)].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** Makes what programs get of it (`agentform/explain/v1`). */
export function explainJson(explained: ExplainedWord): ExplainAnswer {
  const head = { format: "agentform/explain/v1" as const, type: explained.type };
  const codeJson = ({ parts, ...code }: ExplainedCode) => ({
    ...code,
    parts: parts.map(({ label, lines }) => ({ label, lines: [...lines] })),
  });
  switch (explained.type) {
    case "words":
      return {
        ...head,
        words: explained.groups.flatMap(({ title, rows }) =>
          rows.map(([word, about]) => ({ word, about, group: title })),
        ),
      };
    case "example":
      return { ...head, example: [...explained.lines] };
    case "code":
      return { ...head, code: codeJson(explained.code) };
    case "rule":
      return { ...head, code: codeJson(explained.rule) };
    case "field":
      return { ...head, field: fieldJson(explained.field) };
  }
}

function fieldJson(field: ExplainedField): NonNullable<ExplainAnswer["field"]> {
  const { ok: _ok, isRequired, isSecret, isReadOnly, isList, values, examples, members, ...rest } = field;
  return {
    ...rest,
    required: isRequired,
    secret: isSecret,
    read_only: isReadOnly,
    list: isList,
    values: [...values],
    examples: [...examples],
    members: members.map(({ isRequired: required, ...member }) => ({ ...member, required })),
  };
}
