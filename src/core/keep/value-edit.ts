import { filterMembers, isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";

/** One edit of a value; indexes are those before all edits, so that several are applied the last one first. */
export type ValueEdit =
  /** Puts a value in the place of one that is there. */
  | { readonly type: "set"; readonly path: Path; readonly value: Json }
  /** Removes a member of a mapping or an item of a list. */
  | { readonly type: "remove"; readonly path: Path }
  /** Adds a member, at the end of its mapping or before all others; in a text, with the mappings around it that are not there. */
  | { readonly type: "add"; readonly path: Path; readonly value: Json; readonly isFirst?: boolean }
  /** Adds items to the list at the path, before the one with the index. */
  | {
      readonly type: "insert";
      readonly path: Path;
      readonly index: number;
      readonly items: readonly Json[];
    };

/** Gives a value with edits, in the order in which they were found. */
export function withEdits<Value extends Json>(value: Value, edits: readonly ValueEdit[]): Value {
  return edits.toReversed().reduce<Json>((edited, edit) => withEdit(edited, edit), value) as Value;
}

/** Gives a value with one edit; the given value is not changed, and is given back where it has not the path. */
export function withEdit(value: Json, edit: ValueEdit): Json {
  if (edit.type === "remove") {
    const last = edit.path.at(-1);
    return changed(value, edit.path.slice(0, -1), (parent) => without(parent, last));
  }
  if (edit.type === "add") {
    const key = String(edit.path.at(-1));
    return changed(value, edit.path.slice(0, -1), (parent) =>
      isObject(parent) ? { ...parent, [key]: edit.value } : parent,
    );
  }
  return changed(value, edit.path, (found) => {
    if (edit.type === "set") return edit.value;
    return Array.isArray(found) ? found.toSpliced(edit.index, 0, ...edit.items) : found;
  });
}

function without(parent: Json, step: string | number | undefined): Json {
  if (Array.isArray(parent)) return parent.toSpliced(Number(step), 1);
  return isObject(parent) ? filterMembers(parent, (key) => key !== step) : parent;
}

function changed(value: Json, path: Path, change: (found: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    const item = value[Number(step)];
    return item === undefined ? value : value.with(Number(step), changed(item, rest, change));
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const next: JsonObject = { ...value };
  next[step] = changed(value[step] as Json, rest, change);
  return next;
}
