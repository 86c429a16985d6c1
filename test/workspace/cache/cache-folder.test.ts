import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder, isUsable } from "../../../src/workspace/cache/cache-folder.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";

const windowsHome = "C:\\Users\\ada";
test.each([
  ["linux", {}, "/home/ada", "/home/ada/.cache/agentform"],
  ["freebsd", {}, "/home/ada", "/home/ada/.cache/agentform"],
  ["linux", { XDG_CACHE_HOME: "/var/cache/ada" }, "/home/ada", "/var/cache/ada/agentform"],
  ["linux", { XDG_CACHE_HOME: "/var/cache/ada" }, undefined, "/var/cache/ada/agentform"],
  ["linux", { XDG_CACHE_HOME: "cache" }, "/home/ada", "/home/ada/.cache/agentform"],
  ["linux", { XDG_CACHE_HOME: "" }, "/home/ada", "/home/ada/.cache/agentform"],
  ["linux", { LOCALAPPDATA: "/elsewhere" }, "/home/ada", "/home/ada/.cache/agentform"],
  ["linux", {}, "", undefined],
  ["linux", {}, "ada", undefined],
  ["darwin", {}, "/Users/ada", "/Users/ada/Library/Caches/agentform"],
  ["darwin", { XDG_CACHE_HOME: "/caches" }, "/Users/ada", "/caches/agentform"],
  ["win32", { LOCALAPPDATA: "D:\\Local" }, windowsHome, "D:\\Local\\agentform\\cache"],
  ["win32", {}, windowsHome, "C:\\Users\\ada\\AppData\\Local\\agentform\\cache"],
  ["win32", { LOCALAPPDATA: "Local" }, undefined, undefined],
] as const)("on %s with %j and the home %s it is %s", (platform, env, home, expected) => {
  expect(cacheFolder(env, platform, home)).toBe(expected);
});

/** A workspace, and a folder beside it that is there or not. */
function place(): { workspace: string; beside: string } {
  const folder = makeCacheFolder();
  mkdirSync(join(folder, "workspace"));
  mkdirSync(join(folder, "beside"), { mode: 0o700 });
  return { workspace: join(folder, "workspace"), beside: join(folder, "beside") };
}

test("a folder of one's own outside the workspace is usable, and so is one that is not there yet", () => {
  const { workspace, beside } = place();
  expect(isUsable(beside, workspace)).toBe(true);
  expect(isUsable(join(beside, "not/yet/there"), workspace)).toBe(true);
  expect(isUsable(beside, join(workspace, "missing"))).toBe(false);
});

test("a folder in the workspace is not, however it is called", () => {
  const { workspace, beside } = place();
  mkdirSync(join(workspace, "cache/agentform"), { recursive: true, mode: 0o700 });
  symlinkSync(workspace, join(beside, "link"));
  symlinkSync(join(workspace, "cache"), join(beside, "inner"));
  expect(isUsable(join(beside, "inner"), workspace)).toBe(false);
  expect(isUsable(join(beside, "inner", "not/yet/there"), workspace)).toBe(false);
  const within = ["", "cache", "cache/agentform", "not/yet/there"];
  for (const name of within) {
    expect(isUsable(join(workspace, name), workspace), name).toBe(false);
    expect(isUsable(join(beside, "link", name), workspace), `link/${name}`).toBe(false);
    expect(isUsable(join(workspace, name), join(beside, "link")), `${name} of the link`).toBe(false);
  }
  expect(isUsable(`${workspace}-cache`, workspace)).toBe(true);
});

test("a folder above the workspace is usable", () => {
  const { workspace } = place();
  expect(isUsable(join(workspace, ".."), workspace)).toBe(true);
});

test("a folder that others can write to is not", () => {
  const { workspace, beside } = place();
  for (const [mode, expected] of [
    [0o700, true],
    [0o755, true],
    [0o770, false],
    [0o702, false],
    [0o1777, false],
  ] as const) {
    chmodSync(beside, mode);
    expect(isUsable(beside, workspace), mode.toString(8)).toBe(expected);
  }
});

test("a folder of somebody else is not", (context) => {
  const { workspace, beside } = place();
  if (statSync(beside).uid !== 0) return context.skip("giving a folder away takes root");
  chownSync(beside, 12_345, 12_345);
  expect(isUsable(beside, workspace)).toBe(false);
});

test("a link of somebody else to a folder of one's own is not, whether the folder is there or not", (context) => {
  const { workspace, beside } = place();
  if (statSync(beside).uid !== 0) return context.skip("giving a link away takes root");
  for (const name of ["own", "not-there"]) {
    const link = join(beside, `link-to-${name}`);
    symlinkSync(join(beside, name), link);
    if (name === "own") mkdirSync(join(beside, name), { mode: 0o700 });
    lchownSync(link, 12_345, 12_345);
    expect(isUsable(link, workspace), name).toBe(false);
    lchownSync(link, 0, 0);
    expect(isUsable(link, workspace), name).toBe(true);
  }
});

test("a file in its place is not", () => {
  const { workspace, beside } = place();
  writeFileSync(join(beside, "file"), "");
  expect(isUsable(join(beside, "file"), workspace)).toBe(false);
  expect(isUsable(join(beside, "file", "below"), workspace)).toBe(false);
});
