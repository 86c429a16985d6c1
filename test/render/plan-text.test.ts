import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fc } from "../harness/property.js";
import { describe, expect, it } from "vitest";
import { itemLines } from "../../src/render/plan/item-text.js";
import { editItem } from "../../src/render/view/edit-item.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import type { Change, Plan } from "../../src/generated/plan.js";
import { paletteOf } from "../../src/render/words/palette.js";
import { hostilePlan } from "./hostile-plan.js";
import { actionOf, planOf } from "./markdown-plans.js";
import { hiddenCharacter } from "./hostile-text.js";

const folder = new URL("../fixtures/render/plans/", import.meta.url);
const names = readdirSync(folder).toSorted();

function read(name: string): Plan {
  return JSON.parse(readFileSync(new URL(`${name}/plan.json`, folder), "utf8")) as Plan;
}

function withChanges(changes: Change[]): Plan {
  const plan = read("scalars");
  for (const action of plan.actions) action.changes = changes;
  return plan;
}

function changeLines(change: Change): string[] {
  const lines = renderPlanText(withChanges([change]), { color: false }).split("\n");
  return lines.slice(6, lines.indexOf("", 6)).map((line) => line.slice(6));
}

describe("renderPlanText", () => {
  it.each(names)("renders %s as its golden text", (name) => {
    const text = renderPlanText(read(name), { color: false });
    const golden = new URL(`${name}/plan.txt`, folder);
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
  });

  it.each(names)("colours %s without changing its text", (name) => {
    const colored = renderPlanText(read(name), { color: true });
    const plain = renderPlanText(read(name), { color: false });
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });

  it("colours symbols by what they mean, and leaves words as they are", () => {
    const text = renderPlanText(read("policy-replaced"), { color: true });
    expect(text).toContain(
      "\n  \u001b[35m-/+\u001b[39m policy:strict  \u001b[2mpolicies/strict.yaml\u001b[22m  \u001b[33mnot judged: ",
    );
    expect(text).toContain("\n      \u001b[33m~\u001b[39m toxicity_check.threshold: 0.5 → 0.8\n");
    expect(text).toContain("\n  \u001b[31m!\u001b[39m weakens  policy:strict  the threshold");
  });

  it("lets no hidden character through, whatever the plan", () => {
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        expect(renderPlanText(plan, { color: false })).not.toMatch(hiddenCharacter);
      }),
    );
  });

  it("keeps what comes from outside on its line: only its own lines stand in the first column", () => {
    const own =
      /^(?:agentform plan: |Compared with |Nothing was |This plan is |State edited by this change$|Settings$|Guardrail notes$|Only here: |New: |Edits of the state, whole$|The same edit in |Consequences: |Not judged: |Words$|No guardrail notes, |It cannot be applied, |The change edits the state |\d+ (?:weaken|widen|need)s? |Left behind$|Plan: |No changes\b|Digest: )/;
    const title = /^(?:Unknown|Blocked)$/;
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        const first = renderPlanText(plan, { color: false })
          .split("\n")
          .filter((line) => /^\S/.test(line));
        expect(first.filter((line) => !own.test(line) && !title.test(line))).toEqual([]);
      }),
    );
  });

  it("shows a partial plan of which no option tells why", () => {
    const text = renderPlanText({ ...read("partial"), options: {} }, { color: false });
    expect(text).toContain("\nThis plan is partial: it covers a part of the workspace.\n");
  });

  it("counts one resource, and none", () => {
    const plan = read("no-changes");
    const unchanged = (count: number): Plan => ({ ...plan, summary: { ...plan.summary, unchanged: count } });
    expect(renderPlanText(unchanged(1), { color: false })).toContain(
      "No changes. 1 resource is as last applied.\n",
    );
    expect(renderPlanText(unchanged(0), { color: false })).toMatch(/\nNo changes\.\n(?!.*No changes)/s);
  });
});

