import { describe, expect, it } from "vitest";
import type { Change } from "../../src/generated/plan.js";
import { actionChanges } from "../../src/render/change/action-changes.js";
import { renderChange } from "../../src/render/change/change-text.js";
import { type ShownChange, shownChange } from "../../src/render/change/shown-change.js";
import { differenceOfTexts } from "../../src/render/difference/text-difference.js";
import { layOutChange } from "../../src/render/change/change-layout.js";
import { renderChangeDiff } from "../../src/render/markdown/change-diff.js";
import { paletteOf } from "../../src/render/words/palette.js";

const digest = "0123456789abcdef".repeat(4);
const operation = { method: "GET", path: "/pets", operationId: "listPets" };

const cases: readonly (readonly [ShownChange["content"]["sort"], Change])[] = [
  ["value", { path: "a", after: "new" }],
  ["value", { path: "a", before: { k: 1 } }],
  ["value", { path: "a", after: { operations: [operation] } }],
  ["outline", { path: "a", after: { operations: [operation] }, outline: true }],
  ["part", { path: "a.operations[x].digest", before: digest, after: digest, outline: true }],
  ["pair", { path: "a", before: "one", after: "two" }],
  ["pair", { path: "a", before: 1, after: null }],
  ["nested", { path: "a", before: 1, after: { k: 1 } }],
  ["difference", { path: "a", before: "one two", after: "one  two" }],
  ["difference", { path: "a", before: "one\n", after: "two\n" }],
  ["difference", { path: "a", before: "x".repeat(30), after: "y".repeat(100) }],
  ["difference", { path: "a", before: "אבג", after: "דהו" }],
  ["difference", { path: "a", before: "one", after: "سياسة" }],
  ["nested", { path: "سياسة", before: 0.5, after: 0.9 }],
  ["difference", { path: "אבג", before: "one", after: "שתיים" }],
  ["items", { path: "a", before: ["x"], after: ["y"] }],
  ["order", { path: "a", before: ["x", "y"], after: ["y", "x"], order: true }],
  ["moved", { path: "a", before: "${policy:p}", after: "${policy:p}", references: ["policy:p"] }],
  ["secret", { path: "a", before: "${env:KEY@1}", after: "${env:KEY@2}" }],
];

describe("shownChange", () => {
  it.each(cases)("decides that a change is a %s", (sort, change) => {
    expect(shownChange(change).content.sort).toBe(sort);
  });

  it("says whether a field is new, gone or changed", () => {
    expect(shownChange({ path: "a", after: 1 }).sign).toBe("+");
    expect(shownChange({ path: "a", before: 1 }).sign).toBe("-");
    expect(shownChange({ path: "a", before: 1, after: 2 }).sign).toBe("~");
  });

  it("shows no two values in one line that a reader of right-to-left letters sees exchanged", () => {
    for (const [path, before, after] of [
      ["name", "אבג", "דהו"],
      ["سياسة", 0.5, 0.9],
      ["אבג", "one", "two"],
    ] as const) {
      const shown = shownChange({ path, before, after });
      const forms = [renderChange(shown, paletteOf(false)), renderChangeDiff(shown)];
      for (const lines of forms) {
        const [first, ...others] = [before, after].map((value) =>
          lines.findIndex((line) => line.includes(String(value))),
        );
        expect(first).toBeGreaterThan(-1);
        expect(others).toEqual([(first ?? 0) + 1]);
      }
    }
  });

  it("counts an item as often as it is there", () => {
    const { content } = shownChange({ path: "a", before: ["x", "x"], after: ["x", "y"] });
    expect(content).toMatchObject({ removed: ["x"], added: ["y"] });
  });

  it("makes the field and what becomes of references safe", () => {
    const change = { path: "a\u001b", before: "t", after: "t", references: ["policy:p\u202e"] };
    const shown = shownChange(change, () => "gets\u0007");
    expect(shown.path).toBe("a\\x1b");
    expect(shown.content).toMatchObject({
      moved: [{ name: "${policy:p\\u{202e}}", fate: "gets\\x07" }],
    });
  });
});

it("takes what becomes of a reference from the reasons of its action", () => {
  const change = { path: "a", before: "t", after: "t", references: ["policy:p", "toolset:t/x"] };
  const [shown] = actionChanges(
    {
      address: "agent:a",
      action: "update",
      reasons: ["policy:p has another ID than was sent"],
      causes: [{ code: "other-id", parts: { address: "policy:p", many: false } }],
      changes: [change],
      affects: [],
      waits_for: [],
      reads: {},
    },
    [change],
  );
  expect(shown?.content).toMatchObject({
    moved: [{ fate: "has another ID than was sent" }, { fate: "gets a new ID" }],
  });
});

