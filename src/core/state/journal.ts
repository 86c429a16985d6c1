import { choiceOf, stateOptions } from "./state-choice.js";
import { hash } from "../../digest.js";
import { parseJson } from "../../json/parse-json.js";
import { refused, type Checked } from "../finding/checked.js";
import { error } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import type {
  BeginRecord,
  ClaimRecord,
  JournalHeader,
  JournalLine,
  RejectedRecord,
} from "../../generated/journal.js";
import { validate } from "../../generated/validate-journal.js";
import { isShallow, type JsonObject } from "../../json/json.js";
import { unknownKind } from "../kind/unknown-kind.js";
import { areIds, fitsLock, stateDepth } from "./lock-shape.js";

/** Any line but the header. */
export type JournalRecord = Exclude<JournalLine, JournalHeader>;

/** What is known about a request that did not succeed. */
export type Trace = Pick<RejectedRecord, "message" | "status" | "request_id" | "answer">;

/** A parsed journal. */
export interface Journal {
  /** Missing if the first line never reached the disk. */
  readonly header?: JournalHeader;
  readonly records: readonly JournalRecord[];
}

/** Renders the lines of a journal; each has a checksum of itself and the line before. */
export class JournalWriter {
  #sum = "";

  /** Gives the line of a record, with its newline. */
  render(record: JournalLine): string {
    const text = JSON.stringify(record);
    this.#sum = checksum(this.#sum, text);
    return `${this.#sum} ${text}\n`;
  }
}

function checksum(before: string, text: string): string {
  return hash(`${before} ${text}`).slice("sha256:".length, "sha256:".length + 16);
}

/** One line of a journal as it is written. */
export interface WrittenLine {
  /** Its checksum and its JSON. */
  readonly text: string;
  readonly json: string;
  /** What follows the JSON: the seal of a sealed state, or the begin of one. */
  readonly seal: string;
  /** Where the line begins. */
  readonly offset: number;
  readonly isLast: boolean;
  /** Whether its end was written. */
  readonly isEnded: boolean;
  /** Whether it is as it was written, by its checksum. */
  readonly isSound: boolean;
}

/** Puts its seal behind a line without its end. */
export function sealedLine(line: string, seal: string): string {
  return `${line} ${seal}\n`;
}

const sealEnd = /^ [0-9a-f]{64}$/;
const tornSeal = /^ [0-9a-f]{0,63}$/;

/** Gives the lines of a journal up to the first that is damaged, that one included. */
export function* linesOf(text: string): Generator<WrittenLine, void> {
  let sum = "";
  let offset = 0;
  for (const line of text.split("\n")) {
    const next = offset + line.length + 1;
    const isLast = next >= text.length;
    if (isLast && line === "") return;
    const end = Math.max(line.lastIndexOf("}") + 1, 17);
    const [json, seal] = [line.slice(17, end), line.slice(end)];
    const expected = checksum(sum, json);
    const isSound =
      line.startsWith(`${expected} `) &&
      (seal === "" || sealEnd.test(seal) || (isLast && tornSeal.test(seal)));
    yield { text: line.slice(0, end), json, seal, offset, isLast, isEnded: next <= text.length, isSound };
    if (!isSound) return;
    sum = expected;
    offset = next;
  }
}

/** Parses a journal: a half-written last line is dropped, other damage refused, a record without line end counts. */
export function parseJournal(text: string, file: string): Checked<Journal> {
  const records: JournalLine[] = [];
  let sum = "";
  let isSealed = true;
  for (const { text: line, json, seal, offset, isLast, isSound } of linesOf(text)) {
    // What is sealed has its seal before anything rests on it; elsewhere a record counts without the end of its line.
    if (isSound && isSealed && (tornSeal.test(seal) || (seal === "" && isLast && records.length > 0))) break;
    const record = isSound ? parseLine(json) : undefined;
    if (!record) {
      if (isLast && !holdsRecord(line + seal, sum)) break;
      const unknown = isSound && unknownKind(parseJson(json).value, validate);
      if (unknown)
        return refused([error("lock-format", { file, offset }, unknown.message, "use a newer agentform")]);
      const message = say`line ${{ line: records.length + 1 }} of the journal is damaged`;
      const [first] = records;
      const choice = first?.type === "header" ? stateOptions(choiceOf(first)) : "";
      const hint = `the lines after it cannot be trusted: restore the file, or run \`agentform lock restore${choice}\`, which puts the lines before them into the lock, marks what they began${records.length > 0 && isSealed ? " under a valid seal" : ""} as unknown, and keeps the file`;
      return refused([error("journal-damaged", { file, offset }, message, hint)]);
    }
    records.push(record);
    sum = line.slice(0, 16);
    isSealed = seal !== "";
  }
  const [header, ...others] = records;
  if (header === undefined) return { ok: true, records: [] };
  if (header.type !== "header") {
    const message = "the first line of the journal must be its header";
    return refused([error("journal-damaged", { file, offset: 0 }, message)]);
  }
  return { ok: true, header, records: others.filter((record) => record.type !== "header") };
}

