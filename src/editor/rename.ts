import { stringify } from "yaml";
import { parseDocuments } from "../core/document/document.js";
import { spliced } from "../core/keep/yaml-spot.js";
import { isKey } from "../core/kind/address.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import { hasParameters, isSame, isYaml, occurrencesIn } from "./occurrence.js";
import { nameAt, namesOf, type FoundName } from "./find-names.js";
import { type TextChange, documentOf, marked } from "./lifecycle-changes.js";
import { equal } from "../json/json.js";
import { withAddress, withoutAddress } from "./proposed-marks.js";

/** Gives the name at an offset, if it can be renamed; else why it cannot. */
export function renameableAt(
  workspace: EditedWorkspace,
  file: string,
  offset: number,
): Changeable<{ readonly name: FoundName }> {
  const name = nameAt(workspace, file, offset);
  if (!name) return unchangeable("there is no name here");
  const { scheme } = name.meaning;
  if (["env", "file", "template", "each"].includes(scheme)) {
    return unchangeable("only resources and variables can be renamed");
  }
  const { operation: _operation, ...whole } = name.meaning;
  const names = namesOf(workspace, whole);
  const isPlain = ({ meaning }: FoundName) => !hasParameters(meaning.name);
  if (!isPlain(name) || !names.some((each) => each.role === "definition" && isPlain(each))) {
    return unchangeable("no document has this name as a plain text; `for_each` makes it, or it is not there");
  }
  const made = names.find((each) => !isPlain(each));
  if (made) {
    return unchangeable(`a name with parameters in ${made.file} may mean it, too: change these by hand`);
  }
  return { ok: true, name };
}

/** Renames what is at an offset in all files; a resource that a lock knows says where it moved from. */
export async function rename(
  workspace: EditedWorkspace,
  file: string,
  offset: number,
  newName: string,
): Promise<Changes> {
  const found = renameableAt(workspace, file, offset);
  if (!found.ok) return found;
  const { operation: _operation, ...meaning } = found.name.meaning;
  const isResource = meaning.scheme !== "var";
  if (isResource && !isKey(newName)) {
    return unchangeable(
      "a name has lower-case letters, digits, `.`, `_` and `-`, and begins and ends with a letter or digit",
    );
  }
  if (!isResource && !/^[A-Za-z_][\w-]*$/.test(newName)) {
    return unchangeable("the name of a variable has letters, digits, `_` and `-`");
  }
  if (newName === meaning.name) return { ok: true, changes: [] };
  if (namesOf(workspace, { ...meaning, name: newName }).some(({ role }) => role === "definition")) {
    return unchangeable(`\`${meaning.scheme}:${newName}\` is there already`);
  }
  const address = `${meaning.scheme}:${meaning.name}`;
  const isKnown = isResource && (await isApplied(workspace, address));
  // A lock takes time to read, and the texts are those of the end of it.
  const names = namesOf(workspace, meaning);
  const documents = isResource ? names.filter(({ role }) => role !== "use") : [];
  const moves = keepingIds(documents, address, `${meaning.scheme}:${newName}`, isKnown);
  if (!moves.ok) return moves;
  const changes = [...names.map((each) => named(each, newName)), ...moves.changes];
  const unwritable = unreadableAfter(changes, names, newName);
  if (unwritable === undefined) return { ok: true, changes };
  return unchangeable(
    `${unwritable} cannot have the name \`${newName}\` there, or is written in a way that only you can change`,
  );
}

// A name is a text, and a reference to it is a part of one.
function named(name: FoundName, newName: string): TextChange {
  const { file, text, range, role } = name;
  const isInQuotes = /["']/.test(text[range.start - 1] ?? "");
  return {
    file,
    text,
    range,
    newText: role === "use" || isInQuotes ? newName : stringify(newName).trimEnd(),
  };
}

/** Gives the file in which changes would do more than they are for, if there is one. */
function unreadableAfter(
  changes: readonly TextChange[],
  names: readonly FoundName[],
  newName: string,
): string | undefined {
  for (const file of new Set(changes.map((each) => each.file))) {
    const sorted = changes
      .filter((each) => each.file === file)
      .toSorted((a, b) => a.range.start - b.range.start);
    const text = sorted[0]?.text ?? "";
    if (sorted.some(({ range }, nth) => range.end > (sorted[nth + 1]?.range.start ?? text.length)))
      return file;
    if (!isYaml(file)) continue;
    const after = spliced(
      text,
      sorted.map(({ range, newText }) => [range.start, range.end, newText]),
    );
    const own = names.filter((each) => each.file === file && each.role !== "use");
    if (own.some(({ range }) => isElsewhere(text, range.start))) return file;
    const now = occurrencesIn(file, after).filter(
      ({ role, meaning }) =>
        role !== "use" && own.some((each) => isSame(meaning, { ...each.meaning, name: newName })),
    );
    const found = [text, after].map((each) => parseDocuments(file, each).findings.length);
    if (now.length < own.length || found[0] !== found[1]) return file;
  }
  return undefined;
}

// An alias of a name with an anchor would change with it.
function isElsewhere(text: string, start: number): boolean {
  const anchor = /&(\S{1,100})\s{1,100}["']?$/.exec(text.slice(Math.max(0, start - 250), start))?.[1];
  return anchor !== undefined && text.includes(`*${anchor}`);
}

// Of a lock that cannot be read nothing is known, and the mark does no harm.
async function isApplied(workspace: EditedWorkspace, address: string): Promise<boolean> {
  const locks = await workspace.locks();
  return locks.some(
    (lock) => !lock || lock.resources[address] !== undefined || lock.unknown[address] !== undefined,
  );
}

/** What can be changed, or a sentence that says why it cannot. */
type Changeable<Value> = ({ readonly ok: true } & Value) | ReturnType<typeof unchangeable>;

/** Changes of texts, or why there can be none. */
type Changes = Changeable<{ readonly changes: readonly TextChange[] }>;

/** Makes the result of what cannot be changed. */
function unchangeable(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** Gives the changes of `moved_from` for a rename; patches with one too, for it hides the document's. */
function keepingIds(documents: readonly FoundName[], from: string, to: string, isKnown: boolean): Changes {
  const changes: TextChange[] = [];
  for (const name of documents) {
    const need = isKnown ? `needs \`moved_from: ${from}\` to keep the ID` : `has \`moved_from: ${to}\``;
    const refused = unchangeable(
      `${name.file} ${need}, which cannot be changed there: correct its errors, or change it by hand first`,
    );
    const place = documentOf(name);
    if (!place || (name.role === "patch" && place.lifecycle === null)) {
      if (isKnown) return refused;
      continue;
    }
    const known = place.lifecycle?.["moved_from"];
    if (name.role === "patch" && known === undefined) continue;
    const kept = withoutAddress(known, to);
    const wanted = isKnown ? withAddress(kept, from) : kept;
    if (isKnown && wanted === undefined) return refused;
    if (wanted === undefined && known === undefined) continue;
    if (wanted !== undefined && known !== undefined && equal(wanted, known)) continue;
    const change =
      marked(place, "moved_from", wanted) ??
      (wanted === undefined ? marked(place, "moved_from", []) : undefined);
    if (!change) return refused;
    changes.push(change);
  }
  return { ok: true, changes };
}
