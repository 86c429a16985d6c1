import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../../../src/json/json.js";
import { noPack, openPack, type Pack } from "../../../src/workspace/cache/pack.js";
import { anyCharacter, examples, fc } from "../../harness/property.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { filesOf, keepAll, keyOf, known, onlyFile, run, type Value } from "./pack-folder.js";
import { runs, wholeTest } from "../../harness/tier.js";

/** Any string at all, halves of pairs too. */
const anyString = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", "\ufeffmark", "\0", "__proto__", "é", "a\ud800b", "\udc00\ud800", "😀"),
);
const anyValue: fc.Arbitrary<Value> = fc.record({
  head: fc.record({ text: anyString, any: fc.jsonValue() }) as fc.Arbitrary<Json>,
  texts: fc.array(anyString, { maxLength: 4 }),
});

function isWellFormed(text: string): boolean {
  return Buffer.from(text, "utf8").toString("utf8") === text;
}

/** Checks that the pack has exactly this under the key. */
function expectValue(pack: Pack, key: string, { head, texts }: Value): void {
  const remembered = pack.get(key);
  expect(remembered?.head).toEqual(JSON.parse(JSON.stringify(head)));
  expect(texts.map((_, index) => remembered?.text(index))).toEqual(texts);
  for (const index of [texts.length, -1, 0.5]) expect(remembered?.text(index)).toBeUndefined();
}

/** What a pack should do, without a file. */
class Model {
  stored = new Map<string, Value>();
  readonly #kept = new Map<string, Value | undefined>();
  readonly #used = new Set<string>();

