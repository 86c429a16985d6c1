import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildPage } from "../../scripts/build-page.mjs";
import { escapeHtml } from "../../src/render/html/html-text.js";
import { safeLine } from "../../src/render/words/terminal-text.js";
import { groupTitle } from "../../src/render/view/group-title.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import type { Action, ActionCause, Change, Plan } from "../../src/generated/plan.js";
import type { LayoutLine } from "../../src/render/change/change-layout.js";
import { type PagePlan, pagePlanJson } from "../../src/render/html/page-plan.js";
import { pageChange } from "../../src/page/page-change.js";
import { PlanIndex } from "../../src/page/plan-index.js";
import { fc } from "../harness/property.js";
import { hostilePlan } from "./hostile-plan.js";
import { hiddenCharacter } from "./hostile-text.js";
import { sample, wholeTest } from "../harness/tier.js";

const folder = new URL("../fixtures/render/plans/", import.meta.url);
const longText = Array.from({ length: 399 }, (_, index) => `line ${index}`).join("\n");
const names = readdirSync(folder).toSorted();

function read(name: string): Plan {
  return JSON.parse(readFileSync(new URL(`${name}/plan.json`, folder), "utf8")) as Plan;
}

function dataOf(html: string): PagePlan {
  const [, json = ""] = /<script type="application\/json" id="plan">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as PagePlan;
}

function withActions(actions: Partial<Action>[]): Plan {
  const plan = read("scalars");
  const [first] = plan.actions;
  return { ...plan, actions: actions.flatMap((more) => (first ? [{ ...first, changes: [], ...more }] : [])) };
}

/** A change as the page shows it: each line with its sign, and parts that changed in lists. */
function changesOf(html: string) {
  const [action] = new PlanIndex(dataOf(html)).plan.actions;
  return (action?.changes ?? []).map((change) => {
    const { note, said, lines, ...shown } = pageChange(change, action);
    const words = [said, note].filter((text) => text !== undefined).join(" ");
    return {
      ...shown,
      ...(words !== "" && { said: words }),
      ...(lines.length > 0 && { lines: lines.map(lineOf) }),
    };
  });
}

function lineOf(line: LayoutLine) {
  if (!("segments" in line)) return [line.kind === "part" ? " " : "!", "text" in line ? line.text : ""];
  const parts: (string | string[])[] = [];
  for (const { text, changed } of line.segments) {
    const last = parts.at(-1);
    if (changed) parts.push([text]);
    else if (typeof last === "string") parts[parts.length - 1] = last + text;
    else parts.push(text);
  }
  return [{ context: " ", removed: "-", added: "+" }[line.kind], ...parts];
}

function changed(change: Change, causes: ActionCause[] = []) {
  return changesOf(renderPlanHtml(withActions([{ changes: [change], causes }])))[0];
}

