import { parseJson } from "../../json/parse-json.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { isJournalRecord } from "./journal-shape.js";
import { isShallow, type Hash, type JsonObject } from "../../json/json.js";
import type { AppliedSettings, LockEntry, LockService } from "./lock.js";
import { stateDepth } from "./lock-shape.js";

/** The journal's first line: the lock that it continues. */
export interface JournalHeader {
  readonly type: "header";
  readonly format: "agentform/journal/v1";
  readonly workspace: string;
  readonly environment: string | null;
  readonly lineage: string;
  /** The serial of the lock before the records. */
  readonly serial: number;
  /** The name of the last write that the lock contains, if it has one. */
  readonly after?: string;
  /** The name of the write that puts the records into the lock. */
  readonly write?: string;
  readonly service: LockService;
  /** The settings that the apply uses. */
  readonly settings?: AppliedSettings;
}

/** Written and synced before the first byte of an action's first request. */
export interface BeginRecord {
  readonly type: "begin";
  /** Numbers the actions of the journal. */
  readonly n: number;
  readonly address: string;
  readonly operation: "create" | "replace" | "update";
  /** When it began, in ISO 8601. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** The body to send, references and secrets symbolic, with a tool set's operations in order. */
  readonly body: JsonObject;
  readonly digest: string;
  readonly references?: Record<string, string | string[]>;
  readonly file?: string;
  readonly protect?: boolean;
  readonly adopted?: string | string[];
  readonly moved_from?: string[];
  /** The resources that refer to the replaced object. */
  readonly used_by?: string[];
}

/** The action succeeded; the IDs of the answer, recorded before anything uses them. */
export interface DoneRecord {
  readonly type: "done";
  readonly n: number;
  readonly id?: string;
  readonly ids?: string[];
  readonly tools?: Record<string, string>;
  /** The answer for each tool, if it is not clear which member is its ID. */
  readonly candidates?: NonNullable<LockEntry["candidates"]>;
}

/** What is known about a request that did not succeed. */
export interface Trace {
  readonly message: string;
  readonly status?: number;
  readonly request_id?: string;
  /** The beginning of the answer, redacted. */
  readonly answer?: string;
}

/** The service refused: nothing was done, except the `sent` earlier requests of an update. */
export interface RejectedRecord extends Trace {
  readonly type: "rejected";
  readonly n: number;
  readonly sent?: number;
}

/** No byte of the request arrived; the `sent` earlier requests of an update did. */
export interface NotSentRecord extends Trace {
  readonly type: "not-sent";
  readonly n: number;
  readonly sent?: number;
}

/** It is not known whether the service did it. */
export interface UnknownRecord extends Trace {
  readonly type: "unknown";
  readonly n: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** The IDs of an answer that cannot be trusted, because other addresses have them. */
  readonly ids?: string[];
  readonly tools?: Record<string, string>;
  /** The other addresses, whose IDs cannot be trusted any more either. */
  readonly doubts?: string[];
}

/**
 * Written before anything is sent, by a store that may lose later records with its machine: everything that the
 * apply may create. A claim that no later record accounts for may exist in the service.
 */
export interface ClaimRecord {
  readonly type: "claim";
  readonly creates: readonly ClaimedCreate[];
}

/** One create of a claim. */
export type ClaimedCreate = Omit<BeginRecord, "type" | "n" | "operation" | "adopted" | "used_by"> & {
  readonly operation: "create" | "replace";
};

/** The resource is no longer managed; its objects go to the ledger. */
export interface ForgetRecord {
  readonly type: "forget";
  readonly address: string;
  readonly used_by?: string[];
}

/** Sets the entry of an address as given. */
export interface EntryRecord {
  readonly type: "entry";
  readonly address: string;
  readonly entry: LockEntry;
  /** Whether it replaces an object, which goes to the ledger. */
  readonly replaces?: boolean;
  /** The resources that refer to the replaced object. */
  readonly used_by?: string[];
}

/** Moves entries to other addresses, all at once. */
export interface MoveRecord {
  readonly type: "move";
  readonly moves: readonly { readonly from: string; readonly to: string; readonly moved_from?: string[] }[];
}

/** A person looked up an unknown create, and it does not exist. */
export interface ResolvedRecord {
  readonly type: "resolved";
  readonly address: string;
}

export type JournalRecord =
  | BeginRecord
  | DoneRecord
  | RejectedRecord
  | NotSentRecord
  | UnknownRecord
  | ForgetRecord
  | EntryRecord
  | MoveRecord
  | ClaimRecord
  | ResolvedRecord;

/** A parsed journal. */
export interface Journal {
  /** Missing if the first line never reached the disk. */
  readonly header?: JournalHeader;
  readonly records: readonly JournalRecord[];
}

/** Renders the lines of a journal; each has a checksum of itself and the line before. */
export class JournalWriter {
  #sum = "";

  constructor(private readonly hash: Hash) {}

  /** Gives the line of a record, with its newline. */
  render(record: JournalHeader | JournalRecord): string {
    const text = JSON.stringify(record);
    this.#sum = checksum(this.#sum, text, this.hash);
    return `${this.#sum} ${text}\n`;
  }
}

function checksum(before: string, text: string, hash: Hash): string {
  return hash(`${before} ${text}`).slice("sha256:".length, "sha256:".length + 16);
}

/** Parses a journal: an incomplete last line is dropped, an earlier damaged line is refused. */
export function parseJournal(text: string, file: string, hash: Hash): Journal | Finding[] {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const records: (JournalHeader | JournalRecord)[] = [];
  let sum = "";
  let offset = 0;
  for (const [index, line] of lines.entries()) {
    const [head, json] = [line.slice(0, 16), line.slice(17)];
    const expected = checksum(sum, json, hash);
    const record = head === expected && line[16] === " " ? parseRecord(json) : undefined;
    if (!record) {
      const isLast = index === lines.length - 1 && rest === "";
      if (isLast && !holdsRecord(line, sum, hash)) break;
      const message = `line ${index + 1} of the journal is damaged`;
      const hint =
        "the lines after it cannot be trusted: restore the file, or ask for help before you remove it";
      return [error("journal-damaged", { file, offset }, message, hint)];
    }
    records.push(record);
    sum = expected;
    offset += line.length + 1;
  }
  const [header, ...others] = records;
  if (header === undefined) return { records: [] };
  if (header.type !== "header") {
    return [
      error("journal-damaged", { file, offset: 0 }, "the first line of the journal must be its header"),
    ];
  }
  return { header, records: others.filter((record) => record.type !== "header") };
}

// A lost line end joins two lines, of which the first was complete.
function holdsRecord(line: string, sum: string, hash: Hash): boolean {
  const ends = [...line.matchAll(/\}(?=.?[0-9a-f]{16} \{)/gsu)];
  const head = line.slice(0, 16);
  return ends.some(({ index }) => checksum(sum, line.slice(17, index + 1), hash) === head);
}

function parseRecord(json: string): JournalHeader | JournalRecord | undefined {
  const record: unknown = parseJson(json).value;
  return isShallow(record, stateDepth) && isJournalRecord(record)
    ? (record as JournalHeader | JournalRecord)
    : undefined;
}
