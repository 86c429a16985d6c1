const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

// The escapes of JSON and JavaScript, of URLs, and of HTML.
const escapes =
  /\\u\{(?<braced>[0-9a-fA-F]{1,6})\}|\\u(?<unit>[0-9a-fA-F]{4})|\\x(?<byte>[0-9a-fA-F]{2})|\\(?<letter>[bfnrtv])|\\(?<literal>["'`\\/])|(?<bytes>(?:%[0-9a-fA-F]{2})+)|&#[xX]0*(?<hex>[0-9a-fA-F]{1,6});|&#0*(?<decimal>\d{1,7});|&(?<name>amp|lt|gt|quot|apos);/g;

/** A text with one layer of escapes decoded. */
export interface Decoded {
  readonly text: string;
  /** Gives the range in the original text for a range of the decoded one. */
  source(at: number, end: number): readonly [at: number, end: number];
}

/** Whether a text has escapes to decode. */
export function hasEscapes(text: string): boolean {
  return text.search(escapes) !== -1;
}

/** Decodes one layer of escapes of any kind; undefined if there is none. */
export function decode(text: string): Decoded | undefined {
  let decoded = "";
  // Where each part of the decoded text begins and ends in the original one.
  const starts: number[] = [];
  const ends: number[] = [];
  const add = ({ character, length }: Character, at: number) => {
    decoded += character;
    for (let unit = 0; unit < character.length; unit++) {
      starts.push(at);
      ends.push(at + length);
    }
  };
  let from = 0;
  const addPlain = (to: number) => {
    for (; from < to; from++) add({ character: text.charAt(from), length: 1 }, from);
  };
  for (const match of text.matchAll(escapes)) {
    addPlain(match.index);
    for (const each of charactersOf(match.groups ?? {}, match[0])) {
      add(each, from);
      from += each.length;
    }
  }
  addPlain(text.length);
  // An escape that names no character stays as written.
  if (decoded === text) return undefined;
  return { text: decoded, source: (at, end) => [starts[at] ?? 0, ends[end - 1] ?? text.length] };
}

interface Character {
  readonly character: string;
  /** The length of the escape in characters. */
  readonly length: number;
}

function charactersOf(groups: Readonly<Record<string, string | undefined>>, written: string): Character[] {
  const { bytes, letter, literal, name, decimal } = groups;
  if (bytes !== undefined) return charactersOfBytes(bytes);
  const digits = groups["braced"] ?? groups["unit"] ?? groups["byte"] ?? groups["hex"];
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  const character =
    literal ?? named[letter ?? name ?? ""] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : written);
  return [{ character, length: written.length }];
}

// An incomplete character stays as it is: the rest of its bytes may be under a further layer.
function charactersOfBytes(written: string): Character[] {
  const bytes = Buffer.from(written.replaceAll("%", ""), "hex");
  const characters: Character[] = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const count = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    const character = bytes.toString("utf8", at, at + count);
    const isWhole = Buffer.byteLength(character) === count && !character.includes("\ufffd");
    const used = isWhole ? count : 1;
    characters.push({
      character: isWhole ? character : written.slice(at * 3, at * 3 + 3),
      length: used * 3,
    });
    at += used;
  }
  return characters;
}
