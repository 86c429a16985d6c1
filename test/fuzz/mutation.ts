/** Numbers that look random and are the same for the same seed (xorshift). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % Math.max(1, limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

// What parsers and people get wrong more often than single characters.
const tokens = [
  ..."{}[]:,-?&*!|>%@`'\"#\\\n\t\r\0$",
  "${",
  "${env:A}",
  "${policy:x}",
  "${toolset:a/b}",
  "${file:x}",
  "${template:x}",
  "$${",
  "${var:}",
  "__proto__",
  "constructor",
  "null",
  "true",
  ".nan",
  ".inf",
  "1e999",
  "9007199254740993",
  "-0",
  "0x1f",
  "---\n",
  "...\n",
  "<<: *a\n",
  "&a ",
  "*a",
  "!!binary ",
  "!!set ",
  "? ",
  "- - - ",
  "[[[[",
  "{a: {a: ",
  "<<<<<<< a\n",
  "=======\n",
  ">>>>>>> b\n",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ud800",
  "é",
  "😀",
  "\u001b[2J",
  '"serial": -1',
  '"lineage": ""',
  '"format": "x"',
  "\n\n\n",
  "  ",
  "".padEnd(300, "a"),
];

/** Gives lists and objects within each other, so many deep. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let left = depth; left > 0; left--) value = left % 2 === 0 ? [value] : { a: value };
  return value;
}

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e300,
  "",
  "x",
  "\0",
  "${policy:x}",
  "${toolset:a}",
  "$${",
  "agent:a",
  "a:b:c",
  [],
  {},
  [null],
  [{}],
  [[]],
  { id: 1 },
  { operations: [null, {}, { method: 1 }] },
  { operations: [{ method: "GET", path: "/", parameters: [null], operationId: 1 }] },
  { references: { x: [1] } },
  { "": null },
  1.5,
  -1e-300,
  2 ** 53,
  "__proto__",
  "agent:",
  nested(90),
  nested(130),
  nested(20_000),
  "‮\x1B[2J",
];

/** Gives a JSON text in which some values are others; undefined if it is none. */
function mutateValues(text: string, chance: Chance): string | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (let left = 1 + chance.below(3); left > 0; left--) root = replaceSomewhere(root, chance, root);
  return render(root);
}

// What is nested deeper than the engine can render is put in as a text.
function render(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  }
}

/** Gives some value that is anywhere in another. */
function pickSomewhere(value: unknown, chance: Chance): unknown {
  if (typeof value !== "object" || value === null || chance.below(4) === 0) return value;
  const members: unknown[] = Object.values(value);
  return members.length === 0 ? value : pickSomewhere(chance.pick(members), chance);
}

/** Gives a value in another form of the same: the shapes that a hasty reader takes for each other. */
function disguise(value: unknown): unknown {
  if (Array.isArray(value)) return { ...value, length: value.length };
  if (typeof value === "object" && value !== null) return Object.entries(value);
  return typeof value === "string" ? [value] : String(value);
}

function replacement(value: unknown, chance: Chance, root: unknown): unknown {
  switch (chance.below(6)) {
    case 0:
      return disguise(value);
    case 1:
      return pickSomewhere(root, chance);
    default:
      return chance.pick(values);
  }
}

function replaceSomewhere(value: unknown, chance: Chance, root: unknown): unknown {
  if (typeof value !== "object" || value === null || chance.below(8) === 0)
    return replacement(value, chance, root);
  const keys = Object.keys(value);
  if (keys.length === 0) return replacement(value, chance, root);
  const key = chance.pick(keys);
  const changed = replaceSomewhere((value as Record<string, unknown>)[key], chance, root);
  if (Array.isArray(value)) {
    const at = Number(key);
    if (chance.below(6) === 0) return value.toSpliced(at, 1);
    if (chance.below(6) === 0) return value.toSpliced(at, 0, changed);
    return value.with(at, changed);
  }
  const { [key]: before, ...rest } = value as Record<string, unknown>;
  switch (chance.below(6)) {
    case 0:
      return rest;
    case 1:
      return { ...rest, [key]: before, [chance.pick(["x", "a.b", "id", "${x}", "constructor"])]: changed };
    default:
      return { ...value, [key]: changed };
  }
}

/** Gives a text with a few things in it changed. */
export function mutate(text: string, chance: Chance, others: readonly string[]): string {
  const structural = text.startsWith("{") && chance.below(3) > 0 ? mutateValues(text, chance) : undefined;
  if (structural !== undefined) return structural;
  let mutated = text;
  for (let left = 1 + chance.below(4); left > 0; left--) mutated = mutateOnce(mutated, chance, others);
  return mutated.slice(0, 200_000);
}

function mutateOnce(text: string, chance: Chance, others: readonly string[]): string {
  const at = chance.below(text.length + 1);
  const length = chance.below(chance.pick([2, 8, 64]));
  const end = Math.min(text.length, at + length);
  switch (chance.below(7)) {
    case 0:
      return text.slice(0, at) + chance.pick(tokens) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return text.slice(0, at) + chance.pick(tokens) + text.slice(end);
    case 3:
      return text.slice(0, end) + text.slice(at);
    case 4:
      return text.slice(0, at);
    case 5: {
      const other = chance.pick(others);
      const from = chance.below(other.length);
      return text.slice(0, at) + other.slice(from, from + chance.below(200)) + text.slice(end);
    }
    default:
      return (
        text.slice(0, at) +
        String.fromCharCode(chance.below(0x250)) +
        text.slice(Math.min(text.length, at + 1))
      );
  }
}
