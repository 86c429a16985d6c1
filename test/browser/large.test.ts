import { expect, test } from "vitest";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { openPlan, useBrowser } from "./html-page.js";
import { makeLargePlan } from "./sample-plan.js";

useBrowser();

const bound = 10_000;

test("2,000 changed resources are a page of less than 5 MB that is soon there and answers", async () => {
  const plan = makeLargePlan(2000);
  const start = performance.now();
  const html = renderPlanHtml(plan);
  const made = performance.now() - start;
  expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);

  const page = await openPlan(plan);
  const interactive = await page.evaluate(
    () => performance.getEntriesByName("interactive")[0]?.startTime ?? Number.POSITIVE_INFINITY,
  );
  expect(await page.locator(".card").count()).toBe(2000);

  const begun = performance.now();
  await page.fill("#search", "group 1234");
  await page.getByText("1 of 2,000").waitFor();
  const searched = performance.now() - begun;
  console.log(
    `2,000 resources: ${(html.length / 1e6).toFixed(1)} MB, made in ${Math.round(made)} ms, ` +
      `interactive after ${Math.round(interactive)} ms, searched in ${Math.round(searched)} ms`,
  );
  for (const time of [made, interactive, searched]) expect(time).toBeLessThan(bound);
});
