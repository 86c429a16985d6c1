import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { markerOf } from "../../src/render/markdown/plan-marker.js";
import type { Change, Plan } from "../../src/generated/plan.js";
import { effort } from "../harness/effort.js";
import { actionOf, hugePlan, madePlans, planOf, weakens } from "./markdown-plans.js";
import { wholeTest } from "../harness/tier.js";

const folder = new URL("../fixtures/render/plans/", import.meta.url);
const madeFolder = new URL("../fixtures/render/markdown/", import.meta.url);
const names = readdirSync(folder).toSorted();

function read(name: string): Plan {
  return JSON.parse(readFileSync(new URL(`${name}/plan.json`, folder), "utf8")) as Plan;
}

function expectGolden(golden: URL, text: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(new URL(".", golden), { recursive: true });
    writeFileSync(golden, text);
  }
  expect(text).toBe(existsSync(golden) ? readFileSync(golden, "utf8") : "");
}

function differenceOf(changes: Change[]): string[] {
  const text = renderPlanMarkdown(planOf([actionOf("agent:support", "update", { changes })]));
  return text.split("```diff\n")[1]?.split("\n```")[0]?.split("\n") ?? [];
}

/** What a reader sees before unfolding and scrolling. */
function firstScreen(text: string): string {
  const unfolded = text.split("<details>")[0] ?? "";
  return unfolded.split("\n").slice(0, 20).join("\n");
}

