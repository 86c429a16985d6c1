import type { ApplyEvent, ApplySummary } from "../../core/apply/apply-report.js";
import type { Slowdown } from "../../core/observation/service.js";
import type { Plan } from "../../core/plan/plan.js";
import { isRun } from "../../core/plan/plan-summary.js";

type Started = Extract<ApplyEvent, { readonly type: "start" }>;

/** How far an apply is. */
export interface ProgressCounts extends Omit<ApplySummary, "blocked"> {
  /** The actions that can be run: all but those that wait for a person. */
  readonly total: number;
  /** Actions that end in a second; undefined until that can be told. */
  readonly rate: number | undefined;
  /** Milliseconds until all is done, at the present rate. */
  readonly left: number | undefined;
  /** At most how many requests begin in a second, and why; undefined where nothing was refused as too much. */
  readonly slowdown?: Slowdown | undefined;
  /** What is in flight, the longest first. */
  readonly inFlight: readonly Started[];
}

const rateWindow = 10_000;
// Slow actions are too few in one window to tell a rate of.
const endsInWindow = 16;
const leastEnds = 3;
const leastTime = 500;

/** How many actions of a plan can be run: all but those that wait for a person. */
export function runnableCount({ actions }: Plan): number {
  return actions.filter(isRun).length;
}

/** Counts how so many actions of a plan end; all times in milliseconds of one clock. */
export class ProgressTally {
  readonly #total: number;
  readonly #counts = { done: 0, failed: 0, unknown: 0, skipped: 0 };
  readonly #done = new Set<string>();
  readonly #inFlight = new Map<string, Started>();
  /** When actions ended within the window; before the first of them when the apply began. */
  readonly #ends: number[];

  #slowdown: Slowdown | undefined;

  constructor(total: number, began: number) {
    this.#total = total;
    this.#ends = [began];
  }

  record(event: ApplyEvent, now: number): void {
    if (event.type === "start") {
      this.#inFlight.set(event.address, event);
      return;
    }
    this.#inFlight.delete(event.address);
    // These are parts of an action that has ended already.
    if (event.type === "unsaved" || event.type === "old-deleted" || event.type === "old-left") return;
    if (event.type === "doubted") {
      // What is only in the lock is none of the actions that are counted.
      if (!this.#done.delete(event.address)) return;
      this.#counts.done--;
      this.#counts.unknown++;
      return;
    }
    this.#counts[event.type]++;
    if (event.type === "done") this.#done.add(event.address);
    if (event.type !== "skipped") this.#ends.push(now);
  }

  slow(slowdown: Slowdown): void {
    this.#slowdown = slowdown;
  }

  countsAt(now: number): ProgressCounts {
    const rate = this.#rateAt(now);
    const { done, failed, unknown, skipped } = this.#counts;
    const open = this.#total - done - failed - unknown - skipped;
    return {
      total: this.#total,
      ...this.#counts,
      rate,
      left: rate === undefined ? undefined : (open / rate) * 1000,
      slowdown: this.#slowdown,
      inFlight: [...this.#inFlight.values()],
    };
  }

  #rateAt(now: number): number | undefined {
    const from = this.#ends.findIndex(
      (time, index) => now - time <= rateWindow || this.#ends.length - index <= endsInWindow,
    );
    this.#ends.splice(0, from);
    const [first = now] = this.#ends;
    const count = this.#ends.length - 1;
    return count < leastEnds || now - first < leastTime ? undefined : (count / (now - first)) * 1000;
  }
}
