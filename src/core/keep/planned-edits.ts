import type { Field } from "../../generated/fields.js";
import { isObject, mapParts, objectOf, type Json, type JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { hasText } from "../../json/texts.js";
import { parseText } from "../expression/expression.js";
import type { Finding } from "../finding/diagnostic.js";
import { keysInOrder, type FoundSecret } from "../import/symbolic-body.js";
import { isChangeable } from "../import/written-object.js";
import { isHiddenMember } from "../observation/hidden-member.js";
import { specOf } from "../observation/observed-body.js";
import { isWithheld } from "../observation/sameness.js";
import type { Resource } from "../resources/resource.js";
import { knownField } from "../schema/known-field.js";
import type { Patching } from "./patch-edits.js";
import type { PlannedEdit } from "./editable-documents.js";
import { unwritten, type Unwritten } from "./unwritten.js";
import type { ValueEdit } from "./value-edit.js";
import { homeOf, type EditReach, type Home, type HomeReading } from "./value-home.js";

/** What edits are planned with. */
export interface EditPlanning extends HomeReading, Patching {
  /** Gives the name of the variable for a secret of a resource. */
  readonly nameSecret: (address: string, path: Path) => string;
}

// What of which value an edit is of: a member that is new has no place yet.
const reaches: Readonly<Record<ValueEdit["type"], (path: Path) => { reach: EditReach; at: Path }>> = {
  set: (path) => ({ reach: "value", at: path }),
  remove: (path) => ({ reach: "presence", at: path }),
  insert: (path) => ({ reach: "inside", at: path }),
  add: (path) => ({ reach: "inside", at: path.slice(0, -1) }),
};

/** Finds where an edit of a resource's body is written; if nowhere, `left` gets why. */
export function planEdit(
  resource: Resource,
  given: ValueEdit,
  planning: EditPlanning,
  left: Finding[],
): PlannedEdit | undefined {
  const { address } = resource;
  const { path } = given;
  // A null that takes a lower layer's value away is there already.
  const isThere = given.type === "add" && resource.layerType(["spec", ...path]) !== undefined;
  const { reach, at } = reaches[isThere ? "set" : given.type](path);
  const home = homeOf(resource, at, reach, planning);
  const place = resource.place(["spec", ...path]);
  const leave = (why: Unwritten, more: Parameters<typeof unwritten>[3] = { place }): undefined =>
    void left.push(unwritten(address, path, why, more));
  if (home.type === "elsewhere") return leave(home.why, home);
  const { edit, secrets } = new SecretNaming(resource, planning).inEdit(given);
  if (hasMask(edit)) return leave("withheld");
  const foreign = planning.whyForeign(home.file);
  if (foreign) return leave(foreign, { place, name: home.file });
  const planned = { address, edit, place, secrets };
  if (home.type === "yaml") {
    const { file, document } = home;
    const inFile = { ...edit, path: [...home.path, ...path.slice(at.length)] };
    return { ...planned, written: { file, document, edit: inDocument(inFile, path, resource) } };
  }
  const text = textOf(edit, home);
  if (text === undefined) return leave("unwritable");
  return { ...planned, place: { file: home.file }, written: { file: home.file, text } };
}

// Where a lower layer has the value as well, only a null takes it away; a list is never one of both.
function inDocument(edit: ValueEdit, path: Path, resource: Resource): ValueEdit {
  const isMember = path.every((step) => typeof step === "string");
  const isOver = edit.type === "remove" && isMember && resource.isOver(["spec", ...path]);
  return isOver ? { type: "set", path: edit.path, value: null } : edit;
}

// A file that is included as it is has no escapes, and one in which expressions mean something has.
function textOf(
  edit: ValueEdit,
  { isTemplate }: Extract<Home, { readonly type: "text" }>,
): string | undefined {
  const symbolic = edit.type === "set" ? edit.value : undefined;
  if (typeof symbolic !== "string") return undefined;
  const parts = parseText(symbolic);
  if (!parts.every((part) => typeof part === "string")) return undefined;
  const text = isTemplate ? symbolic : parts.join("");
  return isChangeable(text) ? undefined : text;
}

// Where an answer had the value of a secret, there is a mask in its place.
function hasMask(edit: ValueEdit): boolean {
  if (edit.type === "remove") return false;
  return hasText(edit.type === "insert" ? [...edit.items] : edit.value, isWithheld);
}

/** Puts variables in the place of secrets: what is new may have one, of which nothing but a mask is known. */
class SecretNaming {
  readonly #secrets: FoundSecret[] = [];

  constructor(
    private readonly resource: Resource,
    private readonly planning: EditPlanning,
  ) {}

  inEdit(edit: ValueEdit): { readonly edit: ValueEdit; readonly secrets: readonly FoundSecret[] } {
    return { edit: this.#inEdit(edit), secrets: this.#secrets };
  }

  #inEdit(edit: ValueEdit): ValueEdit {
    if (edit.type === "remove") return edit;
    const { path } = edit;
    if (edit.type === "insert") {
      return { ...edit, items: edit.items.map((item) => this.#symbolic(item, path)) };
    }
    if (edit.type === "set") return { ...edit, value: this.#symbolic(edit.value, path) };
    const key = String(path.at(-1));
    const around = this.#symbolic({ [key]: edit.value }, path.slice(0, -1)) as JsonObject;
    return { ...edit, value: around[key] ?? null };
  }

  #symbolic(value: Json, path: Path): Json {
    if (Array.isArray(value)) return value.map((item) => this.#symbolic(item, path));
    if (!isObject(value)) return value;
    const field = fieldAt(this.resource, path);
    const top = String(path[0] ?? "");
    return objectOf(keysInOrder(value, field), (key) => {
      const member = value[key] as Json;
      const at = [...path, key];
      const known = memberField(field, key);
      const isHidden = isHiddenMember(key, member, { known, top: top === "" ? key : top });
      return isHidden ? this.#withheld(member, at) : this.#symbolic(member, at);
    });
  }

  #withheld(value: Json, path: Path): Json {
    if (typeof value === "string") return value.includes("${env:") ? value : this.#secret(path);
    if (typeof value !== "object" || value === null) return value;
    return mapParts(value, (member, step) => this.#withheld(member, [...path, step]));
  }

  #secret(path: Path): string {
    const name = this.planning.nameSecret(this.resource.address, path);
    this.#secrets.push({ name, path });
    return `\${env:${name}}`;
  }
}

function fieldAt({ kind }: Resource, path: Path): Field | undefined {
  return path.reduce<Field | undefined>(
    (field, step) =>
      typeof step === "number" && !field?.writeOnly ? field?.items : memberField(field, String(step)),
    specOf(kind),
  );
}

// All that is in a secret is one.
function memberField(field: Field | undefined, key: string): Field | undefined {
  return field?.writeOnly ? field : field && knownField(field, key);
}
