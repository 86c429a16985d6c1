/** The extent of a value. */
export interface Extent {
  /** The characters of its texts and keys, plus a constant for each value. */
  readonly size: number;
  /** The depth of its nested collections: 0 for a scalar. */
  readonly depth: number;
}

const valueCost = 16;

/** A collection of which some members are measured. */
interface OpenValue {
  readonly members: readonly unknown[];
  next: number;
}

/** Measures a value, a part twice if it is there twice; answers may be nested deeper than the stack reaches. */
export function measure(value: unknown): Extent {
  const opened: OpenValue[] = [];
  let [size, depth] = [0, 0];
  const add = (member: unknown) => {
    size += valueCost;
    if (typeof member === "string") size += member.length;
    if (typeof member !== "object" || member === null) return;
    if (!Array.isArray(member)) for (const key of Object.keys(member)) size += key.length;
    // Without another list of the items, of which there may be ten million.
    opened.push({ members: Array.isArray(member) ? member : Object.values(member), next: 0 });
    depth = Math.max(depth, opened.length);
  };
  add(value);
  for (let last = opened.at(-1); last; last = opened.at(-1)) {
    if (last.next === last.members.length) opened.pop();
    else add(last.members[last.next++]);
  }
  return { size, depth };
}
