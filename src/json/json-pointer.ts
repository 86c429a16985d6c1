import { isObject, type Json } from "./json.js";

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
