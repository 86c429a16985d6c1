import { note, type Finding } from "../finding/diagnostic.js";
import { isObject, type Hash, type Json, type JsonObject } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import { bodyDigest, type Lock, type LockEntry } from "../state/lock.js";
import type { Resource } from "../resources/resource.js";

/** A lock in which short digests of an older version are full ones, as far as documents still have the same. */
export interface WidenedLock {
  readonly lock: Lock;
  /** The addresses whose outlines had short digests. */
  readonly widened: ReadonlySet<string>;
}

/** Older versions cut the digests of outlines to 64 bits. */
const shortDigest = /^[0-9a-f]{16}$/;

/**
 * Puts full digests in the place of short ones that begin them, so that what is the same by all that is known
 * shows no change. An outline that is as it was, or has full digests, is not looked into.
 */
export function widenDigests(lock: Lock, resources: Iterable<Resource>, hash: Hash): WidenedLock {
  const entries: Record<string, LockEntry> = {};
  for (const resource of withOutlines(resources)) {
    const { address, kind, digest } = resource;
    const entry = lock.resources[address];
    if (!entry || entry.digest === digest) continue;
    const widened = widenFields(entry.body, resource.body, kind.outlined);
    if (widened) entries[address] = { ...entry, body: widened, digest: bodyDigest(widened, hash) };
  }
  const widened = new Set(Object.keys(entries));
  if (widened.size === 0) return { lock, widened };
  return { lock: { ...lock, resources: { ...lock.resources, ...entries } }, widened };
}

function* withOutlines(resources: Iterable<Resource>): Generator<Resource> {
  for (const resource of resources) if (resource.kind.outlined.length > 0) yield resource;
}

/** What is said of an action whose outline was compared by short digests. */
export const shortDigestReason =
  "it was compared with the short digests of an older version; the lock keeps full ones from now on";

/** Says that a plan rests on short digests. */
export function explainShortDigests(widened: ReadonlySet<string>, source: string | null): Finding[] {
  const [first] = widened;
  if (first === undefined) return [];
  const many =
    widened.size === 1 ? `\`${first}\`` : `${widened.size} ${kindOfAddress(first)?.noun[1] ?? "resources"}`;
  const message = `${many} compared with short digests of an older version; the next apply keeps full ones`;
  const hint =
    "a short digest can be forged: look at the OpenAPI documents that changed since the last apply";
  return [note("lock-old-digests", source === null ? undefined : { file: source }, message, hint)];
}

function widenFields(
  before: JsonObject,
  after: JsonObject,
  fields: readonly string[],
): JsonObject | undefined {
  const widened = fields.flatMap((field) => {
    const outline = before[field];
    return hasShort(outline) ? [[field, widen(outline, after[field])] as const] : [];
  });
  return widened.length > 0 ? { ...before, ...Object.fromEntries(widened) } : undefined;
}

function hasShort(value: Json | undefined): value is Json {
  if (typeof value === "string") return value.length === 16 && shortDigest.test(value);
  if (Array.isArray(value)) return value.some(hasShort);
  return isObject(value) && Object.keys(value).some((key) => !unchanging.has(key) && hasShort(value[key]));
}

// Members of an outline that are not digests.
const unchanging: ReadonlySet<string> = new Set([
  "servers",
  "requirements",
  "method",
  "path",
  "operationId",
  "in",
  "name",
]);

function widen(before: Json, after: Json | undefined): Json {
  if (typeof before === "string") {
    return shortDigest.test(before) && typeof after === "string" && after.startsWith(before) ? after : before;
  }
  if (Array.isArray(before)) {
    const named = new Map(Array.isArray(after) ? after.map((item) => [nameOf(item), item]) : []);
    return before.map((item) => widen(item, named.get(nameOf(item))));
  }
  if (!isObject(before)) return before;
  const other = isObject(after) ? after : {};
  return Object.fromEntries(
    Object.entries(before).map(([key, member]) => {
      return [
        key,
        unchanging.has(key) ? member : widen(member, Object.hasOwn(other, key) ? other[key] : undefined),
      ];
    }),
  );
}

// Operations are told apart by method and path, parameters by where they are and their name.
function nameOf(item: Json): string {
  return isObject(item) ? JSON.stringify([item.method, item.path, item.in, item.name]) : "";
}
