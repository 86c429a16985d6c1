import type { Action } from "../../generated/plan.js";
import type { Made } from "./apply-journal.js";
import { type Cause, causeText } from "../plan/cause.js";
import type { Ending } from "./running.js";

/** The events of a running apply, each of an action. */
export type ApplyEvent = { readonly address: string; readonly action: Action["action"] } & (
  | { readonly type: "start" }
  | Ending
  /** `cause` is the same as data. */
  | { readonly type: "skipped"; readonly because: string; readonly cause?: Cause }
  /** The ID of an address was also answered for a different one, so neither is certain any more. */
  | { readonly type: "doubted"; readonly message: string }
  /** The old object of a replacement was deleted at the end, or stays in the service. */
  | {
      readonly type: "old-deleted" | "old-left";
      readonly ids: readonly string[];
      /** What is not sure of its delete. */
      readonly hint?: string;
      /** Why it stays. */
      readonly because?: string;
      /** The same as data, unless its delete failed. */
      readonly cause?: Cause;
    }
  /** The last resort: the service did it, and only this event says so. */
  | { readonly type: "unsaved"; readonly ids: readonly string[] }
);

/** The number of actions by how they ended. */
export interface ApplySummary {
  readonly done: number;
  readonly failed: number;
  /** Including those whose outcome was unknown before, and still is. */
  readonly unknown: number;
  readonly skipped: number;
  /** Actions of the plan that were blocked from the start. */
  readonly blocked: number;
}

/** What became of an object that was left behind: how its delete ended, or why it stays, without being counted. */
export type OldEnding = Ending | { readonly type: "left"; readonly because: string; readonly cause?: Cause };

type Doubted = Omit<Extract<ApplyEvent, { readonly type: "doubted" }>, "type">;

/** Counts how the actions of an apply end, and tells its listener of each. */
export class ApplyReport {
  readonly summary: { -readonly [ending in keyof ApplySummary]: number };

  /** `onFault` gets what the listener throws: that must not lose the outcome of what is in flight. */
  constructor(
    actions: readonly Action[],
    private readonly onEvent: (event: ApplyEvent) => void,
    private readonly onFault: (fault: unknown) => void,
  ) {
    const count = (which: Action["action"]) => actions.filter(({ action }) => action === which).length;
    this.summary = { done: 0, failed: 0, unknown: count("unknown"), skipped: 0, blocked: count("blocked") };
  }

  readonly started = ({ address, action }: Action): void => {
    this.#tell({ type: "start", address, action });
  };

  readonly ended = ({ address, action }: Action, ending: Ending): void => {
    this.summary[ending.type]++;
    this.#tell({ address, action, ...ending });
  };

  /** What the service did and the journal does not have; the IDs of what it made are told on their own. */
  readonly endedUnsaved = (action: Action, ending: Ending): void => {
    if (ending.type !== "done") return this.ended(action, ending);
    const isMade = action.action === "create" || action.action === "replace";
    const hint = "if this is not saved, it is sent again";
    if (!isMade) return this.ended(action, { ...ending, hint });
    this.summary.done++;
  };

  readonly skipped = ({ address, action }: Action, cause: Cause): void => {
    this.summary.skipped++;
    this.#tell({ type: "skipped", address, action, because: causeText(cause), cause });
  };

  /** What became of the old object of a replacement. */
  readonly oldEnded = ({ address, action }: Action, ids: readonly string[], ending: OldEnding): void => {
    if (ending.type === "left") {
      const { type: _, ...why } = ending;
      return this.#tell({ type: "old-left", address, action, ids, ...why });
    }
    if (ending.type === "done") return this.#tell({ ...ending, type: "old-deleted", address, action, ids });
    this.summary[ending.type]++;
    this.#tell({ type: "old-left", address, action, ids, because: oldText(ending) });
  };

  /** An address has come into doubt, perhaps after its action was done. */
  readonly doubted = (doubt: Doubted, wasDone: boolean): void => {
    if (wasDone) this.summary.done--;
    this.summary.unknown++;
    this.#tell({ type: "doubted", ...doubt });
  };

  /** The service made an object, which the state may lack. */
  readonly unsaved = ({ begin: { operation, address }, ids }: Made): void => {
    this.#tell({ type: "unsaved", address, action: operation, ids });
  };

  #tell(event: ApplyEvent): void {
    try {
      this.onEvent(event);
    } catch (fault) {
      this.onFault(fault);
    }
  }
}

function oldText(ending: Exclude<Ending, { readonly type: "done" }>): string {
  const { method = "", path = "", message, type, hint } = ending;
  const what = type === "unknown" ? "it is not known whether it was deleted" : "it was not deleted";
  return `${what}: ${method} ${path}: ${message}${hint === undefined ? "" : `; ${hint}`}`;
}
