import { leftJournal, type StoreChangedError, type StoreFailedError } from "../../core/state/lock-store.js";

/**
 * Adds records after `from`, gives how many there are, less if the database was set back; throws
 * StoreChangedError if the state is not held any more, and StoreFailedError if they did not arrive.
 */
type AddRecords = (from: number, records: readonly string[], patience: number) => Promise<number>;

/** The journal as rows; records that wait for the one commit under way share the next. */
export class RowJournal {
  #records: string[] = [];
  #committed = 0;
  #writing: Promise<void> | undefined;
  #failure: StoreFailedError | StoreChangedError | undefined;

  constructor(
    private readonly add: AddRecords,
    private readonly name: string,
    /** Whether there is one that was not accounted for, which is not continued. */
    private isLeftBehind: boolean,
    /** How long a commit is retried, in milliseconds. */
    private readonly patience: number,
  ) {}

  append(line: string): void {
    this.#records.push(line.endsWith("\n") ? line : `${line}\n`);
  }

  /** How many records are committed, as far as is known. */
  get committed(): number {
    return this.#committed;
  }

  /** Resolves when all earlier records are committed by the holder. */
  async flush(): Promise<void> {
    await this.#commit(this.#records.length);
  }

  /** Commits again what the database has lost of the records: it has only so many. */
  async restore(found: number): Promise<void> {
    const target = this.#committed;
    this.#committed = found;
    await this.#commit(target);
  }

  async #commit(target: number): Promise<void> {
    while (this.#committed < target) {
      if (this.#failure) throw this.#failure;
      await (this.#writing ??= this.#writeOnce(this.patience));
    }
  }

  /** Waits for what is under way, and tries once more to commit what is not; gives whether everything is. */
  async settle(): Promise<boolean> {
    await this.#writing;
    if (this.#committed === this.#records.length || this.isLeftBehind) return true;
    this.#failure = undefined;
    for (let before = -1; before < this.#committed && this.#committed < this.#records.length;) {
      before = this.#committed;
      await this.#writeOnce(0);
    }
    return this.#committed === this.#records.length;
  }

  /** Starts afresh after the lock was replaced. */
  restart(): void {
    [this.#records, this.#committed, this.isLeftBehind] = [[], 0, false];
  }

  async #writeOnce(patience: number): Promise<void> {
    // Waits one turn, so that this commit covers everything that is appended now.
    await Promise.resolve();
    const [from, upTo] = [this.#committed, this.#records.length];
    try {
      if (this.isLeftBehind) {
        throw leftJournal(this.name);
      }
      this.#committed = await this.add(from, this.#records.slice(from, upTo), patience);
    } catch (thrown) {
      this.#failure = thrown as StoreFailedError;
    } finally {
      this.#writing = undefined;
    }
  }
}
