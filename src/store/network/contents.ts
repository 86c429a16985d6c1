/** What a store over the network keeps, as texts; null for what is not there. */
export interface Contents {
  readonly lock: string | null;
  readonly journal: string | null;
  /** The record of the process that holds the store. */
  readonly holder: string | null;
}

/** The contents of a store that was never written. */
export const nothing: Contents = { lock: null, journal: null, holder: null };
