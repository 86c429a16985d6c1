import type { Lock, LockEntry } from "../../src/core/state/lock.js";
import { idsOf } from "../../src/core/kind/identity.js";
import type { StoredObjects } from "../../src/emulator/storage.js";
import type { KindName } from "../../src/generated/kinds.js";
import { plainObjects } from "../harness/kind-places.js";
import { canary } from "./canary.js";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";

/** An object as the service has it. */
export interface Stored {
  readonly kind: KindName;
  readonly id: string;
  readonly label: string;
  /** Of a tool, which set it belongs to; of others, their ID. */
  readonly whole: string;
  readonly body: JsonObject;
}

// What a full service shows of what it was never sent.
const filledIn: Readonly<Record<string, JsonObject>> = {
  agent: { version: "1", top_p: 1 },
  policy: { user_id: "user-of-the-emulator" },
};

/** All objects of a service by ID. */
export function storedById(stored: StoredObjects): ReadonlyMap<string, Stored> {
  const plain = plainObjects(stored).map(({ kind, id, body }): Stored => {
    return { kind, id, label: String(body.name), whole: id, body: { ...filledIn[kind], ...body } };
  });
  const sets = new Map(stored.toolSets.map((set) => [set.id, set.body]));
  const tools = stored.tools.map(({ id, toolSet, body }): Stored => {
    const own = { ...sets.get(toolSet), ...body };
    const label = String(own.tool_set_name).replace(/^openapi-/, "");
    return { kind: "toolset", id, label, whole: toolSet, body: { ...own, tool_set_name: label } };
  });
  return new Map([...plain, ...tools].map((object) => [object.id, object]));
}

/** How one managed object differs from what it was last sent. */
export interface FoundDifference {
  readonly address: string;
  readonly entry: LockEntry;
  readonly gone: readonly string[];
  /** The fields with another value. */
  readonly changed: ReadonlySet<string>;
  /** The fields of which something is missing, and nothing has another value. */
  readonly missing: ReadonlySet<string>;
  /** The fields that have more than was sent. */
  readonly more: ReadonlySet<string>;
}

// What is an outline in the lock, or never shown.
const uncompared = new Set(["openapi_schema", "credentials", "operations"]);

/** Compares all managed objects with the service, from the lock and the service's own store alone. */
export function differencesOf({ resources }: Lock, stored: ReadonlyMap<string, Stored>): FoundDifference[] {
  return Object.entries(resources).map(([address, entry]) => {
    const fields = { changed: new Set<string>(), missing: new Set<string>(), more: new Set<string>() };
    const gone: string[] = [];
    for (const id of idsOf(entry)) {
      const object = stored.get(id);
      if (!object) {
        gone.push(id);
        continue;
      }
      for (const field of new Set([...Object.keys(entry.body), ...Object.keys(object.body)])) {
        if (uncompared.has(field)) continue;
        const found = compare(resolve(entry.body[field], entry), object.body[field]);
        for (const each of found) fields[each].add(field);
      }
    }
    return { address, entry, gone, ...fields };
  });
}

type Difference = "changed" | "missing" | "more";

/** Tells how a value differs from what was sent, as far as it is no normalisation or secret. */
export function compare(sent: Json | undefined, seen: Json | undefined): ReadonlySet<Difference> {
  if (isNothing(sent)) return new Set(isNothing(seen) ? [] : ["more"]);
  if (isNothing(seen)) return new Set(["missing"]);
  if (typeof sent === "string" && (sent.includes("${env:") || isKeptOut(seen))) return new Set();
  if (isObject(sent) && isObject(seen)) {
    const keys = new Set([...Object.keys(sent), ...Object.keys(seen)]);
    return new Set([...keys].flatMap((key) => [...compare(sent[key], seen[key])]));
  }
  if (Array.isArray(sent) && Array.isArray(seen)) {
    const left = [...seen];
    const isSame = (item: Json) => {
      const at = left.findIndex((other) => !hasLess(compare(item, other)));
      return at !== -1 && left.splice(at, 1).length === 1;
    };
    return new Set(sent.every(isSame) && left.length === 0 ? [] : ["changed"]);
  }
  const text = (value: Json | undefined) =>
    typeof value === "string" ? value.trim() : JSON.stringify(value);
  return new Set(text(sent) === text(seen) ? [] : ["changed"]);
}

// What has the value of a secret is shown as a mask, and a mask may be in the place of anything.
function isKeptOut(seen: Json | undefined): boolean {
  return typeof seen === "string" && (seen === "[kept out]" || seen.includes(canary));
}

function hasLess(found: ReadonlySet<Difference>): boolean {
  return found.has("changed") || found.has("missing");
}

function isNothing(value: Json | undefined): value is undefined | null {
  if (value === undefined || value === null || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

// The references as they were when the body was sent.
function resolve(value: Json | undefined, { references = {} }: LockEntry): Json | undefined {
  if (typeof value === "string") {
    const [, name] = /^\$\{((?:policy|credential|toolset|agent):[^}]+)\}$/.exec(value) ?? [];
    if (name !== undefined) return references[name] ?? value;
    return value.replaceAll("$${", "${");
  }
  const each = (item: Json) => resolve(item, { references } as LockEntry) ?? null;
  if (Array.isArray(value)) return value.flatMap(each);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, each(member)]));
}
