import { expect, test } from "vitest";
import { openPlan, useBrowser } from "./html-page.js";
import { makeAction, makeLargePlan, makePlan, samplePlan } from "./sample-plan.js";
import { wholeTest } from "../harness/tier.js";

useBrowser();

test("draws the actions and their direct neighbours, coloured by action", async () => {
  const page = await openPlan(samplePlan);
  const labels = await page.locator("svg .node title").allTextContents();
  expect(labels).toHaveLength(samplePlan.actions.length + 3);
  expect(labels).toEqual(
    expect.arrayContaining(["policy:strict (replace)", "agent:support (update)", "agent:supervisor"]),
  );
  expect(await page.locator(".node.replace title").allTextContents()).toEqual(["policy:strict (replace)"]);
  const fill = (sort: string) =>
    page
      .locator(`.node.${sort} rect`)
      .first()
      .evaluate((rect) => getComputedStyle(rect).fill);
  expect(new Set(await Promise.all(["replace", "update", "create", "forget"].map(fill))).size).toBe(4);
});

wholeTest("an arrow stands for each reference, and for nothing else", async () => {
  const plan = makePlan([
    makeAction("policy:p", "replace", { affects: ["agent:a", "agent:b", "agent:c"], body: {} }),
    makeAction("agent:a", "update", {
      body: { policy: "${policy:p}" },
      affects: ["agent:b", "agent:c"],
      waits_for: ["policy:p"],
    }),
    makeAction("agent:b", "update", { body: { agents: ["${agent:a}"] }, affects: ["agent:c"] }),
  ]);
  const page = await openPlan(plan);
  expect(await page.locator(".way").count()).toBe(3);
});

wholeTest("a click on a node unfolds its action and takes the focus there", async () => {
  const page = await openPlan(samplePlan);
  await page.getByRole("button", { name: "agent:billing, update" }).click();
  expect(await page.locator(".card.open .address").innerText()).toContain("agent:billing");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("agent:billing");
});

wholeTest("a node is pressed by the keyboard as well", async () => {
  const page = await openPlan(samplePlan);
  await page.getByRole("button", { name: "agent:night, update" }).focus();
  await page.keyboard.press("Enter");
  expect(await page.locator(".card.open .address").innerText()).toContain("agent:night");
});

wholeTest("a large graph is capped and says so; around one action it is drawn whole", async () => {
  const plan = makeLargePlan(300);
  const lone = makeAction("agent:lone", "create", { body: { agents: ["${agent:friend}"] } });
  const page = await openPlan({ ...plan, actions: [...plan.actions, lone] });
  expect(await page.locator("svg").count()).toBe(0);
  await page.getByRole("button", { name: "Dependency graph" }).click();
  expect(await page.locator(".node").count()).toBe(80);
  expect(await page.locator(".caption").innerText()).toContain("80 of 302 are drawn");
  expect(await page.locator(".node.replace").count()).toBe(1);
  await page.fill("#search", "agent:lone");
  await page.locator(".card h4 button").click();
  await page.getByRole("button", { name: "Show in graph" }).click();
  expect(await page.locator(".node title").allTextContents()).toEqual([
    "agent:lone (create)",
    "agent:friend",
  ]);
  expect(await page.locator(".caption").innerText()).toContain("The surroundings of agent:lone.");
  await page.getByRole("button", { name: "Whole plan" }).click();
  expect(await page.locator(".node").count()).toBe(80);
});

wholeTest("nothing is drawn where nothing is connected", async () => {
  const page = await openPlan(makePlan([makeAction("agent:a", "create")]));
  expect(await page.locator(".graph").count()).toBe(0);
});
