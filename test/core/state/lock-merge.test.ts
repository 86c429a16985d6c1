import { describe, expect, test } from "vitest";
import { idsOf } from "../../../src/core/kind/identity.js";
import type { JsonObject } from "../../../src/json/json.js";
import { emptyLock, parseLock, renderLock, type Lock, type LockEntry } from "../../../src/core/state/lock.js";
import { retiredIn } from "../../../src/core/state/known-ids.js";
import { mergeLocks } from "../../../src/core/state/lock-merge.js";
import { nextWrite, notUnder } from "../../../src/core/state/lock-writes.js";
import { State } from "../../../src/core/state/state.js";
import { examples, fc } from "../../harness/property.js";

const first = emptyLock({ workspace: "test", environment: null }, "lineage");

function lockOf(resources: Record<string, LockEntry>, more: Partial<Lock> = {}): Lock {
  return { ...first, serial: 1, writes: "w1", resources, ...more };
}

const entry = (id: string, prompt: string, more: Partial<LockEntry> = {}): LockEntry => ({
  id,
  body: { system_prompt: prompt },
  digest: prompt,
  ...more,
});

describe("two versions of a lock become one", () => {
  const base = lockOf({ "agent:a": entry("1", "old"), "agent:b": entry("2", "old") });
  const change = (address: string, to: LockEntry, write: string): Lock =>
    nextWrite(base, { ...base, resources: { ...base.resources, [address]: to } }, write);

  test("what each side alone changed is taken over", () => {
    const merged = mergeLocks(
      {
        base,
        ours: change("agent:a", entry("1", "ours"), "x"),
        theirs: change("agent:b", entry("2", "theirs"), "y"),
      },
      "z",
    );
    expect(merged.resources).toMatchObject({
      "agent:a": { id: "1", body: { system_prompt: "ours" } },
      "agent:b": { id: "2", body: { system_prompt: "theirs" } },
    });
    expect(merged.resources["agent:a"]?.uncertain).toBeUndefined();
    expect(merged).toMatchObject({ serial: 3, writes: "z x y w1" });
  });

  test.each([
    [{ service: { operations: { policy: { update: "PUT /v1/rai/policies/{id}" } } } }, true],
    [{}, undefined],
  ])("a policy that both updated is sent again, where the settings are %j: %s", (settings, uncertain) => {
    const base = lockOf({ "policy:a": entry("1", "old") });
    const change = (body: string, write: string): Lock =>
      nextWrite(base, { ...base, settings, resources: { "policy:a": entry("1", body) } }, write);
    const merged = mergeLocks({ base, ours: change("ours", "x"), theirs: change("theirs", "y") }, "z");
    expect(merged.resources["policy:a"]?.uncertain).toBe(uncertain);
  });

  test("objects of two kinds that have the same number stay two", () => {
    const numbered = lockOf({ "agent:a": entry("7", "old"), "policy:a": entry("7", "old") });
    const adding = (address: string, write: string): Lock => {
      const resources = { ...numbered.resources, [address]: entry("8", write) };
      return nextWrite(numbered, { ...numbered, resources }, write);
    };
    const [ours, theirs] = [adding("agent:b", "x"), adding("policy:b", "y")];
    expect(mergeLocks({ base: numbered, ours, theirs }, "z")).toMatchObject({
      resources: { ...ours.resources, ...theirs.resources },
      retired: {},
    });
  });

  test("objects of two kinds that each side left behind with one ID are both left behind, and one can be deleted", () => {
    const named = lockOf({ "agent:a": entry("main", "old"), "policy:a": entry("main", "old") });
    const forgetting = (address: string, write: string): Lock => {
      const state = new State(named);
      state.advance({ type: "forget", address });
      return nextWrite(named, state.lock, write);
    };
    const merged = mergeLocks(
      { base: named, ours: forgetting("agent:a", "x"), theirs: forgetting("policy:a", "y") },
      "z",
    );
    expect(parseLock(renderLock(merged), "lock", merged)).toMatchObject({ ok: true });
    expect(retiredIn(merged).map(([id, { address }]) => [id, address])).toEqual([
      ["main", "agent:a"],
      ["main", "policy:a"],
    ]);
    const state = new State(merged);
    const request = { method: "DELETE", path: "/v3/agents/main" };
    state.advance({ type: "delete", n: 1, address: "agent:a", id: "main", time: "t", ...request });
    state.advance({ type: "done", n: 1 });
    expect(retiredIn(state.lock)).toMatchObject([["main", { address: "policy:a" }]]);
    expect(state.lock.deleted).toEqual({ "agent main": 4 });
  });

  test("an object that both told something is sent again", () => {
    const merged = mergeLocks(
      {
        base,
        ours: change("agent:a", entry("1", "ours"), "x"),
        theirs: change("agent:a", entry("1", "old"), "y"),
      },
      "z",
    );
    expect(merged.resources["agent:a"]).toMatchObject({
      uncertain: true,
      body: { system_prompt: "ours" },
      attempted: [{ body: { system_prompt: "old" } }],
    });
  });

  const defaults = { default_headers: { "X-Team": "care" } };
  const set = (more: Partial<LockEntry> = {}): LockEntry => ({
    ids: ["1"],
    body: defaults,
    digest: "d",
    ...more,
  });
  const tools = { read: "1" };
  const [uncertain, deleting] = [
    { uncertain: true },
    { on_removal: "delete", on_replaced: "delete" } as const,
  ];

  test.each<[string, Partial<LockEntry>, Partial<LockEntry>, Partial<LockEntry>]>([
    ["is protected if only they protect it", {}, { protect: true }, { protect: true }],
    ["has its tools if only they know them", {}, { tools }, { tools }],
    ["is uncertain if only they doubt it", {}, uncertain, { ...uncertain, attempted: [{ body: defaults }] }],
    ["is deleted on removal if both want that", deleting, deleting, deleting],
    ["is not deleted on removal if only we want that", deleting, {}, {}],
    ["is not deleted on removal if only they want that", {}, deleting, {}],
  ])("what both told the same %s", (_, mine, other, expected) => {
    const merged = mergeLocks(
      { base, ours: change("toolset:t", set(mine), "x"), theirs: change("toolset:t", set(other), "y") },
      "z",
    );
    expect(merged.resources["toolset:t"]).toEqual({ ...set(expected), write: "x" });
  });

  test("what they moved to where they deleted an object is kept, whatever we told that object", () => {
    const { "agent:b": moved = entry("2", "old") } = base.resources;
    const theirs = nextWrite(
      base,
      { ...base, resources: { "agent:a": moved }, deleted: { "agent 1": 2 } },
      "y",
    );
    const merged = mergeLocks({ base, ours: change("agent:a", entry("1", "told"), "x"), theirs }, "z");
    expect(merged.resources).toMatchObject({ "agent:a": { id: "2" } });
    expect(merged).toMatchObject({ retired: {}, deleted: { "agent 1": 3 } });
  });

  // git merges a revert with the reverted commit as the base, and the one before it as the other side.
  test("a side that is older than the base takes nothing away", () => {
    const created = change("agent:c", entry("3", "new"), "x");
    const ours = nextWrite(created, { ...created, retired: {} }, "y");
    expect(mergeLocks({ base: created, ours, theirs: base }, "z")).toBe(ours);
    expect(mergeLocks({ base: created, ours: base, theirs: ours }, "z")).toBe(ours);
  });

  test("a base that one side does not rest on is no reason to take anything away", () => {
    const theirs = change("agent:c", entry("3", "new"), "x");
    const ours = change("agent:a", entry("1", "ours"), "y");
    const merged = mergeLocks({ base: theirs, ours, theirs: nextWrite(base, base, "v") }, "z");
    expect(Object.keys(merged.resources)).toEqual(["agent:a", "agent:b"]);
    const picked = mergeLocks({ base: theirs, ours, theirs: nextWrite(theirs, theirs, "v") }, "z");
    expect(Object.keys(picked.resources)).toEqual(["agent:a", "agent:b", "agent:c"]);
    expect(picked.retired).toEqual({});
  });

  test("of two creates at one address ours is kept and theirs is in the ledger", () => {
    const ours = change("agent:c", entry("3", "new"), "x");
    const theirs = change("agent:c", entry("4", "new"), "y");
    const merged = mergeLocks({ base, ours, theirs }, "z");
    expect(merged.resources["agent:c"]?.id).toBe("3");
    expect(merged.retired["agent#4"]).toMatchObject({ address: "agent:c", reason: "replaced" });
  });

  test("an object that one side replaced wins over what the other told the old one", () => {
    const replaced: Lock = {
      ...change("agent:a", entry("9", "new"), "x"),
      retired: { "agent#1": { address: "agent:a", reason: "replaced" } },
    };
    const told = change("agent:a", entry("1", "told"), "y");
    for (const [ours, theirs] of [
      [replaced, told],
      [told, replaced],
    ] as const) {
      const merged = mergeLocks({ base, ours, theirs }, "z");
      expect(merged.resources["agent:a"]).toMatchObject({ id: "9" });
      expect(merged.resources["agent:a"]?.uncertain).toBeUndefined();
      expect(Object.keys(merged.retired)).toEqual(["agent#1"]);
    }
  });

  test("what one side let go and the other changed stays managed", () => {
    const { "agent:a": _gone, ...rest } = base.resources;
    const retired = { "agent#1": { address: "agent:a", reason: "forgotten" as const } };
    const ours = nextWrite(base, { ...base, resources: rest, retired }, "x");
    const merged = mergeLocks({ base, ours, theirs: change("agent:a", entry("1", "told"), "y") }, "z");
    expect(merged.resources["agent:a"]).toMatchObject({ id: "1", body: { system_prompt: "told" } });
    expect(merged.retired).toEqual({});
  });

  test("an object that one side moved and the other changed has one address", () => {
    const { "agent:a": moved, ...rest } = base.resources;
    const ours = nextWrite(
      base,
      { ...base, resources: { ...rest, "agent:new": { ...moved } as LockEntry } },
      "x",
    );
    const merged = mergeLocks({ base, ours, theirs: change("agent:a", entry("1", "told"), "y") }, "z");
    expect(Object.keys(merged.resources).toSorted()).toEqual(["agent:b", "agent:new"]);
    expect(merged.resources["agent:new"]).toMatchObject({
      uncertain: true,
      attempted: [{ body: { system_prompt: "told" } }],
    });
  });

  test("two objects whose IDs were never answered are two, be they ever so alike", () => {
    const { id: _id, ...nameless } = entry("", "same");
    const ours = change("credential:c", nameless, "x");
    const theirs = change("credential:c", nameless, "y");
    const merged = mergeLocks({ base, ours, theirs }, "z");
    expect(merged.resources["credential:c"]).toMatchObject({ digest: "same" });
    expect(Object.keys(merged.retired)).toEqual(["credential:c#same"]);
    const again = mergeLocks(
      { base: ours, ours: nextWrite(ours, ours, "a"), theirs: nextWrite(ours, ours, "b") },
      "c",
    );
    expect(again.retired).toEqual({});
  });

  test.each([
    ["which a document has said to be a rename", ["agent:a"], undefined],
    ["of which no document says that one was renamed", undefined, ["agent:a"]],
  ])("an object at two addresses, %s, has the other one: %j, %j", (_, moved_from, merged_from) => {
    const ours = lockOf({ "agent:b": entry("1", "x", { ...(moved_from && { moved_from }) }) });
    const theirs = lockOf({ "agent:a": entry("1", "x") }, { writes: "v1" });
    const { resources } = mergeLocks({ ours, theirs }, "z");
    expect(Object.keys(resources)).toEqual(["agent:b"]);
    expect(resources["agent:b"]?.merged_from).toEqual(merged_from);
  });

  test.each([
    ["agent:b", "agent:a"],
    ["agent:a", "agent:b"],
  ])(
    "an object that both sides took over at one address, and that one has renamed, has both: %s",
    (at, other) => {
      const object = (address: string) =>
        entry("7", "x", { ...(address === "agent:b" && { moved_from: ["agent:a", "agent:c"] }) });
      const side = (address: string, write: string) =>
        nextWrite(base, { ...base, resources: { [address]: object(address) } }, write);
      const { resources } = mergeLocks({ base, ours: side(at, "x"), theirs: side(other, "y") }, "z");
      expect(resources[at]).toMatchObject({ id: "7", merged_from: [other] });
      expect(resources[at]?.moved_from).toEqual(["agent:c"]);
      expect(resources[other]).toBeUndefined();
    },
  );

  test("an object keeps the addresses that an earlier merge took, and gets none that it had before both", () => {
    const before = lockOf({ "agent:a": entry("1", "x") });
    const moved = { "agent:b": entry("1", "x", { merged_from: ["agent:c"] }) };
    const ours = nextWrite(before, { ...before, resources: moved }, "x");
    const theirs = nextWrite(
      before,
      { ...before, resources: { "agent:a": entry("1", "y", { merged_from: ["agent:d"] }) } },
      "y",
    );
    const { resources } = mergeLocks({ base: before, ours, theirs }, "z");
    expect(resources).toMatchObject({ "agent:b": { merged_from: ["agent:c", "agent:d"] } });
  });

  test("of two new sets with one tool ours is kept, and sent again", () => {
    const body = { default_headers: { "X-Team": "desk" } };
    const ours = change("toolset:t", set({ tools }), "x");
    const more = { ids: ["2", "1"], tools: { write: "2", ...tools }, body };
    const theirs = change("toolset:u", set(more), "y");
    const merged = mergeLocks({ base, ours, theirs }, "z");
    expect(merged.resources).toEqual({
      ...base.resources,
      "toolset:t": {
        ...set({ tools, ...uncertain, attempted: [{ body }] }),
        write: "x",
        merged_from: ["toolset:u"],
      },
    });
    expect(merged.retired).toMatchObject({ "toolset#2": { address: "toolset:u", operation: "write" } });
  });

  test("of a new set with the tools of two others both are kept, and sent again", () => {
    const resources = { "toolset:t": set({ ids: ["3", "1"] }), "toolset:u": set({ ids: ["4", "2"] }) };
    const ours = nextWrite(base, { ...base, resources }, "x");
    const tools = { one: "1", two: "2" };
    const theirs = change("toolset:v", set({ ids: ["1", "2"], tools, body: { default_headers: {} } }), "y");
    const merged = mergeLocks({ base, ours, theirs }, "z");
    const shared = { uncertain: true, merged_from: ["toolset:v"] };
    expect(merged).toMatchObject({ resources: { "toolset:t": shared, "toolset:u": shared }, retired: {} });
    expect(Object.values(merged.resources).map((each) => each.tools)).toEqual([undefined, undefined]);
  });

  test("histories that began apart keep the IDs of both", () => {
    const ours = lockOf({ "agent:a": entry("1", "x") }, { writes: "w1" });
    const theirs = lockOf({ "agent:a": entry("2", "x") }, { lineage: "other", writes: "v1" });
    const merged = mergeLocks({ ours, theirs }, "z");
    expect(merged).toMatchObject({ lineage: "lineage", writes: "z w1 v1" });
    expect(merged.resources["agent:a"]?.id).toBe("1");
    expect(Object.keys(merged.retired)).toEqual(["agent#2"]);
  });
});

