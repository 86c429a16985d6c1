import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openCache } from "../../../src/workspace/cache/cache.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { makePipe } from "../../harness/need.js";
import { runs, stride } from "../../harness/tier.js";

const day = 24 * 3_600_000;

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function onlyFile(folder: string): string {
  const [file, ...others] = filesOf(folder);
  if (file === undefined || others.length > 0) throw new Error(`there are ${others.length} files too many`);
  return file;
}

/** Keeps a value, and gives the path of its file. */
function save(folder: string, value: unknown = ["kept"], name = "name"): string {
  const before = new Set(filesOf(folder));
  openCache(name, { cacheFolder: folder, directory: "" }).save(value);
  return filesOf(folder).find((file) => !before.has(file)) ?? "";
}

function valueIn(folder: string, name = "name"): unknown {
  return openCache(name, { cacheFolder: folder, directory: "" }).value;
}

test("what was kept is there for the same name, in the same folder", () => {
  const folder = makeCacheFolder();
  const value = { text: "é \ud800", list: [1, null], none: {} };
  save(folder, value);
  expect(valueIn(folder)).toEqual(value);
  expect(valueIn(folder, "other")).toBeUndefined();
  expect(valueIn(makeCacheFolder())).toBeUndefined();
  openCache("name", { directory: "" }).save(value);
  expect(openCache("name", { directory: "" }).value).toBeUndefined();
  openCache("name", { cacheFolder: folder, directory: "" }).save("later");
  expect(valueIn(folder)).toBe("later");
  expect(statSync(onlyFile(folder)).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(onlyFile(folder))).mode & 0o777).toBe(0o700);
});

test("what was damaged in any place, or cut anywhere, is not there", () => {
  const folder = makeCacheFolder();
  const file = save(folder, { some: "value" });
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += stride("damaged bytes", 3)) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x21;
    writeFileSync(file, damaged);
    expect(valueIn(folder)).toBeUndefined();
    writeFileSync(file, bytes.subarray(0, at));
    expect(valueIn(folder)).toBeUndefined();
  }
});

test("what was kept under another name, or for another workspace, is not there", () => {
  const folder = makeCacheFolder();
  const file = save(folder);
  const other = save(folder, { other: true }, "other");
  copyFileSync(other, file);
  expect(valueIn(folder)).toBeUndefined();
  expect(valueIn(folder, "other")).toEqual({ other: true });
  openCache("name", { cacheFolder: folder, directory: "" }).save(["anew"]);
  expect(valueIn(folder)).toEqual(["anew"]);
});

test("a link in the place of the file is not followed, and is replaced", () => {
  const folder = makeCacheFolder();
  const file = save(folder, "kept");
  const elsewhere = join(makeCacheFolder(), "elsewhere");
  writeFileSync(elsewhere, readFileSync(file));
  rmSync(file);
  symlinkSync(elsewhere, file);
  expect(valueIn(folder)).toBeUndefined();
  const before = readFileSync(elsewhere);
  save(folder, "more");
  expect(valueIn(folder)).toBe("more");
  expect(readFileSync(elsewhere)).toEqual(before);
});

test.each<[string, (file: string, folder: string) => void]>([
  ["a pipe in the place of the file", (file) => (rmSync(file), makePipe(file))],
  [
    "a folder in the place of the file",
    (file) => (rmSync(file), mkdirSync(join(file, "a"), { recursive: true })),
  ],
  [
    "a file in the place of its folder",
    (file) => (rmSync(dirname(file), { recursive: true }), writeFileSync(dirname(file), "")),
  ],
  [
    "a file in the place of the cache",
    (_, folder) => (rmSync(folder, { recursive: true }), writeFileSync(folder, "")),
  ],
])("%s is as good as no cache", (_, stand) => {
  const folder = join(makeCacheFolder(), "cache");
  stand(save(folder), folder);
  expect(valueIn(folder)).toBeUndefined();
  openCache("name", { cacheFolder: folder, directory: "" }).save("more");
  expect(filesOf(dirname(folder)).filter((file) => file.endsWith(".tmp"))).toEqual([]);
});

