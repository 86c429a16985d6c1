import { describe, expect, test } from "vitest";
import { openPlan, useBrowser } from "./html-page.js";
import { makeAction, makePlan, samplePlan } from "./sample-plan.js";
import { sample, wholeTest } from "../harness/tier.js";

useBrowser();

const addresses = ".card .address";

/** Gives the button of the action at an index of the plan. */
const button = (index: number) => `#action-${index}`;

describe("the head", () => {
  test("says what the plan is of, what it does and what it was compared with", async () => {
    const page = await openPlan(samplePlan);
    expect(await page.title()).toBe("Plan: support-desk (production)");
    const head = await page.locator("header").innerText();
    expect(head).toContain("support-desk");
    expect(head).toContain("production");
    expect(head).toContain("1 to replace, 1 to forget, 2 to create, 6 to update, 41 unchanged");
    expect(head).toContain("Compared with what was last applied (agentform.production.lock).");
  });

  wholeTest("copies the digest", async () => {
    const page = await openPlan(samplePlan, { permissions: ["clipboard-read", "clipboard-write"] });
    // Seen by the page itself, which tells it for two seconds only.
    const told = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const look = () => document.querySelector(".copy")?.textContent === "Copied" && resolve();
          new MutationObserver(look).observe(document.body, {
            childList: true,
            characterData: true,
            subtree: true,
          });
        }),
    );
    await page.getByRole("button", { name: "Copy the digest" }).click();
    await told;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(samplePlan.digest);
  });

  wholeTest("says that a plan is partial, and by what", async () => {
    const page = await openPlan({ ...samplePlan, partial: true, options: { target: ["agent:support"] } });
    expect(await page.locator("header").innerText()).toContain("narrowed by --target agent:support");
  });

  wholeTest("of a plan without changes stands alone", async () => {
    const page = await openPlan(makePlan([]));
    expect(await page.locator("header").innerText()).toContain(
      "No changes. 41 resources are as last applied",
    );
    expect(await page.locator("#search, .panel, .card").count()).toBe(0);
  });
});

