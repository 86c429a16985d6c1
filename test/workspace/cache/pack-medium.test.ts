import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { filesOf, keepAll, keyOf, known, onlyFile, run, type Value } from "./pack-folder.js";

/** Mounts a file system of its own over a folder; gives why that cannot be done here. */
function mount(folder: string, size: string): string | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    return "this test mounts a file system, which takes Linux and its root";
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return undefined;
}

/** Fills a file system up to some pages. */
function fill(folder: string, pages: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, "filler"), Buffer.alloc(Math.max(0, bavail - pages) * bsize));
}

const before: Readonly<Record<string, Value>> = { before: { head: 1, texts: ["x".repeat(5000)] } };
const after: Readonly<Record<string, Value>> = { after: { head: 2, texts: ["y".repeat(20_000)] } };

test("a disk with any number of free pages too few leaves the pack as it was, and nothing else", (context) => {
  let free = 0;
  for (; ; free++) {
    const folder = makeCacheFolder();
    const obstacle = mount(folder, "256k");
    if (obstacle !== undefined) return context.skip(obstacle);
    keepAll(folder, before);
    const file = onlyFile(folder);
    fill(folder, free);
    keepAll(folder, after);
    expect(filesOf(folder).toSorted()).toEqual([file, join(folder, "filler")].toSorted());
    const found = known(folder, ["before", "after"]);
    if (found.includes("after")) break;
    expect(found).toEqual(["before"]);
  }
  expect(free).toBeGreaterThan(4);
});

test("a folder that cannot be written to is read, and left as it is", (context) => {
  const folder = makeCacheFolder();
  const isRoot = process.getuid?.() === 0;
  const obstacle = isRoot ? mount(folder, "256k") : undefined;
  if (obstacle !== undefined) return context.skip(obstacle);
  keepAll(folder, before);
  const file = onlyFile(folder);
  if (isRoot) execFileSync("mount", ["-o", "remount,ro", folder]);
  else for (const path of [dirname(file), folder]) chmodSync(path, 0o500);
  run(folder, (pack) => {
    expect(pack.get(keyOf("before"))?.text(0)).toBe("x".repeat(5000));
    pack.keep(keyOf("after"), 2, []);
  });
  expect(known(folder, ["before", "after"])).toEqual(["before"]);
  expect(onlyFile(folder)).toBe(file);
  if (!isRoot) for (const path of [folder, dirname(file)]) chmodSync(path, 0o700);
});

test.each([
  {
    name: "a file in the place of the cache folder",
    stand: (_: string, folder: string) => replaceByFile(folder),
  },
  { name: "a file in the place of a folder in it", stand: (file: string) => replaceByFile(dirname(file)) },
  { name: "a folder in the place of a pack", stand: replaceByFolder },
])("$name is as good as no cache", ({ stand }) => {
  const folder = join(makeCacheFolder(), "cache");
  keepAll(folder, before);
  stand(onlyFile(folder), folder);
  run(folder, (pack) => {
    expect(pack.get(keyOf("before"))).toBeUndefined();
    pack.keep(keyOf("after"), 2, ["text"]);
  });
  expect(filesOf(join(folder, "..")).filter((file) => file.endsWith(".tmp"))).toEqual([]);
});

function replaceByFile(path: string): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, "a file");
}

function replaceByFolder(path: string): void {
  rmSync(path);
  mkdirSync(join(path, "inner"), { recursive: true });
}

test("a pack whose file is taken away or cut short while it is open gives what is left, and is not copied wrongly", () => {
  const folder = makeCacheFolder();
  keepAll(folder, { ...before, ...after });
  const file = onlyFile(folder);
  run(folder, (pack) => {
    const remembered = pack.get(keyOf("after"));
    writeFileSync(file, "");
    expect(remembered?.text(0)).toBeUndefined();
    pack.keep(keyOf("new"), 3, []);
  });
  expect(known(folder, ["before", "after", "new"])).toEqual([]);
  run(folder, (pack) => pack.keep(keyOf("new"), 3, []));
  expect(known(folder, ["before", "after", "new"])).toEqual(["new"]);
});