/** Makes a file that has holes instead of bytes, written so many milliseconds ago. */
function make(folder: string, digit: string, { size = 0, age = 0, end = "json" }): string {
  const file = join(folder, `${digit.repeat(64)}.${end}`);
  writeFileSync(file, "");
  truncateSync(file, size);
  const written = new Date(Date.now() - age);
  utimesSync(file, written, written);
  return file;
}

test("above a gigabyte what was written first goes, drafts of killed writers too", () => {
  const folder = makeCacheFolder();
  make(folder, "1", { size: 400_000_000, age: 5 * day });
  const newest = make(folder, "2", { size: 400_000_000, age: 1 * day, end: "0123456789abcdef.tmp" });
  make(folder, "3", { size: 400_000_000, age: 4 * day, end: "0123456789abcdef.tmp" });
  const newer = make(folder, "4", { size: 400_000_000, age: 2 * day });
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([newest, newer, own].toSorted());
});

test("what was written 30 days ago goes, and what a killed writer left then", () => {
  const folder = makeCacheFolder();
  const end = "0123456789abcdef.tmp";
  make(folder, "1", { age: 30.1 * day });
  const young = make(folder, "2", { age: 29.9 * day });
  make(folder, "3", { age: 30.1 * day, end });
  const draft = make(folder, "4", { age: 29.9 * day, end });
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([young, draft, own].toSorted());
});

test("a process looks once for what is to go, however often it writes", () => {
  const folder = makeCacheFolder();
  const own = save(folder);
  const old = make(folder, "1", { age: 99 * day });
  expect([...filesOf(folder), save(folder, "more", "other")].toSorted()).toEqual(filesOf(folder).toSorted());
  expect(filesOf(folder)).toEqual(expect.arrayContaining([own, old]));
});

test("what is not the cache's is left alone, and keeps nothing else from going", () => {
  const folder = makeCacheFolder();
  const old = { age: 99 * day };
  const inner = join(folder, "inner");
  mkdirSync(inner);
  const foreign = [
    make(folder, "1", { ...old, end: "txt" }),
    make(folder, "x", old),
    make(folder, "2", { ...old, end: "json.tmp" }),
    make(inner, "5", old),
  ];
  const inPlace = join(folder, `${"3".repeat(64)}.json`);
  mkdirSync(inPlace);
  utimesSync(inPlace, 0, 0);
  make(folder, "4", { age: 100 * day });
  const own = save(folder);
  expect(filesOf(folder).toSorted()).toEqual([...foreign, own].toSorted());
  expect(existsSync(inPlace)).toBe(true);
});

let program = "";

beforeAll(async () => {
  program = join(mkdtempSync(join(tmpdir(), "agentform-actor-")), "actor.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "cache-actor.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    define: { AGENTFORM_BUILD: '"one"' },
  });
});

afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));

function start(work: "read" | "write", folder: string, milliseconds: number) {
  const child = spawn(process.execPath, [program, work, folder, String(milliseconds)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const begun = once(child.stdout, "readable");
  return { child, begun, stderr: text(child.stderr) };
}

test("two processes write at once while a third reads: all that is read is whole", async () => {
  const folder = makeCacheFolder();
  const milliseconds = runs("milliseconds of two writers", 300, 3000);
  const works = ["read", "write", "write"] as const;
  const actors = works.map((work) => start(work, folder, milliseconds));
  expect(await Promise.all(actors.map(({ stderr }) => stderr))).toEqual(["", "", ""]);
  expect(filesOf(folder)).toHaveLength(1);
});

test("killed at any moment, a writer leaves what is whole", async () => {
  const folder = makeCacheFolder();
  await start("write", folder, 1).stderr;
  for (let round = 0; round < runs("killed writers", 2, 12); round++) {
    const { child, begun, stderr } = start("write", folder, 60_000);
    await begun;
    await sleep(Math.random() * 150);
    child.kill("SIGKILL");
    await stderr;
    expect(await start("read", folder, 1).stderr).toBe("");
  }
});
