import { isKey } from "../core/kind/address.js";
import type { Range } from "../core/position/range.js";
import { WrittenText } from "../core/position/written-text.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import { hasParameters } from "./occurrence.js";
import { nameAt, namesOf, type FoundName, type TextPlace } from "./find-names.js";

/** A text that takes the place of a range. */
export interface TextChange extends TextPlace {
  readonly newText: string;
}

/** Gives the range of the name at an offset, if it can be renamed; else why it cannot. */
export function renameableAt(
  workspace: EditedWorkspace,
  file: string,
  offset: number,
): { readonly range: Range; readonly name: FoundName } | { readonly problem: string } {
  const name = nameAt(workspace, file, offset);
  if (!name) return { problem: "there is no name here" };
  const { scheme } = name.meaning;
  if (["env", "file", "template", "each"].includes(scheme)) {
    return { problem: "only resources and variables can be renamed" };
  }
  const { operation: _operation, ...whole } = name.meaning;
  const names = namesOf(workspace, whole);
  const isPlain = ({ meaning }: FoundName) => !hasParameters(meaning.name);
  if (!isPlain(name) || !names.some((each) => each.role === "definition" && isPlain(each))) {
    return { problem: "no document has this name as a plain text; `for_each` makes it, or it is not there" };
  }
  const made = names.find((each) => !isPlain(each));
  if (made) {
    return { problem: `a name with parameters in ${made.file} may mean it, too: change these by hand` };
  }
  return { range: name.range, name };
}

/** Renames what is at an offset in all files; a resource that a lock knows says where it moved from. */
export async function rename(
  workspace: EditedWorkspace,
  file: string,
  offset: number,
  newName: string,
): Promise<readonly TextChange[] | { readonly problem: string }> {
  const found = renameableAt(workspace, file, offset);
  if ("problem" in found) return found;
  const { operation: _operation, ...meaning } = found.name.meaning;
  const isResource = meaning.scheme !== "var";
  if (isResource && !isKey(newName)) {
    return {
      problem:
        "a name has lower-case letters, digits, `.`, `_` and `-`, and begins and ends with a letter or digit",
    };
  }
  if (!isResource && !/^[A-Za-z_][\w-]*$/.test(newName)) {
    return { problem: "the name of a variable has letters, digits, `_` and `-`" };
  }
  if (newName === meaning.name) return [];
  if (namesOf(workspace, { ...meaning, name: newName }).some(({ role }) => role === "definition")) {
    return { problem: `\`${meaning.scheme}:${newName}\` is there already` };
  }
  const names = namesOf(workspace, meaning);
  const changes = names.map(({ file: of, text, range }) => ({ file: of, text, range, newText: newName }));
  const address = `${meaning.scheme}:${meaning.name}`;
  if (!isResource || !(await isApplied(workspace, address))) return changes;
  const defined = names.find(({ role }) => role === "definition");
  const move = defined && movedFrom(defined, address);
  return move ? [...changes, move] : changes;
}

// Of a lock that cannot be read nothing is known, and the mark does no harm.
async function isApplied(workspace: EditedWorkspace, address: string): Promise<boolean> {
  const locks = await workspace.locks();
  return locks.some(
    (lock) => !lock || lock.resources[address] !== undefined || lock.unknown[address] !== undefined,
  );
}

/** Adds an address to the `moved_from` of the document that has a name. */
export function movedFrom({ file, text, range }: TextPlace, address: string): TextChange | undefined {
  const written = new WrittenText(text);
  const head = written.heads().find((each) => each.range.start <= range.start && range.end <= each.range.end);
  if (!head) return undefined;
  const { document } = head;
  const path = ["lifecycle", "moved_from"];
  const change = (start: number, end: number, newText: string) => ({
    file,
    text,
    range: { start, end },
    newText,
  });
  const [first] = written.keysAt(document, ["lifecycle"]);
  const known = written.valueAt(document, path);
  if (known?.isList) {
    // Behind the bracket of a list in brackets, else as an item before the first one.
    if (text[known.start] === "[") return change(known.start + 1, known.start + 1, `${address}, `);
    return change(known.start, known.start, `- ${address}\n${indentAt(text, known.start)}`);
  }
  if (known) {
    return change(known.start, known.end, `[${text.slice(known.start, known.end)}, ${address}]`);
  }
  if (first) {
    const separator = written.isFlow(document, ["lifecycle"]) ? ", " : `\n${indentAt(text, first.start)}`;
    return change(first.start, first.start, `moved_from: ${address}${separator}`);
  }
  if (written.isFlow(document, [])) return undefined;
  const end = head.range.end;
  const before = text.slice(0, end).endsWith("\n") ? "" : "\n";
  return change(end, end, `${before}lifecycle:\n  moved_from: ${address}\n`);
}

function indentAt(text: string, offset: number): string {
  return " ".repeat(offset - (text.lastIndexOf("\n", offset - 1) + 1));
}
