import { Document, isMap, isScalar, Schema, type ScalarTag, type Tags, type YAMLMap } from "yaml";
import type { ValueSource } from "../../core/resources/written-document.js";
import type { JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { withoutBracketCommand } from "../words/log-text.js";
import { safeLine } from "../words/terminal-text.js";
import { isPlainText, quotedScalar } from "./quoted-scalar.js";

/** A value's source, with its line if it is known. */
export type DocumentSource = Pick<ValueSource, "path" | "place" | "layer"> & {
  readonly line?: number | undefined;
};

/** Renders one document as YAML after a line `---`, a line end at the end; with sources, as comments. */
export function renderDocumentYaml(document: JsonObject, sources: readonly DocumentSource[] = []): string {
  const yaml = new Document(document, { schema, aliasDuplicateObjects: false });
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
        return quotedScalar(value, context.implicitKey ? undefined : context.indent);
      },
    } satisfies ScalarTag;
  });
}

// One for all documents, because making it takes longer than rendering most of them.
const schema = new Schema({ schema: "core", customTags: withSafeTexts });

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
