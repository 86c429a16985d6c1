import { parseJson } from "../json/parse-json.js";
import { isObject, isShallow, type Json, type JsonObject } from "../json/json.js";

/** Which requests a fault applies to: `count` (1) of the matching ones, after the first `skip` (0). */
export interface FaultMatch {
  method?: string;
  /** The path as sent, or its beginning followed by `*`; `{id}` is any one segment. */
  path?: string;
  count?: number;
  skip?: number;
}

/** What a fault does to a request; times in milliseconds. */
export type FaultEffect =
  | { status: number; headers?: Readonly<Record<string, string>>; body?: Json }
  | { delay: number }
  | { drop: "before" | "after" }
  | { half: true }
  | { hang: true }
  | { redirect: string }
  | { garbage: string | true }
  | { giant: number };

/** A failure that the emulator plays on purpose. */
export type EmulatedFault = FaultMatch & FaultEffect;

/** Faults that cannot be used; the message says which and why. */
export class FaultError extends Error {}

interface FaultRule {
  expected: string;
  test: (value: Json) => boolean;
}

const text: FaultRule = { expected: "a text", test: (value) => typeof value === "string" && value !== "" };
const yes: FaultRule = { expected: "true", test: (value) => value === true };

const MATCH: Readonly<Record<string, FaultRule>> = {
  method: text,
  path: { expected: "a path that begins with / or is *", test: isPath },
  count: { expected: "a whole number from 1", test: (value) => isWhole(value, 1) },
  skip: { expected: "a whole number from 0", test: (value) => isWhole(value, 0) },
};

const EFFECTS: Readonly<Record<string, FaultRule>> = {
  status: { expected: "a whole number from 200 to 599", test: (value) => isWhole(value, 200, 599) },
  delay: { expected: "milliseconds, from 0 to 3600000", test: (value) => isWhole(value, 0, 3_600_000) },
  drop: { expected: `"before" or "after"`, test: (value) => value === "before" || value === "after" },
  half: yes,
  hang: yes,
  redirect: { expected: "a text for the location header", test: isHeaderValue },
  garbage: { expected: "a text or true", test: (value) => typeof value === "string" || value === true },
  giant: { expected: "bytes, from 1 to 500000000", test: (value) => isWhole(value, 1, 500_000_000) },
};

const STATUS_ALONE: Readonly<Record<string, FaultRule>> = {
  headers: { expected: "an object of header names and texts", test: isHeaders },
  body: { expected: "any JSON value", test: () => true },
};

/** Parses a JSON array of faults; throws FaultError for anything unknown. */
export function parseFaults(text: string): EmulatedFault[] {
  const { value: list } = parseJson(text);
  if (list === undefined)
    throw new FaultError("faults must be a JSON array of objects, and this is not JSON");
  if (!Array.isArray(list)) throw new FaultError("faults must be a JSON array of objects");
  if (!isShallow(list, 500)) throw new FaultError("faults are nested too deeply");
  return list.map((entry, index) => parseFault(entry, `fault ${index + 1}`));
}

function parseFault(entry: unknown, place: string): EmulatedFault {
  if (!isObject(entry)) throw new FaultError(`${place}: not an object`);
  assertFault(entry, place);
  return entry;
}

function assertFault(entry: JsonObject, place: string): asserts entry is JsonObject & EmulatedFault {
  const effects = Object.keys(EFFECTS).filter((name) => Object.hasOwn(entry, name));
  const all = Object.keys(EFFECTS).join(", ");
  if (effects.length === 0) throw new FaultError(`${place}: must have one of ${all}${unknownIn(entry)}`);
  if (effects.length > 1)
    throw new FaultError(`${place}: has ${effects.join(" and ")}, but may have only one`);
  const rules = { ...MATCH, ...EFFECTS, ...(effects[0] === "status" ? STATUS_ALONE : {}) };
  checkMembers(entry, rules, place);
}

function unknownIn(entry: JsonObject): string {
  const rules = { ...MATCH, ...STATUS_ALONE };
  const unknown = Object.keys(entry).filter((name) => !Object.hasOwn(rules, name));
  return unknown.length === 0 ? "" : `, but ${unknown.map((name) => JSON.stringify(name)).join(", ")}`;
}

function checkMembers(entry: JsonObject, rules: Readonly<Record<string, FaultRule>>, place: string): void {
  for (const [name, value] of Object.entries(entry)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(", ");
      throw new FaultError(`${place}: ${JSON.stringify(name)} is unknown; use one of ${known}`);
    }
    if (!rule.test(value)) throw new FaultError(`${place}: ${name} must be ${rule.expected}`);
  }
}

function isWhole(value: Json, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isPath(value: Json): boolean {
  return typeof value === "string" && (value.startsWith("/") || value === "*");
}

function isHeaderValue(value: Json): boolean {
  return typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]+$/.test(value);
}

function isHeaders(value: Json): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([name, entry]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && isHeaderValue(entry),
  );
}

/** The faults in their order, each with its remaining `skip` and `count`. */
export class FaultQueue {
  readonly #waiting: { fault: EmulatedFault; skip: number; count: number }[];

  constructor(faults: readonly EmulatedFault[]) {
    this.#waiting = faults.map((fault) => ({ fault, skip: fault.skip ?? 0, count: fault.count ?? 1 }));
  }

  /** Takes the first fault that is due for a request; the later ones do not count that request. */
  take(method: string, path: string): EmulatedFault | undefined {
    for (const entry of this.#waiting) {
      if (entry.count === 0 || !matches(entry.fault, method, path)) continue;
      if (entry.skip === 0) {
        entry.count -= 1;
        return entry.fault;
      }
      entry.skip -= 1;
    }
    return undefined;
  }
}

function matches(fault: FaultMatch, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  if (fault.path === undefined) return true;
  return patternOf(fault.path).test(path);
}

function patternOf(path: string): RegExp {
  const isOpen = path.endsWith("*");
  const parts = (isOpen ? path.slice(0, -1) : path).split("{id}");
  const literal = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join("[^/]+")}${isOpen ? "" : "$"}`, "s");
}
