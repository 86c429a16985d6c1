import { dirname, join } from "node:path";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { sample } from "../harness/tier.js";
import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import { codes } from "../../src/generated/codes.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { expectedFile, fixtures, validateFixture } from "./fixture.js";

const update = process.env.UPDATE_GOLDEN === "1";

/** Codes that no loading of a fixture gives: they are about the lock, the plan, the apply, the options, or much input. */
const exempt = new Set<string>([
  "environment-required",
  "secret-missing",
  "secret-reserved",
  "api-key-missing",
  "api-key-invalid",
  "certificate-invalid",
  "proxy-invalid",
  "reference-tool-unmapped",
  "service-rejected",
  "service-moved",
  "uses-cycle",
  "uses-other-service",
  "environment-gone",
  "workspace-removed",
  "lock-absent",
  "lock-behind",
  "base-unread",
  "lock-history-cut",
  "state-tracked",
  "prune-untold",
  "seal-wrong",
  "seal-missing",
  "seal-unverified",
  "seal-key",
  "tool-ids-unsettled",
  "lock-damaged",
  "lock-conflict",
  "lock-format",
  "lock-too-large",
  "lock-foreign",
  "lock-held",
  "lock-changed",
  "lock-moved",
  "lock-moving",
  "lock-occupied",
  "lock-left-behind",
  "lock-disagrees",
  "lock-history-none",
  "lock-medium",
  "document-too-large",
  "for-each-too-large",
  "too-many-findings",
  "yaml-too-large",
  "observation-invalid",
  "object-unreadable",
  "object-not-compared",
  "prune-kept",
  "prune-unknown-id",
  "operation-missing",
  "service-unread",
  "drift-unwritten",
  "file-unwritten",
  "import-left-out",
  "import-incomplete",
  "import-unwritten",
  "import-unfinished",
  "plan-invalid",
  "plan-foreign",
  "command-line",
  "init-refused",
  "forge-refused",
  "emulator-storage",
  "bug",
  "plan-moved",
  "digest-needed",
  "prune-unknown-id",
  "journal-damaged",
  "journal-foreign",
  "protected",
  "retired-address",
  "orphan-limit",
  "adopt-taken",
  "adopt-invalid",
  "move-done",
  "output-incomplete",
  "output-name-taken",
  "output-unfit",
  "output-unwritten",
  "output-stale",
  "selector-empty",
  "option-unknown-address",
  "selector-empty",
  "move-unmarked",
]);

function written({
  code,
  severity,
  file,
  line,
  column,
  end_line,
  end_column,
  message,
  hint,
  related,
}: Diagnostic) {
  return {
    code,
    severity,
    file,
    line,
    column,
    end_line: end_line === line ? undefined : end_line,
    end_column,
    message,
    hint,
    related,
  };
}

function namesOfRules(name: string): string[] {
  const file = join(dirname(expectedFile(name)), "workspace/rules/all.yaml");
  if (!existsSync(file)) return [];
  const documents = readFileSync(file, "utf8").matchAll(/^kind: Rule\nmetadata: \{name: ([a-z-]+)\}/gm);
  return [...documents].flatMap(([, rule = ""]) => rule);
}

function read(name: string): Diagnostic[] {
  return JSON.parse(readFileSync(expectedFile(name), "utf8")) as Diagnostic[];
}

const withoutCache = new Map<string, ReturnType<typeof validateFixture>>();

/** What is found without a cache, which is looked for once. */
function plainly(name: string): ReturnType<typeof validateFixture> {
  const found = withoutCache.get(name) ?? validateFixture(name);
  withoutCache.set(name, found);
  return found;
}

const atLimits = ["includes-too-large", "openapi-too-large", "template-bomb"];

describe.each([
  ...fixtures.filter((name) => !atLimits.includes(name)),
  ...sample("fixtures at the limits", atLimits, 0),
])("%s", (name) => {
  test("gives the expected diagnostics, and shows no secret and nothing of an included file", async () => {
    const diagnostics = await plainly(name);
    const text = `${JSON.stringify(diagnostics.map(written), null, 2)}\n`;
    if (update) writeFileSync(expectedFile(name), text);
    expect(existsSync(expectedFile(name)), "run with UPDATE_GOLDEN=1 once").toBe(true);
    expect(text).toBe(readFileSync(expectedFile(name), "utf8"));
    const shown = JSON.stringify(diagnostics);
    expect(shown).not.toMatch(/sk-(literal|manifest|wrong|private)/);
    if (name.startsWith("included-data")) expect(shown).not.toMatch(/private/);
  });
});

describe("with a cache", () => {
  test.each(sample("fixtures", fixtures, 3))("%s gives the same diagnostics", async (name) => {
    expect(await validateFixture(name, makeCacheFolder())).toEqual(await plainly(name));
  });
});

describe("all fixtures", () => {
  let found: Diagnostic[] = [];
  beforeAll(() => {
    found = fixtures.flatMap(read);
  });

  test("cover every code that loading gives", () => {
    const covered = new Set(found.map(({ code }) => code));
    expect(codes.filter((code) => !covered.has(code) && !exempt.has(code))).toEqual([]);
    expect([...exempt].filter((code) => covered.has(code))).toEqual([]);
  });

  test("use only codes that the table explains, or that are names of their rules", () => {
    const ofRules = fixtures.flatMap((name) => namesOfRules(name));
    const known: ReadonlySet<string> = new Set([...codes, ...ofRules]);
    expect(found.filter(({ code }) => !known.has(code))).toEqual([]);
    expect([...exempt].filter((code) => !known.has(code))).toEqual([]);
  });

  test("have a hint for every error", () => {
    const without = found.filter(({ hint, severity }) => hint === undefined && severity === "error");
    // A URL that is no URL says all that there is to do about it.
    expect(without.filter(({ code }) => code !== "service-url").map(({ message }) => message)).toEqual([]);
  });

  test("have a line for every problem that is in a readable text", () => {
    const withoutLine = found.filter(({ line, file }) => line === undefined && file !== undefined);
    const codesWithoutLine = [...new Set(withoutLine.map(({ code }) => code))].toSorted();
    expect(codesWithoutLine).toEqual([
      "file-encoding",
      "file-missing",
      "file-not-regular",
      "file-outside-workspace",
      "file-too-large",
      "file-unreadable",
      "git-failed",
      "workspace-missing",
    ]);
  });
});
