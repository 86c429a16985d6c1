import type { Json } from "./json.js";

/** How much a value is. */
export interface Extent {
  /** In characters of its texts and keys, with something for each value. */
  readonly size: number;
  /** How deep its collections are nested: 0 for a scalar. */
  readonly depth: number;
}

const valueCost = 16;

/** Measures a value; what it holds twice counts twice. */
export function measure(value: Json): Extent {
  if (typeof value === "string") return { size: valueCost + value.length, depth: 0 };
  if (typeof value !== "object" || value === null) return { size: valueCost, depth: 0 };
  let [size, depth] = [valueCost, 0];
  const add = (member: Json) => {
    if (typeof member !== "object" && typeof member !== "string") {
      size += valueCost;
      return;
    }
    const extent = measure(member);
    size += extent.size;
    depth = Math.max(depth, extent.depth);
  };
  // Without a list of the entries, which may be ten million.
  if (Array.isArray(value)) for (const item of value) add(item);
  else {
    for (const key of Object.keys(value)) {
      size += key.length;
      add(value[key] ?? null);
    }
  }
  return { size, depth: depth + 1 };
}
