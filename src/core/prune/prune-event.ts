import type { Failure } from "../observation/service.js";

/** The events of a running prune, each of one object. */
export type PruneEvent =
  | { readonly type: "start" | "deleted"; readonly address: string; readonly id: string }
  | (Failure & {
      readonly type: "failed" | "unknown";
      readonly address: string;
      readonly id: string;
      readonly method: string;
      readonly path: string;
    })
  | { readonly type: "skipped"; readonly address: string; readonly id: string; readonly because: string };

/** The number of objects by what became of them. */
export interface PruneSummary {
  readonly deleted: number;
  readonly failed: number;
  readonly unknown: number;
  /** Those that were to be deleted, and were not tried. */
  readonly skipped: number;
}
