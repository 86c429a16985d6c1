import { Schema } from "yaml";
import { parseDocuments } from "../core/document/document.js";
import { EditableDocuments } from "../core/keep/editable-documents.js";
import type { ValueEdit } from "../core/keep/value-edit.js";
import { WrittenText } from "../core/position/written-text.js";
import { type Json, type JsonObject, equal, isObject } from "../json/json.js";
import type { TextPlace } from "./find-names.js";

/** A text that takes the place of a range. */
export interface TextChange extends TextPlace {
  readonly newText: string;
}

/** A change that an editor offers. */
export interface OfferedChange {
  readonly title: string;
  readonly change: TextChange;
}

/** A mark that a change writes into `lifecycle`. */
type Mark = "moved_from" | "adopt";

interface MarkedDocument {
  readonly file: string;
  readonly text: string;
  /** The index of the document in the file, from 0. */
  readonly document: number;
  readonly lifecycle: JsonObject | null | undefined;
}

/** Gives the document that a name is in; undefined if it has errors, or a `lifecycle` that is no mapping. */
export function documentOf({ file, text, range }: TextPlace): MarkedDocument | undefined {
  const head = new WrittenText(text).headAt(range.start);
  const found = parseDocuments(file, text).value.find(({ index }) => index === head?.document);
  if (!found || !isObject(found.value)) return undefined;
  const { lifecycle } = found.value;
  if (lifecycle !== undefined && lifecycle !== null && !isObject(lifecycle)) return undefined;
  return { file, text, document: found.index, lifecycle };
}

/** Sets a mark of a document, or removes it; undefined if it can be written in no way that leaves all else as it was. */
export function marked(
  { file, text, document, lifecycle }: MarkedDocument,
  mark: Mark,
  value: Json | undefined,
): TextChange | undefined {
  const edit = value === undefined ? removal(lifecycle, mark) : writing(lifecycle, mark, value);
  const splice = new EditableDocuments(() => text, schema).splice({ file, document, edit });
  return splice && { file, text, range: { start: splice[0], end: splice[1] }, newText: splice[2] };
}

function writing(lifecycle: MarkedDocument["lifecycle"], mark: Mark, value: Json): ValueEdit {
  const path = ["lifecycle", mark];
  const known = lifecycle?.[mark];
  const [first, ...rest] = Array.isArray(value) ? value : [];
  const isOneMore = first !== undefined && Array.isArray(known) && equal(rest, known);
  if (isOneMore) return { type: "insert", path, index: 0, items: [first] };
  return { type: "add", path, value, isFirst: true };
}

// A lifecycle without a mark says the same as none.
function removal(lifecycle: MarkedDocument["lifecycle"], mark: Mark): ValueEdit {
  const isAlone = Object.keys(lifecycle ?? {}).length === 1;
  return { type: "remove", path: isAlone ? ["lifecycle"] : ["lifecycle", mark] };
}

const schema = new Schema({ schema: "core" });
