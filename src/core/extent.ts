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
  for (const [key, member] of Object.entries(value)) {
    const extent = measure(member);
    size += key.length + extent.size;
    depth = Math.max(depth, extent.depth);
  }
  return { size, depth: depth + 1 };
}