describe("settings", () => {
  wholeTest("that changed come before everything else, whole", async () => {
    const after = `https://agents.example.com.${"a".repeat(200)}.example.org`;
    const change = { path: "service.base_url", before: "https://agents.example.com", after };
    const page = await openPlan({ ...samplePlan, setting_changes: [change] });
    expect((await page.locator("main section h2").allInnerTexts())[0]).toBe("Settings 1");
    const shown = await page.locator(".settings").innerText();
    expect(shown).toContain("service.base_url");
    expect(shown.replaceAll(/\s/g, "")).toContain(after);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  wholeTest("are there without scripts", async () => {
    const setting_changes = [{ path: "service.tool_ids", after: "document_order" }];
    const page = await openPlan({ ...samplePlan, setting_changes }, { javaScriptEnabled: false });
    expect(await page.locator("body").innerText()).toContain("service.tool_ids: document_order");
  });
});

describe("guardrail notes", () => {
  test("come before everything else, each with its code", async () => {
    const page = await openPlan(samplePlan);
    const [first] = await page.locator("main section h2").allInnerTexts();
    expect(first).toBe("Guardrail notes 4");
    expect(await page.locator(".notes li").first().innerText()).toMatch(
      /weakens\s+policy:strict\s+the threshold of toxicity_check changes from 0\.5 to 0\.8\s+threshold-changed/,
    );
  });

  wholeTest("lead to their action, also when a filter hides it", async () => {
    const page = await openPlan(samplePlan);
    await page.fill("#search", "warehouse/nothing");
    await page.getByText("No action matches the search and the filters").waitFor();
    await page.locator(".notes").getByRole("button", { name: "policy:strict" }).first().click();
    expect(await page.locator(button(0)).getAttribute("aria-expanded")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("action-0");
    expect(page.url()).toMatch(/#policy:strict$/);
  });

  wholeTest("stand at the action as well", async () => {
    const page = await openPlan(samplePlan);
    await page.locator(button(0)).click();
    expect(await page.locator("#details-0 .callout").allInnerTexts()).toEqual([
      "weakens the threshold of toxicity_check changes from 0.5 to 0.8",
      "weakens the PII type SSN is no longer looked for",
    ]);
  });
});

describe("actions", () => {
  wholeTest("are listed by sort, what must not be missed first", async () => {
    const page = await openPlan(samplePlan);
    expect(await page.locator("h3").allInnerTexts()).toEqual([
      "Unknown 1",
      "Blocked 1",
      "Replace 1",
      "Forget 1",
      "Create 2",
      "Update 6",
    ]);
  });

  wholeTest("unfold to reasons, changes and what follows, and fold again", async () => {
    const page = await openPlan(samplePlan);
    expect(await page.locator(".details").count()).toBe(0);
    await page.locator(button(0)).click();
    const details = await page.locator("#details-0").innerText();
    expect(details).toContain("because the service cannot update a policy");
    expect(details).toMatch(/toxicity_check\.threshold\s+changed\s+0\.5\s+→\s+0\.8/);
    expect(details).toContain("leaves 1 object behind in the service (ID 66aa01)");
    expect(details).toMatch(/affects\s+agent:support\s+agent:triage/);
    await page.locator(button(0)).click();
    expect(await page.locator(".details").count()).toBe(0);
  });

  wholeTest("with an unknown outcome offer the commands that resolve it", async () => {
    const page = await openPlan(samplePlan);
    const index = samplePlan.actions.findIndex(({ action }) => action === "unknown");
    await page.locator(button(index)).click();
    expect(await page.locator(".commands").innerText()).toContain(
      "agentform lock resolve -e production agent:intake --not-created",
    );
  });

  wholeTest("are folded at first, however few, as what they change is above them", async () => {
    const changes = [{ path: "model", before: "small-1", after: "large-2" }];
    const page = await openPlan(makePlan([makeAction("agent:a", "update", { changes })]));
    expect(await page.locator(".details").count()).toBe(0);
    expect(await page.locator(".only-here").innerText()).toContain("large-2");
  });

  wholeTest("are reached by a link", async () => {
    const page = await openPlan(samplePlan, {}, "#agent:night");
    expect(await page.locator(".card.open .address").innerText()).toContain("agent:night");
  });

  wholeTest("lead to what they affect", async () => {
    const page = await openPlan(samplePlan);
    await page.locator(button(0)).click();
    await page.locator("#details-0").getByRole("button", { name: "agent:billing" }).click();
    expect(await page.locator(".card.open .address").allInnerTexts()).toHaveLength(2);
  });

  wholeTest("unfold and fold all at once", async () => {
    const page = await openPlan(samplePlan);
    await page.getByRole("button", { name: "Unfold all" }).click();
    expect(await page.locator(".details").count()).toBe(samplePlan.actions.length);
    await page.getByRole("button", { name: "Fold all" }).click();
    expect(await page.locator(".details").count()).toBe(0);
  });
});

describe("search and filters", () => {
  test.each(
    sample(
      "searches",
      [
        ["an address", "agent:triage", ["policy:strict", "agent:triage"]],
        ["a field", "TOXICITY_check", ["policy:strict"]],
        ["a text inside a difference", "postcode", ["agent:support"]],
        ["several words", "system_prompt escalation", ["agent:escalation"]],
        ["a file", "policies/old", ["policy:old"]],
      ],
      1,
    ),
  )("%s is found", async (_, query, found) => {
    const page = await openPlan(samplePlan);
    await page.fill("#search", query);
    await page.getByText(`${found.length} of ${samplePlan.actions.length}`).waitFor();
    const shown = await page.locator(addresses).allTextContents();
    expect(shown.map((text) => text.replace(/^\w+\s/, ""))).toEqual(found);
  });

  wholeTest("what is found is marked, in edits and in unfolded actions", async () => {
    const page = await openPlan(samplePlan);
    await page.locator(button(4)).click();
    await page.fill("#search", "postcode");
    await page.getByText("1 of").waitFor();
    // The page marks in a moment of its own after it has drawn.
    await page.waitForFunction(() => CSS.highlights.get("found")?.size === 2);
    await page.fill("#search", "");
    await page.waitForFunction(() => !CSS.highlights.has("found"));
  });

  wholeTest("sorts and kinds add up to one filter, which can be cleared", async () => {
    const page = await openPlan(samplePlan);
    const count = () => page.locator(".card").count();
    await page.getByRole("button", { name: "Update 6" }).click();
    expect(await count()).toBe(6);
    await page.getByRole("button", { name: "Create 2" }).click();
    expect(await count()).toBe(8);
    await page.getByRole("button", { name: "toolset 2" }).click();
    expect(await count()).toBe(2);
    expect(await page.getByRole("button", { name: "toolset 2" }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator(".result").innerText()).toBe(`2 of ${samplePlan.actions.length}`);
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await count()).toBe(samplePlan.actions.length);
  });
});

describe("differences", () => {
  const support = samplePlan.actions.findIndex(({ address }) => address === "agent:support");

  wholeTest("mark the words that changed", async () => {
    const page = await openPlan(samplePlan);
    await page.locator(button(support)).click();
    const words = (tag: string) => page.locator(`#details-${support} .line ${tag}`).allInnerTexts();
    expect(await words("del")).toContain("50");
    expect(await words("ins")).toContain("100");
  });

  wholeTest("stand side by side when that is chosen, lines that belong together in one row", async () => {
    const page = await openPlan(samplePlan);
    await page.locator(button(support)).click();
    expect(await page.locator(".split").count()).toBe(0);
    await page.getByRole("button", { name: "Side by side" }).click();
    const rows = await page.locator(`#details-${support} .split`).first().locator(".row").all();
    const texts = await Promise.all(rows.map((row) => row.locator("> .line").allInnerTexts()));
    const pair = texts.find(([left = ""]) => left.includes("order number"));
    expect(pair?.[0]).toContain("Ask for the order number first.");
    expect(pair?.[1]).toContain("Ask for the order number and the postcode first.");
    await page.getByRole("button", { name: "Inline" }).click();
    expect(await page.locator(".split").count()).toBe(0);
  });

  wholeTest("that are long show their head until they are asked for", async () => {
    const after = Array.from({ length: 100 }, (_, index) => `Line ${index}.`).join("\n");
    const plan = makePlan([makeAction("agent:a", "create", { changes: [{ path: "system_prompt", after }] })]);
    const page = await openPlan(plan);
    expect(await page.locator(".line").count()).toBe(40);
    await page.getByRole("button", { name: "Show all 100 lines" }).click();
    expect(await page.locator(".line").count()).toBe(100);
  });
});

wholeTest("warnings of the workspace unfold to place and hint", async () => {
  const page = await openPlan(samplePlan);
  await page.getByText("Warnings").click();
  const text = await page.locator(".warnings").innerText();
  expect(text).toContain("agents/night.yaml:9:3");
  expect(text).toContain("list it in extra_fields");
});

test("without scripts notes, actions and their details are there to read", async () => {
  const page = await openPlan(samplePlan, { javaScriptEnabled: false });
  const text = await page.locator("#plain").innerText();
  expect(text).toContain("weakens  policy:strict  the threshold of `toxicity_check`");
  expect(text).toContain("-/+ policy:strict");
  expect(text).toContain(samplePlan.digest);
  expect(text).toContain("toxicity_check.threshold: 0.5 → 0.8");
});
