import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { deadText } from "../../src/render/words/log-text.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { safeJson, safeLine } from "../../src/render/words/terminal-text.js";
import type { Plan } from "../../src/generated/plan.js";
import { commandLines, commandTexts } from "../harness/job-log.js";
import { anyCharacter, examples, fc } from "../harness/property.js";
import { hostilePlan } from "./hostile-plan.js";
import { planJson } from "../harness/plan-text.js";

const piece = fc.oneof(
  fc.constantFrom(
    ...commandTexts,
    "::",
    ":",
    "##",
    "#",
    "[",
    "error",
    "]",
    "vso",
    "\ufe0f",
    "\u0301",
    " ",
    "\n",
    "\r",
    "\x1b[31m",
    "\x1b\\",
  ),
  fc.string({ maxLength: 3, unit: anyCharacter }),
);
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));

describe("deadText", () => {
  test.each(commandTexts)("%j is a command, and is dead after it", (each) => {
    expect(commandLines(each)).not.toEqual([]);
    expect(commandLines(deadText(each))).toEqual([]);
  });

  test("no text is a command or moves the cursor, whatever it holds", () => {
    fc.assert(
      fc.property(text, (each) => {
        const dead = deadText(each);
        expect(commandLines(dead)).toEqual([]);
        expect(dead.replaceAll(/\x1b\[[\d;]*m|\r\n/g, "")).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(deadText(dead)).toBe(dead);
      }),
      { numRuns: examples(2000) },
    );
  });

  test("the same holds for what two texts make together, each a line of its own", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(commandLines(`${deadText(`${a}\n`)}${deadText(b)}`)).toEqual([]);
      }),
    );
  });

  test("what is no command stays: colours, tabs, C++, headings, and the lines of a plan", () => {
    const kept = [
      "\x1b[31m- a::b\x1b[39m\tstd::vector",
      "  ## [1] heading ##",
      "a ::error:: in the middle",
      "# # [x]",
      "line\r\nline\n",
    ];
    for (const each of kept) expect(deadText(each)).toBe(each);
  });

  test("a long line is read once", () => {
    const marks = "\u0301\u200b ".repeat(300_000);
    for (const each of [
      `#${marks}`,
      marks,
      `:${marks}`,
      `${"#".repeat(900_000)}`,
      "\u2028".repeat(900_000),
    ]) {
      expect(deadText(each).length).toBeGreaterThanOrEqual(each.length);
    }
  });
});

describe("formats that machines read", () => {
  test("JSON is dead as it is rendered, and its value the same", () => {
    fc.assert(
      fc.property(text, text, (key, value) => {
        const json = safeJson(JSON.stringify({ [key]: [value] }, null, 2));
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ [key]: [value] })));
        expect(deadText(json)).toBe(json);
        expect(commandLines(json)).toEqual([]);
      }),
    );
  });

  const folder = new URL("../fixtures/render/plans/", import.meta.url);
  const plans = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(new URL(`${name}/plan.json`, folder), "utf8")) as Plan,
  );

  test("a page is dead as it is rendered, script and style included", () => {
    for (const plan of plans) expect(deadText(renderPlanHtml(plan)) === renderPlanHtml(plan)).toBe(true);
    fc.assert(
      fc.property(hostilePlan, text, (plan, workspace) => {
        const actions = plan.actions.map((each) => ({ ...each, reasons: [workspace] }));
        const html = renderPlanHtml({ ...plan, workspace, actions });
        expect(deadText(html) === html).toBe(true);
      }),
      { numRuns: examples(100) },
    );
  });

  test("a plan in JSON is dead as it is rendered", () => {
    fc.assert(
      fc.property(hostilePlan, text, (plan, workspace) => {
        const json = planJson({ ...plan, workspace: `${workspace}${safeLine(workspace)}` });
        expect(deadText(json)).toBe(json);
      }),
    );
  });
});
