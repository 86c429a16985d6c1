import { test } from "vitest";
import { openPlan, useBrowser } from "./html-page.js";
import { samplePlan } from "./sample-plan.js";
useBrowser();
test("x", async () => {
    const page = await openPlan(samplePlan, { viewport: { width: 1280, height: 900 } });
    const heights = () => page.evaluate(() => [...document.querySelectorAll(".card")].map((e) => [e.className, e.getBoundingClientRect().height].join(" ")).join("\n"));
    await page.locator("#action-0").click();
    await page.locator("[data-index='2'] h4 button").click();
    await page.setViewportSize({ width: 1280, height: 3400 });
    await page.waitForTimeout(500);
    console.log(await heights());
    await page.screenshot({ path: "/tmp/pagework/shots/x.png" });
});
