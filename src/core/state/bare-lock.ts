import type { Lock, LockEntry } from "../../generated/lock.js";
import { emptyTable, type JsonObject } from "../../json/json.js";

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

/** Gives a lock whose fields it takes over and whose bodies are those of its text, which is parsed when the first of them is read. */
export function withBodies(bare: BareLock, text: string): Lock {
  let bodies: ReadonlyMap<unknown, JsonObject> | undefined;
  // Enumerable and own, so that an entry is copied and rendered like any other.
  const body = {
    configurable: true,
    enumerable: true,
    get(this: unknown): JsonObject | undefined {
      bodies ??= bodiesOf(bare, text);
      const value = bodies.get(this);
      Object.defineProperty(this, "body", { value, configurable: true, enumerable: true });
      return value;
    },
  };
  const resources: Record<string, LockEntry> = {};
  for (const [address, fields] of Object.entries(bare.resources)) {
    resources[address] = Object.defineProperty(fields, "body", body) as LockEntry;
  }
  return { ...bare, resources };
}

function bodiesOf(bare: BareLock, text: string): ReadonlyMap<unknown, JsonObject> {
  const { resources } = JSON.parse(text) as Lock;
  return new Map(
    Object.entries(bare.resources).map(([address, fields]) => [fields, resources[address]?.body ?? {}]),
  );
}
