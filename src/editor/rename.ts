import { isKey } from "../core/kind/address.js";
import type { Range } from "../core/position/range.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import { hasParameters } from "./occurrence.js";
import { nameAt, namesOf, type FoundName } from "./find-names.js";
import { movedFrom, type TextChange } from "./lifecycle-changes.js";

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