/** Whether anything was sent, or done, by the apply of a journal that has all of its lines: more than claims. */
export function hasBegun(text: string): boolean {
  const journal = parseJournal(text, "");
  if (!journal.ok || !journal.header) return true;
  return journal.records.some(({ type }) => type !== "claim" && type !== "unsent");
}

/** Gives what can be trusted: lines before the first damage, and the header and beginnings after it, whose end is in doubt. */
export function soundPart(journal: string, sealedPart?: string): Journal {
  const text = sealedPart ?? journal;
  const parsed = parseJournal(text, "");
  if (parsed.ok) return parsed;
  const damage = parsed.problems[0]?.place?.offset ?? 0;
  const sound = parseJournal(text.slice(0, damage), "");
  if (!sound.ok) return { records: [] };
  const rest = begunIn(text.slice(damage));
  const header = sound.header ?? rest.find((line) => line.type === "header");
  const begun = rest.filter((line) => line.type !== "header");
  return { ...(header && { header }), records: [...sound.records, ...begun] };
}

/** Gives the addresses of what a damaged journal says was begun, in lines that are not in its `sealedPart`. */
export function begunUnsealed(journal: string, sealedPart: string): string[] {
  const begun = (text: string) =>
    new Set(soundPart(text).records.flatMap((each) => (each.type === "begin" ? each.address : [])));
  const known = begun(sealedPart);
  return [...begun(journal)].filter((address) => !known.has(address));
}

function begunIn(text: string): (JournalHeader | BeginRecord | ClaimRecord)[] {
  return text.split("\n").flatMap((line) => {
    const record = parseLine(line.slice(17, line.lastIndexOf("}") + 1));
    return record?.type === "header" || record?.type === "begin" || record?.type === "claim" ? [record] : [];
  });
}

// A lost line end joins two lines, of which the first was complete; a tool may have lost, or replaced, all of them.
function holdsRecord(line: string, sum: string): boolean {
  const ends = [...line.matchAll(/\}(?=.?(?:[0-9a-f]{64}.?)?[0-9a-f]{16} \{|[^}]*$)/gsu)];
  const head = line.slice(0, 16);
  return ends.some(({ index }) => checksum(sum, line.slice(17, index + 1)) === head);
}

function parseLine(json: string): JournalLine | undefined {
  const line: unknown = parseJson(json).value;
  return isJournalLine(line) ? line : undefined;
}

/** Whether a line is a header or record: a checksum proves that it is complete, not that it makes sense. */
export function isJournalLine(value: unknown): value is JournalLine {
  return (
    isShallow(value, stateDepth) &&
    validate(value) &&
    areIds(identityOf(value)) &&
    bodiesOf(value).every(([address, body]) => fitsLock(address, body))
  );
}

/** The IDs that the line puts into the lock, or is about. */
function identityOf(line: JournalLine): Parameters<typeof areIds>[0] {
  if (line.type === "entry") return line.entry;
  return line.type === "done" || line.type === "unknown" || line.type === "delete" ? line : {};
}

/** The bodies that the line puts into the lock, each with its address. */
function bodiesOf(line: JournalLine): [address: string, body: JsonObject][] {
  switch (line.type) {
    case "begin":
      return [[line.address, line.body]];
    case "claim":
      return [...line.creates, ...(line.updates ?? [])].map(({ address, body }) => [address, body]);
    case "entry": {
      const { attempted = [] } = line.entry;
      return [line.entry, ...attempted].map(({ body }) => [line.address, body]);
    }
    default:
      return [];
  }
}
