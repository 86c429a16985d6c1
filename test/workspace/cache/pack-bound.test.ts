import { existsSync, mkdirSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writePack } from "../../../src/workspace/cache/write-pack.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { filesOf, keepAll, keyOf, known, onlyFile, run } from "./pack-folder.js";

const hour = 3_600_000;
const day = 24 * hour;

/** Makes a file that has holes instead of bytes, used so many milliseconds ago, in the folder of another fingerprint. */
function make(folder: string, digit: string, { size = 0, age = 0, end = "pack" }): string {
  const file = join(folder, digit.repeat(32), `${digit.repeat(32)}.${end}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  truncateSync(file, size);
  setAge(file, age);
  return file;
}

function setAge(file: string, age: number): void {
  const used = new Date(Date.now() - age);
  utimesSync(file, used, used);
}

function ageOf(file: string): number {
  return Date.now() - statSync(file).mtimeMs;
}

/** Writes a pack, which sets off the tidying, and gives its path. */
function save(folder: string): string {
  const before = new Set(filesOf(folder));
  keepAll(folder, { a: { head: 1, texts: ["text"] } });
  return filesOf(folder).find((file) => !before.has(file)) ?? "";
}

test("above a gigabyte the least recently used packs go, and their empty folders", () => {
  const folder = makeCacheFolder();
  const files = {
    oldest: make(folder, "1", { size: 400_000_000, age: 5 * day }),
    newest: make(folder, "2", { size: 400_000_000, age: 1 * day }),
    older: make(folder, "3", { size: 400_000_000, age: 4 * day }),
    newer: make(folder, "4", { size: 400_000_000, age: 2 * day }),
  };
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([files.newest, files.newer, own].toSorted());
  expect([files.oldest, files.older].map((file) => existsSync(dirname(file)))).toEqual([false, false]);
});

test("up to a gigabyte all packs stay", () => {
  const folder = makeCacheFolder();
  const files = [
    make(folder, "1", { size: 499_999_000, age: 5 * day }),
    make(folder, "2", { size: 499_999_000 }),
  ];
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([...files, own].toSorted());
});

test("a pack that nobody used for 30 days goes", () => {
  const folder = makeCacheFolder();
  const files = [make(folder, "1", { age: 30.1 * day }), make(folder, "2", { age: 29.9 * day })];
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([...files.slice(1), own].toSorted());
});

test("what a killed writer left goes after an hour, in any folder", () => {
  const folder = makeCacheFolder();
  const end = "0123456789abcdef.tmp";
  make(folder, "1", { age: 1.1 * hour, end });
  const young = make(folder, "2", { age: 0.9 * hour, end });
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([young, own].toSorted());
});

test("what is not the cache's is left alone", () => {
  const folder = makeCacheFolder();
  const foreign = [
    make(folder, "1", { age: 99 * day, end: "txt" }),
    make(folder, "x", { age: 99 * day }),
    make(folder, "2", { age: 99 * day, end: "pack.tmp" }),
  ];
  mkdirSync(join(folder, "empty"));
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([...foreign, own].toSorted());
  expect(existsSync(join(folder, "empty"))).toBe(true);
});

test("a pack that is used but not changed is marked as used once a day", () => {
  const folder = makeCacheFolder();
  const file = save(folder);
  const use = (): void => run(folder, (pack) => void pack.get(keyOf("a")));
  setAge(file, 0.9 * day);
  use();
  expect(ageOf(file)).toBeGreaterThan(0.8 * day);
  setAge(file, 1.1 * day);
  run(folder, (pack) => void pack.get(keyOf("unknown")));
  expect(ageOf(file)).toBeGreaterThan(day);
  const left = make(folder, "1", { age: 99 * day });
  use();
  expect(ageOf(file)).toBeLessThan(hour);
  expect(existsSync(left)).toBe(false);
  expect(known(folder, ["a"])).toEqual(["a"]);
});

test("a pack above the bound is not kept, and leaves nothing behind", () => {
  const folder = makeCacheFolder();
  const path = join(folder, "a.pack");
  const kept = new Map([[keyOf("a"), { head: 1, texts: ["x".repeat(5000)] }]]);
  const write = (limit: number): void => writePack(path, kept, undefined, [], limit);
  expect(() => write(5200)).toThrow("too large");
  expect(filesOf(folder)).toEqual([]);
  write(5300);
  expect(statSync(onlyFile(folder)).size).toBeGreaterThan(5200);
});
