import { countEach } from "../../json/groups.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { KindName } from "../../generated/kinds.js";
import { idsOf } from "../kind/identity.js";
import { kindOfAddress, kinds } from "../kind/kinds.js";
import { operationKeys } from "../openapi/openapi.js";
import type { LockEntry } from "../state/lock.js";
import { isWholeSet, readReference } from "../expression/reference.js";
import { type Json, mapParts } from "../../json/json.js";

/** A reference to objects, or the ID of one that nothing refers to. */
export interface NamedObjects {
  readonly text: string;
  readonly isReference: boolean;
  readonly ids: readonly string[];
}

/** The objects that have an address, those that an import gives one among them, by ID. */
export class KnownObjects {
  readonly #references = new Map<string, string>();
  readonly #sets = new Map<string, readonly string[]>();
  readonly #setOf = new Map<string, string>();

  constructor(entries: Readonly<Record<string, LockEntry>>) {
    for (const [address, entry] of Object.entries(entries)) this.add(address, entry);
  }

  add(address: string, entry: LockEntry): void {
    const kind = kindOfAddress(address);
    if (!kind.operations) {
      if (entry.id !== undefined) this.#references.set(`${kind.name}:${entry.id}`, address);
      return;
    }
    const ids = idsOf(entry);
    if (ids.length > 0) this.#sets.set(address, ids);
    for (const id of ids) this.#setOf.set(`${kind.name}:${id}`, address);
    const keys = new Set(operationKeys(kind.operations(entry.body)));
    for (const [key, id] of Object.entries(entry.tools ?? {})) {
      if (keys.has(key) && canBeLocator(key)) this.#references.set(`${kind.name}:${id}`, `${address}/${key}`);
    }
  }

  /** Gives the reference to an object or to one tool. */
  referenceTo(kind: KindName, id: string): string | undefined {
    return this.#references.get(`${kind}:${id}`);
  }

  /** Gives the references to some objects, with the IDs that each stands for; all tools of a set together are one. */
  referencesTo(kind: KindName, ids: readonly string[]): NamedObjects[] {
    const whole = this.#wholeSets(kind, ids);
    const said = new Set<string>();
    return ids.flatMap((id): NamedObjects[] => {
      const set = this.#setOf.get(`${kind}:${id}`) ?? "";
      if (whole.has(set)) {
        if (said.has(set)) return [];
        said.add(set);
        return [{ text: set, isReference: true, ids: this.#sets.get(set) ?? [] }];
      }
      const reference = this.referenceTo(kind, id);
      return [{ text: reference ?? id, isReference: reference !== undefined, ids: [id] }];
    });
  }

  #wholeSets(kind: KindName, ids: readonly string[]): Set<string> {
    const counts = countEach(ids);
    const sets = new Set(ids.map((id) => this.#setOf.get(`${kind}:${id}`) ?? ""));
    return new Set(
      [...sets].filter((set) => {
        const all = this.#sets.get(set) ?? [];
        return all.length > 0 && all.every((id) => counts.get(id) === 1);
      }),
    );
  }
}

// What would end an expression early, or begin another one, cannot be named in it.
function canBeLocator(key: string): boolean {
  const [only, more] = parseText(`\${toolset:x/${key}}`);
  const isWhole =
    more === undefined && only !== undefined && isExpression(only) && only.locator === `x/${key}`;
  return isWhole && !key.includes("$");
}

/** Writes IDs as references to the resources that have them now, and knows what these stand for. */
export class ReferenceNaming {
  /** The IDs of the references that were written. */
  readonly ids = new Map<string, string | readonly string[]>();

  constructor(
    private readonly known: KnownObjects,
    private readonly entry: Pick<LockEntry, "references">,
  ) {}

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
        ? this.known.referencesTo(kind, named)
        : named.map((id): NamedObjects => {
            const text = this.known.referenceTo(kind, id);
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
    const before = [this.entry.references?.[text] ?? now].flat();
    if (before.join() !== ids.join()) return ids;
    this.ids.set(text, now);
    return [`\${${text}}`];
  }
}

function refersTo(field: string, kind: KindName): boolean {
  const words = new Set(field.split(/[^A-Za-z]+|(?=[A-Z])/).map((word) => word.toLowerCase()));
  return kinds[kind].words.some((word) => words.has(word));
}
