import type { JournalHeader } from "../../generated/journal.js";
import { contentDigest } from "../../digest.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { hasBegun, parseJournal, soundPart } from "../../core/state/journal.js";
import {
  leftJournal,
  unlessMediumFails,
  type StateTexts,
  type StoredState,
} from "../../core/state/lock-store.js";
import { syncFolder } from "../../disk/durable-file.js";
import { naming } from "../local/failure.js";
import { JournalFile } from "../local/journal-file.js";
import { makeLocalFolder } from "../local/local-folder.js";
import { ownerInText } from "../../core/state/renamed-state.js";
import { beginsAfter } from "../../core/state/replay.js";
import type { StateDocument } from "./document-medium.js";

/** The journal of this machine, which may be ahead of the one that the store has. */
export class MachineJournal {
  readonly #file: JournalFile;
  #text = "";
  #pushed = 0;
  #needed = 0;
  #isLeftBehind = false;

  constructor(
    private readonly path: string,
    private readonly name: string,
  ) {
    this.#file = new JournalFile(path, name);
  }

  /** The lines that this process has appended since it took the store or replaced the lock. */
  get text(): string {
    return this.#text;
  }

  /** Whether this process has a journal of its own, and not only lines that could not follow an older journal. */
  get isOwn(): boolean {
    return this.#text !== "" && !this.#isLeftBehind;
  }

  /** Whether there are appended lines that are not pushed. */
  get isAhead(): boolean {
    return this.#pushed < this.#text.length;
  }

  /** Reads the journal of this machine, whichever process wrote it; null for none. */
  read(): string | null {
    const text = this.#file.read();
    return text?.slice(0, text.lastIndexOf("\n") + 1) || null;
  }

  /** Starts afresh for a process that has taken the store; a journal left behind is not continued. */
  begin(isLeftBehind: boolean): void {
    this.#isLeftBehind = isLeftBehind;
    this.#forget();
    naming(this.name, () => makeLocalFolder(dirname(this.path)));
  }

