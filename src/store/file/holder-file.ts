import { bare, say } from "../../core/finding/said.js";
import { existsSync, linkSync, lstatSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreFailedError, StoreHeldError, type Holder } from "../../core/state/lock-store.js";
import { createDurably } from "../../disk/durable-file.js";
import { readText } from "../local/read-text.js";
import { codeOf, naming } from "../local/failure.js";
import { makeLocalFolder } from "../local/local-folder.js";
import { Elapsed } from "../medium/elapsed.js";
import {
  describeThisProcess,
  holderOf,
  parseRecord,
  unreadableHolder,
  type ProcessRecord,
} from "../local/process-record.js";

/** Who blocks: the holder itself, or a process that is about to remove a holder and will be gone in a moment. */
interface Obstacle {
  readonly holder: Holder;
  readonly passing: boolean;
}

/** How long to wait for a process that is removing a holder, in milliseconds. */
const patience = 5000;

/**
 * The file that says who holds the store; it exists only while the store is held.
 *
 * Why two processes never hold it at once. A record is created as a whole: it is written under a name of its own,
 * synced, then linked to its place, which fails if a record is already there. The danger is in removal: a process
 * may remove a record that is no longer the one it checked. So every process, even the holder itself, must own
 * the guard `FILE.N` to remove the holder's record of nonce N, and checks again before it removes.
 *
 * 1. A guard is a record like the holder's, created in the same way, with a nonce of its own. While its owner
 *    lives, only the owner removes it; when the owner is certainly dead, the owner of the guard's own guard does,
 *    in the same way. So a process that dies at any point leaves at most a dead record, which is cleared likewise.
 * 2. While a living process owns the guard of N, only that process can remove N: others need that guard, or would
 *    have to be the dead owner of N. So nothing changes between its second check and its removal.
 * 3. Nonces are never used twice. A process that gets a guard late, after N is gone, finds a different nonce at
 *    the second check, or none, and removes nothing.
 *
 * Point 2 relies on itself for the guard's own record, but always for a record that was created later, so the first
 * wrong removal would need an earlier one. Check and removal are synchronous calls of the main thread.
 */
export class HolderFile {
  readonly #name: string;
  #nonce: string | undefined;

  constructor(private readonly file: string) {
    this.#name = `${basename(dirname(file))}/${basename(file)}`;
  }

  /** Reads who holds the store; null if it is not held. */
  read(): Holder | null {
    return naming(this.#name, () => readHolder(this.file, this.#name));
  }

  /** Whether this process took the store and lost it: its record has been removed since. */
  get isLost(): boolean {
    if (this.#nonce === undefined) return false;
    const text = naming(this.#name, () => readText(this.file, this.#name, mostBytes));
    return text === null || parseRecord(text)?.nonce !== this.#nonce;
  }

  /** Takes the store, also from a dead holder; throws StoreHeldError if the holder may be alive. */
  async acquire(record = describeThisProcess()): Promise<void> {
    naming(this.#name, () => makeLocalFolder(dirname(this.file)));
    await this.#insist(() => this.#claim(this.file, record));
    this.#nonce = record.nonce;
  }

  /** Releases the store; does nothing if this process does not hold it. */
  async release(): Promise<void> {
    const nonce = this.#nonce;
    if (nonce === undefined) return;
    await this.remove(nonce);
    this.#nonce = undefined;
  }

  /** Removes the holder, or the guard, with this nonce, alive or not; gives whether there was one. */
  async remove(nonce: string): Promise<boolean> {
    const place = [this.file, ...this.#guards()].find(
      (each) => naming(this.#name, () => readHolder(each, this.#name))?.nonce === nonce,
    );
    if (place === undefined) return false;
    await this.#insist(() => this.#clear(place, nonce));
    return true;
  }

  // One whose owner ended with an earlier start of the system is not known to be dead.
  #guards(): string[] {
    const folder = dirname(this.file);
    return existsSync(folder)
      ? naming(this.#name, () => readdirSync(folder))
          .filter((name) => name.startsWith(`${basename(this.file)}.`) && !name.endsWith(".tmp"))
          .map((name) => join(folder, name))
      : [];
  }

  async #insist(attempt: () => Obstacle | null): Promise<void> {
    const waited = new Elapsed();
    for (;;) {
      const obstacle = naming(this.#name, attempt);
      if (obstacle === null) return;
      if (!obstacle.passing || waited.milliseconds > patience) throw new StoreHeldError(obstacle.holder);
      await sleep(2 + Math.random() * 8);
    }
  }

  /** Creates a record, for the holder or a guard; gives null once it is there. */
  #claim(place: string, record: ProcessRecord): Obstacle | null {
    const draft = `${this.file}.${record.nonce}.tmp`;
    try {
      createDurably(draft, `${JSON.stringify(record)}\n`);
      for (let attempt = 0; attempt < 100; attempt++) {
        if (linkIfFree(draft, place)) return null;
        const present = readHolder(place, this.#name);
        if (present === null) continue;
        // Over a network, a link may be reported as refused although it was made.
        if (present.nonce === record.nonce) return null;
        if (present.life === "alive") return { holder: present, passing: place !== this.file };
        const obstacle = this.#clear(place, present.nonce);
        if (obstacle !== null) return obstacle;
      }
    } finally {
      rmSync(draft, { force: true });
    }
    throw new StoreFailedError(
      say`cannot read what is at ${bare({ lock: this.#name })}`,
      "look at that file: it is not one of agentform, or others replace it all the time; remove it if no apply is running",
    );
  }

  /** Removes a record if it still has this nonce; gives null once it is gone. */
  #clear(place: string, nonce: string): Obstacle | null {
    const guard = `${this.file}.${nonce}`;
    const obstacle = this.#claim(guard, describeThisProcess());
    if (obstacle !== null) return obstacle;
    try {
      if (readHolder(place, this.#name)?.nonce === nonce) unlinkSync(place);
    } finally {
      rmSync(guard, { force: true });
    }
    return null;
  }
}

function linkIfFree(draft: string, place: string): boolean {
  try {
    linkSync(draft, place);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

// A record has a few hundred bytes, but another user may have written the file.
const mostBytes = 1_000_000;

function readHolder(place: string, name: string): Holder | null {
  const text = readText(place, name, mostBytes);
  if (text === null || parseRecord(text) !== undefined) return holderOf(text);
  const since = lstatSync(place, { throwIfNoEntry: false })?.mtime ?? new Date();
  return { ...unreadableHolder(text), since: since.toISOString() };
}
