import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/generated/validate-plan.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { sample } from "../harness/tier.js";
import { playScenario } from "./scenario.js";

const root = join(import.meta.dirname, "../fixtures/plans");
const scenarios = readdirSync(root).toSorted();
const cached = new Set(sample("scenarios with a cache", scenarios, 12));
const isUpdating = process.env.UPDATE_GOLDEN === "1";

test("there are scenarios", () => {
  expect(scenarios.length).toBeGreaterThan(45);
});

describe.each(scenarios)("%s", (name) => {
  const folder = join(root, name);

  test("gives the plan and the diagnostics that are on record, and the same with a cache", async () => {
    const { plan, planText, markdown, diagnosticsText } = await playScenario(folder);
    if (cached.has(name)) {
      const again = await playScenario(folder, makeCacheFolder());
      expect(JSON.stringify(again.plan)).toBe(JSON.stringify(plan));
      expect(again.diagnosticsText).toBe(diagnosticsText);
    }
    expect(plan === undefined || validate(plan), JSON.stringify(validate.errors)).toBe(true);
    compare(join(folder, "plan.txt"), planText);
    // Where the folder has one: what a pull request shows.
    if (existsSync(join(folder, "plan.md"))) compare(join(folder, "plan.md"), markdown);
    compare(join(folder, "diagnostics.txt"), diagnosticsText);
  });
});

function compare(file: string, text: string): void {
  if (isUpdating) {
    if (text === "") rmSync(file, { force: true });
    else writeFileSync(file, text);
  }
  expect(text).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
}
