import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPlan, useBrowser } from "./html-page.js";
import { samplePlan } from "./sample-plan.js";
import { wholeTest } from "../harness/tier.js";

useBrowser();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

wholeTest("/ goes to the search, Escape empties it and then leaves it", async () => {
  const page = await openPlan(samplePlan);
  await page.keyboard.press("/");
  await page.keyboard.type("jk/?");
  expect(await page.inputValue("#search")).toBe("jk/?");
  await page.keyboard.press("Escape");
  expect(await page.inputValue("#search")).toBe("");
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test("j and k walk through the actions that are shown, Enter unfolds and Escape folds", async () => {
  const page = await openPlan(samplePlan);
  await page.getByRole("button", { name: "Update 6" }).click();
  await page.keyboard.press("j");
  expect(await focused(page)).toContain("toolset:helpdesk");
  await page.keyboard.press("j");
  expect(await focused(page)).toContain("agent:support");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  expect(await focused(page)).toContain("toolset:helpdesk");
  await page.keyboard.press("Enter");
  expect(await page.locator(".card.open").count()).toBe(1);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  expect(await page.locator(".card.open").count()).toBe(0);
  expect(await focused(page)).toContain("toolset:helpdesk");
});

wholeTest("the focus is seen", async () => {
  const page = await openPlan(samplePlan);
  await page.keyboard.press("j");
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return `${outlineStyle} ${outlineWidth}`;
  });
  expect(outline).toBe("solid 2px");
});

wholeTest("e unfolds all, s changes sides, g shows the graph", async () => {
  const page = await openPlan(samplePlan);
  await page.keyboard.press("e");
  expect(await page.locator(".details").count()).toBe(samplePlan.actions.length);
  await page.keyboard.press("s");
  expect(await page.locator(".split").count()).toBeGreaterThan(0);
  await page.keyboard.press("g");
  expect(await page.locator("svg").count()).toBe(0);
  await page.keyboard.press("g");
  expect(await page.locator("svg").count()).toBe(1);
});

wholeTest("? lists the keys in a dialog, which Escape closes", async () => {
  const page = await openPlan(samplePlan);
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard" });
  await dialog.waitFor();
  await page.keyboard.press("e");
  expect(await page.locator(".details").count()).toBe(0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("?");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
});

wholeTest("keys with modifiers stay the browser's", async () => {
  const page = await openPlan(samplePlan);
  await page.keyboard.press("Control+e");
  expect(await page.locator(".details").count()).toBe(0);
});
