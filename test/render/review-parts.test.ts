import { describe, expect, test } from "vitest";
import { reviewOf } from "../../src/core/review/review.js";
import type { Action, Change, GuardrailNote, Plan } from "../../src/generated/plan.js";
import { otherReasons } from "../../src/render/view/action-sentences.js";
import { groupTitle, type GroupTitle } from "../../src/render/view/group-title.js";
import { notJudgedItems, notJudgedText } from "../../src/render/view/said-items.js";
import { sectionsOf } from "../../src/render/view/plan-view.js";
import { verdictTexts } from "../../src/render/view/plan-head.js";
import { effectCounts } from "../../src/render/words/effect-words.js";
import { knownWords } from "../../src/render/view/known-words.js";
import { ownItems } from "../../src/render/view/edit-item.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { actionOf, planOf } from "./markdown-plans.js";

const model: Change = { path: "model", before: "small-1", after: "large-2" };
const asIs = (text: string) => text;

function addressesOf(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `agent:a${index + from}`);
}

/** A plan in which so many agents have one edit, so many another one each, and so many none. */
function planWith(shared: number, others: number, unchanged: number, rest: Partial<Plan> = {}): Plan {
  const plan = planOf([
    ...addressesOf(shared).map((address) => actionOf(address, "update", { changes: [model] })),
    ...addressesOf(others, shared).map((address, index) =>
      actionOf(address, "update", { changes: [{ path: "top_p", after: index }] }),
    ),
  ]);
  const addresses = addressesOf(Math.min(unchanged, 20), shared + others);
  return {
    ...plan,
    summary: { ...plan.summary, unchanged },
    unchanged: { agent: { count: unchanged, addresses } },
    ...rest,
  };
}

function titleOf(plan: Plan, quote = asIs): GroupTitle | undefined {
  const item = sectionsOf(plan)
    .flatMap(({ items }) => [...items])
    .find((each) => each.sort === "group");
  return item?.sort === "group" ? groupTitle(item, quote) : undefined;
}

const placeOf = (plan: Plan) => titleOf(plan)?.head.replace("The same edit in ", "");

describe("the title of a shared edit", () => {
  test("says in how many of the resources it is, and names those without it where they are the exception", () => {
    expect(placeOf(planWith(12, 0, 0))).toBe("all 12 agents");
    expect(placeOf(planWith(39, 0, 1))).toBe("39 of 40 agents, not in agent:a39");
    expect(placeOf(planWith(8, 2, 2))).toBe(
      "8 of 12 agents, not in agent:a8, agent:a9, agent:a10, agent:a11",
    );
    expect(placeOf(planWith(30, 0, 7))).toBe(
      "30 of 37 agents, not in agent:a30, agent:a31, agent:a32, agent:a33, agent:a34 and 2 more",
    );
    expect(placeOf(planWith(60, 0, 45))).toBe("60 of 105 agents");
    expect(placeOf(planWith(2, 1, 9))).toBe("2 of 12 agents");
    expect(placeOf(planWith(2, 0, 9, { unchanged: {} }))).toBe("2 agents");
  });

  test("names resources of several kinds in common", () => {
    const protect = { path: "lifecycle.protect", before: true, after: false };
    const plan = planOf([
      actionOf("agent:a", "update", { changes: [protect] }),
      actionOf("policy:p", "record", { changes: [protect] }),
    ]);
    expect(placeOf({ ...plan, summary: { ...plan.summary, unchanged: 0 } })).toBe("all 2 resources");
  });

  test("says what the edit is, whole where that fits on a line", () => {
    const editOf = (change: Change) => {
      const actions = addressesOf(2).map((address) => actionOf(address, "update", { changes: [change] }));
      const { words = "", isWhole } = titleOf(planOf(actions), (text) => `<${text}>`) ?? {};
      return { words: words.replace(" · not judged", ""), isWhole };
    };
    expect(editOf(model)).toEqual({ words: "<model>: <small-1> → <large-2>", isWhole: true });
    expect(editOf({ ...model, origin: { file: "agentform.yaml", line: 64 } }).words).toBe(
      "<model> (<agentform.yaml:64>): <small-1> → <large-2>",
    );
    expect(editOf({ path: "tools", before: ["a"], after: ["a", "b"] })).toEqual({
      words: "<tools>: added <b>",
      isWhole: true,
    });
    const lines = (before: string, after: string) => editOf({ path: "p", before, after }).words;
    expect(lines("a\nold\nz\n", "a\nnew\nz\n")).toBe("<p>: now <new>");
    expect(lines("a\nz\n", "a\none\ntwo\nz\n")).toBe("<p>: with <one> … <two>");
    expect(lines("a\nz\n", "a\none\ntwo\nthree\nfour\nz\n")).toBe(
      "<p>: with <one> … <four> and 2 more lines",
    );
    const long = `${"Address customers with care. ".repeat(5)}Be kind`;
    expect(lines(`a\n${long}.\nz\n`, `a\n${long}. Refund at once when they insist.\nz\n`)).toMatch(
      /^<p>: now <….*Refund at once when they insist\.>$/,
    );
    expect(lines("a\ngone\nz\n", "a\nz\n")).toBe("<p>: without <gone>");
    expect(lines("a\nz\n", `a\n${"x".repeat(200)}\nz\n`)).toMatch(/^<p>: with <x{69}…>$/);
  });

  test("says that it is not judged, unless notes are about all of them", () => {
    const note = (address: string): GuardrailNote => ({
      code: "model-changed",
      effect: "widens",
      address,
      path: "model",
      parts: {},
      message: "m",
    });
    const wordsOf = (notes: GuardrailNote[]) => titleOf(planWith(2, 0, 0, { notes }))?.words;
    expect(wordsOf([])).toBe("model: small-1 → large-2 · not judged");
    expect(wordsOf(addressesOf(2).map(note))).toBe("model · in the notes");
  });
});

