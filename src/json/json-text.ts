/**
 * Whether an object in a JSON text has a duplicate key, of which `JSON.parse` silently keeps the last: then the text
 * has more keys than its value.
 */
export function repeatsKey(text: string, keysOfValue: number): boolean {
  return spelledKeys(text) !== keysOfValue;
}

/**
 * Gives the offset after the string that begins at a quote, -1 if it is not closed. A regular expression that goes
 * from character to character would overflow the stack in a long string.
 */
export function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

function spelledKeys(text: string): number {
  let keys = 0;
  const colon = /\s*:/y;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    at = stringEnd(text, at);
    if (at === -1) break;
    colon.lastIndex = at;
    const next = text[at];
    if (next === ":" || (next !== "," && colon.test(text))) keys++;
  }
  return keys;
}

/**
 * Whether an integer, as written in JSON or YAML, keeps its digits when it is read as a double and written again.
 * OpenAPI documents give bounds such as `-9223372036854776000`, which do.
 */
export function keepsDigits(source: string): boolean {
  const written = String(Number(source));
  return /^-?\d+$/.test(written) && BigInt(written) === BigInt(source);
}
