import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { StoreChangedError, StoreFailedError } from "../../src/core/state/lock-store.js";
import { JournalFile } from "../../src/store/local/journal-file.js";
import { LockFile } from "../../src/store/local/lock-file.js";
import { describeLockStore } from "./conformance.js";
import { makeMedium, openStore } from "./medium.js";
import { makePipe, needProgram } from "../harness/need.js";

describeLockStore("the file store", async () => {
  const medium = makeMedium();
  return { store: openStore(medium), second: openStore(medium) };
});

describe("the files", () => {
  test("the version is the SHA-256 of the lock's text", async () => {
    const medium = makeMedium();
    writeFileSync(medium.lockFile, "one\n");
    const digest = createHash("sha256").update("one\n").digest("hex");
    expect((await openStore(medium).read()).version).toBe(digest);
  });

  test("reading writes nothing", async () => {
    const medium = makeMedium();
    await openStore(medium).read();
    expect(readdirSync(medium.folder)).toEqual([]);
  });

  test("the holder's folder is ignored by git", async () => {
    const medium = makeMedium();
    await openStore(medium).acquire();
    needProgram("git");
    execFileSync("git", ["init", "-q", medium.folder]);
    const status = execFileSync("git", ["-C", medium.folder, "status", "--porcelain"], { encoding: "utf8" });
    expect(status).toBe("");
  });

  test("a .gitignore that is there stays as it is", async () => {
    const medium = makeMedium();
    mkdirSync(join(medium.folder, ".agentform"));
    writeFileSync(join(medium.folder, ".agentform", ".gitignore"), "mine\n");
    await openStore(medium).acquire();
    expect(readFileSync(join(medium.folder, ".agentform", ".gitignore"), "utf8")).toBe("mine\n");
  });

  test("after an apply nothing but the lock is left", async () => {
    const medium = makeMedium();
    const store = openStore(medium);
    await store.acquire();
    store.append("begin\n");
    await store.flush();
    await store.replace("one\n", null);
    await store.release();
    expect(readdirSync(medium.folder).toSorted()).toEqual([".agentform", "agentform.lock"]);
    expect(readdirSync(join(medium.folder, ".agentform"))).toEqual([".gitignore"]);
  });

  test("a replace keeps the lock's mode", async () => {
    const medium = makeMedium();
    writeFileSync(medium.lockFile, "one\n");
    chmodSync(medium.lockFile, 0o604);
    const store = openStore(medium);
    const { version } = await store.read();
    await store.acquire();
    await store.replace("two\n", version);
    expect(statSync(medium.lockFile).mode & 0o7777).toBe(0o604);
  });

  test("a replace removes the drafts of those who died, and no other file", async () => {
    const medium = makeMedium();
    const others = ["agentform.lock.old.tmp", "agentform.production.lock.0123456789abcdef.tmp"];
    for (const name of [...others, "agentform.lock.0123456789abcdef.tmp"]) {
      writeFileSync(join(medium.folder, name), "");
    }
    const store = openStore(medium);
    await store.acquire();
    await store.replace("one\n", null);
    expect(readdirSync(medium.folder).toSorted()).toEqual([".agentform", "agentform.lock", ...others]);
  });

  test("a store that was unlocked meanwhile is not replaced", async () => {
    const medium = makeMedium();
    const store = openStore(medium);
    const second = openStore(medium);
    await store.acquire();
    const { holder } = await second.read();
    expect(await second.unlock(holder?.nonce ?? "")).toBe(true);
    await second.acquire();
    second.append("theirs\n");
    await second.flush();
    await expect(store.replace("one\n", null)).rejects.toThrow(StoreChangedError);
    await store.release();
    expect(await store.read()).toMatchObject({
      lock: null,
      journal: "theirs\n",
      holder: { pid: process.pid },
    });
  });

  test("the journal of who unlocked it while the lock was written stays", async () => {
    const medium = makeMedium();
    const store = openStore(medium);
    await store.acquire();
    vi.spyOn(LockFile.prototype, "write").mockImplementationOnce(function (this: LockFile, text) {
      const version = this.write(text);
      rmSync(medium.holderFile);
      writeFileSync(medium.journalFile, "theirs\n");
      return version;
    });
    await expect(store.replace("one\n", null)).rejects.toThrow(StoreChangedError);
    expect(readFileSync(medium.journalFile, "utf8")).toBe("theirs\n");
  });

  test("what is read is of one moment, although the lock is replaced meanwhile", async () => {
    const medium = makeMedium();
    writeFileSync(medium.lockFile, "one\n");
    writeFileSync(medium.journalFile, "begin\n");
    vi.spyOn(JournalFile.prototype, "read").mockImplementationOnce(function (this: JournalFile) {
      const text = this.read();
      writeFileSync(medium.lockFile, "two, with what the journal had\n");
      rmSync(medium.journalFile);
      return text;
    });
    expect(await openStore(medium).read()).toMatchObject({
      lock: "two, with what the journal had\n",
      journal: null,
    });
  });

  test("a store that was unlocked meanwhile takes no more lines as durable", async () => {
    const medium = makeMedium();
    const stopped = openStore(medium);
    await stopped.acquire();
    stopped.append("one\n");
    await stopped.flush();
    const { holder } = await openStore(medium).read();
    await openStore(medium).unlock(holder?.nonce ?? "");
    stopped.append("two\n");
    await expect(stopped.flush()).rejects.toThrow(StoreChangedError);
  });

  test("a journal that never got its first line whole is begun again", async () => {
    const medium = makeMedium();
    writeFileSync(medium.journalFile, "0123456789ab");
    const store = openStore(medium);
    await store.acquire();
    store.append("begin\n");
    await store.flush();
    expect((await store.read()).journal).toBe("begin\n");
  });
});

describe("failures", () => {
  test("a folder in the lock's place is told without its path", async () => {
    const medium = makeMedium();
    mkdirSync(medium.lockFile);
    const thrown = await openStore(medium)
      .read()
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(StoreFailedError);
    expect(thrown).toMatchObject({
      message: "there is a folder in the place of the file (EISDIR) at agentform.lock",
    });
    expect(thrown).not.toHaveProperty("cause");
  });

  test("a device or a pipe in the place of lock or journal is refused", async () => {
    const medium = makeMedium();
    symlinkSync("/dev/zero", medium.lockFile);
    await expect(openStore(medium).read()).rejects.toThrow("agentform.lock is not a file");
    makePipe(medium.journalFile);
    await expect(openStore(medium).read()).rejects.toThrow("agentform.lock.journal is not a file");
  });

  test("a file in the place of the holder's folder is told without its path", async () => {
    const medium = makeMedium();
    writeFileSync(join(medium.folder, ".agentform"), "");
    await expect(openStore(medium).acquire()).rejects.toThrow(
      /^[a-z -]+ \([A-Z]+\) at \.agentform\/default\.holder$/,
    );
  });

  test("a link to nowhere in the holder's place is a failure, not an endless search", async () => {
    const medium = makeMedium();
    mkdirSync(join(medium.folder, ".agentform"));
    symlinkSync("nowhere", medium.holderFile);
    await expect(openStore(medium).acquire()).rejects.toThrow(".agentform/default.holder is not a file");
  });
});
