import { addTo } from "../../json/groups.js";
import type { Action } from "../../generated/plan.js";

/** Something to do once all that it waits for is done. */
interface Task {
  readonly address: string;
  readonly waits_for: readonly string[];
}

interface Waiting<Each> {
  readonly action: Each;
  /** How many of its dependencies are not done. */
  open: number;
}

/** The actions that an apply has not started, each ready once all its dependencies are done. */
export class Agenda<Each extends Task = Action> {
  readonly #waiting = new Map<string, Waiting<Each>>();
  readonly #dependents = new Map<string, string[]>();
  readonly #ready: Each[] = [];
  #taken = 0;

  constructor(actions: readonly Each[]) {
    const all = new Set(actions.map(({ address }) => address));
    for (const action of actions) {
      const before = action.waits_for.filter((address) => all.has(address));
      this.#waiting.set(action.address, { action, open: before.length });
      for (const address of before) addTo(this.#dependents, address, action.address);
      if (before.length === 0) this.#ready.push(action);
    }
  }

  /** Takes the action that has been ready for longest; undefined if none is. */
  take(): Each | undefined {
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
  abandon(address: string): Each[] {
    const abandoned: Each[] = [];
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

  get rest(): Each[] {
    return Array.from(this.#waiting.values(), ({ action }) => action);
  }
}
