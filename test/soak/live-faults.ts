import type { EmulatedFault } from "../../src/emulator/fault.js";
import type { FaultQueue } from "../../src/emulator/fault.js";

/** Gives a queue of faults that begins anew whenever its list has other faults, so that a service needs no restart. */
export function liveFaultQueue(Queue: typeof FaultQueue) {
  return class {
    #begun: readonly EmulatedFault[] = [];
    #queue = new Queue([]);

    constructor(private readonly faults: readonly EmulatedFault[]) {}

    take(method: string, path: string): EmulatedFault | undefined {
      const isSame =
        this.#begun.length === this.faults.length &&
        this.faults.every((fault, index) => fault === this.#begun[index]);
      if (!isSame) {
        this.#begun = [...this.faults];
        this.#queue = new Queue(this.#begun);
      }
      return this.#queue.take(method, path);
    }
  };
}