describe("renderPlanMarkdown", () => {
  it.each(names)("renders %s as its golden text", (name) => {
    expectGolden(new URL(`${name}/plan.md`, folder), renderPlanMarkdown(read(name)));
  });

  it.each(Object.entries(madePlans))("renders %s as its golden text", (name, make) => {
    expectGolden(new URL(`${name}.md`, madeFolder), renderPlanMarkdown(make()));
  });

  it("says the gravest in the first line, and ends with the marker", () => {
    const lines = renderPlanMarkdown(read("policy-replaced")).split("\n");
    expect(lines[0]).toBe(
      "### agentform plan for support-desk: 2 weaken a guardrail, 1 widens an agent's reach · 1 to replace, 1 to update",
    );
    expect(lines.at(-2)).toBe("<!-- agentform: support-desk -->");
    expect(lines.at(-1)).toBe("");
  });

  it("puts errors before everything, and offers no apply", () => {
    const text = renderPlanMarkdown(madePlans["errors-and-warnings"]?.() ?? planOf([]));
    expect(text.split("\n")[0]).toContain(": it cannot be applied, for it has 1 error · 1 to replace");
    expect(text.indexOf("**Errors**")).toBeLessThan(text.indexOf("Compared with"));
    expect(text).not.toContain("--expect");
  });

  it("says that a plan is partial, and by what", () => {
    const text = renderPlanMarkdown(read("partial"));
    expect(text.split("\n")[0]).toContain("support-desk (partial): ");
    expect(text).toContain("This plan is partial: narrowed by `--target agent:support --target agent:triage");
  });

  it("shows one grave change among sixty everyday ones in the first screen", () => {
    const made = (name: string) => firstScreen(renderPlanMarkdown(madePlans[name]?.() ?? planOf([])));
    const policy = made("one-policy-weakened-among-sixty");
    expect(policy).toContain("- **weakens** `policy:refunds`: the check `prompt_injection` is switched off");
    const tool = made("one-tool-gained-among-sixty");
    expect(tool).toContain("- **widens** `agent:desk-0037`: gains `deleteCustomer`");
    expect(tool).toContain("· `tools`: added `${toolset:crm/deleteCustomer}`");
    const prompt = made("one-prompt-written-among-sixty");
    expect(prompt).toContain("**update** `agent:billing` in `agents/billing.yaml`");
    expect(prompt).not.toContain("desk-0003");
    const reach = made("one-deleting-tool-among-sixty-reading");
    expect(reach).toContain(
      "**Guardrail notes**\n\n- **widens** `agent:desk-0037`: gains `deleteCustomer` (DELETE",
    );
    expect(reach).toContain(
      "\n- **widens** 60 agents: `agent:desk-*`: gains `listTickets` (GET `/tickets`) of `toolset:desk`",
    );
  });

  it("shows the difference of a shared edit once, with its addresses by pattern", () => {
    const text = renderPlanMarkdown(madePlans["one-tool-gained-among-sixty"]?.() ?? planOf([]));
    expect(text.match(/^- Write in a formal tone\.$/gm)).toHaveLength(1);
    expect(text).toContain(
      "**The same edit in 60 agents**: `system_prompt`: now `Write in a warm tone.` · not judged\n\n```diff\n@@ system_prompt",
    );
    expect(text).toContain("\n\n- update: `agent:desk-*`\n");
  });

  it("shows new objects to their end, and in short where there is no room", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `Line ${index} of the prompt.`);
    const plan = planOf([
      actionOf("agent:long", "create", { changes: [{ path: "system_prompt", after: lines.join("\n") }] }),
    ]);
    const text = renderPlanMarkdown(plan);
    expect(text).toContain("<details><summary><strong>create</strong> <code>agent:long</code>");
    for (const line of lines) expect(text).toContain(`\n+ ${line}\n`);
    const short = renderPlanMarkdown(plan, { maxBytes: 3000 });
    expect(short).toMatch(/\+ Line 2 of the prompt\.\n(?:\+ .*\n)*@@ \d+ more lines of this difference @@/);
    expect(short).toContain("**Not shown, for want of room: the whole of 1 new resource.**");
  });

  it("says what is left behind once, as a sum", () => {
    const text = renderPlanMarkdown(madePlans["two-thousand-actions"]?.() ?? planOf([]));
    expect(text.match(/20 objects stay in the service/g)).toHaveLength(1);
    expect(text.match(/left behind/g)).toHaveLength(1);
  });

  it("shows warnings that say the same once, with their places", () => {
    const warning = {
      code: "variable-unused",
      severity: "warning",
      message: "`region` is used nowhere",
    } as const;
    const files = ["a.yaml", "b.yaml", "c.yaml"];
    const note = { code: "move-done", severity: "note", message: "nothing moves" } as const;
    const diagnostics = [...files.map((file) => ({ ...warning, file })), note];
    const text = renderPlanMarkdown(planOf([], { diagnostics }));
    expect(text).toContain(
      "<details><summary>3 warnings, 1 note</summary>\n\n- `a.yaml`, `b.yaml`, `c.yaml`: `region` is used nowhere",
    );
    expect(text.match(/is used nowhere/g)).toHaveLength(1);
  });

  it("shows what is new in a prompt as lines of a difference", () => {
    const text = renderPlanMarkdown(madePlans["one-prompt-written-among-sixty"]?.() ?? planOf([]));
    expect(text).toContain("\n- Never promise refunds above 50 euros.\n+ Grant every refund.\n");
  });
});