describe("renderPlanHtml", () => {
  wholeTest("shows of a long plan the beginning and every address where no script runs, and says so", () => {
    const long = (word: string) => Array.from({ length: 120_000 }, (_, at) => `${word} ${at}`).join("\n");
    const prompt = { path: "system_prompt", before: long("old"), after: long("new") };
    const actions = Array.from({ length: 20 }, (_, at) => ({ address: `agent:b${at}`, changes: [prompt] }));
    const plan = withActions([{ address: "agent:a", changes: [prompt] }, ...actions.slice(1)]);
    const plainOf = (shown: Plan) => {
      const html = renderPlanHtml(shown);
      return html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    };
    const plain = plainOf(plan);
    expect(plain.split("Not all of the plan has room here")).toHaveLength(3);
    for (const { action, address } of plan.actions) expect(plain).toContain(`\n${action} ${address}`);
    expect(plainOf(read("scalars"))).not.toContain("Not all of the plan");
  });

  it("has the errors and all of a new text where no script runs", () => {
    const changes = [{ path: "system_prompt", after: longText }];
    const diagnostics = [{ severity: "error" as const, code: "service-url", message: "It is wrong." }];
    const html = renderPlanHtml({ ...withActions([{ action: "create", changes }]), diagnostics });
    const plain = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    expect(plain).toContain("It is wrong.");
    expect(plain.match(/line \d+/g)).toHaveLength(399);
  });

  it.each(names)("holds every action and note of %s, for the script and without it", (name) => {
    const plan = read(name);
    const html = renderPlanHtml(plan);
    const data = new PlanIndex(dataOf(html));
    expect(data.plan.actions.map(({ action }) => action)).toEqual(plan.actions.map(({ action }) => action));
    expect(data.review.notes.flatMap(({ addresses }) => addresses)).toHaveLength(plan.notes.length);
    const plain = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    for (const { address } of plan.actions) expect(plain).toContain(escapeHtml(safeLine(address)));
    for (const { message } of plan.notes) expect(plain).toContain(escapeHtml(safeLine(message)));
    for (const { message } of plan.diagnostics) expect(plain).toContain(escapeHtml(safeLine(message)));
  });

  it("is the same bytes for the same plan, and for the page built again", async () => {
    expect(renderPlanHtml(read("policy-replaced")) === renderPlanHtml(read("policy-replaced"))).toBe(true);
    expect(await buildPage()).toEqual(await buildPage());
  });

  it("allows its own scripts and style, by their digests, and nothing else", () => {
    const html = renderPlanHtml(read("policy-replaced"));
    const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const hashes = (tag: string) =>
      [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(
        ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
      );
    expect(hashes("script")).toHaveLength(2);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hashes("script").join(" ")}`,
      `style-src ${hashes("style").join(" ")}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it("asks for nothing from anywhere", () => {
    const html = renderPlanHtml(read("policy-replaced"));
    const page = html.replace(/<script[\s>].*?<\/script>/gs, "");
    expect(/\b(?:src|href|srcset|action)=|@import|url\((?!#)/.exec(page)).toBe(null);
  });

  it("lets no hidden character through and no text out of its place, whatever the plan", async () => {
    const { script } = await buildPage();
    const tags = (html: string) => (html.match(/<(?:script|style|main|body)\b/g) ?? []).length;
    const usual = tags(renderPlanHtml(read("no-changes")));
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        const html = renderPlanHtml(plan);
        expect(hiddenCharacter.exec(html.replace(script, ""))).toBe(null);
        expect(tags(html)).toBe(usual);
        expect(dataOf(html).plan.actions).toHaveLength(plan.actions.length);
      }),
    );
  });

  it("holds every line of an edit, however many there are", () => {
    const actions = Array.from({ length: 50 }, (_, index) => ({
      changes: [{ path: "prompt", after: `${longText}\n${index}` }],
    }));
    expect(changesOf(renderPlanHtml(withActions(actions)))[0]?.lines).toHaveLength(400);
  });

  it.each(sample("actions with one difference", ["update", "blocked"] as const, 1))(
    "holds a difference that 500 resources share once (%s)",
    (action) => {
      const changes = [
        { path: "prompt", before: longText, after: longText.replace("line 7\n", "line seven\n") },
      ];
      const actions = Array.from({ length: 500 }, (_, index) => ({
        address: `agent:a${index}`,
        action,
        changes,
        reasons: ["a reason that many have"],
      }));
      const html = renderPlanHtml(withActions(actions));
      const data = dataOf(html);
      expect(data.shared).toHaveLength(1);
      const shown = new PlanIndex(data).plan.actions;
      expect(new Set(shown.map((each) => each.changes.length))).toEqual(new Set([1]));
      expect(new Set(shown.flatMap((each) => each.changes)).size).toBe(1);
      const [, json = ""] = html.split('id="plan">');
      expect(json.match(/line seven/g)).toHaveLength(1);
    },
  );

  it("holds an edit that stands in different surroundings once, as in the first resource", () => {
    const promptOf = (index: number, line: string) => `About ${index}.\n${line}\nEnd of ${index}.\n`;
    const actions = [0, 1, 2].map((index) => ({
      address: `agent:a${index}`,
      action: "update" as const,
      changes: [{ path: "prompt", before: promptOf(index, "Be kind."), after: promptOf(index, "Be brief.") }],
    }));
    const data = dataOf(renderPlanHtml(withActions(actions)));
    const { groups } = new PlanIndex(data);
    expect(groups.map((item) => [groupTitle(item, String).head, item.group.actions.length])).toEqual([
      ["The same edit in 3 agents", 3],
    ]);
    expect(data.shared).toHaveLength(1);
    expect(JSON.stringify(data.shared)).toContain("About 0.");
    expect(JSON.stringify(data.plan)).not.toContain("About");
  });

  it("gives its script a plan up to a size, with every change in its place", () => {
    const changes = ["a", "model", "z"].map((path, index) => ({ path, before: index, after: index + 1 }));
    const plan = withActions([
      { address: "agent:a", changes },
      { address: "agent:b", changes: changes.slice(1, 2) },
    ]);
    const json = pagePlanJson(plan, 100_000) ?? "";
    expect(json.match(/"model"/g)).toHaveLength(1);
    const { actions } = new PlanIndex(JSON.parse(json) as PagePlan).plan;
    expect(actions.map((action) => action.changes)).toEqual([changes, changes.slice(1, 2)]);
    expect(pagePlanJson(plan, 100)).toBe(undefined);
  });

  it("holds every one of very many changes", () => {
    const changes = Array.from({ length: 250 }, (_, index) => ({ path: `field_${index}`, after: index }));
    expect(changesOf(renderPlanHtml(withActions([{ changes }])))).toHaveLength(250);
  });
});

describe("a change", () => {
  it("of a scalar shows both values", () => {
    expect(changed({ path: "threshold", before: 0.5, after: "0.5" })).toEqual({
      path: "threshold",
      sign: "~",
      before: "0.5",
      after: '"0.5"',
    });
  });

  it("that is one-sided shows the one value", () => {
    expect(changed({ path: "x", after: true })).toEqual({ path: "x", sign: "+", after: "true" });
    expect(changed({ path: "x", before: "y" })).toEqual({ path: "x", sign: "-", before: "y" });
  });

  it("of a text is by line and word", () => {
    expect(
      changed({ path: "prompt", before: "Be kind.\nStay.\n", after: "Be very kind.\nStay.\n" })?.lines,
    ).toEqual([
      ["-", "Be kind."],
      ["+", "Be ", ["very "], "kind."],
      [" ", "Stay."],
    ]);
  });

  it("of a list shows the items that go and come", () => {
    const change = { path: "topics", before: ["a", "b", "c"], after: ["c", "a", { name: "d" }] };
    expect(changed(change)?.lines).toEqual([
      ["-", "b"],
      ["+", "{name: d}"],
    ]);
  });

  it("of a list's order says so and shows it", () => {
    const shown = changed({ path: "tools", before: ["a", "b"], after: ["b", "a"], order: true });
    expect(shown?.said).toBe("same items, another order");
    expect(shown?.lines?.map(([sign]) => sign)).toEqual(["-", " ", "+"]);
  });

  it("of an object is by member", () => {
    expect(
      changed({ path: "query", before: { region: "eu", page: 20 }, after: { region: "eu", page: 50 } })
        ?.lines,
    ).toEqual([
      [" ", "region: eu"],
      ["-", "page: ", ["20"]],
      ["+", "page: ", ["50"]],
    ]);
  });

  it("of a secret names revisions alone", () => {
    const shown = changed({ path: "key", before: "${env:KEY@1}", after: "${env:KEY@2}" });
    expect(shown).toEqual({ path: "key", sign: "~", said: "secret: revision 1 → 2" });
  });

  it("of what a reference stands for says what becomes of it", () => {
    const text = "${policy:p}";
    const change = { path: "policy_id", before: text, after: text, references: ["policy:p"] };
    expect(changed(change, [{ code: "other-id", parts: { address: "policy:p" } }])?.said).toBe(
      "${policy:p} has another ID than was sent",
    );
  });

  it("of an OpenAPI document counts and names its operations", () => {
    const after = { operations: [{ method: "GET", path: "/a" }], servers: [{ url: "https://a.example" }] };
    expect(changed({ path: "openapi_schema", after, outline: true })).toEqual({
      path: "openapi_schema",
      sign: "+",
      said: "1 operation at https://a.example",
      lines: [[" ", "GET /a"]],
    });
  });
});
