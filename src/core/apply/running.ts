import type { JournalRecord } from "../state/journal.js";
import type { Hash, JsonObject } from "../../json/json.js";
import type { AnswerSettings, Kind } from "../kind/kind.js";
import type { KnownIds } from "../state/known-ids.js";
import type { Failure, Service } from "./service.js";
import type { State } from "../state/state.js";

/** How one action ended. */
export type Ending =
  | {
      readonly type: "done";
      readonly ids: readonly string[];
      /** What is still to be said of it. */
      readonly hint?: string;
    }
  | (Failure & {
      readonly type: "failed" | "unknown";
      readonly method?: string;
      readonly path?: string;
    });

/** What an action runs with. */
export interface Running {
  readonly state: State;
  readonly service: Service;
  readonly hash: Hash;
  /** The whole documents of which the plan's bodies hold outlines, by address and field. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly answers: (kind: Kind) => AnswerSettings;
  /** Makes a record durable and works it into the state. */
  readonly record: (record: JournalRecord) => Promise<void>;
  /** Hears how an action ends as soon as its last answer is here, which may not be durable yet, and why others would end so. */
  readonly answered: (address: string, ending: Ending, common?: Failure["common"]) => void;
  readonly ids: KnownIds;
  /** Hears that an ID of an address was answered for another, so that nothing may use it any more. */
  readonly doubt: (address: string, message: string) => void;
  readonly isDoubted: (address: string) => boolean;
  /** The time, in ISO 8601. */
  readonly now: () => string;
  readonly nextNumber: () => number;
  /** Who refers to an address in what was last applied. */
  readonly usersOf: (address: string) => string[];
}