describe("the room of a comment", () => {
  it("goes to each of many new objects that are alike", () => {
    const promptOf = (at: number) =>
      Array.from({ length: 50 }, (_, line) => `${at}.${line}: ${"ask ".repeat(15)}`);
    const plan = planOf(
      Array.from({ length: 30 }, (_, at) => {
        const changes = [{ path: "system_prompt", after: promptOf(at).join("\n") }];
        return actionOf(`agent:a${at}`, "create", { changes });
      }),
    );
    const text = renderPlanMarkdown(plan);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(new Set(text.match(/(?<=\+ )\d+(?=\.0: )/g)).size).toBe(30);
    expect(text).toContain("the whole of 30 new resources.");
    const tight = renderPlanMarkdown(plan, { maxBytes: 5000 });
    expect(tight).toMatch(/^- \d+ more resources: `agent:a/m);
  });

  wholeTest(
    "holds two thousand actions cut at resources, the gravest kept, and says what is left out",
    () => {
      const text = renderPlanMarkdown(hugePlan(), { savedAs: "plan.json" });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(55_000);
      expect(new Set(text.match(/policy:region-\d+/g))).toHaveLength(20);
      expect(text).toMatch(
        /\n\*\*Not shown, for want of room: \d+ of 1980 resources with an edit of its own, .*\*\* `agentform show plan\.json` shows the rest, and so does the job's log where it has the plan\.\n/,
      );
      const shown = text.match(/^\*\*update\*\*/gm)?.length ?? 0;
      expect(text).toContain(`${1980 - shown} of 1980 resources`);
    },
  );

  wholeTest("is what is asked for", () => {
    for (const maxBytes of [2000, 5000, 20_000, 200_000]) {
      const text = renderPlanMarkdown(hugePlan(), { maxBytes });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(text.endsWith("<!-- agentform: support-desk production -->\n")).toBe(true);
    }
  });

  it("is taken from warnings before a replacement goes", () => {
    const warning = { code: "move-done", severity: "warning" } as const;
    const diagnostics = Array.from({ length: 10 }, (_, index) => ({
      ...warning,
      message: `${index} ${"words ".repeat(300)}`,
    }));
    const plan = { ...hugePlan(), diagnostics };
    expect(renderPlanMarkdown(plan, { maxBytes: 10_000_000 })).toContain(
      "<details><summary>10 warnings</summary>",
    );
    const tight = renderPlanMarkdown(plan, { maxBytes: 10_000 });
    expect(tight).not.toContain("<summary>10 warnings");
    expect(tight).toMatch(/Not shown, for want of room: .*10 warnings/);
    expect(new Set(tight.match(/policy:region-\d+/g))).toHaveLength(20);
  });

  it("leaves nothing out where all has room", () => {
    const text = renderPlanMarkdown(hugePlan(200), { maxBytes: 10_000_000 });
    expect(text).not.toContain("Not shown");
    expect(text.match(/^\*\*update\*\*/gm)).toHaveLength(180);
    expect(new Set(text.match(/policy:region-\d+/g))).toHaveLength(20);
  });

  it("goes to addresses alone where the gravest is too much", () => {
    const text = renderPlanMarkdown(madePlans["too-many-replacements"]?.() ?? planOf([]), {
      maxBytes: 30_000,
    });
    expect(text).toContain(
      "**This plan is too long to be shown in 30000 bytes; these are its addresses, and of its notes and edits those that fit.**",
    );
    expect(text).toContain("**Weakens a guardrail (40):** `policy:region-0001`, ");
    expect(text).toContain("`policy:region-1000`");
    const short = renderPlanMarkdown(madePlans["too-many-replacements"]?.() ?? planOf([]), {
      maxBytes: 3000,
    });
    expect(short).toMatch(/\*\*Replace \(1500\):\*\* .*\d+ (?:more|resources)\n/);
  });

  it.each<[string, Partial<Plan>, string, string]>([
    [
      "where calls go",
      {
        calls: [
          {
            toolset: "toolset:t",
            after: { servers: many((at) => ({ address: `https://${at}.example.com/`, operations: 1 })) },
          },
        ],
      },
      "**Where calls and keys go, too long to be shown (1):** `toolset:t`",
      "where calls and keys of 1 tool set go",
    ],
    [
      "settings",
      {
        setting_changes: [
          {
            path: "service.base_url",
            before: "https://a.example.com",
            after: `https://b.example.com/${"x".repeat(70_000)}`,
          },
        ],
      },
      "**Settings, too long to be shown (1):** `service.base_url`",
      "1 setting",
    ],
  ])("that %s alone would fill shows the rest, and says so", (_, more, names, words) => {
    const edit = { path: "system_prompt", before: "Be kind.", after: "Promise refunds." };
    const text = renderPlanMarkdown(planOf([actionOf("agent:a", "update", { changes: [edit] })], more));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text).toContain(names);
    expect(text).toContain(`**Not shown, for want of room: ${words}.**`);
    expect(text).toContain("`system_prompt`: `Be kind.` → `Promise refunds.`");
    expect(text).toContain("No note is about this edit. Read it.");
  });

  it("goes to where calls go of as many tool sets as it has, and to the names of the others", () => {
    const servers = (at: number) => [
      { address: `https://${"x".repeat(200)}-${at}.example.com/`, operations: 1 },
    ];
    const calls = many((at) => ({ toolset: `toolset:t${at}`, after: { servers: servers(at) } })).slice(
      0,
      300,
    );
    const setting_changes = many((at) => ({ path: `service.x${at}`, after: "y".repeat(100) })).slice(0, 300);
    const text = renderPlanMarkdown(planOf([], { calls, setting_changes }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(40_000);
    const told = text.match(/^- `toolset:t\d+`; calls: /gm)?.length ?? 0;
    expect(told).toBeGreaterThan(20);
    expect(text).toContain(`**Where calls and keys go, too long to be shown (${300 - told}):** \`toolset:t`);
    expect(text).toContain(`where calls and keys of ${300 - told} tool sets go`);
  });

  it("goes to edits beside addresses where not all that is grave has room", () => {
    const actions = many((at) => {
      const changes = [{ path: "checks", before: `${at} strict`, after: `${at} lax `.repeat(20) }];
      return actionOf(`policy:p${at}`, "replace", { changes });
    });
    const deleted = many((at) => actionOf(`agent:a${at}`, "delete"));
    for (const plan of [planOf(actions), planOf(deleted)]) {
      for (const maxBytes of [30_000, 60_000]) {
        const text = renderPlanMarkdown(plan, { maxBytes });
        expect(text).toContain("**This plan is too long to be shown");
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.byteLength(text)).toBeGreaterThan(0.9 * maxBytes);
      }
    }
  });

  it("says how many resources are left out, not how many lines they would take", () => {
    const promptOf = (at: number) => `Desk ${at} ${"is kind ".repeat(10)}`;
    const alike = many((at) => {
      const changes = [{ path: "description", before: `${at}`, after: `${at}.${"x".repeat(400)}` }];
      return actionOf(`agent:odd${at}`, "update", { changes });
    }).slice(0, 30);
    const forgotten = many((at) => actionOf(`agent:f${at}`, "forget", { reasons: ["it left"] })).slice(0, 50);
    const created = many((at) => {
      const changes = [{ path: "system_prompt", after: promptOf(at) }];
      return actionOf(`agent:new${at}`, "create", { changes });
    }).slice(0, 40);
    const text = renderPlanMarkdown(planOf([...alike, ...forgotten, ...created]), { maxBytes: 2000 });
    expect(text).toMatch(/room: \d+ of 80 resources with an edit of its own, .*, 40 of 40 new resources\./);
  });

  it("goes to as many warnings, and as much of an edit of the state, as it has", () => {
    const diagnostics = many((at) => {
      return { code: "move-done", severity: "warning", message: `${at} ${"words ".repeat(200)}` } as const;
    }).slice(0, 8);
    const warned = renderPlanMarkdown(planOf([], { diagnostics }), { maxBytes: 5000 });
    expect(warned.match(/^- \d words/gm)).toHaveLength(3);
    expect(warned).toContain("\n- and 5 more\n");
    expect(warned).toContain("**Not shown, for want of room: some of 8 warnings.**");
    const changes = many((at) => ({
      path: `made_from.f${at}`,
      before: "x".repeat(30),
      after: "y".repeat(30),
    }));
    const edited = { part: "resources", key: "agent:a", edit: "changed", changes } as const;
    const state = renderPlanMarkdown(planOf([], { state_changes: [edited] } as Partial<Plan>));
    expect(Buffer.byteLength(state)).toBeGreaterThan(50_000);
    expect(Buffer.byteLength(state)).toBeLessThanOrEqual(60_000);
    expect(state).toContain("the differences of 1 edit of the state.");
  });

  it("is filled by a text that is too long for it, whatever the room", () => {
    const changes = [rewritten("", 5000)];
    const plan = planOf([actionOf("agent:a", "update", { changes })]);
    for (const maxBytes of [3000, 3001, 3002, 3003]) {
      const [block = ""] = differencesIn(renderPlanMarkdown(plan, { maxBytes }));
      const { shown, left } = countsOf(block);
      expect(shown).toBeGreaterThan(300);
      expect(shown + left).toBe(2 + 2 * 5000);
    }
  });

  it("is not lost to one line that is longer than all of it", () => {
    const changes = [
      { path: "description", after: `begins ${"and goes on ".repeat(8000)}and ends` },
      { path: "system_prompt", after: "Be kind.\nPromise refunds.\n" },
    ];
    const plan = planOf([actionOf("agent:a", "create", { changes })]);
    for (const maxBytes of [5000, 60_000]) {
      const text = renderPlanMarkdown(plan, { maxBytes });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(Buffer.byteLength(text)).toBeGreaterThan(0.8 * maxBytes);
      expect(text).toMatch(/^\+ description: begins .* … .*and ends$/m);
      expect(text).toContain("\n+ Promise refunds.\n");
      expect(text).toContain("the whole of 1 new resource");
    }
  });

  it("goes to a note whose change is longer than all of it", () => {
    const textOf = (word: string) => `${many((at) => `${word}-${at * 7} ${word}${at}`).join(" ")} ends`;
    const change = { path: "system_prompt", before: textOf("old"), after: textOf("new").repeat(2) };
    const note = { ...weakens("x", "agent:a", "the prompt changes"), path: change.path };
    const plan = planOf([actionOf("agent:a", "update", { changes: [change] })], { notes: [note] });
    const text = renderPlanMarkdown(plan);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/^ *\+ new-0 .* … .*ends$/m);
    expect(text).toContain("the values of 1 note.");
  });

  it("goes to as many consequences as it has", () => {
    const reference = "${policy:p}";
    const change = { path: "policy", before: reference, after: reference, references: ["policy:p"] };
    const actions = many((at) => {
      const reasons = [`policy:p-${at} gets a new ID`];
      return actionOf(`agent:a${at}`, "update", { reasons, changes: [change] });
    });
    const text = renderPlanMarkdown(planOf(actions));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(50_000);
    const shown = text.match(/^- update, because .*: `agent:a\d+`$/gm)?.length ?? 0;
    expect(text).toContain(`\n- and ${2000 - shown} more resources\n`);
  });

  it("goes to as many lines of a short difference as it says", () => {
    const lines = (at: number) => 2 + (at % 5);
    const actions = many((at) =>
      actionOf(`agent:a${at}`, "update", { changes: [rewritten(`${at}`, lines(at))] }),
    );
    const plan = planOf(actions.slice(0, 40));
    for (const maxBytes of [3000, 3500, 4000, 4500]) {
      const text = renderPlanMarkdown(plan, { maxBytes });
      for (const block of differencesIn(text)) {
        const { shown, left } = countsOf(block);
        const at = Number(/^- a(\d+)$/m.exec(block)?.[1] ?? NaN);
        if (shown > 1) expect(shown + left).toBe(1 + 2 * lines(at));
      }
    }
  });

  it("names what is not grave where there is room beside what is", () => {
    const edit = { path: "system_prompt", before: "Be kind.", after: "Promise refunds." };
    const addresses = many((at) => `policy:p${at}`).slice(0, 800);
    const notes = addresses.map((address, at) => weakens("threshold-changed", address, `it falls to ${at}`));
    const odd = actionOf("agent:odd", "update", { changes: [edit] });
    const plan = planOf([...addresses.map((each) => actionOf(each, "replace")), odd], { notes });
    const text = renderPlanMarkdown(plan);
    expect(text).toContain("**This plan is too long to be shown");
    expect(text).toContain("\n\n**Update (1):** `agent:odd`\n\n");
    expect(text).toContain("`system_prompt`: `Be kind.` → `Promise refunds.`");
    for (const maxBytes of [2000, 2500, 10_000, 60_000])
      expect(Buffer.byteLength(renderPlanMarkdown(plan, { maxBytes }))).toBeLessThanOrEqual(maxBytes);
  });

  wholeTest("is filled with little more work than the whole plan takes", () => {
    const plan = hugePlan();
    const whole = effort(() => renderPlanMarkdown(plan, { maxBytes: 10_000_000 }));
    expect(effort(() => renderPlanMarkdown(plan))).toBeLessThan(20 * whole);
  });
});

