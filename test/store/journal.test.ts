import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { StoreChangedError, StoreFailedError, type LockStore } from "../../src/core/state/lock-store.js";
import { Company, useActors } from "./company.js";
import { makeMedium, openStore, type Medium } from "./medium.js";

useActors();

/** A medium whose folder has lock and journal alone, and not who holds them. */
function makeBareMedium(): Medium {
  return { ...makeMedium(), holderFile: makeMedium().holderFile };
}

/** A store that is held. */
async function hold(medium: Medium, sync?: (fd: number) => Promise<void>): Promise<LockStore> {
  const store = openStore(medium, sync);
  await store.acquire();
  return store;
}

describe("group commit", () => {
  test("a hundred flushes of one moment share one sync", async () => {
    let syncs = 0;
    const store = await hold(makeBareMedium(), async () => {
      syncs++;
      await sleep(5);
    });
    const write = (number: number): Promise<void> => {
      store.append(`${number}\n`);
      return store.flush();
    };
    await Promise.all(Array.from({ length: 100 }, (_, number) => write(number)));
    expect(syncs).toBe(1);
    await store.flush();
    expect(syncs).toBe(1);
  });

  test("what is appended while a sync runs is not durable with it, and shares the next", async () => {
    const log: string[] = [];
    const store = await hold(makeBareMedium(), async () => {
      log.push("sync");
      await sleep(20);
      log.push("synced");
    });
    const write = async (name: string): Promise<void> => {
      store.append(`${name}\n`);
      await store.flush();
      log.push(name);
    };
    const first = write("a");
    await sleep(5);
    await Promise.all([first, write("b"), write("c")]);
    expect(log).toEqual(["sync", "synced", "a", "sync", "synced", "b", "c"]);
  });

  test("a replace waits for the sync that is running", async () => {
    const medium = makeBareMedium();
    const log: string[] = [];
    const store = await hold(medium, async () => {
      await sleep(20);
      log.push("synced");
    });
    store.append("begin\n");
    const flushed = store.flush();
    await store.replace("one\n", null);
    log.push("replaced");
    await flushed;
    expect(log).toEqual(["synced", "replaced"]);
  });
});

const diskFull = Object.assign(new Error("no space"), { code: "ENOSPC", errno: -28 });

