import { parseJson } from "../../json/parse-json.js";
import type { Lock, LockEntry } from "../../generated/lock.js";
import { emptyTable, isObject, isShallow, type JsonObject } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { stateDepth } from "./lock-shape.js";
import type { LockText } from "./lock-text.js";

/**
 * The index of a lock's text: everything except the bodies as plain data, and the offsets of the bodies. Bodies are
 * most of a lock, but only needed for what changed.
 */
export interface LockIndex {
  readonly rest: Omit<Lock, "resources">;
  readonly entries: readonly IndexedEntry[];
}

/** An entry's address, the offsets of its text, and everything in it except the body. */
export type IndexedEntry = readonly [
  address: string,
  from: number,
  to: number,
  fields: Omit<LockEntry, "body">,
];

/** Tells whether a lock with one entry is valid. */
type IsValid = (lock: Lock) => boolean;

interface Span {
  readonly address: string;
  readonly from: number;
  readonly to: number;
}

const opening = '\n  "resources": {\n';

/**
 * Indexes a lock's text entry by entry, so that only one is in memory as a whole. Gives undefined for a text that
 * does not have the layout of a rendered lock, or has any problem.
 */
export function indexLock(text: LockText, isValid: IsValid): LockIndex | undefined {
  const at = text.indexOf(opening, 0);
  if (at === -1) return undefined;
  const found = findSpans(text, at + opening.length);
  if (!found) return undefined;
  const rest = readRest(text, at, found);
  if (!rest || !isValid({ ...rest, resources: {} })) return undefined;
  const entries: IndexedEntry[] = [];
  const bare = { ...rest, retired: {}, unknown: {} };
  for (const { address, from, to } of found.spans) {
    const entry = readEntry(text.slice(from, to));
    const resources = emptyTable<LockEntry>();
    if (entry) resources[address] = entry;
    if (!entry || !isValid({ ...bare, resources })) return undefined;
    const { body: _body, ...fields } = entry;
    entries.push([address, from, to, fields]);
  }
  return { rest, entries };
}

/** Makes a lock from its index, whose fields it takes over, and its text; a body is parsed when it is read. */
export function indexedLock({ rest, entries }: LockIndex, text: LockText): Lock {
  // Enumerable and own, so that an entry is copied and rendered like any other.
  const body = {
    configurable: true,
    enumerable: true,
    get(this: LazyEntry): JsonObject {
      const [, from, to] = this[origin];
      const { body: value } = JSON.parse(text.slice(from, to)) as LockEntry;
      Object.defineProperty(this, "body", { value, configurable: true, enumerable: true });
      return value;
    },
  };
  const resources: Record<string, LockEntry> = {};
  for (const indexed of entries) {
    const [address, , , fields] = indexed;
    Object.defineProperty(fields, origin, { value: indexed });
    resources[address] = Object.defineProperty(fields, "body", body) as LockEntry;
  }
  return { ...rest, resources };
}

const origin = Symbol("origin");

interface LazyEntry {
  readonly [origin]: IndexedEntry;
}

// A JSON string contains no line break, so the beginning of a line is never inside one.
function findSpans(text: LockText, start: number): { spans: Span[]; end: number } | undefined {
  const spans: Span[] = [];
  for (let at = start; ;) {
    const keyEnd = text.indexOf('": {\n', at);
    const to = text.indexOf("\n    }", keyEnd) + "\n    }".length;
    if (!text.startsWith('    "', at) || keyEnd === -1 || to < keyEnd) return undefined;
    const address = text.slice(at + '    "'.length, keyEnd);
    if (/["\\\n]/.test(address)) return undefined;
    spans.push({ address, from: keyEnd + '": '.length, to });
    if (text.startsWith("\n  }", to)) return { spans, end: to };
    if (!text.startsWith(",\n", to)) return undefined;
    at = to + ",\n".length;
  }
}

// With a number instead of each entry: if the parts give the same text again, they are complete.
function readRest(
  text: LockText,
  at: number,
  { spans, end }: { spans: readonly Span[]; end: number },
): Omit<Lock, "resources"> | undefined {
  const numbered = spans.map(({ address }, index) => `"${address}":${index}`).join(",\n");
  const skeleton = `${text.slice(0, at + opening.length)}${numbered}${text.slice(end, text.length)}`;
  const value = parse(skeleton);
  if (!value || repeatsKey(skeleton, value) || !isObject(value.resources)) return undefined;
  const { resources, ...rest } = value;
  const isWhole = spans.every(({ address }, index) => resources[address] === index);
  return isWhole ? (rest as unknown as Omit<Lock, "resources">) : undefined;
}

function readEntry(text: string): LockEntry | undefined {
  const value = parse(text);
  return value && !repeatsKey(text, value) ? (value as unknown as LockEntry) : undefined;
}

function parse(text: string): JsonObject | undefined {
  const { value } = parseJson(text);
  return isObject(value) && isShallow(value, stateDepth) ? value : undefined;
}
