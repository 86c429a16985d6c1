import { isObject, type Json, type JsonObject } from "../../../src/json/json.js";

// Written from RFC 6901 and not from the code under test.
function resolve(document: Json, ref: string, way: readonly string[] = []): Json | undefined {
  if (way.includes(ref)) return undefined;
  let value: Json | undefined = document;
  for (const written of ref.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(written).replaceAll("~1", "/").replaceAll("~0", "~");
    let next = memberOf(value, key);
    for (let hops = 0; next === undefined && hops < 20; hops += 1) {
      const detour: string | undefined = value === undefined ? undefined : refOf(value);
      if (detour === undefined) return undefined;
      value = resolve(document, detour, [...way, ref]);
      next = memberOf(value, key);
    }
    value = next;
  }
  return value;
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Finds the first difference of two values of two documents, local `$ref`s followed as far as there are any; undefined if there is none. */
export function differenceOf(
  one: { readonly document: Json; readonly value: Json | undefined },
  other: { readonly document: Json; readonly value: Json | undefined },
): string | undefined {
  const compared = new Map<Json, Set<Json>>();
  const open = [{ a: one.value, b: other.value, at: "" }];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { a, b, at } = pair;
    if (a === undefined || b === undefined) {
      if (a !== b) return `${at}: only in one`;
      continue;
    }
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
      if (a !== b) return `${at}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
      continue;
    }
    const known = compared.get(a) ?? new Set<Json>();
    if (known.has(b)) continue;
    compared.set(a, known.add(b));
    const [refA, refB] = [refOf(a), refOf(b)];
    if (refA !== undefined && refB !== undefined) {
      open.push({
        a: resolve(one.document, refA),
        b: resolve(other.document, refB),
        at: `${at} → ${refA}`,
      });
    }
    const keys = [Object.keys(a), Object.keys(b)].map((each) => each.filter((key) => !isFollowed(key, refA)));
    if (JSON.stringify(keys[0]) !== JSON.stringify(keys[1])) return `${at}: keys ${keys.join(" and ")}`;
    for (const key of keys[0] ?? [])
      open.push({ a: memberOf(a, key), b: memberOf(b, key), at: `${at}/${key}` });
  }
  return undefined;
}

function isFollowed(key: string, ref: string | undefined): boolean {
  return key === "$ref" && ref !== undefined;
}

function refOf(value: Json): string | undefined {
  return isObject(value) && typeof value.$ref === "string" && value.$ref.startsWith("#/")
    ? value.$ref
    : undefined;
}

/** The local `$ref`s anywhere in a document that lead nowhere. */
export function danglingIn(document: JsonObject): Set<string> {
  const dangling = new Set<string>();
  const open: Json[] = [document];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const ref = refOf(value);
    if (ref !== undefined && resolve(document, ref) === undefined) dangling.add(ref);
    open.push(...Object.values(value));
  }
  return dangling;
}
