import { fields, type Field } from "../../generated/fields.js";
import { nearest } from "../finding/nearest.js";
import { tellingOf, type Telling } from "../schema/secret.js";

// What is inside of these has names that a secret may have as well, such as `list` and `key`.
const withSuchNames: ReadonlySet<string> = new Set(["operations", "lock"]);
const fieldNames: ReadonlySet<string> = new Set(
  Object.values(fields).flatMap((field) => fieldsIn(field, withSuchNames).map(([name]) => name)),
);

/** The names of the fields whose values are masked in the frames of a text. */
export class SecretNames {
  readonly #names: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;

  /** Takes names in lower case; each group holds secrets under names of their own, and `open` any values. */
  constructor(
    single: Iterable<string>,
    groups: Iterable<string>,
    private readonly open?: string,
  ) {
    this.#groups = new Set(groups);
    this.#names = new Set([...single, ...this.#groups]);
  }

  /** Whether a field of this name is secret; a misspelt name is a mistake to show, but its value is still a secret. */
  has(name: string): boolean {
    return this.#meantBy(name) !== undefined;
  }

  /** How sure a name that is no field makes it that its value is a secret. */
  tellingOf(name: string): Telling | undefined {
    return fieldNames.has(name.toLowerCase()) ? undefined : tellingOf(name);
  }

  /** Whether a value of this name is a secret, unless it is a plain word. */
  isLikely(name: string): boolean {
    return this.has(name) || ["always", "mostly"].includes(this.tellingOf(name) ?? "");
  }

  /** Whether a field of this name has values that may be secrets, whatever their names are. */
  isOpen(name: string): boolean {
    return name === this.open;
  }

  /** Whether there is such a field. */
  get hasOpen(): boolean {
    return this.open !== undefined;
  }

  /** Whether the keys of a secret field of this name are names, which are no secrets themselves. */
  isGroup(name: string): boolean {
    return this.#groups.has(this.#meantBy(name) ?? "");
  }

  /** Whether some kind of document has a field of this name that is not secret. */
  isOrdinary(name: string): boolean {
    return fieldNames.has(name) && !this.has(name);
  }

  /** Whether a text contains a name whose value may be secret. */
  areIn(text: string): boolean {
    const words = new Set(text.match(/[\w-]{3,40}/g));
    return [...words].some((word) => this.isOpen(word) || this.has(word) || this.tellingOf(word));
  }

  #meantBy(name: string): string | undefined {
    const lower = name.toLowerCase();
    // A short word is near to too many.
    if (lower.length < 5 || lower.length > 25) return this.#names.has(lower) ? lower : undefined;
    return this.#names.has(lower) ? lower : nearest(lower, this.#names);
  }
}

const { workspace: manifestFields, ...documentFields } = fields;
const ofDocuments = secretsIn(Object.values(documentFields));
const ofManifest = secretsIn([manifestFields]);

/** The names in documents. */
export const secretNames = new SecretNames(ofDocuments.single, ofDocuments.groups);

/** The names in the manifest, which has fields of documents too; a document may use any variable as a secret. */
export const secretNamesOfManifest = new SecretNames(
  [...ofDocuments.single, ...ofManifest.single],
  [...ofDocuments.groups, ...ofManifest.groups],
  "variables",
);

/** Whether some kind of document has a field of this name. */
export function isFieldName(name: string): boolean {
  return fieldNames.has(name);
}

function secretsIn(parts: readonly Field[]): { readonly single: string[]; readonly groups: string[] } {
  const secrets = parts.flatMap((field) => fieldsIn(field)).filter(([, { writeOnly }]) => writeOnly);
  const namesOf = (some: typeof secrets) => some.map(([name]) => name.toLowerCase());
  return {
    single: namesOf(secrets.filter(([, { open }]) => !open)),
    groups: namesOf(secrets.filter(([, { open }]) => open)),
  };
}

/** Gives all fields in one, but for what is inside of those with some names. */
function fieldsIn(
  { fields: named = {}, items, values }: Field,
  closed: ReadonlySet<string> = new Set(),
): (readonly [name: string, Field])[] {
  const inside = [items, values].flatMap((part) => (part ? fieldsIn(part, closed) : []));
  const own = Object.entries(named).flatMap((entry) => [
    entry,
    ...(closed.has(entry[0]) ? [] : fieldsIn(entry[1], closed)),
  ]);
  return [...own, ...inside];
}
