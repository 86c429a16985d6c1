import { isId } from "./id.js";
import type { Identity } from "./kind.js";
import { isObject, type Json } from "./json.js";

/**
 * Finds an object's ID in an answer: at a JSON pointer, or else in the first of the fields that holds one.
 * An ID is a string that isId takes, or an integer.
 */
export function findId(answer: Json, fields: readonly string[], pointer?: string): string | undefined {
  if (pointer !== undefined) return asId(atPointer(answer, pointer));
  if (!isObject(answer)) return undefined;
  for (const field of fields) {
    const id = asId(answer[field]);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Gives all IDs of an identity, be it one object or the tools of a set. */
export function idsOf(identity: Identity): readonly string[] {
  return identity.ids ?? (identity.id === undefined ? [] : [identity.id]);
}

function asId(value: Json | undefined): string | undefined {
  if (typeof value === "string" && isId(value)) return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Gives the value at a JSON pointer (RFC 6901), or undefined. */
export function atPointer(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of pointer.split("/").slice(1)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}
