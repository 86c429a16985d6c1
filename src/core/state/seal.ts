import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { linesOf, sealedLine } from "./journal.js";
import { parseLock, renderLock, type LockOwner } from "./lock.js";
import { moveIn } from "./lock-move.js";
import type { SealVerdict, StateTexts, StoredState } from "./lock-store.js";

/** A key for seals, which stays inside. */
export interface SealKey {
  /** Gives the keyed checksum of a text in parts, in 64 hexadecimal digits. */
  sumOf(parts: readonly string[]): string;
  /** Whether a text in parts has this checksum, compared in constant time. */
  fits(parts: readonly string[], sum: string): boolean;
}

/** A state without its seals, and what they say. */
export type OpenedState = StateTexts &
  Pick<StoredState, "isJournalRight" | "sealedPart"> & { readonly seal: SealVerdict };

const algorithm = "hmac-sha256:";

// The seal covers the owner, and which of the two texts it is. A lock may be large, so it is not copied.
function forLock({ workspace, environment }: LockOwner, text: string): readonly string[] {
  return [`agentform/seal/v1 lock\n${JSON.stringify([workspace, environment])}\n`, text];
}

function forLine({ workspace, environment }: LockOwner, before: string, line: string): readonly string[] {
  return [`agentform/seal/v1 journal\n${JSON.stringify([workspace, environment])}\n${before}\n`, line];
}

// The first member after it, in the order of their names, of a lock as of what takes its place.
const nextMember = '\n  "serial": ';

/** Puts its seal into the text of a lock, or of what takes its place while the state moves. */
export function sealLock(text: string, owner: LockOwner, key: SealKey): string {
  const seal = JSON.stringify(`${algorithm}${key.sumOf(forLock(owner, text))}`);
  return text.replace(nextMember, () => `\n  "seal": ${seal},${nextMember}`);
}

/** Seals the lines of a journal: each together with all before it. */
export class JournalSealer {
  #before = "";

  constructor(
    private readonly owner: LockOwner,
    private readonly key: SealKey,
  ) {}

  /** Begins with the first line again. */
  restart(): void {
    this.#before = "";
  }

  /** Gives a line, which ends with its newline, with its seal. */
  seal(line: string): string {
    const text = line.slice(0, -1);
    this.#before = this.key.sumOf(forLine(this.owner, this.#before, text));
    return sealedLine(text, this.#before);
  }
}

/** Takes the seals out of a state, and says what they are worth; without a key, only whether they are there. */
export function openState(
  { lock, journal }: StateTexts,
  owner: LockOwner,
  key: SealKey | undefined,
): OpenedState {
  const ofLock = lock === null ? { text: null, seal: undefined } : openLock(lock, owner, key);
  const { text, sealedPart, ...ofJournal }: OpenedJournal =
    journal === null ? { text: null, seal: undefined } : openJournal(journal, owner, key);
  const seal = worse(ofLock.seal, ofJournal.seal);
  const journalRight = ofJournal.seal === "right" && { isJournalRight: true as const };
  const part = sealedPart !== undefined && { sealedPart };
  return { lock: ofLock.text, journal: text, seal, ...journalRight, ...part };
}

const byHarm: readonly SealVerdict[] = [undefined, "right", "unverified", "missing", "wrong"];

function worse(one: SealVerdict, other: SealVerdict): SealVerdict {
  return byHarm.indexOf(one) > byHarm.indexOf(other) ? one : other;
}

function openLock(
  sealed: string,
  owner: LockOwner,
  key: SealKey | undefined,
): { readonly text: string; readonly seal: SealVerdict } {
  const { text, sum } = withoutSeal(sealed);
  if (key && sum !== undefined && key.fits(forLock(owner, text), sum)) return { text, seal: "right" };
  const lock = parseLock(text, "", owner);
  // What cannot be read is refused by whoever reads it, with a place; both sides of a conflict in it have their seals. All
  // that says something needs a seal.
  if (!lock.ok && !moveIn(parseJson(text).value)) return { text: sealed, seal: undefined };
  if (sum === undefined) return { text, seal: "missing" };
  if (!key) return { text, seal: "unverified" };
  // The text may have passed through a formatter, or a checkout with other line ends.
  const isRight = lock.ok && key.fits(forLock(owner, renderLock(lock.lock)), sum);
  return { text, seal: isRight ? "right" : "wrong" };
}

function withoutSeal(sealed: string): { readonly text: string; readonly sum?: string } {
  const at = sealed.indexOf('\n  "seal": "');
  const [line, own] =
    at === -1 ? [] : (/^\n {2}"seal": "([^"\n]*)",(?=\n)/.exec(sealed.slice(at, at + 200)) ?? []);
  if (line !== undefined && own !== undefined) {
    return { text: sealed.slice(0, at) + sealed.slice(at + line.length), sum: sumIn(own) };
  }
  // It may be written in another way.
  if (!sealed.includes('"seal"')) return { text: sealed };
  const { value } = parseJson(sealed);
  const seal = isObject(value) ? value.seal : undefined;
  return typeof seal === "string" ? { text: sealed, sum: sumIn(seal) } : { text: sealed };
}

// No other algorithm fits anything.
function sumIn(seal: string): string {
  return seal.startsWith(algorithm) ? seal.slice(algorithm.length) : "";
}

interface OpenedJournal extends Pick<StoredState, "sealedPart"> {
  readonly text: string | null;
  readonly seal: SealVerdict;
}

/** Opens a journal up to its first damage; a half-sealed last line is torn: nothing was done because of it. */
function openJournal(journal: string, owner: LockOwner, key: SealKey | undefined): OpenedJournal {
  let verdict: SealVerdict;
  let before = "";
  for (const { text, seal, offset, isLast, isEnded, isSound } of linesOf(journal)) {
    if (!isSound) {
      const sealedPart = journal.slice(0, offset) + linesBehind(journal.slice(offset), before, owner, key);
      return { text: journal, seal: verdict, sealedPart };
    }
    const sum = seal.slice(1);
    const isWhole = sum.length === 64;
    const isRight = isWhole && key?.fits(forLine(owner, before, text), sum) === true;
    const isTorn = isWhole ? key && !isRight && !isEnded : seal !== "" || !isEnded;
    if (isLast && isTorn) return { text: journal.slice(0, offset), seal: verdict };
    if (isRight) verdict = worse(verdict, "right");
    else verdict = worse(verdict, !isWhole ? "missing" : key ? "wrong" : "unverified");
    before = sum;
  }
  return { text: journal, seal: verdict };
}

/** Blanks lines behind damage unless their seal goes on from a right line: one may have been put between. */
function linesBehind(text: string, last: string, owner: LockOwner, key: SealKey | undefined): string {
  let right = "";
  let known = [last];
  for (const written of text.split("\n")) {
    const sum = /^\} ([0-9a-f]{64})$/.exec(written.slice(-66))?.[1];
    const line = written.slice(0, -65);
    const isRight =
      sum !== undefined && known.some((before) => key?.fits(forLine(owner, before, line), sum) === true);
    right += isRight ? `${written}\n` : "\n";
    const [lastRight = ""] = isRight ? [sum] : known;
    known = sum === undefined ? [lastRight] : [lastRight, sum];
  }
  return right;
}