it("takes nothing that becomes of a reference from the words of a reason", () => {
  const change = { path: "a", before: "t", after: "t", references: ["policy:p"] };
  const action = { address: "agent:a", action: "update" as const, affects: [], waits_for: [], reads: {} };
  const reasons = ["policy:p is what somebody else's text begins with"];
  const [shown] = actionChanges({ ...action, reasons, changes: [change] }, [change]);
  expect(shown?.content).toMatchObject({ moved: [{ fate: "gets a new ID" }] });
});

it("is laid out by every form without a resource, so that one difference can be shown for many", () => {
  const shown: ShownChange = {
    path: "system_prompt",
    sign: "~",
    content: { sort: "difference", difference: differenceOfTexts("Be kind.\n", "Be brief.\n") },
  };
  const palette = paletteOf(false);
  expect(renderChange(shown, palette)).toEqual(["~ system_prompt:", "    - Be kind.", "    + Be brief."]);
  expect(renderChangeDiff(shown)).toEqual(["@@ system_prompt @@", "- Be kind.", "+ Be brief."]);
  const part = (text: string, isChanged = false) => ({ text, changed: isChanged });
  expect(layOutChange(shown)).toEqual({
    lines: [
      { kind: "removed", segments: [part("Be "), part("kind", true), part(".")] },
      { kind: "added", segments: [part("Be "), part("brief", true), part(".")] },
    ],
  });
});

it("never says of a reference that nothing becomes of it", () => {
  const change = {
    path: "tools",
    before: ["${toolset:t}"],
    after: ["${toolset:t}"],
    references: ["toolset:t"],
  };
  expect(renderChange(shownChange(change), paletteOf(false))).toEqual([
    "~ tools:",
    "    ~ ${toolset:t} (what it refers to changes)",
  ]);
});

it("shows every item of a list, and every line of a mapping and of a text, whole", () => {
  const items = Array.from({ length: 120 }, (_, index) => `item ${index} ${"x".repeat(300)}`);
  const linesOf = (change: Change) => renderChange(shownChange(change), paletteOf(false));
  expect(linesOf({ path: "a", before: [], after: items })).toEqual([
    "~ a:",
    ...items.map((item) => `    + ${item}`),
  ]);
  const members = Object.fromEntries(items.map((item, index) => [`k${index}`, item]));
  const mapping = linesOf({ path: "a", after: members });
  expect(mapping).toHaveLength(121);
  expect(mapping.join("\n")).not.toContain("…");
  expect(linesOf({ path: "a", before: members, after: { ...members, k7: "new" } })).toContain(
    "    + k7: new",
  );
  const text = items.join("\n");
  expect(linesOf({ path: "a", after: text })).toEqual(["+ a:", ...items.map((item) => `    + ${item}`)]);
  expect(renderChangeDiff(shownChange({ path: "a", after: text }))).toEqual([
    "@@ a @@",
    ...items.map((item) => `+ ${item}`),
  ]);
});

it("names each operation of a new tool set, of very many the first", () => {
  const linesOf = (count: number) => {
    const operations = Array.from({ length: count }, (_, at) => ({ method: "DELETE", path: `/p${at}` }));
    return renderChange(
      shownChange({ path: "a", after: { operations }, outline: true }),
      paletteOf(false),
      true,
    );
  };
  expect(linesOf(12)).toEqual([
    "+ a: 12 operations",
    ...Array.from({ length: 12 }, (_, at) => `    DELETE /p${at}`),
  ]);
  expect(linesOf(300)).toHaveLength(202);
  expect(linesOf(300).at(-1)).toBe("    … 100 more");
});

it("shows of a new object's long text the beginning where that is asked for", () => {
  const text = Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n");
  const lines = renderChange(shownChange({ path: "a", after: text }), paletteOf(false), true);
  expect(lines).toHaveLength(202);
  expect(lines.at(-1)).toBe("    … 100 more lines");
});

it("goes through a large value once, however many notes quote it", () => {
  let looks = 0;
  const members = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, "text"]));
  const after = new Proxy(members, {
    ownKeys(target) {
      looks += 1;
      return Reflect.ownKeys(target);
    },
  });
  const quote = () => {
    const shown = shownChange({ path: "a", after });
    return [renderChange(shown, paletteOf(false), false, 4), renderChangeDiff(shown)];
  };
  const first = quote();
  const once = looks;
  const second = quote();
  expect(second).toEqual(first);
  expect(first[0]).toHaveLength(4);
  expect(looks).toBe(once);
});
