import { parseJson } from "../../json/parse-json.js";
import type { Lock, LockEntry } from "../../generated/lock.js";
import { emptyTable, isObject, isShallow, type Json, type JsonObject } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { stateDepth } from "./lock-shape.js";

/**
 * The index of a lock's text: everything except the bodies of resources as plain data, and the offsets of those bodies.
 * They are most of a lock, but only needed for what changed.
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
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

// Longer keys are of no lock that agentform writes.
const longestKey = 10_000;

/** The tables of a lock that may be long, in the order of a rendered lock. */
const tableNames = ["resources", "retired", "unknown"] as const;

interface Table {
  readonly name: (typeof tableNames)[number];
  /** The offsets after its opening brace and before its closing one. */
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Span[];
}

/**
 * Indexes a lock's text entry by entry, so that only one is in memory as a whole. Gives undefined for a text that
 * does not have the layout of a rendered lock, or has any problem.
 */
export function indexLock(text: string, isValid: IsValid): LockIndex | undefined {
  const tables = findTables(text);
  const lock = tables && readSkeleton(text, tables);
  if (!lock) return undefined;
  const emptied = Object.fromEntries(tables.map(({ name }) => [name, emptyTable()]));
  const whole = { ...lock, ...emptied };
  if (!isValid(whole)) return undefined;
  const { resources: _none, ...rest } = whole;
  const bare: Lock = { ...rest, resources: {}, retired: {}, unknown: {} };
  const entries: IndexedEntry[] = [];
  for (const { name, spans } of tables) {
    const members: Record<string, unknown> = whole[name];
    for (const { key, from, to } of spans) {
      const entry = readEntry(text.slice(from, to));
      const table = emptyTable<unknown>();
      table[key] = entry;
      if (!entry || !isValid({ ...bare, [name]: table })) return undefined;
      if (name !== "resources") {
        members[key] = entry;
        continue;
      }
      const { body: _body, ...fields } = entry;
      entries.push([key, from, to, fields as unknown as Omit<LockEntry, "body">]);
    }
  }
  return { rest, entries };
}

/** Makes a lock from its index, whose fields it takes over, and its text; a body is parsed when it is read. */
export function indexedLock({ rest, entries }: LockIndex, text: string): Lock {
  // Most plans read no body.
  let origins: ReadonlyMap<unknown, IndexedEntry> | undefined;
  // Enumerable and own, so that an entry is copied and rendered like any other.
  const body = {
    configurable: true,
    enumerable: true,
    get(this: unknown): JsonObject {
      origins ??= new Map(entries.map((indexed) => [indexed[3], indexed]));
      const [, from = 0, to = 0] = origins.get(this) ?? [];
      const { body: value } = JSON.parse(text.slice(from, to)) as LockEntry;
      Object.defineProperty(this, "body", { value, configurable: true, enumerable: true });
      return value;
    },
  };
  const resources: Record<string, LockEntry> = {};
  for (const [address, , , fields] of entries) {
    resources[address] = Object.defineProperty(fields, "body", body) as LockEntry;
  }
  return { ...rest, resources };
}

/**
 * Runs a function with an entry; a body that it reads is not kept for later, so that a lock can be rendered without
 * all of its bodies in memory.
 */
export function withoutKeeping<Entry, Result>(entry: Entry, run: (entry: Entry) => Result): Result {
  const lazy = isObject(entry) ? Object.getOwnPropertyDescriptor(entry, "body") : undefined;
  const result = run(entry);
  if (lazy?.get) Object.defineProperty(entry, "body", lazy);
  return result;
}

function findTables(text: string): Table[] | undefined {
  const tables: Table[] = [];
  let at = 0;
  for (const name of tableNames) {
    const opening = `\n  "${name}": {\n`;
    const found = text.indexOf(opening, at);
    // An empty table has no line of its own.
    if (found === -1) continue;
    const from = found + opening.length;
    const spans = findSpans(text, from);
    if (!spans) return undefined;
    at = spans.at(-1)?.to ?? from;
    tables.push({ name, from, to: at, spans });
  }
  return tables;
}

// A JSON string contains no line break, so the beginning of a line is never inside one.
function findSpans(text: string, start: number): Span[] | undefined {
  const spans: Span[] = [];
  for (let at = start; ;) {
    const keyEnd = text.indexOf('": {\n', at);
    const to = text.indexOf("\n    }", keyEnd) + "\n    }".length;
    if (!text.startsWith('    "', at) || keyEnd === -1 || to < keyEnd) return undefined;
    if (keyEnd - at > longestKey) return undefined;
    const key = text.slice(at + '    "'.length, keyEnd);
    if (/["\\\u0000-\u001f]/.test(key)) return undefined;
    spans.push({ key, from: keyEnd + '": '.length, to });
    if (text.startsWith("\n  }", to)) return spans;
    if (!text.startsWith(",\n", to)) return undefined;
    at = to + ",\n".length;
  }
}

// With a number instead of the entries of each table: if it is found there again, these are the entries of the lock.
function readSkeleton(text: string, tables: readonly Table[]): Lock | undefined {
  const parts: string[] = [];
  let at = 0;
  for (const [index, { from, to }] of [...tables, { from: text.length, to: text.length }].entries()) {
    parts.push(text.slice(at, from), from < to ? `"":${index}` : "");
    at = to;
  }
  const skeleton = parts.join("");
  const value = parse(skeleton);
  if (!value || repeatsKey(skeleton, value)) return undefined;
  const isWhole = tables.every(({ name, spans }, index) => {
    const isUnique = new Set(spans.map(({ key }) => key)).size === spans.length;
    return isUnique && JSON.stringify(value[name]) === `{"":${index}}`;
  });
  // Entries that are all on one line have no offsets.
  const hasOffsets = tables.some(({ name }) => name === "resources") || isEmpty(value.resources);
  return isWhole && hasOffsets ? (value as unknown as Lock) : undefined;
}

function isEmpty(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function readEntry(text: string): JsonObject | undefined {
  const value = parse(text);
  return value && !repeatsKey(text, value) ? value : undefined;
}

function parse(text: string): JsonObject | undefined {
  const { value } = parseJson(text);
  return isObject(value) && isShallow(value, stateDepth) ? value : undefined;
}
