import { createHash } from "node:crypto";
import { linkSync, lstatSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreFailedError, StoreHeldError, type Holder } from "../../core/state/lock-store.js";
import { createDurably, readText } from "../local/durable-file.js";
import { codeOf, naming } from "../local/failure.js";
import { makeLocalFolder } from "../local/local-folder.js";
import {
  describeThisProcess,
  isCertainlyDead,
  parseRecord,
  type ProcessRecord,
} from "../local/process-record.js";

/** Who stands in the way: the holder itself, or another process that is about to remove one and will be gone in a moment. */
interface Obstacle {
  readonly holder: Holder;
  readonly passing: boolean;
}

/** How long a process that is removing a holder is waited for, in milliseconds. */
const patience = 5000;

/**
 * The file that says who holds the store; it exists exactly while somebody does.
 *
 * Why there are never two in. A record is created whole: written to a name of its own, synced, then linked to
 * its place, which fails where another is. The danger is removal: that what is removed is no longer what was
 * looked at. So nobody, not even the holder itself, removes a holder's record of nonce N without owning the
 * guard `FILE.N`, and whoever owns the guard looks again before it removes.
 *
 * 1. A guard is a record like the holder's, created in the same way, with a nonce of its own. While its owner
 *    lives, only that removes it; when it is certainly dead, whoever owns the guard of the guard does, in the
 *    same way. So a process that dies at any point leaves at most a dead record, which is cleared like any other.
 * 2. While a living process owns the guard of N, only it can remove N: others need that guard, or would have to
 *    be the dead owner of N. So between its second look and its removal nothing changes.
 * 3. Nonces are never used twice. Whoever comes by a guard late, after N is gone, finds another nonce at the
 *    second look, or none, and removes nothing.
 *
 * 2 leans on itself for the guard's own record, but always for a record that was created later, so the first
 * wrong removal would need an earlier one. Looking and removing are synchronous calls of the main thread.
 */
export class HolderFile {
  readonly #name: string;
  #nonce: string | undefined;

  constructor(private readonly file: string) {
    this.#name = `${basename(dirname(file))}/${basename(file)}`;
  }

  /** Reads who holds the store; null where nobody does. */
  read(): Holder | null {
    return naming(this.#name, () => readHolder(this.file, this.#name));
  }

  /** Whether this has taken the store and another has removed it since. */
  get isLost(): boolean {
    return this.#nonce !== undefined && this.read()?.nonce !== this.#nonce;
  }

  /** Takes the store, from a dead holder too; throws StoreHeldError where another may be alive. */
  async acquire(): Promise<void> {
    const record = describeThisProcess();
    naming(this.#name, () => makeLocalFolder(dirname(this.file)));
    await this.#insist(() => this.#claim(this.file, record));
    this.#nonce = record.nonce;
  }

  /** Gives the store back; nothing happens where it is not held, or no longer. */
  async release(): Promise<void> {
    const nonce = this.#nonce;
    if (nonce === undefined) return;
    await this.remove(nonce);
    this.#nonce = undefined;
  }

  /** Removes the holder of that nonce, alive or not; gives whether there was one. */
  async remove(nonce: string): Promise<boolean> {
    if (this.read()?.nonce !== nonce) return false;
    await this.#insist(() => this.#clear(this.file, nonce));
    return true;
  }

  async #insist(attempt: () => Obstacle | null): Promise<void> {
    const end = Date.now() + patience;
    for (;;) {
      const obstacle = naming(this.#name, attempt);
      if (obstacle === null) return;
      if (!obstacle.passing || Date.now() > end) throw new StoreHeldError(obstacle.holder);
      await sleep(2 + Math.random() * 8);
    }
  }

  /** Puts a record in its place, for the holder or a guard; gives null when it is there. */
  #claim(place: string, record: ProcessRecord): Obstacle | null {
    const draft = `${this.file}.${record.nonce}.tmp`;
    createDurably(draft, `${JSON.stringify(record)}\n`);
    try {
      for (let attempt = 0; attempt < 100; attempt++) {
        if (linkIfFree(draft, place)) return null;
        const present = readHolder(place, this.#name);
        if (present === null) continue;
        // Over a network, a link that was made may be reported as refused.
        if (present.nonce === record.nonce) return null;
        if (present.life === "alive") return { holder: present, passing: place !== this.file };
        const obstacle = this.#clear(place, present.nonce);
        if (obstacle !== null) return obstacle;
      }
    } finally {
      rmSync(draft, { force: true });
    }
    throw new StoreFailedError(`something that cannot be read stands at ${this.#name}`);
  }

  /** Removes a record if it still has the nonce; gives null when it is gone. */
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

/**
 * Reads a record. One that cannot be parsed was not written by this code, so nothing is known of who did:
 * it counts as alive whatever its age, and gets a nonce made of its content, by which a person can remove it.
 */
function readHolder(place: string, name: string): Holder | null {
  const text = readText(place, name);
  if (text === null) return null;
  const record = parseRecord(text);
  if (record !== undefined) {
    const { nonce, pid, host, since } = record;
    return { nonce, pid, host, since, life: isCertainlyDead(record) ? "dead" : "alive" };
  }
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const since = lstatSync(place, { throwIfNoEntry: false })?.mtime ?? new Date();
  const nonce = `unreadable-${digest}`;
  return { nonce, pid: 0, host: "unknown", since: since.toISOString(), life: "alive" };
}
