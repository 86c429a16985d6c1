import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { openPlan, useBrowser } from "./html-page.js";
import { makeAction, makePlan } from "./sample-plan.js";
import { sample, wholeTest } from "../harness/tier.js";

useBrowser();

const attacks = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<!--<script>",
  '"><svg onload=alert(1)>',
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "&lt;b&gt;",
];
const unseen = ["\u202eesrever", "\u001b[31mred\u001b[0m", "a\u200bb", "\u0000"];
const text = [...attacks, ...unseen].join(" ");

function hostilePlan(): Plan {
  const address = `agent:${text}`;
  const shared = [0, 1, 2].map((index) =>
    makeAction(`agent:${index} ${text}`, "update", {
      reasons: [text],
      changes: [
        { path: text, before: `${index}\n${text}`, after: `${index}\n${text} ${text}` },
        { path: `${text}.own`, before: text, after: `${index} ${text}` },
      ],
    }),
  );
  const follows = makeAction(`agent:follows ${text}`, "update", {
    reasons: [text],
    changes: [{ path: text, before: text, after: text, references: [text] }],
  });
  const action = makeAction(address, "unknown", {
    file: text,
    reasons: [text],
    affects: [text],
    changes: [
      { path: text, before: text, after: `${text}\n${text}` },
      { path: `${text}.list`, before: [text], after: [text, { [text]: text }] },
      { path: `${text}.new`, after: { [text]: text } },
      { path: `${text}.moved`, before: text, after: text, references: [text] },
    ],
    body: { prompt: `\${agent:${attacks[1] ?? ""}}` },
  });
  return makePlan([action, makeAction("agent:</main>", "create"), ...shared, follows], {
    workspace: text,
    environment: text,
    digest: text,
    lock: { source: text, lineage: "", serial: 1 },
    setting_changes: [{ path: text, before: text, after: [text] }],
    notes: [{ code: text, effect: "widens", address, parts: {}, message: text, path: text }],
    diagnostics: [
      { code: text, severity: "warning", message: text, hint: text, file: text, line: 1, column: 1 },
    ],
  });
}

test.each(sample("scripts on and off", [true, false], 1))(
  "hostile names and prompts stay text (with scripts: %s)",
  async (javaScriptEnabled) => {
    const page = await openPlan(hostilePlan(), { javaScriptEnabled });
    const shown = page.locator("body");
    expect(await page.locator("img, iframe, object, svg[onload], b").count()).toBe(0);
    if (!javaScriptEnabled) for (const each of await page.locator("summary").all()) await each.click();
    const folded = page.locator(".unfold[aria-expanded=false]");
    while ((await folded.count()) > 0) await folded.first().click();
    const seen = (await shown.innerText()).replaceAll(/\s+/g, " ");
    for (const attack of attacks) expect(seen).toContain(attack);
    expect(seen).toContain("\\u{202e}esrever");
    expect(seen).toContain("\\x1b[31mred");
    expect(await page.content()).not.toMatch(/[\u202e\u001b\u200b\u0000]/);
  },
);

wholeTest("hostile text is found by search and drawn in the graph as it is", async () => {
  const page = await openPlan(hostilePlan());
  await page.fill("#search", "onerror=alert(1)");
  expect(await page.locator(".card").count()).toBe(5);
  expect(await page.locator(".node title").allTextContents()).toEqual(
    expect.arrayContaining(["agent:<img src=x onerror=alert(1)>"]),
  );
});

test("names that every object has are names like others", async () => {
  const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
  const actions = names.map((name) =>
    makeAction(`agent:${name}`, "create", { changes: [{ path: name, after: name }], affects: names }),
  );
  const page = await openPlan(makePlan(actions));
  await page.keyboard.press("e");
  expect(await page.locator(".details").count()).toBe(names.length);
  await page.fill("#search", "__proto__");
  expect(await page.locator(".card").count()).toBe(names.length);
});
