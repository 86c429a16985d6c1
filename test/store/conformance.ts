import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { runs, wholeTest } from "../harness/tier.js";
import { textOf } from "../harness/lock-text.js";
import { StoreChangedError, StoreHeldError, type LockStore } from "../../src/core/state/lock-store.js";

/** Two stores on one empty medium, as two processes would have them. */
export interface StorePair {
  readonly store: LockStore;
  readonly second: LockStore;
}

/**
 * What every lock store must do. A sample has all of it, or only the tests without which a store keeps nothing apart:
 * enough where a step costs processes, and other stores go the same way.
 */
export function describeLockStore(
  name: string,
  make: () => Promise<StorePair>,
  sampled: "all" | "some" = "all",
): void {
  const more = sampled === "all" ? test : wholeTest;
  describe(`${name} as a lock store`, () => {
    describeHolding(make, more);
    describeJournal(make, more);
    describeReplacing(make, more);
  });
}

/** Defines a test, in a sample perhaps not. */
type Define = (name: string, run: () => Promise<void>) => void;

function describeHolding(make: () => Promise<StorePair>, more: Define): void {
  more("an empty store holds nothing", async () => {
    const { store } = await make();
    expect(await store.read()).toMatchObject({ version: null, lock: null, journal: null, holder: null });
  });

  test("a held store is refused to another, with who holds it", async () => {
    const { store, second } = await make();
    const before = Date.now();
    await store.acquire();
    const after = Date.now();
    const refusal = await second.acquire().catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StoreHeldError);
    const { holder } = await second.read();
    expect(refusal).toMatchObject({ holder });
    expect(holder).toMatchObject({ pid: process.pid, life: "alive" });
    const since = Date.parse(holder?.since ?? "");
    expect(before <= since && since <= after).toBe(true);
  });

  more("who holds a store shows a sign of life with what it writes", async () => {
    const { store, second } = await make();
    await store.acquire();
    const { since = "", seen: before = since } = (await second.read()).holder ?? {};
    // The clock of a file system may be some milliseconds late.
    await sleep(50);
    store.append("first\n");
    await store.flush();
    const { holder } = await second.read();
    expect(holder).toMatchObject({ since, life: "alive" });
    expect(Date.parse(holder?.seen ?? "")).toBeGreaterThan(Date.parse(before));
  });

  more("a held store is refused to its own holder", async () => {
    const { store } = await make();
    await store.acquire();
    await expect(store.acquire()).rejects.toThrow(StoreHeldError);
  });

  more("a store that was released is there for another", async () => {
    const { store, second } = await make();
    await store.acquire();
    await store.release();
    expect((await store.read()).holder).toBeNull();
    await second.acquire();
    await expect(store.acquire()).rejects.toThrow(StoreHeldError);
  });

  more("releasing what is not held leaves the holder in", async () => {
    const { store, second } = await make();
    await store.acquire();
    await second.release();
    await expect(second.acquire()).rejects.toThrow(StoreHeldError);
    await store.release();
    await second.acquire();
    await store.release();
    expect((await store.read()).holder).not.toBeNull();
  });

  test("of many who ask at the same time one gets it", async () => {
    const { store, second } = await make();
    const attempts = await Promise.allSettled([store, second, store, second].map((one) => one.acquire()));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
}

function describeJournal(make: () => Promise<StorePair>, more: Define): void {
  test("what was appended and flushed is read by another, in order", async () => {
    const { store, second } = await make();
    await store.acquire();
    store.append("first\n");
    store.append('second "zwölf" 🦊\n');
    await store.flush();
    store.append("third\n");
    await store.flush();
    expect((await second.read()).journal).toBe('first\nsecond "zwölf" 🦊\nthird\n');
  });

  more("flushing nothing is no journal", async () => {
    const { store } = await make();
    await store.acquire();
    await store.flush();
    expect((await store.read()).journal).toBeNull();
  });

  more("many who append and flush at the same time all find their lines", async () => {
    const { store, second } = await make();
    const count = runs("lines at the same time", 20, 100);
    await store.acquire();
    const missing: number[] = [];
    const write = async (number: number): Promise<void> => {
      store.append(`line ${number}\n`);
      await store.flush();
      const { journal } = await second.read();
      if (!textOf(journal).includes(`line ${number}\n`)) missing.push(number);
    };
    await Promise.all(Array.from({ length: count }, (_, number) => write(number)));
    expect(missing).toEqual([]);
    expect(textOf((await store.read()).journal).split("\n")).toHaveLength(count + 1);
  });

  test("the journal outlives its holder, and another does not write into it before it was accounted for", async () => {
    const { store, second } = await make();
    await store.acquire();
    store.append("begin\n");
    await store.flush();
    await store.release();
    expect((await second.read()).journal).toBe("begin\n");

    await second.acquire();
    second.append("mine\n");
    await expect(second.flush()).rejects.toMatchObject({
      name: "StoreFailedError",
      message: `the journal of an earlier apply is still there at ${second.journalName}`,
    });
    expect((await store.read()).journal).toBe("begin\n");
  });

  more("after a replace the next holder begins a new journal", async () => {
    const { store, second } = await make();
    await store.acquire();
    store.append("begin\n");
    await store.flush();
    await store.release();
    await second.acquire();
    await second.replace("{}\n", null);
    expect((await store.read()).journal).toBeNull();
    second.append("mine\n");
    await second.flush();
    expect((await store.read()).journal).toBe("mine\n");
  });
}

function describeReplacing(make: () => Promise<StorePair>, more: Define): void {
  test("a replace is read with the version that it gave, and the journal is gone", async () => {
    const { store, second } = await make();
    await store.acquire();
    store.append("begin\n");
    await store.flush();
    const text = `{\r\n  "🦊": "${"x".repeat(300_000)}"\n}\n`;
    const version = await store.replace(text, null);
    await store.release();
    expect(await second.read()).toEqual({ version, lock: text, journal: null, holder: null });
  });

  more("one replace follows another by its version", async () => {
    const { store, second } = await make();
    await store.acquire();
    const first = await store.replace("one\n", null);
    const other = await store.replace("two\n", first);
    expect(other).not.toBe(first);
    expect(await second.read()).toMatchObject({ lock: "two\n", version: other });
  });

  test("a lock that changed since it was read is refused and nothing is touched", async () => {
    const { store } = await make();
    await store.acquire();
    const old = await store.replace("one\n", null);
    const version = await store.replace("two\n", old);
    store.append("begin\n");
    await store.flush();
    await expect(store.replace("three\n", old)).rejects.toThrow(StoreChangedError);
    await expect(store.replace("three\n", null)).rejects.toThrow(StoreChangedError);
    expect(await store.read()).toMatchObject({ lock: "two\n", version, journal: "begin\n" });
  });

  more("a lock that is gone since it was read is refused", async () => {
    const { store } = await make();
    await store.acquire();
    await expect(store.replace("one\n", "0".repeat(64))).rejects.toThrow(StoreChangedError);
    expect((await store.read()).lock).toBeNull();
  });
}
