/** Gives the offset in a text at which `JSON.parse` gave up: its end where the error names none. */
export function jsonErrorOffset(cause: unknown, text: string): number {
  const position = /position (\d+)/.exec(cause instanceof Error ? cause.message : "")?.[1];
  return position === undefined ? text.length : Number(position);
}

/**
 * Whether an object in a JSON text has a key twice, of which `JSON.parse` silently keeps the last: the text
 * then spells more keys than its value has.
 */
export function repeatsKey(text: string, value: unknown): boolean {
  return spelledKeys(text) !== countKeys(value);
}

function spelledKeys(text: string): number {
  let keys = 0;
  const string = /"(?:[^"\\]|\\.)*"\s*(:?)/gs;
  for (let match = string.exec(text); match; match = string.exec(text)) if (match[1] === ":") keys++;
  return keys;
}

// Without recursion, for this is asked of values of any depth.
function countKeys(root: unknown): number {
  let keys = 0;
  const left = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    const members: unknown[] = Object.values(value);
    if (!Array.isArray(value)) keys += members.length;
    for (const member of members) if (typeof member === "object") left.push(member);
  }
  return keys;
}
