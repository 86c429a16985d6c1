import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPlan, useBrowser } from "./html-page.js";
import { makeAction, samplePlan } from "./sample-plan.js";
import { sharedPlan } from "./shared-plan.js";
import { wholeTest } from "../harness/tier.js";

useBrowser();

/** Gives the texts of some elements from the top of the page to its end. */
async function fromTheTop(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => element.getClientRects().length > 0)
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((element) => (element.textContent ?? "").replace(/\s*[\d,]+$/, "").trim()),
  );
}

const parts = [
  "Guardrail notes",
  "Waits for a person",
  "Only here",
  "The same edit in several resources",
  "Consequences",
  "Not judged",
  "Left behind",
  "Words",
  "Warnings and notes",
];

const wholePlan = {
  ...sharedPlan,
  state_changes: [
    { part: "resources", key: "agent:a0", edit: "removed" as const, before: "a", after: null, changes: [] },
  ],
  setting_changes: [{ path: "service.tool_ids", before: "tool_ids", after: "document_order" }],
  actions: [...sharedPlan.actions, makeAction("agent:lost", "unknown")],
  diagnostics: samplePlan.diagnostics,
};

describe("the order of a review", () => {
  wholeTest("is that of the page from its top", async () => {
    const page = await openPlan(wholePlan);
    expect(await fromTheTop(page, "main h2, main summary")).toEqual([
      "State edited by this change",
      "Settings",
      ...parts,
      "Dependency graph",
      "All actions",
    ]);
  });

  wholeTest("begins with the counts and how many distinct edits they are", async () => {
    const page = await openPlan(sharedPlan);
    expect(await page.locator("header").innerText()).toContain(
      "1 to replace, 10 to update, 41 unchanged. 4 distinct edits.",
    );
  });
});

describe("notes", () => {
  test("that are equal are one, with their addresses and what was and will be", async () => {
    const page = await openPlan(sharedPlan);
    const notes = await page.locator(".noted").allInnerTexts();
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/weakens\s+policy:strict[^]*0\.4\s+→\s+0\.9/);
    expect(notes[1]).toMatch(/widens\s+agent:a0\s+agent:a1[^]*small-1\s+→\s+large-2/);
  });

  wholeTest("of many resources unfold to the addresses", async () => {
    const notes = ["a0", "a1", "a2", "a3", "a4"].map((name) => ({
      code: "tool-added",
      effect: "widens" as const,
      address: `agent:${name}`,
      parts: {},
      message: "a tool comes into reach",
    }));
    const page = await openPlan({ ...sharedPlan, notes });
    const note = page.locator(".noted");
    expect(await note.locator("button.address-chip").count()).toBe(0);
    await note.getByRole("button", { name: /^5 agents/ }).click();
    expect(await note.locator("button.address-chip").allInnerTexts()).toEqual(
      notes.map(({ address }) => address),
    );
  });
});

describe("edits", () => {
  wholeTest("of one resource alone are unfolded, and lead to their card", async () => {
    const page = await openPlan(sharedPlan);
    const edits = page.locator(".only-here .edit");
    expect(await edits.count()).toBe(2);
    expect(await edits.nth(0).innerText()).toMatch(
      /agent:a5[^]*default_query_params\.tenant\s+changed\s+main\s+→\s+\*/,
    );
    await edits.nth(0).getByRole("button", { name: "agent:a5" }).click();
    expect(await page.locator(".card.open .address").textContent()).toContain("agent:a5");
    expect(await page.evaluate(() => document.activeElement?.closest(".card")?.textContent)).toContain(
      "agent:a5",
    );
  });

  wholeTest("that are shared are shown once, and unfold to addresses that lead to their cards", async () => {
    const page = await openPlan(sharedPlan);
    const group = page.locator(".shared .edit").last();
    expect(await group.locator(".line.added").allInnerTexts()).toHaveLength(1);
    expect(await group.locator(".address-chip").count()).toBe(0);
    await group.getByRole("button", { name: "5 resources" }).click();
    expect(await group.locator(".address-chip").allInnerTexts()).toEqual(
      [0, 1, 2, 3, 4].map((index) => `agent:a${index}`),
    );
    await group.getByRole("button", { name: "agent:a3" }).click();
    const card = page.locator(".card.open");
    expect(await card.locator(".address").textContent()).toContain("agent:a3");
    expect(await card.locator(".with").innerText()).toBe(
      "the same edit in 5 resources, shown as in agent:a0",
    );
  });
});

