import type { ExplainedField, MemberField } from "../../core/explain/explained-field.js";
import type { Json } from "../../json/json.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { wrapped } from "../words/wrapped.js";
import type { ExplainTextOptions } from "./code-text.js";
import { listLines } from "./word-list.js";

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
