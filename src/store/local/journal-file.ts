import { bare, say } from "../../core/finding/said.js";
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import {
  JournalFailedError,
  JournalLostError,
  leftJournal,
  StoreChangedError,
  StoreFailedError,
} from "../../core/state/lock-store.js";
import { syncFolder, writeAll } from "../../disk/durable-file.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { makeLocalFolder } from "./local-folder.js";
import { readText } from "./read-text.js";
import { failureOf, naming } from "./failure.js";

// Like the flag `a`, but without following links; Windows has no such flag, and few links.
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
const toAppend = O_WRONLY | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0);

// Characters.
const largePortion = 1_000_000;

/** Makes the data of an open file durable. */
export type Sync = (fd: number) => Promise<void>;

/** How a journal is written. */
export interface JournalCare {
  /** Throws StoreChangedError if this process may write it no more; called before each write, and after each sync. */
  readonly check?: () => void;
  /** How it is made durable; fdatasync unless given. */
  readonly sync?: Sync;
  /** Absolute; a second name of the file, where what cleans the work tree does not find it. */
  readonly secondName?: string;
}

const fdatasyncOf = promisify(fdatasync);

/** The journal as a file that only grows until it is removed. */
export class JournalFile {
  #fd: number | undefined;
  /** After a failed write or sync the content on the disk is unknown, so nothing is retried. */
  #failure: StoreFailedError | StoreChangedError | undefined;
  /** Whether a line would not follow the last one: part of a line was written, or the file is another's. */
  #isBroken = false;
  /** The lines that are not written yet. */
  #waiting = "";
  /** The bytes that are written. */
  #size = 0;
  #appended = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;
  #isNameDurable = false;

  constructor(
    private readonly file: string,
    private readonly name: string,
    private readonly care: JournalCare = {},
  ) {}

  /** Reads the journal's text, as far as it is written now; null if there is none. */
  read(): string | null {
    return readText(this.file, this.name);
  }

  /** When it was last written; undefined if there is none. */
  changedAt(): Date | undefined {
    return naming(this.name, () => lstatSync(this.file, { throwIfNoEntry: false })?.mtime);
  }

