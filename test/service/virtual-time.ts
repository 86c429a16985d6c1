import { setImmediate } from "node:timers/promises";

/** A clock on which waits take no time: it goes on to the next end of a wait when nothing else can happen. */
export class VirtualTime {
  now = 0;
  readonly #waits = new Set<{ readonly at: number; readonly end: () => void }>();

  /** Waits on this clock, or until it is told to stop. */
  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const wait = {
        at: this.now + ms,
        end: () => {
          this.#waits.delete(wait);
          resolve();
        },
      };
      this.#waits.add(wait);
      signal?.addEventListener("abort", wait.end, { once: true });
    });
  };

  /** Lets time pass until a promise has its value. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    for (;;) {
      await setImmediate();
      if (isOver) return await over;
      const [next] = [...this.#waits].toSorted((a, b) => a.at - b.at);
      if (!next) throw new Error("nothing is waited for, and nothing happens");
      this.now = next.at;
      next.end();
    }
  }
}