test("edits of the same words in lines that differ show one, and name the lines of the others", () => {
  const shops = addressesOf(60).map((address, index) =>
    actionOf(address, "update", {
      changes: [
        {
          path: "system_prompt",
          before: `Hello.\nThe shop in City ${index} opens at 9.`,
          after: `Hello.\nThe shop in City ${index} opens at 8.`,
        },
      ],
    }),
  );
  const plan = planOf(shops);
  expect(titleOf(plan)?.words).toMatch(/ · as in agent:a0 · not judged$/);
  const markdown = renderPlanMarkdown(plan);
  expect(markdown).toContain("**The same words change in 60 agents, in lines that differ**");
  expect(markdown).toContain("- `agent:a23`: now `The shop in City 23 opens at 8.`");
  expect(markdown).not.toContain("Only here");
  const text = renderPlanText(plan, { color: false });
  expect(text).toContain("The same words change in 60 agents, in lines that differ: `system_prompt`");
  expect(text).toContain("The shop in City 1 opens at 8.");
});

test("edits of the same words in lines that differ are of all of the kind, not of those with the first line", () => {
  const named = ["German", "French", "Spanish"].map((language, index) =>
    actionOf(`agent:a${index}`, "update", {
      changes: [{ path: "name", before: `Support (${language})`, after: `Desk (${language})` }],
    }),
  );
  const text = renderPlanText({ ...planOf(named), peers: [] }, { color: false });
  expect(text).toContain("The same words change in 3 agents, in lines that differ: `name`");
});

describe("the verdict", () => {
  const note = (effect: GuardrailNote["effect"], address: string, code: string = effect): GuardrailNote => ({
    code,
    effect,
    address,
    path: "model",
    parts: {},
    message: code,
  });
  const verdictOf = (plan: Plan) => verdictTexts(reviewOf(plan));

  test("counts notes by effect, each once, and says where nothing weakens or widens", () => {
    const notes = [note("weakens", "agent:a0"), ...addressesOf(5).map((address) => note("review", address))];
    expect(verdictOf(planWith(5, 0, 0, { notes }))).toEqual([
      "1 weakens a guardrail",
      "1 needs a review (5 resources)",
      "the same edit in each",
    ]);
    expect(verdictOf(planWith(5, 0, 0, { notes: notes.slice(1) })).slice(0, 2)).toEqual([
      "1 needs a review (5 resources)",
      "none weakens or widens",
    ]);
    expect(effectCounts(reviewOf(planWith(5, 0, 0, { notes })).notes)).toEqual([
      "1 weakens",
      "1 needs a review (5 resources)",
    ]);
  });

  test("names the only resource with an edit of its own, and whether a note is about that", () => {
    expect(verdictOf(planWith(5, 1, 0))).toEqual([
      "no guardrail notes",
      "1 edit only in `agent:a5`",
      "2 of 2 distinct edits not judged",
    ]);
    const notes = [{ ...note("widens", "agent:a5"), path: "top_p" }];
    expect(verdictOf(planWith(5, 1, 0, { notes }))[1]).toBe("1 edit only in `agent:a5`");
  });

  test("counts all edits that no note is about, as the section of them does", () => {
    const notes = [{ ...note("widens", "agent:a5"), path: "top_p" }];
    const plan = planWith(5, 3, 0, { notes });
    expect(verdictOf(plan).slice(1)).toEqual([
      "3 edits that one resource alone has",
      "3 of 4 distinct edits not judged",
    ]);
    const section = sectionsOf(plan).find(({ name }) => name === "notJudged");
    expect(section?.meaning).toBe("no note is about these 3 edits. Read them");
  });

  test("says nothing of a plan without notes that has a few edits of which none is shared", () => {
    expect(verdictOf(planWith(0, 3, 0))).toEqual([]);
  });

  test("says how many edits are alone and not judged where they are many", () => {
    expect(verdictOf(planWith(0, 400, 0))).toEqual([
      "no guardrail notes",
      "400 edits that one resource alone has",
      "400 of 400 distinct edits not judged",
    ]);
  });
});

