import fc from "fast-check";
import type { Lists } from "../../src/emulator/world.js";
import type { KindName } from "../../src/generated/kinds.js";
import { filterMembers, type JsonObject } from "../../src/json/json.js";
import { byKind } from "../harness/kind-places.js";

/** What a deployment can do with the objects of a kind beyond the documented operations. */
export type Ability = "read" | "list" | "update" | "delete";

/** A deployment, and the environments that share it. */
export interface World {
  readonly lists: Lists;
  readonly abilities: Readonly<Record<KindName, readonly Ability[]>>;
  readonly environments: readonly string[];
}

/** Gives the manifest's `operations` of a deployment. */
export function operationsOf({ lists, abilities }: World): JsonObject {
  const operations = byKind(({ one, all, key, update }, kind): JsonObject => {
    const items = { array: "", key, pages: "/data/items" }[lists];
    const isPaged = lists === "pages";
    const list = { request: `GET ${all}`, items, id: "/_id", ...(isPaged && { next: "/paging/next" }) };
    const read = { request: `GET ${one}`, ...(isPaged && { object: "/data" }) };
    const able = new Set(abilities[kind]);
    return {
      ...(able.has("read") && { read }),
      ...(able.has("list") && { list }),
      ...(able.has("update") && update),
      ...(able.has("delete") && { delete: `DELETE ${one}` }),
    };
  });
  return filterMembers(operations, (kind) => Object.keys(operations[kind as KindName]).length > 0);
}

function abilitiesOf(isUpdatable: boolean): fc.Arbitrary<readonly Ability[]> {
  const all: Ability[] = ["read", "list", "delete", ...(isUpdatable ? ["update" as const] : [])];
  // Mostly all of them, as otherwise little can be looked at.
  return fc.oneof({ weight: 3, arbitrary: fc.constant(all) }, { weight: 2, arbitrary: fc.subarray(all) });
}

/** Every deployment. */
export const worlds: fc.Arbitrary<World> = fc.record({
  lists: fc.constantFrom("array", "key", "pages"),
  abilities: fc.record({
    policy: abilitiesOf(true),
    credential: abilitiesOf(true),
    toolset: abilitiesOf(false),
    agent: abilitiesOf(false),
  }),
  environments: fc.constantFrom(["one"], ["one"], ["one", "two"]),
});
