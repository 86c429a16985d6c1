import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

// In a checkout of its own, for the demo builds, and other tests use what is built here.
function copyOfThis(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of [
    "src",
    "scripts",
    "schemas",
    "examples",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
  ]) {
    cpSync(part, join(folder, part), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

test("the demo plans, applies, and has nothing left to change", () => {
  const home = copyOfThis();
  const demo = join(home, "scripts/demo.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo], {
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: join(home, "cache") },
  });
  expect(status, stderr).toBe(0);
  const order = [
    "$ agentform plan",
    "8 to create",
    "$ agentform apply",
    "8 done",
    "$ agentform plan",
    "No changes.",
  ];
  const places = order.map((text, index) => stdout.indexOf(text, index === 4 ? stdout.indexOf("8 done") : 0));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