describe("what a version of a lock rests on", () => {
  const writes = (count: number, from: Lock = first, name = "w"): Lock[] => {
    const all: Lock[] = [];
    for (let [index, lock] = [0, from]; index < count; index++) {
      lock = nextWrite(lock, lock, `${name}${index}`);
      all.push(lock);
    }
    return all;
  };

  test("a long line of writes is seen through, a hundred at a time", () => {
    const line = writes(1000);
    expect(notUnder(line.at(-1) as Lock, line)).toEqual([]);
    expect((line.at(-1) as Lock).writes?.split(" ")).toHaveLength(100);
  });

  test("a version that was written apart is found, however few its writes", () => {
    const trunk = writes(3);
    const [side] = writes(1, trunk[2], "side");
    const main = writes(200, trunk[2], "main");
    expect(notUnder(main.at(-1) as Lock, [...trunk, ...main, side as Lock])).toEqual([side]);
    const joined = mergeLocks({ base: trunk[2], ours: main.at(-1) as Lock, theirs: side as Lock }, "joined");
    expect(notUnder(joined, [...trunk, ...main, side as Lock])).toEqual([]);
  });

  test("an older version that was put back rests on none of those after it", () => {
    const line = writes(5);
    expect(notUnder(line[1] as Lock, line)).toEqual(line.slice(2).toReversed());
  });
});

