import { WrittenText, type WrittenHead } from "../core/position/written-text.js";
import type { TextPlace } from "./find-names.js";

/** A text that takes the place of a range. */
export interface TextChange extends TextPlace {
  readonly newText: string;
}

/** Adds an address to the `moved_from` of the document that has a name. */
export function movedFrom(name: TextPlace, address: string): TextChange | undefined {
  const { text } = name;
  const written = new WrittenText(text);
  const head = headOf(written, name);
  if (!head) return undefined;
  const known = written.valueAt(head.document, ["lifecycle", "moved_from"]);
  if (!known) return added(name, written, head, `moved_from: ${address}`);
  // Behind the bracket of a list in brackets, else as an item before the first one.
  if (known.isList && text[known.start] === "[") return inserted(name, known.start + 1, `${address}, `);
  if (known.isList) return inserted(name, known.start, `- ${address}\n${indentAt(text, known.start)}`);
  const newText = `[${text.slice(known.start, known.end)}, ${address}]`;
  return { ...name, range: { start: known.start, end: known.end }, newText };
}

/** Writes which existing object a document takes over, unless it says so already; `ids` as YAML in one line. */
export function adopted(name: TextPlace, ids: string): TextChange | undefined {
  const written = new WrittenText(name.text);
  const head = headOf(written, name);
  if (!head || written.valueAt(head.document, ["lifecycle", "adopt"])) return undefined;
  return added(name, written, head, `adopt: ${ids}`);
}

function headOf(written: WrittenText, { range }: TextPlace): WrittenHead | undefined {
  return written.heads().find((each) => each.range.start <= range.start && range.end <= each.range.end);
}

function added(
  place: TextPlace,
  written: WrittenText,
  { document, range }: WrittenHead,
  line: string,
): TextChange | undefined {
  const [first] = written.keysAt(document, ["lifecycle"]);
  if (first) {
    const isFlow = written.isFlow(document, ["lifecycle"]);
    const separator = isFlow ? ", " : `\n${indentAt(place.text, first.start)}`;
    return inserted(place, first.start, `${line}${separator}`);
  }
  if (written.isFlow(document, [])) return undefined;
  const before = place.text.slice(0, range.end).endsWith("\n") ? "" : "\n";
  return inserted(place, range.end, `${before}lifecycle:\n  ${line}\n`);
}

function inserted({ file, text }: TextPlace, at: number, newText: string): TextChange {
  return { file, text, range: { start: at, end: at }, newText };
}

function indentAt(text: string, offset: number): string {
  return " ".repeat(offset - (text.lastIndexOf("\n", offset - 1) + 1));
}
