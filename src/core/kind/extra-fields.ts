import type { ExtraFields } from "../../generated/workspace.js";
import type { KindName } from "../../generated/kinds.js";
import type { ReferencePlaces } from "./kind.js";
import { kinds } from "./kinds.js";

/** What a manifest says of the fields of its deployment, for a kind. */
export interface KindFields {
  /** The names of further fields, allowed anywhere in a `spec`. */
  readonly extra: readonly string[];
  /** Which references the fields of the kind take; a further field by its name alone. */
  readonly places: ReferencePlaces;
}

/** The same for all kinds. */
export type FieldsByKind = Readonly<Record<KindName, KindFields>>;

/** Reads `extra_fields` of a manifest. */
export function readExtraFields(written: ExtraFields = {}): FieldsByKind {
  const read = Object.values(kinds).map(({ name, places }) => {
    const listed = written[name] ?? [];
    const extra = listed.flatMap((each) => (typeof each === "string" ? [each] : Object.keys(each)));
    const typed = listed.map((each) => (typeof each === "string" ? {} : each));
    return [name, { extra, places: Object.assign({}, places, ...typed) as ReferencePlaces }];
  });
  return Object.fromEntries(read) as FieldsByKind;
}
