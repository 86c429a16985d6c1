import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { wholeTest } from "../harness/tier.js";

let home = "";
afterAll(() => home !== "" && rmSync(home, { recursive: true, force: true }));

// In a checkout of its own, for the demo builds, and other tests use what is built here.
function copyOfThis(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-checkout-"));
  const left = new Set([".git", "node_modules", "dist", "test"].map((part) => resolve(part)));
  cpSync(resolve("."), folder, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

function run(home: string, script: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, [join(home, script), ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    env: { ...process.env, XDG_CACHE_HOME: join(home, "cache") },
  });
}

/** What a demo prints of one environment, in order. */
function storyOf(count: number): string[] {
  return [
    "$ agentform plan",
    `${count} to create`,
    "$ agentform apply",
    `${count} done`,
    "$ agentform plan",
    "No changes.",
  ];
}

function expectInOrder(printed: string, texts: readonly string[]): void {
  let from = 0;
  for (const text of texts) {
    const at = printed.indexOf(text, from);
    expect(at, `${text}, after ${from} characters`).toBeGreaterThanOrEqual(from);
    from = at + text.length;
  }
}

/** Runs a demo in one checkout for all of them, which the first one builds. */
function demo(...args: readonly string[]) {
  const isBuilt = home !== "";
  home ||= copyOfThis();
  if (isBuilt) writeFileSync(join(home, "scripts/build.mjs"), "");
  return run(home, "scripts/demo.mjs", ...args);
}

wholeTest("the demo plans, applies, and has nothing left to change", () => {
  const { status, stdout, stderr } = demo();
  expect(status, stderr).toBe(0);
  expectInOrder(stdout, storyOf(8));
});

wholeTest("the demo of the fleet does so in each environment, at under a quarter of the lines", () => {
  const { status, stdout, stderr } = demo("fleet");
  expect(status, stderr).toBe(0);
  expectInOrder(stdout, [...storyOf(52), ...storyOf(51)]);

  const counted = run(home, "examples/fleet/count.mjs");
  expect(counted.status, counted.stderr).toBe(0);
  const number = (label: string) => Number(new RegExp(`^${label} +([\\d.]+)`, "m").exec(counted.stdout)?.[1]);
  expect(number("Agent")).toBe(25);
  expect(number("lines of this workspace")).toBeLessThan(600);
  expect(number("share")).toBeLessThan(25);
});

wholeTest("the demo of a service that can be asked shows drift, import and prune", () => {
  const { status, stdout, stderr } = demo("--full");
  expect(status, stderr).toBe(0);
  expectInOrder(stdout, [
    "8 done",
    "$ agentform drift",
    "2 changed",
    "reverts a manual edit in the service",
    "$ agentform import --all",
    "8 objects to import",
    "No changes.",
    "$ agentform prune",
    "No changes.",
  ]);
});

test("a demo of nothing is refused with the names that there are", () => {
  const { status, stderr } = run(".", "scripts/demo.mjs", "fleets");
  expect(status).toBe(64);
  expect(stderr).toContain("support-desk and fleet");
});
