import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepEnvironments, keepStateNames, readNames } from "../../src/workspace/known-names.js";

function cache(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const state = (addresses: readonly string[], retired: readonly string[] = []) => ({
  resources: Object.fromEntries(addresses.map((address) => [address, { body: {}, digest: "sha256:0" }])),
  unknown: {},
  retired: Object.fromEntries(
    retired.map((id) => [id, { address: "policy:strict", reason: "replaced" as const }]),
  ),
});

function packsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

test("names are those of one workspace, environment and state", () => {
  const cacheFolder = cache();
  const owner = { directory: "/desk", environment: "production", cacheFolder };
  keepStateNames(state(["agent:b", "agent:a"], ["66"]), owner);
  keepEnvironments(["production"], owner);
  expect(readNames("state", owner)).toEqual({ addresses: ["agent:a", "agent:b"], retired: ["66"] });
  expect(readNames("environments", { directory: "/desk", cacheFolder })).toEqual({
    environments: ["production"],
  });
  expect(readNames("emulated-state", owner)).toEqual({});
  expect(readNames("state", { ...owner, environment: null })).toEqual({});
  expect(readNames("state", { ...owner, directory: "/other" })).toEqual({});
  expect(readNames("state", { directory: "/desk", environment: "production" })).toEqual({});
});

test("names are written again only if they have changed", () => {
  const cacheFolder = cache();
  const owner = { directory: "/desk", cacheFolder };
  keepStateNames(state(["agent:a"]), owner);
  const [pack = ""] = packsIn(cacheFolder);
  const { ino } = statSync(pack);
  keepStateNames(state(["agent:a"]), owner);
  expect(statSync(pack).ino).toBe(ino);
  keepStateNames(state(["agent:a", "agent:b"]), owner);
  expect(statSync(pack).ino).not.toBe(ino);
  expect(readNames("state", owner).addresses).toEqual(["agent:a", "agent:b"]);
});

test("what is very long, or very many, is not kept", () => {
  const owner = { directory: "/desk", cacheFolder: cache() };
  const many = Array.from({ length: 60_000 }, (_, index) => `e${index}`);
  keepEnvironments(["x".repeat(501), "x".repeat(500), "a\ud800", "", ...many], owner);
  const { environments = [] } = readNames("environments", owner);
  expect(environments).toHaveLength(50_000);
  expect(environments).toContain("x".repeat(500));
  expect(environments).not.toContain("x".repeat(501));
});

test.each<[damage: string, (pack: string) => void]>([
  ["cut", (pack) => truncateSync(pack, statSync(pack).size - 3)],
  ["empty", (pack) => truncateSync(pack, 0)],
  ["of other content", (pack) => writeFileSync(pack, "x".repeat(statSync(pack).size))],
  ["missing", (pack) => rmSync(pack)],
])("a cache that is %s has no names, and is made again", (_, damage) => {
  const owner = { directory: "/desk", cacheFolder: cache() };
  keepEnvironments(["production"], owner);
  const [pack = ""] = packsIn(owner.cacheFolder);
  damage(pack);
  expect(readNames("environments", owner)).toEqual({});
  keepEnvironments(["production"], owner);
  expect(readNames("environments", owner)).toEqual({ environments: ["production"] });
});
