/** Whether an object has a duplicate key, of which `JSON.parse` keeps the last: the text then has more keys. */
export function repeatsKey(text: string, keysOfValue: number): boolean {
  return spelledKeys(text) !== keysOfValue;
}

/** Gives the offset after a string, -1 if it is not closed; a regular expression would overflow the stack. */
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

/** Whether an integer keeps its digits as a double, as OpenAPI's `-9223372036854776000` does. */
export function keepsDigits(source: string): boolean {
  const written = String(Number(source));
  return /^-?\d+$/.test(written) && BigInt(written) === BigInt(source);
}
