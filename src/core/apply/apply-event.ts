import type { Action } from "../../generated/plan.js";
import type { Cause } from "../plan/cause.js";
import type { Ending } from "./running.js";

/** The events of a running apply. */
export type ApplyEvent =
  | { readonly type: "start"; readonly address: string; readonly action: Action["action"] }
  | ({ readonly address: string; readonly action: Action["action"] } & Ending)
  | {
      readonly type: "skipped";
      readonly address: string;
      readonly action: Action["action"];
      readonly because: string;
      /** The same as data. */
      readonly cause?: Cause;
    }
  /** The ID of an address was also answered for a different one, so neither is certain any more. */
  | {
      readonly type: "doubted";
      readonly address: string;
      readonly action: Action["action"];
      readonly message: string;
    }
  /** The old object of a replacement was deleted at the end, or stays in the service. */
  | {
      readonly type: "old-deleted" | "old-left";
      readonly address: string;
      readonly action: Action["action"];
      readonly ids: readonly string[];
      /** Why it stays. */
      readonly because?: string;
      /** The same as data, unless its delete failed. */
      readonly cause?: Cause;
    }
  /** The last resort: the service did it, and only this event says so. */
  | {
      readonly type: "unsaved";
      readonly address: string;
      readonly action: Action["action"];
      readonly ids: readonly string[];
    };

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
