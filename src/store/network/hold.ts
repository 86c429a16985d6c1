import { unlockCommand } from "../../core/state/state-choice.js";
import { bare, say } from "../../core/finding/said.js";
import { StoreChangedError, StoreFailedError, unlessMediumFails } from "../../core/state/lock-store.js";
import { hasBegun } from "../../core/state/journal.js";
import { serialIn } from "../../core/state/lock-move.js";
import { versionOf } from "../local/lock-file.js";
import type { Tenure } from "../medium/medium-store.js";
import type { StateDocument } from "./document-medium.js";
import { Confidence } from "../medium/confidence.js";
import { Elapsed } from "../medium/elapsed.js";
import type { DocumentHead } from "./head.js";
import { renewed } from "../local/process-record.js";
import type { MachineJournal } from "./machine-journal.js";

/** The parts that a hold works with. */
export interface HoldParts {
  readonly head: DocumentHead;
  readonly journal: MachineJournal;
  readonly nonce: string;
  /** When this process asked for the medium. */
  readonly asked: Elapsed;
  readonly environment: string | null;
  readonly lockName: string;
  readonly journalName: string;
  /** The time between two writes of progress, in milliseconds. */
  readonly pushInterval: number;
  /** How long a write that must arrive is retried, in milliseconds. */
  readonly patience: number;
}

/**
 * The time between acquiring and releasing a medium, in which only this process writes it.
 *
 * A process may be stopped for longer than any time-out, and go on after a person has unlocked its store for somebody
 * else. So the medium is asked before anything is sent, after each wait and each standstill, and else if no write of this
 * process has arrived within the last interval: a write is refused to who does not hold the medium. What is sent in the
 * interval after an unlock was claimed on the medium before the first was sent, so the next holder has it as unknown.
 */
export class Hold implements Tenure {
  readonly nonce: string;
  readonly #known: Confidence;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Whether a write that was waited for failed, so that there is no second wait for the medium. */
  #isCutOff = false;
  #isOver = false;

  constructor(private readonly parts: HoldParts) {
    this.nonce = parts.nonce;
    this.#known = new Confidence(parts.pushInterval, parts.asked);
  }

  async confirm(hasWaited: boolean): Promise<void> {
    const { head, journal } = this.parts;
    if (head.loss) throw head.loss;
    await this.#known.ensure(hasWaited, async () => {
      const patience = this.#isCutOff ? 0 : this.parts.patience;
      // A write that is due anyway is as good as a question.
      const isDue = !hasWaited && journal.isAhead;
      await this.#inTurn(() => (isDue ? this.#pushJournal(patience) : head.confirm(patience)));
    });
  }

  append(line: string): void {
    if (!(this.parts.head.loss instanceof StoreChangedError)) this.parts.journal.append(line);
  }

  /** Resolves when the journal is durable here, and its claims on the medium. */
  async flush(): Promise<void> {
    const { head, journal, patience } = this.parts;
    const needed = await journal.flush();
    if (head.loss) throw head.loss;
    if (!journal.isPushed(needed)) {
      await this.#inTurn(async () => {
        if (!journal.isPushed(needed)) await this.#pushJournal(this.#isCutOff ? 0 : patience);
      });
    }
    this.#schedule();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    const { head, lockName, journal, journalName, patience } = this.parts;
    return await this.#inTurn(async () => {
      if (versionOf(head.contents.lock) !== version) {
        throw new StoreChangedError(say`${bare({ lock: lockName })} was changed elsewhere since it was read`);
      }
      const serial = serialIn(lock) ?? "unknown";
      const next = { ...head.contents, lock, journal: null };
      await unlessMediumFails(this.#write(next, `apply: serial ${serial}`, patience), (failure) => {
        if (head.contents.lock === lock || !journal.isOwn) throw failure;
        throw new StoreFailedError(
          say`${failure.said}, so the new lock is not in ${bare({ lock: lockName })}: ${bare({ file: journalName })} has everything, and the next apply in this folder stores it`,
          failure.hint,
        );
      });
      // A server that says so without having written is found out while this machine has the journal.
      await head.confirm(patience);
      await journal.remove();
      return versionOf(lock);
    });
  }

  /** Releases the medium, with the whole journal. */
  async release(): Promise<void> {
    const { journal } = this.parts;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#known.end();
    try {
      await this.#inTurn(() => this.#giveBack());
    } catch (thrown) {
      // It was released elsewhere; what this machine's journal has on top is kept.
      if (!(thrown instanceof StoreChangedError)) throw thrown;
    } finally {
      await journal.close();
    }
  }

  async #giveBack(): Promise<void> {
    const { head, lockName, journal, journalName, nonce, environment, patience } = this.parts;
    const { isOwn } = journal;
    const isKept = !isOwn || (await journal.isDurable());
    const own = hasBegun(journal.text) ? journal.text : null;
    const left = isOwn ? own : head.contents.journal;
    const given = { ...head.contents, journal: left, holder: null };
    await unlessMediumFails(head.release(given, this.#isCutOff ? 0 : patience), (failure) => {
      const kept = isOwn ? `; ${journalName} has everything that was done` : "";
      const unlock = `\`${unlockCommand(nonce, { environment })}\``;
      const next = isKept
        ? `${kept}: the next apply in this folder takes it over, any other needs ${unlock} first`
        : `: if the next apply says so too, it needs ${unlock} first`;
      throw new StoreFailedError(
        say`${failure.said}, so ${bare({ lock: lockName })} is still held${next}`,
        failure.hint,
      );
    });
    if (isOwn) await journal.remove();
  }

  #schedule(): void {
    const { head, journal, pushInterval } = this.parts;
    if (this.#timer !== undefined || this.#isOver || head.loss || !journal.isAhead) return;
    this.#timer = setTimeout(() => {
      void this.#inTurn(() => this.#pushProgress());
    }, pushInterval);
    this.#timer.unref();
  }

  async #pushProgress(): Promise<void> {
    const { journal } = this.parts;
    try {
      if (journal.isAhead && !this.#isOver) await this.#pushJournal(0);
    } catch {
      // This machine's journal has it, so the apply goes on; the next flush tells whether the medium was lost.
    }
    this.#timer = undefined;
    this.#schedule();
  }

  async #pushJournal(patience: number): Promise<void> {
    const { head, journal } = this.parts;
    const { text } = journal;
    const message = `apply: ${journal.describe()}`;
    // The medium must not be ahead of what this machine has stored.
    await journal.flush();
    const holder = renewed(head.contents.holder);
    await this.#write({ ...head.contents, journal: text, holder }, message, patience);
    journal.notePushed(text);
  }

  async #write(next: StateDocument, message: string, patience: number): Promise<void> {
    const { head } = this.parts;
    const asked = new Elapsed();
    try {
      await head.write(next, message, patience);
      this.#isCutOff = false;
      this.#known.note(asked);
    } catch (thrown) {
      if (thrown instanceof StoreFailedError) this.#isCutOff ||= patience > 0;
      throw thrown;
    }
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