wholeTest("consequences are a number that unfolds to addresses and reasons", async () => {
  const page = await openPlan(sharedPlan);
  const part = page.locator(".consequences");
  expect(await part.locator("li").count()).toBe(0);
  await part.getByRole("button", { name: "Consequences 4" }).click();
  expect(await part.locator("li").allInnerTexts()).toHaveLength(4);
  expect(await part.locator("li").first().innerText()).toMatch(
    /agent:a6\s+update because policy:strict gets a new ID/,
  );
});

wholeTest("what no rule judges is named, with numbers", async () => {
  const page = await openPlan(sharedPlan);
  const texts = await page.locator(".notJudged li").allInnerTexts();
  expect(texts).toContain("system_prompt of 5 resources");
});

describe("filters", () => {
  const cards = async (page: Page) =>
    (await page.locator(".card .address").allTextContents()).map((text) => text.replace(/^\w+ /, ""));
  const agents = (...indexes: number[]) => indexes.map((index) => `agent:a${index}`);

  wholeTest("keep edits or consequences", async () => {
    const page = await openPlan(sharedPlan);
    await page.getByRole("button", { name: "Edited 7" }).click();
    expect(await cards(page)).toEqual(["policy:strict", ...agents(0, 1, 2, 3, 4, 5)]);
    expect(await page.locator("section.consequences").count()).toBe(0);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("group", { name: "Filter by edit" }).getByRole("button").last().click();
    expect(await cards(page)).toEqual(agents(6, 7, 8, 9));
    expect(await page.locator(".only-here, .shared").count()).toBe(0);
    // The page unfolds them in a moment of its own after it has drawn.
    await page.waitForFunction(() => document.querySelectorAll(".consequences li").length === 4);
  });

  wholeTest("keep what has a note of an effect", async () => {
    const page = await openPlan(sharedPlan);
    await page.getByRole("button", { name: "weakens 1" }).click();
    expect(await cards(page)).toEqual(["policy:strict"]);
    await page.getByRole("button", { name: "widens 2" }).click();
    expect(await cards(page)).toEqual(["policy:strict", ...agents(0, 1)]);
  });

  wholeTest("keep the resources of one shared edit, chosen from a list or where it is shown", async () => {
    const page = await openPlan(sharedPlan);
    const choice = page.getByLabel("Filter by shared edit");
    expect(await choice.locator("option").allInnerTexts()).toEqual([
      "Any edit",
      "system_prompt in 5 resources",
      "model in 2 resources",
    ]);
    await choice.selectOption("model in 2 resources");
    expect(await cards(page)).toEqual(agents(0, 1));
    await choice.selectOption("Any edit");
    const only = page.locator(".shared .edit").last().getByRole("button", { name: "Show only these" });
    await only.click();
    expect(await cards(page)).toEqual(agents(0, 1, 2, 3, 4));
    expect(await only.getAttribute("aria-pressed")).toBe("true");
    await only.click();
    expect(await cards(page)).toHaveLength(sharedPlan.actions.length);
  });

  wholeTest("of different sorts add up, and an address that they hide is still reached", async () => {
    const page = await openPlan(sharedPlan);
    await page.getByRole("button", { name: "widens 2" }).click();
    await page.getByRole("button", { name: "Replace 1" }).click();
    await page.getByText("No action matches").waitFor();
    await page.locator(".notes").getByRole("button", { name: "policy:strict" }).click();
    expect(await page.locator(".card.open").count()).toBe(1);
  });
});
