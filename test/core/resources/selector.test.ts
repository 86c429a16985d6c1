import { expect, test } from "vitest";
import { checkSelector, matcherOf } from "../../../src/core/resources/selector.js";
import { examples, fc } from "../../harness/property.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";

const { resources } = workspaceOf(
  [{ team: "care", tier: "1" }, { team: "sales" }, {}].map((labels, index) =>
    pieceOf(`agent:a${index}`, { name: `A${index}` }, { labels }),
  ),
);

function check(...selector: string[]) {
  return checkSelector(new Set(selector), resources.values()).map(({ message, hint }) => [message, hint]);
}

test("a selector that selects something is no error", () => {
  expect(check()).toEqual([]);
  expect(check("team=care")).toEqual([]);
  expect(check("team=care", "team=none")).toEqual([]);
  expect(check("team=sales", "team=care", "tier=1")).toEqual([]);
});

test("one that selects nothing says which label was meant, or which exist", () => {
  expect(check("team=slaes")).toEqual([
    ["`--selector team=slaes` selects no resource", "did you mean `team=sales`?"],
  ]);
  expect(check("taem=care")[0]?.[1]).toBe("did you mean `team=care`?");
  expect(check("audience=customers")[0]?.[1]).toBe("the labels are `team=care`, `team=sales`, `tier=1`");
  expect(check("team=sales", "tier=1")).toEqual([
    [
      "`--selector team=sales` and `--selector tier=1` together select no resource",
      "no resource has these labels at once: of one key, any of the values is enough; several keys must all match",
    ],
  ]);
  expect(check("constructor=a")[0]?.[1]).toBe("the labels are `team=care`, `team=sales`, `tier=1`");
});

test("only a few labels are listed", () => {
  const labels = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`label-${index}`, "x"]));
  const fleet = workspaceOf([pieceOf("agent:a", { name: "A" }, { labels })]);
  const [finding] = checkSelector(new Set(["zzz=x"]), fleet.resources.values());
  expect(finding?.hint).toMatch(/`label-5=x` and 4 more$/);
  const none = workspaceOf([pieceOf("agent:a", { name: "A" })]);
  expect(checkSelector(new Set(["a=b"]), none.resources.values())[0]?.hint).toMatch(/no document has labels/);
});

test("of one key any value matches, and of several keys each", () => {
  const label = fc.record({ key: fc.constantFrom("a", "b"), value: fc.constantFrom("", "1", "2=3") });
  const labels = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("", "1", "2=3"));
  const wish = fc.property(fc.array(label, { minLength: 1 }), labels, (wanted, given) => {
    const expected = ["a", "b"].every((key) => {
      const values = wanted.filter((each) => each.key === key).map(({ value }) => value);
      return values.length === 0 || (given[key] !== undefined && values.includes(given[key]));
    });
    const selector = new Set(wanted.map(({ key, value }) => `${key}=${value}`));
    expect(matcherOf(selector)(given)).toBe(expected);
  });
  fc.assert(wish, { numRuns: examples(500) });
});
