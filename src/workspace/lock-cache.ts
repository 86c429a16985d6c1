import { ownLock, parseLock, type Lock, type LockEntry } from "../core/state/lock.js";
import { lazy, oncePer } from "../json/once.js";
import { parseJson } from "../json/parse-json.js";
import { openCache, type CacheOwner } from "./cache/cache.js";

/** Gives a parser for the lock of a version, which parses no text that is known by this version. */
export function lockParser(version: string | null, owner: CacheOwner): typeof parseLock {
  return (text, file, of) => {
    // A short lock is parsed as fast as what is kept of it.
    if (version === null || !owner.cacheFolder || text.length < 1_000_000) return parseLock(text, file, of);
    const cached = openCache("lock", owner);
    const known = cached.value as { readonly version: string; readonly lock: BareLock } | undefined;
    if (known?.version === version) return ownLock(withBodies(known.lock, text), file, of);
    const parsed = parseLock(text, file, of);
    if (parsed.ok) cached.save({ version, lock: withoutBodies(parsed.lock) });
    return parsed;
  };
}

type BareEntry = Omit<LockEntry, "body">;

/** A lock without the bodies of its resources, which are most of it and only needed for what changed. */
export type BareLock = Omit<Lock, "resources"> & { readonly resources: Readonly<Record<string, BareEntry>> };

/** Gives a lock without its bodies. */
export function withoutBodies(lock: Lock): BareLock {
  const bare = Object.entries(lock.resources).map(([address, { body: _body, ...rest }]) => [address, rest]);
  return { ...lock, resources: Object.fromEntries(bare) as BareLock["resources"] };
}

/** Gives a lock its bodies, of which no more is parsed from its text than is read. */
export function withBodies(bare: BareLock, text: string): Lock {
  let found = 0;
  const whole = lazy(() => (JSON.parse(text) as Lock).resources);
  const addresses = new Map(Object.entries(bare.resources).map(([address, entry]) => [entry, address]));
  const bodyOf = oncePer((entry: BareEntry) => {
    const address = addresses.get(entry) ?? "";
    // To find an entry takes a twentieth of the time that it takes to parse the whole text.
    const one = found++ < 10 ? entryIn(text, address) : undefined;
    return (one?.digest === entry.digest ? one : whole()[address])?.body ?? {};
  });
  // Enumerable and own, so that an entry is copied and rendered like any other; one for all, which takes the least memory.
  function get(this: BareEntry): LockEntry["body"] {
    return bodyOf(this);
  }
  for (const entry of addresses.keys()) Object.defineProperty(entry, "body", { enumerable: true, get });
  return bare as Lock;
}

/** Finds an entry by its lines, if the text has those that `renderLock` makes. */
function entryIn(text: string, address: string): LockEntry | undefined {
  const start = `\n    ${JSON.stringify(address)}: `;
  const from = text.indexOf(start, text.indexOf('\n  "resources": {'));
  const to = text.indexOf("\n    }", from);
  if (from < 0 || to < 0) return undefined;
  return parseJson(`${text.slice(from + start.length, to)}}`).value as LockEntry | undefined;
}