  /** Adds a line, which is written before this turn of the event loop ends; after a failure, every flush throws it. */
  append(line: string): void {
    // All lines of a turn are one write: answers come together, and each lets another action begin.
    if (this.#waiting === "") process.nextTick(() => this.#write());
    this.#waiting += line.endsWith("\n") ? line : `${line}\n`;
    this.#appended++;
    // A text has a longest length, and a large body needs no others to be worth a write. After a failure nobody waits.
    if (this.#waiting.length > largePortion || this.#failure !== undefined) this.#write();
  }

  /** Resolves when all lines so far are durable; throws StoreFailedError. */
  async flush(): Promise<void> {
    const target = this.#appended;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#synced >= target) return;
      await (this.#syncing ??= this.#syncOnce());
    }
  }

  /** Closes and removes the journal, durably; a file that another process has put in its place stays. */
  async remove(): Promise<void> {
    const names = naming(this.name, () => this.#ownNames(this.#fd));
    await this.close();
    naming(this.name, () => {
      for (const name of names) rmSync(name, { force: true });
      if (names.includes(this.file)) syncFolder(dirname(this.file));
    });
  }

  // Without the first name, the second says that an apply has died, so the first is the last one.
  #ownNames(fd: number | undefined): string[] {
    const names = [this.care.secondName, this.file].filter((name) => name !== undefined);
    return fd === undefined ? names : names.filter((name) => isOpenAt(fd, name));
  }

  /** Closes the file without removing it. */
  async close(): Promise<void> {
    while (this.#syncing !== undefined) await this.#syncing;
    this.#write();
    const fd = this.#fd;
    this.#fd = undefined;
    this.#size = 0;
    this.#isNameDurable = false;
    this.#synced = this.#appended;
    // Whatever it answers, the number is free, and may be that of another file now.
    if (fd !== undefined) naming(this.name, () => closeSync(fd));
  }

  #write(): void {
    const lines = this.#waiting;
    this.#waiting = "";
    // What is written after a failed sync may not last, but is the best that a later process can have.
    if (lines === "" || this.#isBroken) return;
    try {
      this.care.check?.();
      this.#fd ??= this.#open();
    } catch (thrown) {
      this.#isBroken = true;
      this.#failure ??= thrown instanceof StoreChangedError ? thrown : failureOf(thrown, this.name);
      return;
    }
    try {
      this.#size += writeAll(this.#fd, Buffer.from(lines, "utf8"));
    } catch (thrown) {
      this.#isBroken = true;
      this.#failure ??= this.#failed(thrown);
      this.#takeBack(this.#fd);
    }
  }

  #failed(thrown: unknown): StoreFailedError | StoreChangedError {
    if (thrown instanceof StoreChangedError) return thrown;
    const failure = failureOf(thrown, this.name);
    return failure instanceof JournalFailedError
      ? failure
      : new JournalFailedError(failure.message, failure.hint);
  }

  // Lines of which some were written would say that something had begun.
  #takeBack(fd: number): void {
    try {
      ftruncateSync(fd, this.#size);
    } catch {
      // An incomplete line is ignored by whoever reads it.
    }
  }

  #open(): number {
    const fd = openSync(this.file, toAppend);
    try {
      if (fstatSync(fd).size > 0) this.#discardTorn(fd);
      unlessFailing(() => this.#linkSecondName());
      return fd;
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
  }

  // Not every file system has links. Without one, a journal that is removed is not missed.
  #linkSecondName(): void {
    const { secondName } = this.care;
    if (secondName === undefined) return;
    makeLocalFolder(dirname(secondName));
    rmSync(secondName, { force: true });
    linkSync(this.file, secondName);
  }

  #discardTorn(fd: number): void {
    const text = this.read();
    if (text !== null && text.includes("\n")) {
      // Lines are chained, so lines after those of a different apply would make the whole journal invalid.
      throw leftJournal(this.name);
    }
    // An incomplete line was never durable, so nothing was done because of it.
    ftruncateSync(fd);
  }

  async #syncOnce(): Promise<void> {
    // This sync covers everything that is appended in this turn.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    this.#write();
    const covered = this.#appended;
    try {
      if (this.#fd === undefined || this.#failure !== undefined) return;
      await (this.care.sync ?? fdatasyncOf)(this.#fd);
      this.#checkHold(this.#fd);
      if (!this.#isNameDurable) syncFolder(dirname(this.file));
      this.#isNameDurable = true;
      if (this.#failure === undefined) this.#checkPlace(this.#fd);
      this.#synced = covered;
    } catch (thrown) {
      this.#failure ??= this.#failed(thrown);
    } finally {
      this.#syncing = undefined;
    }
  }

  // A process that was stopped may have made the file, and written its first lines, for a state that is another's.
  #checkHold(fd: number): void {
    try {
      this.care.check?.();
    } catch (thrown) {
      this.#isBroken = true;
      if (!this.#isNameDurable) for (const name of this.#ownNames(fd)) rmSync(name, { force: true });
      throw thrown;
    }
  }

  // Without these lines, the next apply would create everything again.
  #checkPlace(fd: number): void {
    const there = lstatSync(this.file, { throwIfNoEntry: false });
    // A file that took its place does not grow; numbers of inodes are not the same twice on every file system.
    if (there?.size === this.#size && fstatSync(fd).size === this.#size) return;
    this.#isBroken = true;
    const done = there ? "changed" : "removed";
    throw new JournalLostError(
      say`another process ${done} ${bare({ file: this.name })} while it was in use`,
      "find out who did it, and plan again",
    );
  }
}

// Whether a path leads to the file that is open.
function isOpenAt(fd: number, path: string): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const own = fstatSync(fd, { bigint: true });
  return there?.ino === own.ino && there.dev === own.dev;
}
