import { describe, expect, test } from "vitest";
import { idsOf } from "../../src/core/kind/identity.js";
import { deletedKey, deletedMembers, isDeleted } from "../../src/core/state/deleted.js";
import {
  JournalWriter,
  parseJournal,
  type JournalRecord,
  isJournalLine,
} from "../../src/core/state/journal.js";
import { emptyLock, parseLock, type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { mergeLocks } from "../../src/core/state/lock-merge.js";
import { nextWrite } from "../../src/core/state/lock-writes.js";
import { locksAhead } from "../../src/core/state/newest-lock.js";
import { replay } from "../../src/core/state/replay.js";
import { State } from "../../src/core/state/state.js";
import { examples, fc } from "../harness/property.js";

const owner = { workspace: "test", environment: null };
const addresses = ["policy:a", "policy:b", "agent:a", "agent:b"] as const;

/** What somebody does; a number chooses among what there is. */
interface Move {
  readonly do: "create" | "forget" | "replace" | "delete" | "adopt";
  readonly which: number;
  readonly ending: "done" | "rejected" | "unknown" | "killed";
}

const move: fc.Arbitrary<Move> = fc.record({
  do: fc.constantFrom("create", "forget", "replace", "delete", "delete", "adopt"),
  which: fc.nat(7),
  ending: fc.constantFrom("done", "done", "rejected", "unknown", "killed"),
});

/** A service that knows what was made and deleted, and the records of applies and prunes on it. */
class World {
  readonly made = new Map<string, string>();
  readonly gone = new Set<string>();
  #n = 0;

  constructor(private readonly prefix = "") {}

  /** Gives the records of one move in a state; a move that is not possible gives none. */
  recordsOf({ do: what, which, ending }: Move, { resources, retired }: Lock): JournalRecord[] {
    const address = addresses[which % addresses.length] ?? "policy:a";
    const time = "2026-01-01T00:00:00Z";
    if (what === "delete" || what === "adopt") {
      const ids = Object.keys(retired).filter((id) => !id.includes("#"));
      const id = ids[which % Math.max(1, ids.length)];
      if (id === undefined) return [];
      const of = retired[id]?.address ?? "";
      if (what === "adopt") {
        return resources[of] ? [] : [{ type: "entry", address: of, entry: { id, body: {}, digest: "d" } }];
      }
      const n = ++this.#n;
      if (ending !== "rejected") this.gone.add(id);
      const begin: JournalRecord = { type: "delete", n, address: of, id, time, method: "DELETE", path: "/x" };
      if (ending === "killed") return [begin];
      if (ending === "done") return [begin, { type: "done", n }];
      const failure = { n, message: "no" };
      if (ending === "rejected") return [begin, { type: "rejected", ...failure }];
      return [begin, { type: "unknown", ...failure, time, method: "DELETE", path: "/x" }];
    }
    if (what === "forget") return resources[address] ? [{ type: "forget", address }] : [];
    if ((what === "create") === (resources[address] !== undefined)) return [];
    const n = ++this.#n;
    const id = `${this.prefix}id${n}`;
    this.made.set(id, address);
    const body = { n };
    return [
      { type: "begin", n, address, operation: what, time, method: "POST", path: "/", body, digest: `d${n}` },
      { type: "done", n, id },
    ];
  }
}

function play(moves: readonly Move[], from: Lock, world: World): { lock: Lock; records: JournalRecord[] } {
  const state = new State(from);
  const records: JournalRecord[] = [];
  for (const each of moves) {
    for (const record of world.recordsOf(each, state.lock)) {
      state.advance(record);
      records.push(record);
    }
  }
  state.settle();
  return { lock: state.lock, records };
}

function knownIds({ resources, retired }: Lock): Set<string> {
  return new Set([...Object.values(resources).flatMap((entry) => idsOf(entry)), ...Object.keys(retired)]);
}

/** What every lock must hold: what exists is known, and what it calls deleted is gone. */
function check(lock: Lock, { made, gone }: World): void {
  const known = knownIds(lock);
  for (const [id, address] of made) {
    if (!gone.has(id)) expect(known, `${id} is lost`).toContain(id);
    else expect(known.has(id) || isDeleted(lock, address, id), `${id} is lost`).toBe(true);
    if (isDeleted(lock, address, id)) expect(known.has(id), `${id} is deleted and known`).toBe(false);
  }
  expect(parseLock(lockText(lock), "agentform.lock", owner)).toEqual({ ok: true, lock });
}

const begun: Lock = { ...emptyLock(owner, "lineage"), writes: "w0" };

describe("deletes in a journal", () => {
  test("it is read as it was written, and replayed, whole or cut off, it loses no object", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 14 }), fc.nat(), (moves, choice) => {
        const world = new World();
        const { lock, records } = play(moves, begun, world);
        check(lock, world);
        expect(records.every(isJournalLine)).toBe(true);
        const writer = new JournalWriter();
        const service = { base_url: "https://agents.example.com" };
        const header = { type: "header", format: "agentform/journal/v1", ...owner } as const;
        const lines = [{ ...header, lineage: "lineage", serial: 0, write: "w1", service }, ...records].map(
          (each) => writer.render(each),
        );
        const read = parseJournal(lines.join(""), "journal");
        if (!read.ok) throw new Error("unreadable");
        const replayed = replay(begun, read, "journal");
        if (!replayed.ok) throw new Error("refused");
        const whole = replayed.state;
        whole.settle();
        expect({ ...whole.lock, service: undefined }).toEqual({ ...lock, service: undefined });
        // A process may die after any record; what it had not recorded, it had not sent.
        const cut = choice % (records.length + 1);
        const state = new State(begun);
        for (const record of records.slice(0, cut)) state.advance(record);
        state.settle();
        const known = knownIds(state.lock);
        for (const record of records.slice(0, cut)) {
          if (record.type !== "delete") continue;
          const { address, id } = record;
          expect(known.has(id) || isDeleted(state.lock, address, id)).toBe(true);
        }
      }),
      { numRuns: examples(500) },
    );
  });

  test("an ID that is managed again is neither left behind nor deleted", () => {
    const deleted = play(
      [
        { do: "create", which: 0, ending: "done" },
        { do: "forget", which: 0, ending: "done" },
        { do: "delete", which: 0, ending: "done" },
      ],
      begun,
      new World(),
    ).lock;
    expect(deleted).toMatchObject({ retired: {}, deleted: { "policy id1": 1 } });
    const state = new State(deleted);
    state.advance({ type: "entry", address: "policy:b", entry: { id: "id1", body: {}, digest: "d" } });
    expect(state.lock).toMatchObject({ resources: { "policy:b": { id: "id1" } }, retired: {} });
    expect(state.lock.deleted).toBeUndefined();
  });

  test("a delete is of an object of its kind, and never of what is managed", () => {
    const managed = { ...begun, resources: { "agent:a": { id: "7", body: {}, digest: "d" } } };
    const retired = { "policy#7": { address: "policy:a", reason: "replaced" as const } };
    const state = new State({ ...managed, retired });
    const sent = { type: "delete", id: "7", time: "t", method: "DELETE", path: "/" } as const;
    state.advance({ ...sent, n: 1, address: "agent:a" });
    state.advance({ type: "done", n: 1 });
    expect(state.lock).toMatchObject({ resources: managed.resources, retired });
    state.advance({ ...sent, n: 2, address: "policy:a" });
    state.advance({ type: "done", n: 2 });
    expect(state.lock).toMatchObject({ resources: managed.resources, retired: {} });
  });
});

