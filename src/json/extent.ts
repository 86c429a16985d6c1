/** The extent of a value. */
export interface Extent {
  /** The characters of its texts and keys, plus a constant for each value. */
  readonly size: number;
  /** The depth of its nested collections: 0 for a scalar. */
  readonly depth: number;
}

const valueCost = 16;

/** Measures a value of JSON; a part that it contains twice counts twice. */
export function measure(value: unknown): Extent {
  if (typeof value === "string") return { size: valueCost + value.length, depth: 0 };
  if (typeof value !== "object" || value === null) return { size: valueCost, depth: 0 };
  let [size, depth] = [valueCost, 0];
  const add = (member: unknown) => {
    if (typeof member !== "object" && typeof member !== "string") {
      size += valueCost;
      return;
    }
    const extent = measure(member);
    size += extent.size;
    depth = Math.max(depth, extent.depth);
  };
  // Without a list of the items, of which there may be ten million.
  if (Array.isArray(value)) for (const item of value) add(item);
  else {
    for (const [key, member] of Object.entries(value)) {
      size += key.length;
      add(member);
    }
  }
  return { size, depth: depth + 1 };
}
