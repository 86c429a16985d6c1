import type { Deletion } from "../plan/deletions.js";
import { Agenda } from "./agenda.js";
import { cause, type Cause } from "../plan/cause.js";
import { unsaved } from "./brake.js";

/** How a deletion ended. */
export interface Deleted {
  readonly isGone: boolean;
  /** Resolves when that is part of the state; rejects if it could not be saved. */
  readonly recorded: Promise<void>;
}

/** What deletions are run with. */
export interface DeletionRun {
  /** How many run at once. */
  readonly concurrency: number;
  /** Why nothing further may start, if so. */
  readonly halted: () => Cause | undefined;
  /** Deletes one, and tells how that ended; rejects if the state could not be saved before that. */
  readonly run: (deletion: Deletion) => Promise<Deleted>;
  /** Called for what was not started. */
  readonly skip: (deletion: Deletion, because: Cause) => void;
}

/** Runs deletions, each after those that it waits for; if one fails, those that wait for it are not started. */
export async function runDeletions(deletions: readonly Deletion[], run: DeletionRun): Promise<void> {
  await new Deleter(deletions, run).all();
}

class Deleter {
  readonly #agenda: Agenda<Deletion>;
  #underWay = 0;
  #fault: { readonly cause: unknown } | undefined;
  #finish: () => void = () => undefined;

  constructor(
    deletions: readonly Deletion[],
    private readonly input: DeletionRun,
  ) {
    this.#agenda = new Agenda(deletions);
  }

  async all(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#startReady();
    });
    // Unless it was stopped, all have ended, or were abandoned.
    const why = this.#whyStopped();
    if (why !== undefined) for (const rest of this.#agenda.rest) this.input.skip(rest, why);
    if (this.#fault) throw this.#fault.cause;
  }

  #whyStopped(): Cause | undefined {
    return this.#fault ? unsaved : this.input.halted();
  }

  #startReady(): void {
    while (this.#underWay < this.input.concurrency && this.#whyStopped() === undefined) {
      const next = this.#agenda.take();
      if (!next) break;
      this.#underWay++;
      void this.#run(next);
    }
    if (this.#underWay === 0) this.#finish();
  }

  async #run(deletion: Deletion): Promise<void> {
    const { address } = deletion;
    let deleted: Deleted | undefined;
    try {
      deleted = await this.input.run(deletion);
      await deleted.recorded;
      if (deleted.isGone) this.#agenda.finish(address);
      else this.#abandon(address);
    } catch (fault) {
      this.#fault ??= { cause: fault };
      if (!deleted) this.input.skip(deletion, unsaved);
    }
    this.#underWay--;
    this.#startReady();
  }

  #abandon(address: string): void {
    const because = cause("user-not-deleted", { address });
    for (const other of this.#agenda.abandon(address)) this.input.skip(other, because);
  }
}