describe("deletes on two branches", () => {
  const sides = fc.tuple(
    fc.array(move, { maxLength: 8 }),
    fc.array(move, { maxLength: 6 }),
    fc.array(move, { maxLength: 6 }),
  );

  function fork([first, second, third]: readonly [readonly Move[], readonly Move[], readonly Move[]]) {
    const worlds = [new World("x"), new World("y"), new World("z")] as const;
    const write = (before: Lock, moves: readonly Move[], world: World, name: string) =>
      nextWrite(before, play(moves, before, world).lock, name);
    const base = write(begun, first, worlds[0], "w0");
    const ours = write(base, second, worlds[1], "w1");
    const theirs = write(base, third, worlds[2], "w2");
    const both = new World();
    for (const world of worlds) {
      for (const [id, address] of world.made) both.made.set(id, address);
      for (const id of world.gone) both.gone.add(id);
    }
    return { base, ours, theirs, both };
  }

  test("merged, no object is lost and none that was deleted comes back to the ledger", () => {
    fc.assert(
      fc.property(sides, (moves) => {
        const { base, ours, theirs, both } = fork(moves);
        const merged = mergeLocks({ base, ours, theirs }, "w3");
        const known = knownIds(merged);
        for (const [id, address] of both.made) {
          const isGone = isDeleted(merged, address, id);
          expect(known.has(id) || isGone, `${id} is lost`).toBe(true);
          expect(known.has(id) && isGone, `${id} is deleted and known`).toBe(false);
          const deletedBy = [ours, theirs].filter((side) => isDeleted(side, address, id));
          if (deletedBy.length > 0) expect(Object.keys(merged.retired)).not.toContain(id);
        }
        // What one side deleted and the other manages is found out by the next apply.
        for (const [address, entry] of Object.entries(merged.resources)) {
          const isDoubted = idsOf(entry).some((id) =>
            [ours, theirs].some((side) => isDeleted(side, address, id)),
          );
          const isManagedThere = [ours, theirs].filter((side) =>
            Object.entries(side.resources).some(([, other]) => idsOf(other)[0] === idsOf(entry)[0]),
          );
          if (isDoubted && isManagedThere.length === 1) expect(entry.uncertain).toBe(true);
        }
        expect(
          locksAhead(
            merged,
            [base, ours, theirs].map((lock) => ({ lock, where: "" })),
          ),
        ).toEqual([]);
      }),
      { numRuns: examples(500) },
    );
  });

  test("merged either way round, the same objects are known or deleted", () => {
    fc.assert(
      fc.property(sides, (moves) => {
        const { base, ours, theirs } = fork(moves);
        const one = mergeLocks({ base, ours, theirs }, "w3");
        const other = mergeLocks({ base, ours: theirs, theirs: ours }, "w3");
        const all = ({ deleted = {}, ...lock }: Lock) =>
          [...knownIds(lock), ...Object.keys(deleted).map((key) => key.split(" ")[1])].toSorted();
        expect(all(one)).toEqual(all(other));
      }),
      { numRuns: examples(500) },
    );
  });
});

