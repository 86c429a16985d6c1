import { parseJson } from "../../json/parse-json.js";
import type { Lock, LockEntry } from "../../generated/lock.js";
import { emptyTable, isObject, isShallow, type JsonObject } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { stateDepth } from "./lock-shape.js";
import type { LockText } from "./lock-text.js";

/**
 * A lock's text taken apart: all but the bodies as plain data, and where in the text each body is. Bodies are
 * most of a lock, and needed for what changed alone.
 */
export interface LockIndex {
  readonly rest: Omit<Lock, "resources">;
  readonly entries: readonly IndexedEntry[];
}

/** An entry's address, the offsets of its text in the lock's, and all of it but the body. */
export type IndexedEntry = readonly [
  address: string,
  from: number,
  to: number,
  fields: Omit<LockEntry, "body">,
];

/** Says whether a lock that holds one entry is valid. */
type IsValid = (lock: Lock) => boolean;

interface Span {
  readonly address: string;
  readonly from: number;
  readonly to: number;
}

const opening = '\n  "resources": {\n';

/**
 * Takes a lock's text apart entry by entry, so that never more than one is in memory as a whole. Gives undefined
 * for a text that is not laid out as locks are rendered, or of which anything is wrong.
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

/** Makes a lock of its index, whose fields it takes over, and its text; a body is parsed when it is asked for. */
export function indexedLock({ rest, entries }: LockIndex, text: LockText): Lock {
  // Enumerable and of each entry itself, so that an entry copies and renders as any other does.
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

// A string of JSON holds no line break, so that what begins a line is no part of one.
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

// With a number in the place of each entry: where these come out as they went in, the parts make up the whole.
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