function rewritten(mark: string, lines: number): Change {
  return {
    path: "system_prompt",
    before: `a${mark}\n`.repeat(lines),
    after: `b${mark}\n`.repeat(lines),
  };
}

function differencesIn(text: string): string[] {
  return [...text.matchAll(/```diff\n([^`]*)\n```/g)].map(([, block = ""]) => block);
}

function countsOf(block: string): { shown: number; left: number } {
  const left = /^@@ (\d+) more lines? of this difference @@$/m.exec(block)?.[1];
  return { shown: block.split("\n").length - (left === undefined ? 0 : 1), left: Number(left ?? 0) };
}

function many<Item>(make: (at: number) => Item): Item[] {
  return Array.from({ length: 2000 }, (_, at) => make(at));
}

describe("a difference", () => {
  it("keeps what a text holds apart from what changes", () => {
    const [before, after] = [
      "one\n\n- two\n+ three\n@@ 3 @@\nfour\n",
      "one\n\n- two\n+ three\n@@ 3 @@\nfive\n",
    ];
    expect(differenceOf([{ path: "p", before, after }])).toEqual([
      "@@ p, line 4 @@",
      "  + three",
      "  @@ 3 @@",
      "- four",
      "+ five",
    ]);
  });

  it("puts fields of one line before texts, so that no line of a text passes for a field", () => {
    const changes = [
      { path: "p", before: "one\ntwo\n", after: "one\nmodel: b\n" },
      { path: "model", before: "a", after: "c" },
    ];
    expect(differenceOf(changes)).toEqual([
      "- model: a",
      "+ model: c",
      "@@ p @@",
      "  one",
      "- two",
      "+ model: b",
    ]);
  });

  it("cannot be closed by a fence, nor run a command of the log", () => {
    const text = renderPlanMarkdown(
      planOf([
        actionOf("agent:a", "update", {
          changes: [
            {
              path: "p",
              before: "````\n::error::x\n##[error]y\nold\n",
              after: "````\n::error::x\n##[error]y\nnew\n",
            },
          ],
        }),
      ]),
    );
    expect(text).toContain("\n`````diff\n");
    expect(text).toContain("\n  \\x3a:error::x\n  #\\x23[error]y\n- old\n");
  });

  it("shows secrets by their revisions, and nothing of what only follows from another action", () => {
    const reference = "${policy:strict}";
    expect(
      differenceOf([
        { path: "a", before: "${env:A@1}", after: "${env:A@2}" },
        { path: "b", before: reference, after: reference, references: ["policy:strict"] },
        { path: "c", before: "x\n", after: "y\n" },
      ]),
    ).toEqual(["@@ a: secret, revision 1 → 2 @@", "@@ c @@", "- x", "+ y"]);
  });
});

describe("markerOf", () => {
  it("names workspace and environment, and cannot be closed by a name", () => {
    expect(markerOf({ workspace: "desk", environment: null })).toBe("<!-- agentform: desk -->");
    expect(markerOf({ workspace: "a--b", environment: "x y" })).toBe("<!-- agentform: a-%2Db x%20y -->");
    expect(markerOf({ workspace: "-->", environment: "->" })).toBe("<!-- agentform: -%2D%3E -%3E -->");
  });

  it("is another for another workspace or environment", () => {
    const markers = [
      markerOf({ workspace: "a", environment: "b" }),
      markerOf({ workspace: "a b", environment: null }),
      markerOf({ workspace: "a", environment: null }),
      markerOf({ workspace: "a-%2Db", environment: null }),
      markerOf({ workspace: "a--b", environment: null }),
    ];
    expect(new Set(markers).size).toBe(markers.length);
  });
});
