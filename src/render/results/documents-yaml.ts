import { Document, isMap, isScalar, Schema, type ScalarTag, type Tags, type YAMLMap } from "yaml";
import type { ValueSource } from "../../core/resources/field-origin.js";
import type { JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { withoutBracketCommand, deadText } from "../words/log-text.js";
import { safeLine, safeDifference } from "../words/terminal-text.js";

/** A value's source, with its line if it is known. */
export interface DocumentSource extends ValueSource {
  readonly line?: number | undefined;
}

/** Renders one document as YAML after a line `---`, a line end at the end; with sources, as comments. */
export function renderDocumentYaml(document: JsonObject, sources: readonly DocumentSource[] = []): string {
  const yaml = new Document(document, { schema: writtenSchema, aliasDuplicateObjects: false });
  const comments = new Map(sources.map((source) => [JSON.stringify(source.path), commentOf(source)]));
  if (comments.size > 0 && isMap(yaml.contents)) annotate(yaml.contents, [], comments);
  return `---\n${yaml.toString({ lineWidth: 0 })}`;
}

// The library writes hidden characters as they are, and only knows the escapes of JSON.
function withSafeTexts(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:str" || tag.collection) return tag;
    const { stringify } = tag;
    return {
      ...tag,
      stringify(item, context, ...done) {
        const value = String(item.value);
        if (isPlainText(value)) return stringify?.(item, context, ...done) ?? "";
        return quotedScalar(value, context.implicitKey || context.inFlow ? undefined : context.indent);
      },
    } satisfies ScalarTag;
  });
}

/** How texts are written as YAML; one for all documents, because making it takes longer than rendering most of them. */
export const writtenSchema = new Schema({ schema: "core", customTags: withSafeTexts });

type Comments = ReadonlyMap<string, string>;

// A mapping whose values all come from one line has one comment.
function annotate(map: YAMLMap, path: Path, comments: Comments): void {
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const at = [...path, String(key.value)];
    const comment =
      comments.get(JSON.stringify(at)) ?? (isMap(value) ? commentOfAll(value, at, comments) : undefined);
    if (comment === undefined) {
      if (isMap(value)) annotate(value, at, comments);
    } else if (isMap(value) ? value.items.length > 0 : !isScalar(value)) key.comment = comment;
    else if (isScalar(value) || isMap(value)) value.comment = comment;
  }
}

function commentOfAll(map: YAMLMap, path: Path, comments: Comments): string | undefined {
  const all = map.items.map(({ key, value }) => {
    const at = [...path, isScalar(key) ? String(key.value) : ""];
    return comments.get(JSON.stringify(at)) ?? (isMap(value) ? commentOfAll(value, at, comments) : undefined);
  });
  return new Set(all).size === 1 ? all[0] : undefined;
}

function commentOf({ place, layer, line }: DocumentSource): string {
  const where = withoutBracketCommand(safeLine(place.file), "\\x23");
  return ` ${where}${line === undefined ? "" : `:${line}`}${layer === "document" ? "" : ` (${layer})`}`;
}

/** Whether a text can be written as it is: nothing in it is hidden, lost, or obeyed by a terminal or a CI. */
function isPlainText(text: string): boolean {
  // As a key, it would merge mappings in YAML 1.1.
  if (text === "<<") return false;
  // In a block of several lines, the library loses blanks where only blanks are.
  if (text.includes("\n") && /^\s*\n|^\t|[ \t]\n*$/.test(text)) return false;
  return deadText(text) === text && text.split("\n").every((line) => safeDifference(line) === line);
}

/** Renders a double-quoted scalar, hidden characters escaped; each line on its own with this indent, if any. */
function quotedScalar(text: string, indent: string | undefined): string {
  const lines = text.split(/(?<=\n)/).map((line) => Array.from(line, escapeCharacter).join(""));
  // A line that is continued loses the blanks at its start.
  const joined =
    indent === undefined
      ? lines.join("")
      : lines.map((line, index) => (index > 0 ? line.replace(/^[ \t]/, "\\$&") : line)).join(`\\\n${indent}`);
  // The escapes of a dead text are those of YAML.
  return deadText(`"${joined}"`);
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

function escapeCharacter(char: string): string {
  const known = named[char];
  if (known !== undefined || char === "\t" || safeLine(char) === char) return known ?? char;
  const code = (char.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}
