import type { Field } from "../../generated/fields.js";
import type { KindName } from "../../generated/kinds.js";
import { escapeLiteral } from "../expression/expression.js";
import { filterMembers, isObject, setMember, type Json, type JsonObject, mapParts } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { pointerOf } from "../../json/json-pointer.js";
import { isHiddenMember } from "../observation/hidden-member.js";
import type { KnownObjects } from "../observation/known-objects.js";
import { specOf } from "../observation/observed-body.js";
import { freeText, isForeign, kindNamedBy } from "../schema/literal.js";
import { knownField } from "../schema/known-field.js";
import type { FoundObject } from "./found-object.js";
import type { Importing } from "./importing.js";

/** A secret of an object, in whose place a document has an environment variable. */
export interface FoundSecret {
  readonly name: string;
  readonly path: Path;
}

/** An object's body with references and secrets in the place of IDs and values, and what a document cannot have. */
export interface SymbolicBody {
  readonly body: JsonObject;
  readonly secrets: readonly FoundSecret[];
  /** The JSON pointers of fields that are not known, which are left out. */
  readonly unknown: readonly string[];
  /** The IDs of objects that no document describes, by JSON pointer. */
  readonly strangers: ReadonlyMap<string, string>;
}

/** Gives a body as a document says it, escaped, with references, and variables in the place of secrets. */
export function symbolicBody(
  object: FoundObject,
  objects: Pick<KnownObjects, "referenceTo" | "referencesTo">,
  nameSecret: (path: Path) => string,
  importing: Pick<Importing, "kindFields" | "listings">,
): SymbolicBody {
  const making = new SymbolicMaking(object, objects, nameSecret, importing);
  const body = making.spec();
  const { secrets, unknown, strangers } = making;
  return { body, secrets, unknown, strangers };
}

class SymbolicMaking {
  readonly secrets: FoundSecret[] = [];
  readonly unknown: string[] = [];
  readonly strangers = new Map<string, string>();

  /** Further fields of the deployment. */
  readonly #extra: readonly string[];
  /** Whether parts of the answer were removed because they have the value of a secret. */
  readonly #isWithheld: boolean;

  constructor(
    private readonly object: FoundObject,
    private readonly objects: Parameters<typeof symbolicBody>[1],
    private readonly nameSecret: (path: Path) => string,
    { kindFields, listings }: Parameters<typeof symbolicBody>[3],
  ) {
    const { name } = object.kind;
    this.#extra = kindFields[name].extra;
    this.#isWithheld = listings.some(({ kind, isWithheld }) => isWithheld && kind.name === name);
  }

  spec(): JsonObject {
    const { kind, body } = this.object;
    const own = filterMembers(body, (name) => !kind.idFields.includes(name));
    const spec = this.#members(own, specOf(kind), []);
    return { ...spec, ...this.#requiredSecrets(spec) };
  }

  // The rules of a kind may ask for a secret that the service never shows.
  #requiredSecrets(spec: JsonObject): JsonObject {
    const { kind } = this.object;
    const missing = [...kind.creationOnly].filter(
      (field) =>
        !Object.hasOwn(spec, field) && kind.check(spec, () => ({ file: "" }), this.#extra).some(isMissing),
    );
    return Object.fromEntries(missing.map((field) => [field, this.#secret(null, [field])]));
  }

  #value(value: Json, field: Field | undefined, path: Path, named: KindName | undefined): Json {
    if (typeof value === "string") return this.#text(value, path, named);
    if (Array.isArray(value)) return this.#list(value, field, path, named);
    return isObject(value) ? this.#members(value, field, path) : value;
  }

  #members(value: JsonObject, field: Field | undefined, path: Path): JsonObject {
    const isClosed = field?.fields !== undefined && !field.open;
    const members: JsonObject = {};
    for (const key of keysInOrder(value, field)) {
      const member = value[key] as Json;
      const known = field && knownField(field, key);
      const at = [...path, key];
      if (known?.readOnly) continue;
      if (isClosed && !known && !this.#extra.includes(key)) {
        this.unknown.push(pointerOf(at));
        continue;
      }
      // Nothing at all is how services write a field that was not set.
      const isHidden = known?.writeOnly === true || (!known && this.#isSecretName(key, member, at));
      const isUnset = member === null && (isClosed || isHidden);
      if (isUnset && !(this.#isWithheld && isHidden)) continue;
      const result = isHidden
        ? this.#secret(member, at, known === undefined)
        : this.#value(member, known, at, this.#kindNamed(key, at));
      setMember(members, key, result);
    }
    return members;
  }

  // A document may have a secret anywhere, and the service may be the only one to know of it.
  #isSecretName(key: string, member: Json, [field = ""]: Path): boolean {
    const top = String(field);
    if (this.object.kind.outlined.includes(top)) return false;
    const isKey = key === "key" && top === "default_query_params" && typeof member === "string";
    return isKey || isHiddenMember(key, member, { top });
  }

  #kindNamed(key: string, path: Path): KindName | undefined {
    if (freeText.has(key) || isForeign(this.object.kind, ["spec", ...path])) return undefined;
    return kindNamedBy(key);
  }

  #text(text: string, path: Path, named: KindName | undefined): string {
    if (named === undefined) return escapeLiteral(text);
    const reference = this.objects.referenceTo(named, text);
    if (reference !== undefined) return `\${${reference}}`;
    this.strangers.set(pointerOf(path), text);
    return escapeLiteral(text);
  }

  #list(list: readonly Json[], field: Field | undefined, path: Path, named: KindName | undefined): Json[] {
    if (named === undefined || !list.every((item) => typeof item === "string")) {
      return list.map((item, index) => this.#value(item, field?.items, [...path, index], named));
    }
    return this.objects.referencesTo(named, list).map(({ text, isReference }, index) => {
      if (isReference) return `\${${text}}`;
      this.strangers.set(pointerOf([...path, index]), text);
      return escapeLiteral(text);
    });
  }

  // In a mapping that only its name makes a secret, a number is none, and a variable would send it as a text.
  #secret(value: Json, path: Path, isByName = false): Json {
    if (typeof value === "object" && value !== null) {
      return mapParts(value, (member, key) => this.#secret(member, [...path, key], isByName));
    }
    if (typeof value === "boolean") return value;
    const isText = typeof value === "string" ? value !== "" : value === null && this.#isWithheld;
    if (isByName && !isText) return value;
    const name = this.nameSecret(path);
    this.secrets.push({ name, path });
    return `\${env:${name}}`;
  }
}

/** Gives the keys of a value in the order of the schema, whatever the order of the answer is. */
export function keysInOrder(value: JsonObject, field: Field | undefined): string[] {
  const known = Object.keys(field?.fields ?? {}).filter((key) => Object.hasOwn(value, key));
  return [...new Set([...known, ...Object.keys(value)])];
}

function isMissing({ code }: { readonly code: string }): boolean {
  return code === "document-missing-field";
}