describe("a journal that fails", () => {
  test("a link in its place is not written through", async () => {
    const medium = makeBareMedium();
    const elsewhere = join(medium.folder, "elsewhere");
    symlinkSync(elsewhere, medium.journalFile);
    const store = await hold(medium);
    store.append("begin\n");
    await expect(store.flush()).rejects.toThrow("there is a symbolic link in the place of the file (ELOOP)");
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("one that could not be made is not made later, without its first line", async () => {
    const medium = makeBareMedium();
    mkdirSync(medium.journalFile);
    const store = await hold(medium);
    store.append("header\n");
    await expect(store.flush()).rejects.toThrow("there is a folder in the place of the file (EISDIR)");
    rmdirSync(medium.journalFile);
    store.append("not sent\n");
    expect(existsSync(medium.journalFile)).toBe(false);
  });

  test("a full disk fails the flush and every later one, by the journal's name", async () => {
    const medium = makeBareMedium();
    const store = await hold(medium, () => Promise.reject(diskFull));
    store.append("begin\n");
    const message = "the disk is full (ENOSPC) at agentform.lock.journal";
    await expect(store.flush()).rejects.toMatchObject({ name: "StoreFailedError", message });
    rmSync(medium.journalFile);
    store.append("again\n");
    await expect(store.flush()).rejects.toThrow(message);
    expect(readdirSync(medium.folder)).toEqual([]);
  });

  test("a sync that fails fails all who wait for it, and is not tried again", async () => {
    let syncs = 0;
    const store = await hold(makeBareMedium(), async () => {
      syncs++;
      await sleep(5);
      throw Object.assign(new Error("EIO: /secret/path"), { errno: -5, code: "EIO" });
    });
    store.append("a\n");
    const outcomes = await Promise.allSettled([store.flush(), store.flush()]);
    await sleep(1);
    outcomes.push(...(await Promise.allSettled([store.flush()])));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { message: "the disk failed (EIO) at agentform.lock.journal" },
      });
    }
    expect(syncs).toBe(1);
  });

  test.each([
    ["its first sync takes away what it began for somebody else's state", 1, []],
    ["a later one leaves what was durable while it was held", 2, ["1\n", "2\n"]],
  ])("of a store that is unlocked during %s", async (_what, during, left) => {
    const medium = makeMedium();
    let syncs = 0;
    const store = await hold(medium, async () => {
      const { holder } = await openStore(medium).read();
      if (++syncs === during) await openStore(medium).unlock(holder?.nonce ?? "");
    });
    const write = (line: number) => {
      store.append(`${line}\n`);
      return store.flush();
    };
    for (let line = 1; line < during; line++) await write(line);
    await expect(write(during)).rejects.toThrow(StoreChangedError);
    expect((await openStore(medium).read()).journal).toBe(left.length > 0 ? left.join("") : null);
  });

  test("a line that fits only in part is a failure, and what was durable before stays without that part", async () => {
    const medium = makeBareMedium();
    const actor = await new Company(medium).start(4);
    await actor.ask({ do: "acquire" });
    const short = `${"a".repeat(1000)}\n`;
    expect(await actor.ask({ do: "append", line: short })).toBe("flushed");
    const message = "the file would become too large (EFBIG) at agentform.lock.journal";
    expect(await actor.ask({ do: "append", line: `${"b".repeat(5000)}\n` })).toBe(message);
    expect(await actor.ask({ do: "append", line: "c\n" })).toBe(message);
    expect(readFileSync(medium.journalFile, "utf8")).toBe(short);
  });

  test("after a failed sync, lines are still written for whoever reads them next", async () => {
    const medium = makeBareMedium();
    const store = await hold(medium, () => Promise.reject(diskFull));
    store.append("begin\n");
    await expect(store.flush()).rejects.toThrow("the disk is full");
    store.append("not sent\n");
    // At once, for the lock is written next, which may fail for good.
    expect(readFileSync(medium.journalFile, "utf8")).toBe("begin\nnot sent\n");
  });

  test("a journal that somebody removed while it was in use is a failure", async () => {
    const medium = makeBareMedium();
    const store = await hold(medium);
    store.append("a\n");
    await store.flush();
    rmSync(medium.journalFile);
    store.append("b\n");
    const thrown = await store.flush().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(StoreFailedError);
    expect(thrown).toMatchObject({
      message: "another process removed agentform.lock.journal while it was in use",
    });
  });

  test("nothing is added to a journal that somebody changed while it was in use", async () => {
    const medium = makeBareMedium();
    const store = await hold(medium, async () => truncateSync(medium.journalFile));
    store.append("begin\n");
    await expect(store.flush()).rejects.toThrow("another process changed agentform.lock.journal");
    store.append("not sent\n");
    expect(readFileSync(medium.journalFile, "utf8")).toBe("");
  });

  test("a disk that is full in the middle of a lock leaves the old one, and no draft", async () => {
    const medium = makeBareMedium();
    writeFileSync(medium.lockFile, "one\n");
    const actor = await new Company(medium).start(4000);
    await actor.ask({ do: "acquire" });
    const outcome = await actor.ask({ do: "save", lock: "x".repeat(3_000_000) });
    expect(outcome).toBe("the file would become too large (EFBIG) at agentform.lock");
    expect(await openStore(medium).read()).toMatchObject({ lock: "one\n", journal: "begin\n" });
    expect(readdirSync(medium.folder).toSorted()).toEqual(["agentform.lock", "agentform.lock.journal"]);
  });

  test("a lock that does not fit leaves the old one, the journal and no draft", async () => {
    const medium = makeBareMedium();
    writeFileSync(medium.lockFile, "one\n");
    const actor = await new Company(medium).start(4);
    await actor.ask({ do: "acquire" });
    const outcome = await actor.ask({ do: "save", lock: "x".repeat(5000) });
    expect(outcome).toBe("the file would become too large (EFBIG) at agentform.lock");
    expect(await openStore(medium).read()).toMatchObject({ lock: "one\n", journal: "begin\n" });
    expect(readdirSync(medium.folder).toSorted()).toEqual(["agentform.lock", "agentform.lock.journal"]);
  });
});
