import type { ExplainedField } from "../../core/explain/explained-field.js";
import type { ExplainAnswer } from "../../generated/explain.js";
import type { ExplainedCode } from "../../generated/explanations.js";
import { renderCodeText, type ExplainTextOptions } from "./code-text.js";
import { renderFieldText } from "./field-text.js";
import { renderWordList, type WordGroup } from "./word-list.js";

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