  append(line: string): void {
    const whole = line.endsWith("\n") ? line : `${line}\n`;
    if (!this.#isLeftBehind) this.#file.append(whole);
    const isFirst = this.#text === "";
    this.#text += whole;
    if (isFirst || claimed(whole) !== undefined) this.#needed = this.#text.length;
  }

  /** Resolves when all appended lines are durable on this machine, and gives up to where they must also be pushed. */
  async flush(): Promise<number> {
    const end = this.#text.length;
    if (end > 0 && this.#isLeftBehind) {
      throw leftJournal(this.name);
    }
    await this.#file.flush();
    return Math.min(end, this.#needed);
  }

  /** Resolves with whether all appended lines are durable on this machine. */
  async isDurable(): Promise<boolean> {
    const flushed = this.#file.flush().then(() => true);
    return await unlessMediumFails(flushed, () => false);
  }

  /** Whether the text is pushed up to this offset. */
  isPushed(end: number): boolean {
    return end <= this.#pushed;
  }

  notePushed(text: string): void {
    this.#pushed = text.length;
  }

  /** Summarises the lines that are not yet pushed. */
  describe(): string {
    const lines = this.#text.slice(this.#pushed).split("\n");
    const claims = lines.flatMap((line) => claimed(line) ?? []);
    const sum = (what: keyof Claimed) => claims.reduce((count, claim) => count + claim[what], 0);
    const parts = (["creates", "updates"] as const).flatMap((what) =>
      sum(what) === 0 ? [] : [`${sum(what)} ${sum(what) === 1 ? what.slice(0, -1) : what}`],
    );
    if (claims.length > 0) return `claim of ${parts.join(" and ")}`;
    return this.#pushed === 0 ? "begin" : "progress";
  }

  /** Removes it once everything in it is safe elsewhere. */
  async remove(): Promise<void> {
    await this.#file.remove();
    this.#isLeftBehind = false;
    this.#forget();
  }

  /** Keeps a journal that does not fit any more under a different name: it may hold IDs that are stored nowhere else. */
  setAside(): void {
    const text = this.read();
    if (text === null) return;
    const digest = contentDigest(text).slice(0, 8);
    naming(this.name, () => {
      renameSync(this.path, `${this.path}.${digest}.old`);
      syncFolder(dirname(this.path));
    });
  }

  /** Removes a journal that a different process left and that records nothing done. */
  discard(): void {
    naming(this.name, () => {
      rmSync(this.path, { force: true });
      syncFolder(dirname(this.path));
    });
  }

  async close(): Promise<void> {
    await this.#file.close();
    this.#forget();
  }

  #forget(): void {
    [this.#text, this.#pushed, this.#needed] = ["", 0, 0];
  }
}

/** Whether this machine's journal equals the pushed one or continues it. */
function goesOn(local: string | null, pushed: string | null): local is string {
  return pushed !== null && local !== null && local.startsWith(pushed);
}

/** How much a line claims. */
interface Claimed {
  readonly creates: number;
  readonly updates: number;
}

/** Gives how much a line claims; undefined for any other line. */
function claimed(line: string): Claimed | undefined {
  // Behind it may be a seal.
  const json = line.slice(line.indexOf(" ") + 1, line.lastIndexOf("}") + 1);
  if (!json.startsWith('{"type":"claim"')) return undefined;
  const { value } = parseJson(json);
  if (!isObject(value) || !Array.isArray(value.creates)) return undefined;
  return { creates: value.creates.length, updates: Array.isArray(value.updates) ? value.updates.length : 0 };
}

/** What a process that takes a store goes on with. */
interface LeftBehind {
  /** The journal to account for; null for none. */
  readonly journal: string | null;
  /** Whether this machine has all of the journal that the store has a part of. */
  readonly isAtHand: boolean;
}

// The store has its beginning before anything is sent; a store without one was set back, or damaged.
function isOf(local: string | null, { lock, journal }: StateTexts): local is string {
  if (local === null || goesOn(local, journal)) return local !== null;
  const [own, stored] = [parseJournal(local, ""), parseJournal(journal ?? "", "")];
  if (!own.ok || !own.header) return false;
  // The state of its apply was deleted, and another one begun: nothing else has what it did.
  if (journal === null && isOfAnother(own.header, lock)) return hasBegun(local);
  if (!beginsAfter(own.header, lock)) return false;
  const header = stored.ok ? stored.header : soundPart(journal ?? "").header;
  // A damaged one may have been the same; one that nobody can read is not given up for one that did nothing.
  if (header === undefined) return journal === null || hasBegun(local);
  return !stored.ok && header.write === own.header.write;
}

function isOfAnother({ lineage }: JournalHeader, lock: string | null): boolean {
  const present = ownerInText(lock)?.lineage;
  return present !== undefined && present !== lineage;
}

/** Compares the journal of a store with that of this machine, which may be ahead of it. */
export function leftBehind(stored: StateTexts, local: string | null): LeftBehind {
  if (!isOf(local, stored)) return { journal: stored.journal, isAtHand: false };
  // A journal with nothing but unsent creates is not written into a lock.
  return { journal: hasBegun(local) ? local : null, isAtHand: true };
}

/** Gives the fullest journal for a reader, and whether it has everything that its apply did. */
export function fullestJournal(
  stored: StateTexts,
  local: string | null,
): Pick<StoredState, "journal" | "isJournalWhole"> {
  if (!isOf(local, stored)) return { journal: stored.journal };
  return hasBegun(local) ? { journal: local, isJournalWhole: true } : { journal: null };
}

/** Begins the journal of a process that has taken a store with these contents. */
export function beginJournal(own: MachineJournal, { journal }: StateDocument, isAtHand: boolean): void {
  if (!isAtHand) own.setAside();
  else if (journal === null) own.discard();
  own.begin(journal !== null);
}
