import { countEach } from "../../json/groups.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { KindName } from "../../generated/kinds.js";
import { idsOf } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import { operationKeys } from "../openapi/openapi.js";
import type { LockEntry } from "../state/lock.js";

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

  /** Adds an object. */
  add(address: string, entry: LockEntry): void {
    const kind = kindOfAddress(address);
    if (!kind) return;
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