/** A run of the tool on one side: what it does to the service, and with it to its lock. */
type Step = {
  readonly side: 0 | 1;
  readonly act: "create" | "update" | "forget" | "move";
  readonly at: number;
  readonly value: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  side: fc.constantFrom(0 as const, 1 as const),
  act: fc.constantFrom("create" as const, "update" as const, "forget" as const, "move" as const),
  at: fc.nat(3),
  value: fc.nat(2),
});

test("nothing that exists is lost, nothing has two addresses, and what is sure is so", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 16 }), (before, apart) => {
      const objects = new Map<string, JsonObject>();
      let writes = 0;
      const run = (lock: Lock, { act, at, value }: Step): Lock => {
        const address = `agent:${at}`;
        const managed = lock.resources[address];
        const body = { system_prompt: `prompt ${value}` };
        const state = new State(lock);
        const begin = {
          type: "begin",
          n: 1,
          address,
          time: "t",
          method: "POST",
          path: "/",
          body,
          digest: "d",
        } as const;
        if (act === "forget") {
          if (managed) state.advance({ type: "forget", address });
        } else if (act === "move") {
          const to = `agent:${(at + 1) % 4}`;
          if (managed && !lock.resources[to]) state.advance({ type: "move", moves: [{ from: address, to }] });
        } else {
          const isUpdate = managed !== undefined && act === "update";
          const id = isUpdate ? (managed.id ?? "") : `id${objects.size}`;
          objects.set(id, body);
          state.advance({ ...begin, operation: isUpdate ? "update" : managed ? "replace" : "create" });
          state.advance({ type: "done", n: 1, id });
        }
        return nextWrite(lock, state.lock, `w${writes++}`);
      };
      const base = before.reduce(run, { ...first, serial: 0 });
      const sides: [Lock, Lock] = [base, base];
      for (const each of apart) sides[each.side] = run(sides[each.side], each);
      const [ours, theirs] = sides;
      const merged = mergeLocks({ base, ours, theirs }, "merge");
      const managed = Object.values(merged.resources).flatMap((each) => idsOf(each));
      const all = [...managed, ...Object.keys(merged.retired)];
      expect(all.toSorted()).toEqual([...objects.keys()].toSorted());
      for (const { id = "", body, uncertain } of Object.values(merged.resources)) {
        if (uncertain !== true) expect(objects.get(id)).toEqual(body);
      }
      expect(notUnder(merged, [base, ours, theirs])).toEqual([]);
    }),
    { numRuns: examples(2000) },
  );
});
