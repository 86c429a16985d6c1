import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { openPlan, useBrowser } from "./html-page.js";
import { makeLongPlan } from "./shared-plan.js";
import { sample, wholeTest } from "../harness/tier.js";

useBrowser();

const count = 10_000;
const onlyHere = makeLongPlan(count, false);
const shared = makeLongPlan(count, true);

const unfoldList = (page: Page) => page.getByRole("button", { name: /All actions/ }).click();
const cards = (page: Page) => page.locator(".card").count();

/** Waits until a card is drawn in the visible part. */
async function waitForCard(page: Page, address: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const own = [...document.querySelectorAll(".card")].find((card) =>
      card.querySelector(".address")?.textContent?.endsWith(wanted),
    );
    const { top = -1, bottom = -1 } = own?.getBoundingClientRect() ?? {};
    return bottom > 0 && top >= 0 && top < innerHeight;
  }, address);
}

wholeTest("10,000 resources with one edit are a page that holds the edit once", () => {
  const html = renderPlanHtml(shared);
  expect(html.split("Be brief.").length - 1).toBeLessThan(5);
  expect(Buffer.byteLength(html)).toBeLessThan(6_000_000);
});

describe.each(
  sample(
    "long plans",
    [
      ["one shared edit", shared],
      ["edits of their own", onlyHere],
    ] as const,
    1,
  ),
)("10,000 resources with %s", (_, plan) => {
  test("are drawn as far as they are near, at the top and at the end", async () => {
    const page = await openPlan(plan);
    expect(await cards(page)).toBe(0);
    await unfoldList(page);
    expect(await cards(page)).toBeLessThan(500);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(10_000);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await waitForCard(page, `agent:a${count - 1}`);
    expect(await cards(page)).toBeLessThan(500);
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForFunction(() => document.querySelectorAll(".card").length <= 50);
  });

  wholeTest("are reached by link and key, searched and unfolded", async () => {
    const page = await openPlan(plan, {}, "#agent:a7777");
    await waitForCard(page, "agent:a7777");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("agent:a7777");
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("agent:a7778");
    await page.fill("#search", "agent:a1234");
    await page.getByText("1 of 10,000").waitFor();
    expect(await cards(page)).toBe(1);
    await page.fill("#search", "");
    await page.locator("#search").blur();
    // The first folds what the link has unfolded.
    await page.keyboard.press("e");
    await page.keyboard.press("e");
    expect(await page.locator(".details").count()).toBeGreaterThan(0);
    expect(await page.locator(".details").count()).toBeLessThan(500);
  });
});

wholeTest("a key that goes to the last action draws it first", async () => {
  const page = await openPlan(shared);
  await page.keyboard.press("k");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("agent:a9999");
  await waitForCard(page, "agent:a9999");
});

wholeTest("the addresses of a large group are drawn as they come into sight", async () => {
  const page = await openPlan(shared);
  await page.locator(".shared").getByRole("button", { name: "10,000 resources" }).click();
  expect(await page.locator(".shared .address-chip").count()).toBeLessThan(count / 2);
  const chip = page.locator(".shared .address-chip").nth(42);
  const address = await chip.innerText();
  await chip.click();
  await waitForCard(page, address);
});

wholeTest("on paper everything is drawn, and as many as 500 always are", async () => {
  const page = await openPlan(makeLongPlan(700, true));
  await unfoldList(page);
  expect(await cards(page)).toBeLessThan(700);
  await page.emulateMedia({ media: "print" });
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 700);
  const small = await openPlan(makeLongPlan(500, true));
  await unfoldList(small);
  expect(await cards(small)).toBe(500);
});
