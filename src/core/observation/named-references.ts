import { kindOfAddress, kinds } from "../kind/kinds.js";
import type { KindName } from "../../generated/kinds.js";
import { isWholeSet, readReference } from "../expression/reference.js";
import { type Json, mapParts } from "../../json/json.js";
import type { LockEntry } from "../state/lock.js";
import type { KnownObjects, NamedObjects } from "./known-objects.js";

/** Writes IDs as references to the resources that have them now, and knows what these stand for. */
export class ReferenceNaming {
  /** The IDs of the references that were written. */
  readonly ids = new Map<string, string | readonly string[]>();

  readonly #known: KnownObjects;
  readonly #entry: Pick<LockEntry, "references">;

  constructor(known: KnownObjects, entry: Pick<LockEntry, "references">) {
    this.#known = known;
    this.#entry = entry;
  }

  /** Gives a part of a body, at a path of it, with references in the fields that refer to resources of their kind. */
  name(value: Json, path: readonly string[] = []): Json {
    if (typeof value === "string") return this.#texts([value], path, false)[0] ?? value;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
      return this.#texts(value, path, true);
    }
    return mapParts(value, (each, key) => this.name(each, typeof key === "string" ? [...path, key] : path));
  }

  #texts(texts: readonly string[], path: readonly string[], isList: boolean): string[] {
    let named = [...texts];
    for (const { name: kind } of Object.values(kinds)) {
      if (!path.some((field) => refersTo(field, kind))) continue;
      // Of a text alone, all tools of a set are no value.
      const objects = isList
        ? this.#known.referencesTo(kind, named)
        : named.map((id): NamedObjects => {
            const text = this.#known.referenceTo(kind, id);
            return { text: text ?? id, isReference: text !== undefined, ids: [id] };
          });
      named = objects.flatMap((each) => this.#written(each));
    }
    return named;
  }

  #written({ text, isReference, ids }: NamedObjects): readonly string[] {
    if (!isReference) return ids;
    const [first = ""] = ids;
    const now = isWholeSet(readReference(text)) ? ids : first;
    // A reference that stood for other IDs when the body was sent cannot stand for these, too.
    const before = [this.#entry.references?.[text] ?? now].flat();
    if (before.join() !== ids.join()) return ids;
    this.ids.set(text, now);
    return [`\${${text}}`];
  }
}

function refersTo(field: string, kind: KindName): boolean {
  const words = new Set(field.split(/[^A-Za-z]+|(?=[A-Z])/).map((word) => word.toLowerCase()));
  return (kindOfAddress(`${kind}:`)?.words ?? []).some((word) => words.has(word));
}