describe("what a lock remembers of deletes", () => {
  const locked = (serial: number, more: Partial<Lock>): Lock => ({ ...begun, serial, writes: "w", ...more });
  const retired = { old: { address: "policy:a", reason: "replaced" as const } };

  test("an ID that was deleted is not lost, one that is only missing is", () => {
    const before = { lock: locked(3, { retired }), where: "commit a" };
    const after = locked(4, { writes: "x w" });
    expect(locksAhead(after, [before])).toEqual([before]);
    expect(locksAhead({ ...after, deleted: { [deletedKey("policy:a", "old")]: 4 } }, [before])).toEqual([]);
    // The same number may be the ID of an object of each kind.
    expect(locksAhead({ ...after, deleted: { [deletedKey("agent:a", "old")]: 4 } }, [before])).toEqual([
      before,
    ]);
  });

  test("it names the newest thousand, and does not call older ones lost", () => {
    const deleted = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [`policy id${index}`, index]),
    );
    const members = deletedMembers(deleted, undefined);
    expect(Object.keys(members.deleted ?? {})).toHaveLength(1000);
    expect(members.deleted_before).toBe(199);
    const present = locked(1300, { ...members, writes: "x w" });
    const old = {
      lock: locked(100, { retired: { id150: { address: "policy:a", reason: "replaced" } } }),
      where: "",
    };
    const young = { ...old, lock: { ...old.lock, serial: 500 } };
    expect(locksAhead(present, [old])).toEqual([]);
    expect(locksAhead(present, [young])).toEqual([young]);
  });
});
