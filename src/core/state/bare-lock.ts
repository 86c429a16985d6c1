import type { Lock, LockEntry } from "../../generated/lock.js";
import { emptyTable, type JsonObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";

/** A lock without the bodies of its resources, which are most of it and only needed for what changed. */
export type BareLock = Omit<Lock, "resources"> & {
  readonly resources: Readonly<Record<string, Omit<LockEntry, "body">>>;
};

/** Gives a lock without its bodies. */
export function withoutBodies(lock: Lock): BareLock {
  const resources = emptyTable<Omit<LockEntry, "body">>();
  for (const [address, { body: _body, ...fields }] of Object.entries(lock.resources)) {
    resources[address] = fields;
  }
  return { ...lock, resources };
}

// To find an entry takes a twentieth of the time that it takes to parse the whole text.
const mostFound = 10;

/** Gives a lock whose fields it takes over and whose bodies are those of its text, of which no more is parsed than is read. */
export function withBodies(bare: BareLock, text: string): Lock {
  let found = 0;
  let whole: Lock["resources"] | undefined;
  const bodyOf = (address: string, { digest }: LockEntry): JsonObject => {
    const entry = found++ < mostFound ? entryIn(text, address) : undefined;
    if (entry && entry.digest === digest) return entry.body;
    whole ??= (JSON.parse(text) as Lock).resources;
    return whole[address]?.body ?? {};
  };
  const resources: Record<string, LockEntry> = {};
  for (const [address, fields] of Object.entries(bare.resources)) {
    // Enumerable and own, so that an entry is copied and rendered like any other.
    resources[address] = Object.defineProperty(fields, "body", {
      configurable: true,
      enumerable: true,
      get(this: LockEntry): JsonObject {
        const value = bodyOf(address, this);
        Object.defineProperty(this, "body", { value, configurable: true, enumerable: true });
        return value;
      },
    }) as LockEntry;
  }
  return { ...bare, resources };
}

/** Finds an entry by its lines, if the text has those that `renderLock` makes. */
function entryIn(text: string, address: string): LockEntry | undefined {
  const [start, end] = [`\n    ${JSON.stringify(address)}: `, "\n    }"];
  const from = text.indexOf(start, text.indexOf('\n  "resources": {'));
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return undefined;
  const { value } = parseJson(text.slice(from + start.length, to + end.length));
  return value as LockEntry | undefined;
}