describe("a review", () => {
  const edit = { path: "description", before: "Desk", after: "Customer desk" };
  const tone = { path: "tone", before: "warm", after: "cold" };
  const addresses = Array.from({ length: 12 }, (_, index) => `agent:desk-${String(index).padStart(2, "0")}`);
  const agents = addresses.map((address) => actionOf(address, "update", { changes: [edit] }));
  const odd = actionOf("agent:odd", "update", { changes: [edit, tone] });

  it("shows what is only here before a shared edit, which it shows once with a few addresses", () => {
    const text = renderPlanText(planOf([...agents, odd]), { color: false });
    const counts = [
      "No guardrail notes, 1 edit only in `agent:odd`, 2 of 2 distinct edits not judged.",
      "Plan: 13 to update, 34 unchanged. 2 distinct edits.",
    ].join("\n");
    expect(text.split("\n").slice(2, 4).join("\n")).toBe(counts);
    expect(text).toContain(`\n${counts}\nDigest: `);
    expect(text).toContain(
      [
        "Only here: edits that no other resource has",
        "  ~ agent:odd  agents/odd.yaml  not judged",
        "      ~ tone: warm → cold",
        "      1 shared edit below",
        "",
        "The same edit in 13 agents: `description`: `Desk` → `Customer desk` · not judged",
        "  ~ agent:desk-* (12), agent:odd",
        "",
      ].join("\n"),
    );
  });

  it("shows a note with its change once for all its addresses, and does not repeat the change", () => {
    const note = {
      code: "x",
      effect: "widens",
      path: "tone",
      parts: {},
      message: "the tone changes",
    } as const;
    const cold = addresses.map((address) => actionOf(address, "update", { changes: [tone] }));
    const notes = addresses.map((address) => ({ ...note, address }));
    const text = renderPlanText(planOf(cold, { notes }), { color: false });
    expect(text.match(/the tone changes/g)).toHaveLength(1);
    expect(text.match(/warm → cold/g)).toHaveLength(1);
    expect(text).toContain("The same edit in 12 agents: `tone` · in the notes\n");
    expect(text.split("\n")[2]).toBe("1 widens an agent's reach (12 resources), the same edit in each.");
  });

  it("shows a changed line to its end, however long", () => {
    const line = (last: string) =>
      `First\n${"Look for tickets of the customer before you answer. ".repeat(9)}${last}\n`;
    const change = { path: "system_prompt", before: "First\n", after: line("Leave it open.") };
    const plan = planOf(
      ["agent:a", "agent:b"].map((each) => actionOf(each, "update", { changes: [change] })),
    );
    expect(renderPlanText(plan, { color: false })).toContain(`+ ${line("Leave it open.").split("\n")[1]}\n`);
  });

  it("shows warnings that say the same once in a file; a screen has them above the plan", () => {
    const diagnostics = ["a.yaml", "b.yaml"].map((file) => ({
      code: "variable-unused",
      severity: "warning" as const,
      message: "`region` is used nowhere",
      file,
      line: 3,
    }));
    const plan = planOf([], { diagnostics });
    expect(renderPlanText(plan, { color: false })).toContain(
      "\nWarnings and notes\n  warning: `region` is used nowhere  [variable-unused]\n      a.yaml:3, b.yaml:3\n",
    );
    expect(renderPlanText(plan, { color: false, isScreen: true })).not.toContain("Warnings");
  });

  it("cuts a long change in a note, and shows the whole of it below", () => {
    const before = Array.from({ length: 30 }, (_, index) => `Line ${index}\n`).join("");
    const change = { path: "system_prompt", before, after: before.replaceAll("Line", "Row") };
    const note = { code: "x", effect: "weakens", path: "system_prompt", parts: {}, message: "m" } as const;
    const plan = planOf([actionOf("agent:a", "update", { changes: [change] })], {
      notes: [{ ...note, address: "agent:a" }],
    });
    const text = renderPlanText(plan, { color: false });
    expect(text).toMatch(
      /\[x\]\n      ~ system_prompt:\n(?:          - Line \d\n){7}      … \d+ more lines, below\n/,
    );
    expect(text).toContain("          + Row 29\n");
  });
});

