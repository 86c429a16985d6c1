import { test } from "vitest";
import { openPlan, useBrowser } from "./html-page.js";
import { samplePlan } from "./sample-plan.js";
useBrowser();
const out = "/tmp/pagework/shots";
for (const colorScheme of ["light", "dark"] as const) {
  test(colorScheme, async () => {
    const page = await openPlan(samplePlan, { colorScheme, viewport: { width: 1280, height: 2350 } });
    for (const index of [0, 4, 2, 10]) await page.locator(`[data-index='${index}'] h4 button`).click();
    if (colorScheme === "dark") await page.getByRole("button", { name: "Side by side" }).click();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: `${out}/${colorScheme}-full.png` });
  });
}
test("phone", async () => {
  const page = await openPlan(samplePlan, { viewport: { width: 360, height: 1900 }, deviceScaleFactor: 1.5 });
  await page.screenshot({ path: `${out}/phone-1.png` });
  await page.locator("[data-index='4'] h4 button").click();
  await page.getByRole("button", { name: "Side by side" }).click();
  await page.evaluate(() => scrollTo(0, 1e6));
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/phone-2.png` });
});
