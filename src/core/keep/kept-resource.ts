import type { Field } from "../../generated/fields.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { pointerKeys, pointerOf } from "../../json/json-pointer.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";
import { parseText } from "../expression/expression.js";
import type { Finding } from "../finding/diagnostic.js";
import { isHiddenMember } from "../import/exposed-secrets.js";
import { keysInOrder, type FoundSecret } from "../import/symbolic-body.js";
import type { FoundResource } from "../observation/found-objects.js";
import { isMask } from "../observation/sighting.js";
import { specOf } from "../observation/observed-body.js";
import { knownField } from "../schema/known-field.js";
import type { Resource } from "../resources/resource.js";
import { formsOf } from "./found-forms.js";
import { meetingOf } from "./three-ways.js";
import { unwritten } from "./unwritten.js";
import { withEdits, type ValueEdit } from "./value-edit.js";
import { homeOf, type EditReach, type Home, type HomeReading } from "./value-home.js";

/** An edit of a document or a patch, by its place there. */
export interface DocumentEdit {
  readonly file: string;
  readonly document: number;
  readonly edit: ValueEdit;
}

/** What is written of one resource. */
export interface KeptResource {
  readonly address: string;
  readonly found: FoundResource;
  readonly documents: readonly DocumentEdit[];
  /** The new texts of files that are a whole value, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** The paths of what is written, or what documents say already. */
  readonly paths: readonly Path[];
  /** The body that the document comes to. */
  readonly desired: JsonObject;
  /** The body that the lock has then, without what is never compared. */
  readonly sent: JsonObject;
  readonly secrets: readonly FoundSecret[];
  readonly left: readonly Finding[];
  /** The JSON pointers of what stays a difference. */
  readonly open: readonly string[];
}

/** What a resource is kept with. */
export interface Keeping extends HomeReading {
  /** Gives the name of the variable for a secret of a resource. */
  readonly nameSecret: (address: string, path: Path) => string;
}

/** Finds what to write so that a resource is as it was found. */
export function keptResource(found: FoundResource, resource: Resource, keeping: Keeping): KeptResource {
  const { address } = resource;
  const { forms, taken, foreign, outlined, partly } = formsOf(found, resource);
  const { edits, agreed, conflicts } = meetingOf(forms);
  const writing = new EditPlacing(resource, keeping);
  const written = edits.flatMap((edit) => writing.add(edit));
  const { desired, sent } = forms;
  return {
    address,
    found,
    ...writing,
    paths: [...agreed, ...written].map(({ path }) => path),
    desired: withEdits(desired, written),
    sent: withEdits(withEdits(sent, agreed), written),
    left: [
      ...writing.left,
      ...conflicts.map((path) =>
        unwritten(address, path, "edited", { place: resource.place(["spec", ...path]) }),
      ),
      ...outlined.map((field) =>
        unwritten(address, [field], "openapi", { place: resource.place(["spec", field]) }),
      ),
      ...partly.map((field) => unwritten(address, [field], "partly")),
      ...[...foreign].map(([pointer, why]) => unwritten(address, pointerKeys(pointer), why)),
    ],
    open: [...foreign.keys(), ...taken.filter((pointer) => !isWithin(pointer, [...agreed, ...written]))],
  };
}

// Of a list that has other items now, an item is not what was written of it.
function isWithin(pointer: string, edits: readonly ValueEdit[]): boolean {
  return edits.some(({ type, path }) => {
    const edited = pointerOf(path);
    return (type === "set" || type === "add") && (pointer === edited || pointer.startsWith(`${edited}/`));
  });
}

// What of which value an edit is of: a member that is new has no place yet.
const reaches: Readonly<Record<ValueEdit["type"], (path: Path) => { reach: EditReach; at: Path }>> = {
  set: (path) => ({ reach: "value", at: path }),
  remove: (path) => ({ reach: "presence", at: path }),
  insert: (path) => ({ reach: "inside", at: path }),
  add: (path) => ({ reach: "inside", at: path.slice(0, -1) }),
};

