import type { StateTexts } from "../../core/state/lock-store.js";
import type { ProcessRecord } from "../local/process-record.js";
import type { Tried } from "../medium/patience.js";
import type { RefusedRequest } from "./refusal.js";

/** What a store over the network keeps, as texts, after one write; null for what is not there. */
export interface StateDocument extends StateTexts {
  /** The record of the process that holds the store. */
  readonly holder: string | null;
  /** Grows with every write. */
  readonly serial: number;
}

/** The document of a store that was never written. */
export const nothing: StateDocument = { serial: 0, lock: null, journal: null, holder: null };

/** A document as it is in a medium. */
export interface FoundDocument {
  readonly document: StateDocument;
  /** What the medium calls this version of it, such as an ETag or a commit; null if there is none, or no names. */
  readonly tag: string | null;
}

/** What became of a write: the version that it made, `untold` if the medium does not say its name, or `lost`. */
export type Writing = Tried<Pick<FoundDocument, "tag"> | "untold" | "lost", RefusedRequest>;

/** A medium that keeps lock, journal and holder in one document, and replaces it as a whole. */
export interface DocumentMedium {
  /** Whether a write names the version that it replaces, and is refused if that is not the present one. */
  readonly isConditional: boolean;
  /** How it is told that another process has written. */
  readonly lossText: string;
  /** What follows a message why the store could not be taken. */
  readonly notTaken?: string;
  /** What to check where a medium keeps nothing of what is written to it; none for one that keeps what it accepts. */
  readonly keepingHint?: string;
  /** The lock of a server that has one of its own: this, and not the holder in the document, says who may write. */
  readonly lock?: ServerLock;
  /** Reads what a plan is made with, or what a write may replace; throws StoreFailedError. */
  read(isToWrite: boolean): Promise<FoundDocument>;
  /** Brings what this machine has of it up to date, where `read` shows that. */
  refresh?(): Promise<void>;
  /** Finds out whether it keeps to the conditions of writes; throws StoreFailedError if not. */
  probe?(): Promise<void>;
  /** Reads with one request what is there while this process has the medium; `lost` if it certainly has it no more. */
  look(isInDoubt: boolean): Promise<Tried<FoundDocument | "lost", RefusedRequest>>;
  /** Replaces a version with one request. */
  write(next: StateDocument, after: FoundDocument, message: string): Promise<Writing>;
  close?(): void;
}

/** The lock of a server, which gives it to one process at a time. */
export interface ServerLock {
  /** Takes it, also from a process that is certainly dead and whose journal is here; throws StoreHeldError. */
  take(record: ProcessRecord, local: string | null): Promise<void>;
  /** Gives it back, or asks for that; done where another has it. */
  give(): Promise<Tried<null, RefusedRequest>>;
  /** Takes it from the process with this nonce, and clears the document of it; gives whether it was there. */
  takeAway(nonce: string, clear: () => Promise<boolean>): Promise<boolean>;
}