describe("a change", () => {
  it("is never cut", () => {
    expect(changeLines({ path: "goal", after: "x".repeat(6000) })).toEqual([`+ goal: ${"x".repeat(6000)}`]);
  });

  it("of a digest outside an OpenAPI outline is shown as it is", () => {
    const [before, after] = ["0123456789abcdef".repeat(4), "fedcba9876543210".repeat(4)];
    expect(changeLines({ path: "model", before, after })).toEqual([
      "~ model:",
      `    - ${before}`,
      `    + ${after}`,
    ]);
  });

  it("of a whole outline where there was none shows the first operations", () => {
    const after = { operations: [{ method: "GET", path: "/a" }] };
    expect(changeLines({ path: "openapi_schema", after, outline: true })).toEqual([
      "+ openapi_schema: 1 operation",
      "    GET /a",
    ]);
  });

  it("of a literal that looks like a secret is no change of a revision", () => {
    const lines = changeLines({ path: "x", before: "$${env:A@1}", after: "$${env:A@2}" });
    expect(lines).toEqual(['~ x: "$${env:A@1}" → "$${env:A@2}"']);
  });

  it("of a text that spells what is shown for a reference or for a character is in quotes", () => {
    const shown = (after: string) => changeLines({ path: "x", after });
    expect(shown("${env:A}")).toEqual(["+ x: ${env:A}"]);
    expect(shown("$${env:A}")).toEqual(['+ x: "$${env:A}"']);
    expect(shown("echo $${HOME}")).toEqual(["+ x: echo ${HOME}"]);
    expect(shown("a\0")).toEqual(["+ x: a\\x00"]);
    expect(shown("a\\x00")).toEqual(['+ x: "a\\\\x00"']);
    const nested = changeLines({
      path: "x",
      after: { a: "$${env:A}", b: "${env:A}", c: "\u202ea", d: "\\u{202e}a" },
    });
    expect(nested).toEqual(['+ x: {a: "$${env:A}", b: ${env:A}, c: \\u{202e}a, d: "\\\\u{202e}a"}']);
  });

  it("of several lines tells a reference from its text, also where another line changes", () => {
    const before = "use ${env:A}\nsay $${env:A}\nrun $${HOME}\nask $${agent:b}\n";
    const after = "use ${env:A}\nsay ${env:A}\nRun $${HOME}\nask ${agent:b}\n";
    expect(changeLines({ path: "x", before, after })).toEqual([
      "~ x:",
      "      use ${env:A}",
      "    - say $${env:A}",
      "    - run ${HOME}",
      "    - ask $${agent:b}",
      "    + say ${env:A}",
      "    + Run ${HOME}",
      "    + ask ${agent:b}",
    ]);
    expect(changeLines({ path: "x", after: before })).toContain("    + say $${env:A}");
  });

  it("of a revision and more shows both texts", () => {
    const lines = changeLines({ path: "x", before: "Bearer ${env:A@1}", after: "Token ${env:A@2}" });
    expect(lines).toEqual(["~ x: Bearer ${env:A@1} → Token ${env:A@2}"]);
  });

  it("of several references in one text says of each what happens", () => {
    const plan = withChanges([
      {
        path: "p",
        before: "${agent:a} ${agent:b}",
        after: "${agent:a} ${agent:b}",
        references: ["agent:a", "agent:b"],
      },
    ]);
    const style = { palette: paletteOf(false), isBounded: true };
    const lines = plan.actions.flatMap((action) => {
      const told = { ...action, causes: [{ code: "other-id", parts: { address: "agent:b" } }] };
      return itemLines(editItem(told, told.changes), style);
    });
    expect(lines).toContain("        ~ ${agent:a} (gets a new ID)");
    expect(lines).toContain("        ~ ${agent:b} (has another ID than was sent)");
  });

  it("of a new object that needs several lines is laid out like YAML", () => {
    const rules = [
      { label: "badge", pattern: "x".repeat(60) },
      { label: "desk", pattern: ["y"] },
    ];
    const after = { type: "PII", "odd key": 1, guide: "One.\n\nTwo.\n", rules, note: null };
    expect(changeLines({ path: "features[PII]", after })).toEqual([
      "+ features[PII]:",
      "    + type: PII",
      '    + "odd key": 1',
      "    + guide: |",
      "    +   One.",
      "    +",
      "    +   Two.",
      "    + rules:",
      "    +   - label: badge",
      `    +     pattern: ${"x".repeat(60)}`,
      "    +   - {label: desk, pattern: [y]}",
      "    + note: null",
    ]);
  });

  it("of a list of references shows them bare", () => {
    const after = ["${toolset:billing/GET /invoices/{id}}", "${policy:a} ${policy:b}", "a, ${policy:b}"];
    expect(changeLines({ path: "tools", after })).toEqual([
      '+ tools: [${toolset:billing/GET /invoices/{id}}, "${policy:a} ${policy:b}", "a, ${policy:b}"]',
    ]);
  });

  it("of an item that stood twice and stands once shows one removal", () => {
    expect(changeLines({ path: "t", before: ["a", "a"], after: ["a"] })).toEqual(["~ t:", "    - a"]);
  });

  it("cannot pass a text of its own off as something that is left out", () => {
    const lines = changeLines({ path: "p", after: "one\n… 3 more lines\n" });
    expect(lines).toEqual(["+ p:", "    + one", "    + … 3 more lines"]);
  });

  it("quotes texts that could be taken for other values", () => {
    for (const text of ["true", "null", "1.5", "-2e10", "0x1f", "", " a"]) {
      expect(changeLines({ path: "p", after: text })).toEqual([`+ p: "${text}"`]);
    }
    expect(changeLines({ path: "p", after: ["a, b", "c: d", "e"] })).toEqual(['+ p: ["a, b", "c: d", e]']);
  });
});
