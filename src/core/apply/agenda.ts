import type { Action } from "../../generated/plan.js";

interface Waiting {
  readonly action: Action;
  /** How many of its dependencies are not done. */
  open: number;
}

/** The actions that an apply has not started, each ready once all its dependencies are done. */
export class Agenda {
  readonly #waiting = new Map<string, Waiting>();
  readonly #dependents = new Map<string, string[]>();
  readonly #ready: Action[] = [];
  #taken = 0;

  constructor(actions: readonly Action[]) {
    for (const action of actions) this.#waiting.set(action.address, { action, open: 0 });
    for (const action of actions) this.#await(action);
  }

  /** Takes the action that has been ready for longest; undefined if none is. */
  take(): Action | undefined {
    // Removing from the front of a list would copy it each time.
    for (let action = this.#ready[this.#taken]; action; action = this.#ready[this.#taken]) {
      this.#taken++;
      // A ready action may have been abandoned since.
      if (this.#waiting.delete(action.address)) return action;
    }
    return undefined;
  }

  /** Makes the actions ready that waited only for this address. */
  finish(address: string): void {
    for (const dependent of this.#dependents.get(address) ?? []) {
      const waiting = this.#waiting.get(dependent);
      if (waiting && --waiting.open === 0) this.#ready.push(waiting.action);
    }
  }

  /** Takes all remaining actions that depend on this address, directly or not. */
  abandon(address: string): Action[] {
    const abandoned: Action[] = [];
    const stack = [...(this.#dependents.get(address) ?? [])];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const waiting = this.#waiting.get(next);
      if (!waiting) continue;
      this.#waiting.delete(next);
      abandoned.push(waiting.action);
      for (const dependent of this.#dependents.get(next) ?? []) stack.push(dependent);
    }
    return abandoned;
  }

  /** The remaining actions. */
  get rest(): Action[] {
    return Array.from(this.#waiting.values(), ({ action }) => action);
  }

  #await(action: Action): void {
    const before = action.waits_for.filter((address) => this.#waiting.has(address));
    const waiting = this.#waiting.get(action.address);
    if (waiting) waiting.open = before.length;
    for (const address of before) {
      const dependents = this.#dependents.get(address);
      if (dependents) dependents.push(action.address);
      else this.#dependents.set(address, [action.address]);
    }
    if (before.length === 0) this.#ready.push(action);
  }
}
