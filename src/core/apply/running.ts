import type { BeginRecord, DeleteRecord } from "../../generated/journal.js";
import type { JournalRecord, Trace } from "../state/journal.js";
import type { JsonObject } from "../../json/json.js";
import type { Deployment } from "../kind/deployment.js";
import type { AnswerSettings, Kind } from "../kind/kind.js";
import type { KnownIds } from "../state/known-ids.js";
import type { createLook } from "../observation/observe.js";
import type { Failure, Service } from "../observation/service.js";
import { causeText, type Cause } from "../plan/cause.js";
import { defined } from "../state/defined.js";
import type { State } from "../state/state.js";
import type { StateChoice } from "../state/state-choice.js";

/** How one action ended. */
export type Ending =
  | {
      readonly type: "done";
      readonly ids: readonly string[];
      /** Details for the user. */
      readonly hint?: string;
    }
  | (Failure & {
      readonly type: "failed" | "unknown";
      /** Why, as data, where nothing was sent. */
      readonly cause?: Cause;
      readonly method?: string;
      readonly path?: string;
    });

/** The ending of an action for which nothing was sent. */
export type Stopped = Extract<Ending, { message: string }> & { readonly type: "failed" };

/** Ends an action for which nothing was sent. */
export function failed(cause: Cause, hint?: string): Stopped {
  return { type: "failed", message: causeText(cause), cause, ...(hint !== undefined && { hint }) };
}

/** What a journal keeps of a failure. */
export function traceOf({ message, status, requestId, answer }: Failure): Trace {
  return { message, ...defined({ status, request_id: requestId, answer }) };
}

/** How an apply looks at the objects that it updates, where the deployment can read them. */
export interface UpdateChecks {
  /** Whether an object is read before its update, and another's change stops it. */
  readonly before: boolean;
  /** The addresses whose objects are updated whatever somebody changed in them; `all` for all. */
  readonly overwrite: ReadonlySet<string>;
  /** Whether an object is read again after it was sent. */
  readonly after: boolean;
  /** The deployment's own names of fields. */
  readonly fieldNames: Readonly<Record<string, string>>;
}

/** The parts that an action uses while it runs. */
export interface Running {
  readonly state: State;
  readonly service: Service;
  /** What chooses the state, for the commands that a person is given. */
  readonly choice: StateChoice;
  /** The complete documents for the outlines in the plan's bodies, by address and field. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly answers: (kind: Kind) => AnswerSettings;
  /** What the deployment can do beyond the documented operations. */
  readonly deployment: Deployment;
  readonly updateChecks: UpdateChecks;
  /** Looks whether there is an object; a list of its kind is read once in a run. */
  readonly look: ReturnType<typeof createLook>;
  /** Resolves once the store has said that this process holds it; asks it again if anything was waited for. */
  readonly confirm: (hasWaited: boolean) => Promise<void>;
  /** Makes a record durable and part of the state. */
  readonly record: (record: JournalRecord) => Promise<void>;
  /** Says of a beginning that nothing was sent, as far as the store can still be written. */
  readonly withdraw: (begin: BeginRecord | DeleteRecord) => void;
  /** Called when the last answer of an action has arrived, which may not be durable yet; with the cause that others may share. */
  readonly answered: (address: string, ending: Ending, common?: Failure["common"]) => void;
  readonly ids: KnownIds;
  /** Called when an ID of an address was answered for a different one, so that nothing may use it any more. */
  readonly doubt: (address: string, message: string) => void;
  readonly isDoubted: (address: string) => boolean;
  /** The time, in ISO 8601. */
  readonly now: () => string;
  readonly nextNumber: () => number;
  /** Gives the address of a kind that is created or replaced under a name. */
  readonly madeAs: (kind: Kind, name: string) => string | undefined;
  /** Gives the resources that refer to an address in what was last applied. */
  readonly usersOf: (address: string) => string[];
}