  get(key: string): Value | undefined {
    if (this.#kept.has(key)) return undefined;
    if (this.stored.has(key)) this.#used.add(key);
    return this.stored.get(key);
  }

  keep(key: string, value: Value): void {
    this.#kept.set(key, value.texts.every(isWellFormed) ? value : undefined);
    this.#used.delete(key);
  }

  save(): void {
    const isChanged = [...this.#kept].some(([key, value]) => value || this.stored.has(key));
    const unused = this.stored.size - this.#used.size;
    if (!isChanged && (this.#used.size === 0 || unused <= this.stored.size / 4)) return;
    const next = [...this.stored].filter(([key]) => this.#used.has(key));
    for (const [key, value] of this.#kept) if (value) next.push([key, value]);
    this.stored = new Map(next);
  }

  end(): void {
    this.#kept.clear();
    this.#used.clear();
  }
}

const keys = Array.from({ length: 9 }, (_, index) => keyOf(index));
const step = fc.oneof(
  fc.record({ key: fc.constantFrom(...keys), value: anyValue }),
  fc.record({ key: fc.constantFrom(...keys), value: fc.constant(undefined) }),
);
const histories = fc.array(fc.record({ steps: fc.array(step, { maxLength: 12 }), isSaved: fc.boolean() }), {
  maxLength: 5,
});

test("a pack gives exactly what this run and those before it kept, used and saved", () => {
  fc.assert(
    fc.property(histories, (runs) => {
      const folder = makeCacheFolder();
      const model = new Model();
      for (const { steps, isSaved } of [...runs, { steps: keys.map((key) => ({ key })), isSaved: false }]) {
        const pack = openPack(folder, "workspace", "1");
        for (const { key, value } of steps as readonly { key: string; value?: Value }[]) {
          if (value) {
            pack.keep(key, value.head, value.texts);
            model.keep(key, value);
          } else {
            const expected = model.get(key);
            if (expected) expectValue(pack, key, expected);
            else expect(pack.get(key)).toBeUndefined();
          }
        }
        if (isSaved) pack.save();
        if (isSaved) model.save();
        pack.close();
        model.end();
        expect(filesOf(folder).filter((file) => !file.endsWith(".pack"))).toEqual([]);
      }
    }),
    { numRuns: examples(150) },
  );
});

test("many keys, most of them copied from the pack before", () => {
  const folder = makeCacheFolder();
  const value = (number: number, version: number): Value => ({
    head: { number, version, reference: [`agent:é-${number}`, null] },
    texts: [`${version} `.repeat(number % 300), "", `…${number}`],
  });
  const numbers = Array.from({ length: runs("keys", 600, 5000) }, (_, number) => number);
  keepAll(folder, Object.fromEntries(numbers.map((number) => [number, value(number, 1)])));
  const version = (number: number): number => (number % 7 === 0 ? 2 : 1);
  run(folder, (pack) => {
    for (const number of numbers) {
      const { head, texts } = value(number, 2);
      if (version(number) === 1) pack.get(keyOf(number));
      else pack.keep(keyOf(number), head, texts);
    }
  });
  const pack = openPack(folder, "workspace", "1");
  for (const number of numbers) expectValue(pack, keyOf(number), value(number, version(number)));
  pack.close();
});

wholeTest("large texts", () => {
  const folder = makeCacheFolder();
  const texts = [3, 5_000_001, 4_194_303, 0, 9_000_000, 6].map((length) => "ab€".repeat(length / 3));
  const expectLarge = (pack: Pack): void => {
    const remembered = pack.get(keyOf("large"));
    const isRight = texts.map((text, index) => remembered?.text(index) === text);
    expect(isRight).toEqual(texts.map(() => true));
  };
  run(folder, (pack) => {
    pack.keep(keyOf("small"), 2, ["x"]);
    pack.keep(keyOf("large"), 1, texts);
  });
  run(folder, (pack) => {
    pack.keep(keyOf("another"), 3, ["y"]);
    expectLarge(pack);
  });
  const pack = openPack(folder, "workspace", "1");
  expectLarge(pack);
  expectValue(pack, keyOf("another"), { head: 3, texts: ["y"] });
  expect(pack.get(keyOf("small"))).toBeUndefined();
  pack.close();
});

test("texts can be read after the pack was saved, and not after it was closed", () => {
  const folder = makeCacheFolder();
  keepAll(folder, { old: { head: 1, texts: ["old text"] } });
  const pack = openPack(folder, "workspace", "1");
  pack.keep(keyOf("new"), 2, ["new text"]);
  const old = pack.get(keyOf("old"));
  pack.save();
  expect(old?.text(0)).toBe("old text");
  pack.close();
  expect([old?.head, old?.text(0)]).toEqual([1, undefined]);
});

test("another name and another fingerprint know nothing of it", () => {
  const folder = makeCacheFolder();
  keepAll(folder, { a: { head: 1, texts: [] } });
  const others = [openPack(folder, "another", "1"), openPack(folder, "workspace", "2")];
  for (const pack of [...others, noPack]) {
    expect(pack.get(keyOf("a"))).toBeUndefined();
    pack.keep(keyOf("a"), 2, ["text"]);
    pack.save();
    pack.close();
  }
  const pack = openPack(folder, "workspace", "1");
  expectValue(pack, keyOf("a"), { head: 1, texts: [] });
  pack.close();
  expect(filesOf(folder)).toHaveLength(3);
});

test("nobody else can read what is cached", () => {
  const folder = `${makeCacheFolder()}/new/cache`;
  keepAll(folder, { a: { head: 1, texts: [] } });
  const file = onlyFile(folder);
  const modes = [file, dirname(file), folder].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

test("a run that uses nothing leaves all as it is; one that uses less than three quarters drops the rest", () => {
  const folder = makeCacheFolder();
  const names = [..."abcdefghijkl"];
  const use = (used: readonly string[]): void =>
    run(folder, (pack) => void used.map((name) => pack.get(keyOf(name))));
  keepAll(folder, Object.fromEntries(names.map((name) => [name, { head: name, texts: [name] }])));
  use([]);
  use(names.slice(0, 9));
  expect(known(folder, names)).toEqual(names);
  use(names.slice(4));
  expect(known(folder, names)).toEqual(names.slice(4));
});

const values: Readonly<Record<string, Value>> = {
  one: { head: { digest: "sha256:1", references: [["agent:é", 1]] }, texts: ["first", "second"] },
  two: { head: [], texts: ["third…"] },
  three: { head: "3", texts: [] },
};

/** Counts what a pack still gives of the values above; anything else that it gives fails the test. */
function countRight(folder: string): number {
  const pack = openPack(folder, "workspace", "1");
  let count = 0;
  for (const [name, { head, texts }] of Object.entries(values)) {
    const remembered = pack.get(keyOf(name));
    if (!remembered) continue;
    expect(remembered.head).toEqual(head);
    count++;
    for (const [index, text] of texts.entries()) {
      const given = remembered.text(index);
      if (given === undefined) continue;
      expect(given).toBe(text);
      count++;
    }
  }
  pack.close();
  return count;
}

test("no byte can change without something being missed, and nothing is ever given wrong", () => {
  const folder = makeCacheFolder();
  keepAll(folder, values);
  const file = onlyFile(folder);
  const bytes = readFileSync(file);
  expect(countRight(folder)).toBe(6);
  const textBytes =
    Object.values(values)
      .flatMap(({ texts }) => texts)
      .join("").length + 2;
  let partly = 0;
  for (const mask of [0x01, 0xff]) {
    for (const at of bytes.keys()) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(bytes.readUInt8(at) ^ mask, at);
      writeFileSync(file, damaged);
      const right = countRight(folder);
      expect(right, `byte ${at}`).toBeLessThan(6);
      if (right > 0) partly++;
    }
  }
  // Damage to a text costs that text alone.
  expect(partly).toBe(2 * textBytes);
});

test("cut short anywhere, filled with zeros, or with more at the end, a pack is as good as absent, and is written anew", () => {
  const folder = makeCacheFolder();
  keepAll(folder, values);
  const file = onlyFile(folder);
  const bytes = readFileSync(file);
  for (const length of bytes.keys()) {
    writeFileSync(file, bytes.subarray(0, length));
    expect(countRight(folder), `${length} bytes`).toBe(0);
    truncateSync(file, bytes.length);
    expect(countRight(folder), `${length} bytes and zeros`).toBe(0);
  }
  writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(1)]));
  expect(countRight(folder)).toBe(0);
  keepAll(folder, values);
  expect(countRight(folder)).toBe(6);
});

test("a text that was damaged is kept anew", () => {
  const folder = makeCacheFolder();
  keepAll(folder, values);
  const file = onlyFile(folder);
  const bytes = readFileSync(file);
  bytes.write("sECOND", bytes.indexOf("second"));
  writeFileSync(file, bytes);
  run(folder, (pack) => {
    for (const [name, { head, texts }] of Object.entries(values)) {
      const remembered = pack.get(keyOf(name));
      if (texts.some((_, index) => remembered?.text(index) === undefined))
        pack.keep(keyOf(name), head, texts);
    }
  });
  expect(countRight(folder)).toBe(6);
});

test("a large pack is not written anew for less than a hundredth of it", () => {
  const folder = makeCacheFolder();
  const names = Array.from({ length: 500 }, (_, index) => String(index));
  const value = { head: 1, texts: ["text"] };
  keepAll(folder, Object.fromEntries(names.map((name) => [name, value])));
  const before = readFileSync(onlyFile(folder));
  const edit = (count: number) =>
    run(folder, (pack) => {
      for (const name of names.slice(count)) pack.get(keyOf(name));
      for (const name of names.slice(0, count)) {
        pack.keep(keyOf(`new ${name}`), 2, ["new text"]);
      }
    });
  edit(4);
  expect(readFileSync(onlyFile(folder)).equals(before)).toBe(true);
  edit(5);
  expect(known(folder, ["0", "new 0", "new 4", "499"])).toEqual(["new 0", "new 4", "499"]);
});
