import { fields, type Field } from "../../generated/fields.js";
import { nearest } from "../finding/nearest.js";

// What is inside of these has names that a secret may have as well, such as `list` and `key`.
const withSuchNames: ReadonlySet<string> = new Set(["operations", "lock"]);
const fieldNames: ReadonlySet<string> = new Set(
  Object.values(fields).flatMap((field) => fieldsIn(field, withSuchNames).map(([name]) => name)),
);

/** The names of the fields whose values are masked in the frames of a text. */
export class SecretNames {
  readonly #names: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;

  /** Takes names in lower case; each group holds secrets under names of their own. */
  constructor(single: Iterable<string>, groups: Iterable<string>) {
    this.#groups = new Set(groups);
    this.#names = new Set([...single, ...this.#groups]);
  }

  /** Whether a field of this name is secret; a misspelt name is a mistake to show, but its value is still a secret. */
  has(name: string): boolean {
    return this.#meantBy(name) !== undefined;
  }

  /** Whether the keys of a secret field of this name are names, which are no secrets themselves. */
  isGroup(name: string): boolean {
    return this.#groups.has(this.#meantBy(name) ?? "");
  }

  /** Whether some kind of document has a field of this name that is not secret. */
  isOrdinary(name: string): boolean {
    return fieldNames.has(name) && !this.has(name);
  }

  /** Whether a text contains the name of a secret field. */
  areIn(text: string): boolean {
    const words = new Set(text.toLowerCase().match(/[\w-]{5,25}/g));
    return [...words].some((word) => this.has(word));
  }

  #meantBy(name: string): string | undefined {
    const lower = name.toLowerCase();
    return this.#names.has(lower) ? lower : nearest(lower, this.#names);
  }
}

const { workspace: manifestFields, ...documentFields } = fields;
const ofDocuments = secretsIn(Object.values(documentFields));
const ofManifest = secretsIn([manifestFields]);

/** The names in documents. */
export const secretNames = new SecretNames(ofDocuments.single, ofDocuments.groups);

// Names that other programs have for the secrets of a store; none is a field here.
const likely = [
  "access_key",
  "conn_str",
  "connection_string",
  "dsn",
  "secret",
  "secret_access_key",
  "secret_key",
  "session_token",
  "sslpassword",
  "token",
];

/** The names in the manifest, which has fields of documents too; a document may use any variable as a secret. */
export const secretNamesOfManifest = new SecretNames(
  [...ofDocuments.single, ...ofManifest.single, ...likely],
  [...ofDocuments.groups, ...ofManifest.groups, "variables"],
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
