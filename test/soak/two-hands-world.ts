import fc from "fast-check";
import { kindNames } from "../../src/core/kind/kinds.js";
import type { Lists } from "../../src/emulator/world.js";
import type { KindName } from "../../src/generated/kinds.js";
import type { JsonObject } from "../../src/json/json.js";

/** What a deployment can do with the objects of a kind beyond the documented operations. */
export type Ability = "read" | "list" | "update" | "delete";

/** A deployment, and the environments that share it. */
export interface World {
  readonly lists: Lists;
  readonly abilities: Readonly<Record<KindName, readonly Ability[]>>;
  readonly environments: readonly string[];
}

const paths = {
  policy: { one: "/v1/rai/policies/{id}", all: "/v1/rai/policies", key: "/policies" },
  credential: { one: "/v3/tools/credentials/{id}", all: "/v3/tools/credentials", key: "/credentials" },
  toolset: { one: "/v3/tools/{id}", all: "/v3/tools/", key: "/tools" },
  agent: { one: "/v3/agents/{id}", all: "/v3/agents/", key: "/agents" },
} as const;

/** Gives the manifest's `operations` of a deployment. */
export function operationsOf({ lists, abilities }: World): JsonObject {
  const entries = kindNames.map((kind): [string, JsonObject] => {
    const { one, all, key } = paths[kind];
    const items = { array: "", key, pages: "/data/items" }[lists];
    const isPaged = lists === "pages";
    const list = { request: `GET ${all}`, items, id: "/_id", ...(isPaged && { next: "/paging/next" }) };
    const read = { request: `GET ${one}`, ...(isPaged && { object: "/data" }) };
    const able = new Set(abilities[kind]);
    return [
      kind,
      {
        ...(able.has("read") && { read }),
        ...(able.has("list") && { list }),
        ...(able.has("update") && { update: `PUT ${one}` }),
        ...(able.has("delete") && { delete: `DELETE ${one}` }),
      },
    ];
  });
  return Object.fromEntries(entries.filter(([, operations]) => Object.keys(operations).length > 0));
}

const updatable: readonly KindName[] = ["policy", "credential"];

function abilitiesOf(kind: KindName): fc.Arbitrary<readonly Ability[]> {
  const all: Ability[] = ["read", "list", "delete", ...(updatable.includes(kind) ? ["update" as const] : [])];
  // Mostly all of them, as otherwise little can be looked at.
  return fc.oneof({ weight: 3, arbitrary: fc.constant(all) }, { weight: 2, arbitrary: fc.subarray(all) });
}

/** Every deployment. */
export const worlds: fc.Arbitrary<World> = fc.record({
  lists: fc.constantFrom("array", "key", "pages"),
  abilities: fc.record({
    policy: abilitiesOf("policy"),
    credential: abilitiesOf("credential"),
    toolset: abilitiesOf("toolset"),
    agent: abilitiesOf("agent"),
  }),
  environments: fc.constantFrom(["one"], ["one"], ["one", "two"]),
});
