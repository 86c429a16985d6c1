import type { LockStore } from "../../src/core/state/lock-store.js";
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where an apply dies: at its nth append, flush or replace, counted from 1. */
export interface Doom {
  readonly at: number;
  /** `between`: a lock is replaced and its journal not yet removed; like `after` for all else. */
  readonly when: "before" | "between" | "after";
  /** Whether the machine dies too, and with it all that was not flushed. */
  readonly losesUnflushed: boolean;
}

/** Thrown in the place of everything that a dead process would do. */
class DiedError extends Error {
  override readonly name = "DiedError";
}

interface Fate {
  readonly doom: Doom;
  steps: number;
  isDead: boolean;
}

const fates = new AsyncLocalStorage<Fate>();

/** Runs something that dies where its doom says; gives whether it did, and its result if not. */
export async function dooming<Result>(
  doom: Doom | undefined,
  run: () => Promise<Result>,
): Promise<Result | "died"> {
  if (!doom) return await run();
  const fate = { doom, steps: 0, isDead: false };
  try {
    const result = await fates.run(fate, run);
    // A command line reports whatever was thrown.
    return fate.isDead ? "died" : result;
  } catch (cause) {
    if (cause instanceof DiedError) return "died";
    throw cause;
  }
}

/** Gives a store to whoever opens it; inside of `dooming` it dies with its process. */
export function doomed(store: LockStore, directory: string, environment: string | null): LockStore {
  const fate = fates.getStore();
  return fate ? new DoomedStore(store, directory, environment, fate) : store;
}

class DoomedStore implements LockStore {
  readonly needsClaim: boolean;
  readonly lockName: string;
  readonly journalName: string;
  readonly #journalFile: string;
  readonly #holderFile: string;
  #appended = 0;
  #flushed = 0;

  constructor(
    private readonly store: LockStore,
    directory: string,
    environment: string | null,
    private readonly fate: Fate,
  ) {
    ({ needsClaim: this.needsClaim, lockName: this.lockName, journalName: this.journalName } = store);
    this.#journalFile = join(directory, this.journalName);
    this.#holderFile = join(directory, `.agentform/${environment ?? "default"}.holder`);
  }

  async read() {
    this.#live();
    return await this.store.read();
  }

  async acquire() {
    this.#live();
    await this.store.acquire();
  }

  async confirm(hasWaited: boolean) {
    this.#live();
    await this.store.confirm(hasWaited);
  }

  append(line: string): void {
    this.#live();
    const dies = this.#step();
    if (dies === "before") this.#die();
    this.store.append(line);
    this.#appended += Buffer.byteLength(line);
    if (dies) this.#die();
  }

  async flush() {
    this.#live();
    const dies = this.#step();
    if (dies === "before") this.#die();
    const covered = this.#appended;
    await this.store.flush();
    this.#live();
    this.#flushed = Math.max(this.#flushed, covered);
    if (dies) this.#die();
  }

  async replace(lock: string, version: string | null) {
    this.#live();
    const dies = this.#step();
    if (dies === "before") this.#die();
    const journal = existsSync(this.#journalFile) ? readFileSync(this.#journalFile) : undefined;
    const next = await this.store.replace(lock, version);
    if (dies === "between" && journal) writeFileSync(this.#journalFile, journal);
    // What the lock has, a lost journal cannot take back.
    [this.#appended, this.#flushed] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    if (dies) this.#die();
    [this.#appended, this.#flushed] = [0, 0];
    return next;
  }

  async release() {
    if (!this.fate.isDead) return await this.store.release();
    if (!existsSync(this.#holderFile)) return;
    // The files of a dead process are closed, and its record stays.
    const record = readFileSync(this.#holderFile);
    await this.store.release();
    writeFileSync(this.#holderFile, record);
    this.#lose();
  }

  async unlock(nonce: string) {
    return await this.store.unlock(nonce);
  }

  #step(): Doom["when"] | undefined {
    const { doom } = this.fate;
    return ++this.fate.steps === doom.at ? doom.when : undefined;
  }

  #live(): void {
    if (this.fate.isDead) throw new DiedError();
  }

  #die(): never {
    this.fate.isDead = true;
    throw new DiedError();
  }

  // Only once the store has closed its file: what this process, which lives on, writes after a loss would be lines
  // without those before them, which no dead machine leaves.
  #lose(): void {
    const isLost = this.fate.doom.losesUnflushed && !this.needsClaim && this.#flushed < this.#appended;
    if (!isLost || !existsSync(this.#journalFile)) return;
    if (this.#flushed === 0) rmSync(this.#journalFile);
    else truncateSync(this.#journalFile, this.#flushed);
  }
}