describe("what is not judged", () => {
  test("is said of an edit, of some edits of a resource, and of new resources in sum", () => {
    const changes = [model, { path: "top_p", after: 1 }];
    const notes: GuardrailNote[] = [
      { code: "c", effect: "widens", address: "agent:a", path: "model", parts: {}, message: "m" },
    ];
    const review = reviewOf(
      planOf(
        [
          actionOf("agent:a", "update", { changes }),
          actionOf("agent:b", "update", { changes: [{ path: "top_p", after: 2 }] }),
          actionOf("agent:c", "create", { changes }),
        ],
        { notes },
      ),
    );
    const judged = new Map(ownItems(review, new Set()).map((each) => [each.action.address, each.judged]));
    expect(judged).toEqual(
      new Map([
        ["agent:a", ["not judged: `top_p`"]],
        ["agent:b", ["not judged"]],
        ["agent:c", []],
      ]),
    );
    expect(notJudgedText(notJudgedItems(review))).toBe("`top_p` of 2 resources, 1 new resource");
  });
});

test("reasons leave out that a field was edited, which its difference shows", () => {
  const action = actionOf("agent:a", "update", { changes: [model] });
  const reasons = ["`model` was edited", "policy:p gets a new ID", "`name` was edited"];
  const causes = [
    { code: "edited", parts: { fields: ["model"] } },
    { code: "new-id", parts: { address: "policy:p" } },
    { code: "edited", parts: { fields: ["name"] } },
  ];
  expect(otherReasons({ ...action, reasons, causes })).toEqual(reasons.slice(1));
});

test("words are explained where they are used", () => {
  const feature: Change = { path: "features[RAI].priority", before: 0, after: 9 };
  const wordsOf = (actions: Action[]) => knownWords(planOf(actions)).map(({ word }) => word);
  expect(wordsOf([actionOf("agent:a", "update", { changes: [model] })])).toEqual([]);
  expect(
    wordsOf([actionOf("policy:p", "replace"), actionOf("agent:a", "update", { changes: [feature] })]),
  ).toEqual(["replace", "RAI"]);
  const note = (parts: GuardrailNote["parts"], message: string): GuardrailNote[] => [
    { code: "c", effect: "weakens", address: "policy:p", parts, message },
  ];
  const withNotes = (notes: GuardrailNote[]) => knownWords(planOf([], { notes })).map(({ word }) => word);
  expect(withNotes(note({ feature: "RAI" }, "the feature is gone"))).toEqual(["RAI"]);
  expect(withNotes(note({ items: ["TRAINS"] }, "`banned_topics` no longer bans `TRAINS`"))).toEqual([]);
  const label: Change = { path: "pii_detection.custom_pii[RAI].replacement", before: "x", after: "y" };
  expect(wordsOf([actionOf("policy:p", "update", { changes: [label] })])).toEqual([]);
  // What only follows is not read.
  const follows = { ...feature, before: "${policy:p}", after: "${policy:p}", references: ["policy:p"] };
  expect(wordsOf([actionOf("agent:a", "update", { changes: [follows] })])).toEqual([]);
});
