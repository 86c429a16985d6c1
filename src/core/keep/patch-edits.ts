import { groupBy } from "../../json/groups.js";
import { equal, type Json, type JsonObject } from "../../json/json.js";
import { pointerOf } from "../../json/json-pointer.js";
import { valueAt, type Path } from "../../json/path.js";
import { valueOf } from "../document/yaml-value.js";
import type { Finding, Place } from "../finding/diagnostic.js";
import type { Resource } from "../resources/resource.js";
import type { EditableDocuments, PlannedEdit } from "./editable-documents.js";
import { unwritten, type ForeignFile } from "./unwritten.js";
import { withEdits } from "./value-edit.js";

/** Another environment as it is. */
export interface UneditedEnvironment {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Whether it has no errors, so that what is not there is known not to be there. */
  readonly isSound: boolean;
}

/** What edits are moved into patches with. */
export interface Patching {
  readonly documents: EditableDocuments;
  readonly others: readonly UneditedEnvironment[];
  readonly patchFolder: string;
  /** Why a file is not to be edited, although the workspace reads it. */
  readonly whyForeign: (file: string) => ForeignFile | undefined;
}

/** Moves edits that other environments share into the patch of this one; `left` gets why one cannot be moved. */
export function movedIntoPatch(
  resource: Resource,
  planned: readonly PlannedEdit[],
  desired: JsonObject,
  patching: Patching,
  left: Finding[],
): PlannedEdit[] {
  const shared = planned.filter(({ edit }) => isShared(resource, edit, patching));
  if (shared.length === 0) return [...planned];
  const { address, patch } = resource;
  const kept = planned.filter((each) => !shared.includes(each));
  const groups = groupBy(shared, ({ edit }) => pointerOf(wholeOf(edit)));
  const leave = (...why: Parameters<typeof unwritten>): [] => {
    left.push(unwritten(...why));
    return [];
  };
  const moved = [...groups.values()].flatMap((group): PlannedEdit | [] => {
    const [first] = group;
    const path = wholeOf(first.edit);
    const { place } = first;
    if (!patch) return leave(address, path, "no-patch", { place, name: patching.patchFolder });
    const foreign = patching.whyForeign(patch.file);
    if (foreign) return leave(address, path, foreign, { place, name: patch.file });
    const isInList = path.length < first.edit.path.length || first.edit.type === "insert";
    if (isInList && !isPlain(resource, path, desired, patching)) {
      return leave(address, path, "list-made", { place });
    }
    const edits = group.map(({ edit }) => edit);
    const value = valueAt(withEdits(desired, edits), path) ?? null;
    const edit = isInList ? ({ type: "set", path, value } as const) : withOwnLineEnds(first.edit);
    return {
      address,
      edit,
      place,
      secrets: group.flatMap(({ secrets }) => secrets),
      written: {
        file: patch.file,
        document: patch.document ?? 0,
        // A null takes the document's value away.
        edit: { type: "add", path: ["spec", ...path], value: writtenValue(edit) },
      },
    };
  });
  return [...kept, ...moved];
}

// Those of the file that the text was in are none of the patch's.
function withOwnLineEnds(edit: PlannedEdit["edit"]): PlannedEdit["edit"] {
  const isText = edit.type === "set" && typeof edit.value === "string";
  return isText ? { ...edit, value: String(edit.value).replaceAll("\r\n", "\n") } : edit;
}

function writtenValue(edit: PlannedEdit["edit"]): Json {
  return edit.type === "set" || edit.type === "add" ? edit.value : null;
}

function isShared(
  resource: Resource,
  { type, path }: PlannedEdit["edit"],
  { others }: Pick<Patching, "others">,
): boolean {
  const at = ["spec", ...(type === "add" ? path.slice(0, -1) : path)];
  const own = resource.place(at);
  return others.some(({ resources, isSound }) => {
    const other = resources.get(resource.address);
    return other ? isSamePlace(other.place(at), own) : !isSound;
  });
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.file === other.file && (one.document ?? 0) === (other.document ?? 0);
}

// The path of a value, or of the list that it is in.
function wholeOf({ path }: PlannedEdit["edit"]): Path {
  const index = path.findIndex((step) => typeof step === "number");
  return index === -1 ? path : path.slice(0, index);
}

// A copy of what is made with variables or files would not follow them any more.
function isPlain(resource: Resource, path: Path, desired: JsonObject, { documents }: Patching): boolean {
  const { file, document = 0, path: at = [] } = resource.place(["spec", ...path]);
  const tree = documents.composed(file, document);
  const read = tree && valueOf(tree);
  const written = read?.ok ? valueAt(read.value as Json, at) : undefined;
  const made = valueAt(desired, path);
  return written !== undefined && made !== undefined && equal(written, made);
}
