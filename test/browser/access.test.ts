import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPlan, useBrowser, violations } from "./html-page.js";
import { makeAction, makePlan, samplePlan } from "./sample-plan.js";
import { sharedPlan } from "./shared-plan.js";
import { sample, wholeTest } from "../harness/tier.js";

useBrowser();

describe.each(sample("colours", ["light", "dark"] as const, 1))("in %s", (colorScheme) => {
  wholeTest("the folded page has nothing that hinders", async () => {
    const page = await openPlan(samplePlan, { colorScheme });
    expect(await violations(page)).toEqual([]);
  });

  test.each(sample("sides", ["Inline", "Side by side"], 1))(
    "neither has the unfolded page, %s",
    async (side) => {
      const page = await openPlan(samplePlan, { colorScheme, viewport: { width: 1280, height: 6000 } });
      await page.getByRole("button", { name: side }).click();
      await page.getByRole("button", { name: "Unfold all" }).click();
      await page.getByText("Warnings").click();
      await page.getByRole("button", { name: "Update 6" }).click();
      await page.getByRole("button", { name: "Update 6" }).click();
      await page.getByRole("button", { name: "agent 8" }).click();
      expect(await violations(page)).toEqual([]);
    },
  );

  wholeTest("neither have shared edits and consequences, unfolded and filtered", async () => {
    const page = await openPlan(sharedPlan, { colorScheme, viewport: { width: 1280, height: 6000 } });
    for (const each of await page.locator(".shared .unfold, .consequences .unfold").all()) await each.click();
    await page.locator(".shared").getByRole("button", { name: "Show only these" }).first().click();
    await page.getByRole("button", { name: "widens 2" }).click();
    await page.getByRole("button", { name: "Unfold all" }).click();
    expect(await violations(page)).toEqual([]);
  });

  wholeTest("neither has the dialog", async () => {
    const page = await openPlan(samplePlan, { colorScheme });
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    expect(await violations(page)).toEqual([]);
  });
});

wholeTest("what is there without scripts has nothing that hinders", async () => {
  const page = await openPlan(samplePlan);
  await page.evaluate(() => {
    document.documentElement.classList.remove("scripted");
  });
  expect(await violations(page)).toEqual([]);
});

describe("on a phone", () => {
  const viewport = { width: 360, height: 740 };
  const long = "x".repeat(400);

  async function overflow(page: Page): Promise<number> {
    return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  }

  test.each(sample("sides", ["Inline", "Side by side"], 1))("nothing scrolls sideways, %s", async (side) => {
    const page = await openPlan(samplePlan, { viewport });
    await page.getByRole("button", { name: side }).click();
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.getByText("Warnings").click();
    expect(await page.locator(".details").count()).toBe(samplePlan.actions.length);
    // What is out of sight has no width of its own until it is laid out.
    await page.setViewportSize({ width: 360, height: 20_000 });
    expect(await overflow(page)).toBe(0);
  });

  test.each(sample("scripts on and off", [true, false], 1))(
    "not even with words that do not end (with scripts: %s)",
    async (javaScriptEnabled) => {
      const action = makeAction(`agent:${long}`, "update", {
        file: long,
        reasons: [long, `\`${long}\``],
        affects: [long],
        changes: [
          { path: long, before: `${long}\na`, after: `${long}\nb` },
          { path: "short", before: long.slice(0, 50), after: long.slice(0, 60) },
        ],
      });
      const plan = makePlan([action], {
        workspace: long,
        environment: long,
        notes: [{ code: long, effect: "weakens", address: `agent:${long}`, parts: {}, message: long }],
        diagnostics: [{ code: long, severity: "warning", message: long, hint: long }],
      });
      const page = await openPlan(plan, { viewport, javaScriptEnabled });
      for (const each of await page.locator("summary").all()) await each.click();
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    },
  );
});

wholeTest("on paper there are no controls, and what is unfolded is whole", async () => {
  const page = await openPlan(samplePlan);
  await page.locator("#action-0").click();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".toolbar").isVisible()).toBe(false);
  expect(await page.locator("#details-0").isVisible()).toBe(true);
  expect((await page.pdf()).byteLength).toBeGreaterThan(10_000);
});
