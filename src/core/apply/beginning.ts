import type { BeginRecord, DeleteRecord } from "../../generated/journal.js";
import type { Ready } from "../observation/service.js";
import type { JournalRecord } from "../state/journal.js";
import { StoreChangedError } from "../state/lock-store.js";
import type { Running } from "./running.js";

/** Makes an action's beginning durable just before its first byte: who takes the store finds none still to be sent. */
export class Beginning<Begin extends BeginRecord | DeleteRecord = BeginRecord | DeleteRecord> {
  #isBegun = false;
  /** Whether a request was let through. */
  #isLet = false;

  constructor(
    readonly begin: Begin,
    private readonly running: Pick<Running, "confirm" | "record" | "withdraw" | "now">,
  ) {}

  readonly ready: Ready = async (hasWaited) => {
    const { confirm, record, withdraw, now } = this.running;
    try {
      await confirm(hasWaited);
      if (!this.#isBegun) {
        await record({ ...this.begin, time: now() });
        this.#isBegun = true;
        // The record may have taken long, or this process may have stood still.
        await confirm(false);
      }
    } catch (cause) {
      // Whoever has the store now has the beginning as well, and nothing more is written there.
      if (this.#isBegun && !this.#mayHaveArrived && !(cause instanceof StoreChangedError))
        withdraw(this.begin);
      throw cause;
    }
    this.#isLet = true;
  };

  // A create is tried again only where it is known that nothing was made.
  get #mayHaveArrived(): boolean {
    return this.#isLet && !(this.begin.type === "begin" && this.begin.operation !== "update");
  }

  /** Records how it ended, at once; what never began was not sent, and has no end. */
  async close(ending: JournalRecord): Promise<void> {
    if (this.#isBegun) return await this.running.record(ending);
    if (ending.type !== "not-sent") throw new Error("a request was sent before its beginning was on record");
  }
}