class EditPlacing {
  readonly documents: DocumentEdit[] = [];
  readonly texts = new Map<string, string>();
  readonly secrets: FoundSecret[] = [];
  readonly left: Finding[] = [];
  readonly #resource: Resource;
  readonly #keeping: Keeping;

  constructor(resource: Resource, keeping: Keeping) {
    this.#resource = resource;
    this.#keeping = keeping;
  }

  /** Takes an edit, and gives it as it is made; nothing if it is not. */
  add(given: ValueEdit): ValueEdit[] {
    const edit = this.#withSecrets(given);
    const { path } = edit;
    const { reach, at: editedAt } = reaches[edit.type](path);
    const home = homeOf(this.#resource, editedAt, reach, this.#keeping);
    if (home.type === "elsewhere") return this.#leave(path, home);
    if (hasMask(edit)) {
      const place = this.#resource.place(["spec", ...path]);
      this.left.push(unwritten(this.#resource.address, path, "withheld", { place }));
      return [];
    }
    if (home.type === "text") return this.#write(edit, home);
    const { file, document } = home;
    const at = [...home.path, ...path.slice(editedAt.length)];
    this.documents.push({ file, document, edit: this.#inDocument({ ...edit, path: at }, path) });
    return [edit];
  }

  // Where a lower layer has the value as well, only a null takes it away.
  #inDocument(edit: ValueEdit, path: Path): ValueEdit {
    const isOver = edit.type === "remove" && this.#resource.isOver(["spec", ...path]);
    return isOver ? { type: "set", path: edit.path, value: null } : edit;
  }

  #write(edit: ValueEdit, { file, isTemplate }: Extract<Home, { readonly type: "text" }>): ValueEdit[] {
    const { path } = edit;
    const value = edit.type === "set" ? edit.value : undefined;
    const place = this.#resource.place(["spec", ...path]);
    const text = typeof value === "string" ? textOf(value, isTemplate) : undefined;
    if (text === undefined || isUnwritable(text)) {
      this.left.push(unwritten(this.#resource.address, path, "unwritable", { place }));
      return [];
    }
    this.texts.set(file, text);
    return [edit];
  }

  #leave(path: Path, { why, place, name }: Extract<Home, { readonly type: "elsewhere" }>): ValueEdit[] {
    const more = { place, ...(name !== undefined && { name }) };
    this.left.push(unwritten(this.#resource.address, path, why, more));
    return [];
  }

  // What is new may have a secret, of which nothing but a mask is known.
  #withSecrets(edit: ValueEdit): ValueEdit {
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
    const field = fieldAt(this.#resource, path);
    const top = String(path[0] ?? "");
    const members = keysInOrder(value, field).map((key): [string, Json] => {
      const member = value[key] as Json;
      const at = [...path, key];
      const known = memberField(field, key);
      const isHidden = isHiddenMember(key, member, { known, top: top === "" ? key : top });
      const isShown = !isHidden || typeof member !== "string" || member.includes("${env:");
      return [key, isShown ? this.#symbolic(member, at) : this.#secret(at)];
    });
    return Object.fromEntries(members);
  }

  #secret(path: Path): string {
    const name = this.#keeping.nameSecret(this.#resource.address, path);
    this.secrets.push({ name, path });
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

// Where an answer had the value of a secret, there is a mask in its place.
function hasMask(edit: ValueEdit): boolean {
  const values = { set: "value", add: "value", insert: "items", remove: "" }[edit.type];
  let isFound = false;
  visitTexts((edit as unknown as JsonObject)[values] ?? null, [], (text) => (isFound ||= isMask(text)));
  return isFound;
}

// A file that is included as it is has no escapes, and one in which expressions mean something has.
function textOf(symbolic: string, isTemplate: boolean): string | undefined {
  const parts = parseText(symbolic);
  if (!parts.every((part) => typeof part === "string")) return undefined;
  return isTemplate ? symbolic : parts.join("");
}

// What git or an editor may change, or what cannot be seen.
function isUnwritable(text: string): boolean {
  return /[\p{Cs}\uFEFF]|[^\P{Cc}\n\r\t]/u.test(text) || /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m.test(text);
}
