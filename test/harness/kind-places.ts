import { kinds } from "../../src/core/kind/kinds.js";
import { kinds as emulatedKinds } from "../../src/emulator/kinds.js";
import type { EmulatedObject } from "../../src/emulator/folder.js";
import type { StoredObjects } from "../../src/emulator/storage.js";
import type { KindName } from "../../src/generated/kinds.js";

/** Where the emulator has the objects of a kind, as a manifest says it. */
export interface KindPlaces {
  /** The path of one. */
  readonly one: string;
  /** The path of all, where one is created, too. */
  readonly all: string;
  /** The pointer to a list that is in a member. */
  readonly key: string;
  /** The update, if it is one that is not documented. */
  readonly update?: { readonly update: string };
}

/** Makes something for each kind. */
export function byKind<Value>(make: (places: KindPlaces, name: KindName) => Value): Record<KindName, Value> {
  const made = Object.values(kinds).map(({ name, create: { path: all }, replacedBy }) => {
    const one = `${all.replace(/\/$/, "")}/{id}`;
    const key = `/${emulatedKinds[name].objects.plural}`;
    const update = replacedBy === "any" && { update: { update: `PUT ${one}` } };
    return [name, make({ one, all, key, ...update }, name)];
  });
  return Object.fromEntries(made) as Record<KindName, Value>;
}

/** Gives the objects of a service, each with its kind, but for tool sets, of which it has the tools. */
export function plainObjects(stored: StoredObjects): (EmulatedObject & { readonly kind: KindName })[] {
  const { tools: _tools, toolSets: _sets, ...lists } = stored;
  return Object.values(kinds).flatMap(({ name: kind }) => {
    const list = lists[emulatedKinds[kind].objects.plural as keyof typeof lists] ?? [];
    return list.map((object) => ({ ...object, kind }));
  });
}
