import { hasBegun, parseJournal } from "../../core/state/journal.js";
import { parseLock, type LockOwner } from "../../core/state/lock.js";
import type {
  LockHistory,
  LockMemory,
  LockStore,
  OtherState,
  SealVerdict,
  StateTexts,
  StoredState,
} from "../../core/state/lock-store.js";
import { ownerInText } from "../../core/state/renamed-state.js";
import { beginsAfter } from "../../core/state/replay.js";
import { JournalSealer, openState, sealLock, type OpenedState, type SealKey } from "../../core/state/seal.js";
import { sealRefusal } from "../../core/state/stored-state.js";
import type { FoundSealKey } from "./seal-key.js";

/** `needed` by what changes or sends; `if-possible` by what only shows, perhaps without a key; `told` by what mends. */
export type SealCheck = "needed" | "if-possible" | "told";

/** What a store is sealed with. */
export interface SealUse {
  readonly found: FoundSealKey;
  readonly check: SealCheck;
  /** Whose state it is from the next write on, where it is renamed in its place. */
  readonly renamedTo?: LockOwner;
}

/** Seals what is written to a store of any medium and verifies what is read; those above it see no seal. */
export class SealedStore implements LockStore {
  readonly needsClaim: boolean;
  readonly lockName: string;
  readonly journalName: string;
  readonly memory?: LockMemory;
  readonly history?: LockHistory;
  readonly refresh?: () => Promise<void>;
  readonly environments?: () => Promise<readonly (string | null)[]>;
  #journal: JournalSealer | undefined;

  constructor(
    private readonly inner: LockStore,
    private readonly owner: LockOwner,
    private readonly use: SealUse,
  ) {
    const { needsClaim, lockName, journalName, memory, history, environments } = inner;
    [this.needsClaim, this.lockName, this.journalName] = [needsClaim, lockName, journalName];
    if (inner.refresh) this.refresh = async () => await inner.refresh?.();
    if (environments) this.environments = environments;
    if (memory) this.memory = this.#openMemory(memory);
    if (history) this.history = this.#openHistory(history);
  }

  async read(): Promise<StoredState> {
    if (this.use.check === "needed") this.#key();
    const stored = this.opens(await this.#withJournal(await this.inner.read()));
    if (this.#isRefused(stored.seal)) throw sealRefusal(stored.seal, this.lockName, this.owner);
    return stored;
  }

  opens<Texts extends StateTexts>(state: Texts, owner: LockOwner = this.owner): Texts & OpenedState {
    return { ...state, ...openState(state, owner, this.use.found.key) };
  }

  async lastSealed(): Promise<OtherState | undefined> {
    this.#key();
    const { memory, history } = this.inner;
    const opened = (lock: string | null, where: string) => this.opens({ lock, journal: null, where });
    const written = memory && opened(memory.written().lock, "the last write of this machine");
    if (written?.seal === "right") return written;
    const found = await history?.find((text) => opened(text, "").seal === "right");
    return found && opened(found.text, `serial ${found.serial}`);
  }

  async acquire(): Promise<void> {
    this.#journal = new JournalSealer(this.owner, this.#key());
    await this.inner.acquire();
  }

  async confirm(hasWaited: boolean): Promise<void> {
    await this.inner.confirm(hasWaited);
  }

  append(line: string): void {
    if (this.#journal) this.inner.append(this.#journal.seal(line));
  }

  async flush(): Promise<void> {
    await this.inner.flush();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    const written = await this.inner.replace(sealLock(lock, this.#ownerOf(lock), this.#key()), version);
    this.#journal?.restart();
    return written;
  }

  async release(): Promise<void> {
    await this.inner.release();
  }

  async unlock(nonce: string): Promise<boolean> {
    return await this.inner.unlock(nonce);
  }

  // Who may write the medium can take a journal away, or its last lines, and each line that is left has its seal.
  async #withJournal(stored: StoredState): Promise<StoredState> {
    const { isJournalWhole: _own, ...present } = stored;
    const { lock, seal } = this.opens({ lock: stored.lock, journal: null });
    const { key } = this.use.found;
    if (!key || (seal !== "right" && lock !== null)) return stored;
    // As it was written: somebody may have put its seal elsewhere in it.
    const written = lock === null ? null : sealLock(lock, this.owner, key);
    const length = lengthOfRight(this.opens({ lock: null, journal: stored.journal }));
    const journal = await this.inner.history?.findJournal?.(written, (text) => {
      const opened = this.opens({ lock: null, journal: text });
      return lengthOfRight(opened) > length && isUnended(opened.journal ?? "", lock);
    });
    return journal === undefined ? stored : { ...present, journal };
  }

  // A state that is renamed in its place is another's from one write on.
  #ownerOf(lock: string): LockOwner {
    const { renamedTo } = this.use;
    return renamedTo && parseLock(lock, this.lockName, renamedTo).ok ? renamedTo : this.owner;
  }

  #key(): SealKey {
    const { found } = this.use;
    if (!found.key) throw found.why;
    return found.key;
  }

  // One from before the workspace was renamed has the seal of that name.
  #opensNamed<Texts extends Pick<OtherState, "lock" | "journal">>(state: Texts): Texts & OpenedState {
    const { workspace = this.owner.workspace } = ownerInText(state.lock) ?? {};
    return this.opens(state, { ...this.owner, workspace });
  }

  #opensText(sealed: string): { readonly text: string; readonly seal: SealVerdict } {
    const { lock, seal } = this.#opensNamed({ lock: sealed, journal: null });
    return { text: lock ?? sealed, seal };
  }

  #isRefused(seal: SealVerdict): seal is "wrong" | "missing" {
    const { check } = this.use;
    return check !== "told" && (seal === "wrong" || (seal === "missing" && check === "needed"));
  }

  #openMemory(memory: LockMemory): LockMemory {
    const openAll = (states: readonly OtherState[]) => states.map((state) => this.#opensNamed(state));
    return {
      written: () => {
        const { lock, version } = memory.written();
        return { lock: this.opens({ lock, journal: null }).lock, version };
      },
      keep: (lock) => memory.keep(lock),
      // What this machine wrote is opened like the rest, so it is passed with its seal.
      others: async (known, present) => {
        const found = await memory.others(known, present, memory.written());
        return { ...found, states: openAll(found.states) };
      },
      branches: async (which) => openAll(await memory.branches(which)),
    };
  }

  #openHistory(history: LockHistory): LockHistory {
    return {
      versions: () => history.versions(),
      find: async (accepts) => {
        const found = await history.find((text) => {
          const opened = this.#opensText(text);
          return accepts(opened.text, opened.seal);
        });
        return found && { ...found, ...this.#opensText(found.text) };
      },
      at: async (serial) => {
        const found = await history.at(serial);
        return found && this.#opensText(found.text);
      },
    };
  }
}

/** How much of a journal has a right seal, in characters. */
function lengthOfRight({ journal, sealedPart, isJournalRight }: OpenedState): number {
  if (sealedPart !== undefined) return sealedPart.trimEnd().length;
  return isJournalRight === true ? (journal ?? "").length : 0;
}

/** Whether a journal is of an apply that has begun after a lock, and of which nothing is in it; claims alone are dropped. */
function isUnended(text: string, lock: string | null): boolean {
  const journal = parseJournal(text, "");
  return journal.ok && journal.header !== undefined && beginsAfter(journal.header, lock) && hasBegun(text);
}
