import { expect, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { validate } from "../harness/validate.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { effort } from "../harness/effort.js";

const levels = 20_000;

const nestings: Readonly<Record<string, string>> = {
  "lists in brackets": "[".repeat(levels),
  "closed lists in brackets": "[".repeat(levels) + "]".repeat(levels),
  "mappings in braces": "{a: ".repeat(levels),
  "lists of dashes": "- ".repeat(levels),
  "dashes with tabs": "-\t".repeat(levels),
  "explicit keys": "? ".repeat(levels),
  "mappings on one line": "a: ".repeat(levels),
  "dashes with anchors": "- &a ".repeat(levels),
  "brackets that quotes seem to close": '["]", '.repeat(levels),
  "brackets that comments seem to close": "[ # ]\n".repeat(levels),
  "pairs in brackets": "[a: ".repeat(levels),
  "brackets with markers of documents between them": "[\n---\n".repeat(9_000),
  "brackets with markers in quotes": '["\n---\n'.repeat(9_000),
  "brackets with markers in closed quotes": '["\n---\n", '.repeat(9_000),
  "brackets with indented markers": "[\n ---\n".repeat(9_000),
  "brackets with markers that are words": "[\n---a,\n".repeat(9_000),
  "block mappings": Array.from({ length: 3000 }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
};

/** How much processor time a text of the same size takes that is not deep. */
function flatEffort(): number {
  const { directory } = makeWorkspace({ "agents/flat.yaml": `a:\n${"- a\n".repeat(levels)}` });
  return effort(() => validate({ directory }));
}

test.each(sample("nestings", Object.keys(nestings), 1))(
  "%s are refused five times over in one process",
  (name) => {
    const flat = flatEffort();
    for (let round = 0; round < 5; round++) {
      const text = nestings[name] ?? "";
      const { directory } = makeWorkspace({ "agents/deep.yaml": text });
      let diagnostics: ReturnType<typeof validate> = [];
      expect(effort(() => (diagnostics = validate({ directory })))).toBeLessThan(40 * flat);
      expect(diagnostics.length).toBeGreaterThan(0);
      expect(diagnostics.every(({ file, line }) => file === "agents/deep.yaml" && line !== undefined)).toBe(
        true,
      );
    }
  },
);

test("collections a hundred deep are read", () => {
  const depth = 97;
  const { directory } = makeWorkspace({
    "agents/deep.yaml": `{apiVersion: agentform/v1, kind: Agent, metadata: {name: deep}, spec: {name: D, examples: ${"[".repeat(depth)}${"]".repeat(depth)}}}`,
  });
  expect(validate({ directory })).toEqual([]);
});

test("block mappings a hundred deep are read", () => {
  const nested = Array.from({ length: 97 }, (_, level) => `${" ".repeat(level + 4)}a:\n`).join("");
  const { directory } = makeWorkspace({
    "agents/deep.yaml": `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: deep}\nspec:\n  name: D\n  examples:\n${nested}${" ".repeat(101)}1\n`,
  });
  expect(validate({ directory })).toEqual([]);
});

test("brackets that many documents leave open are not nested in one another", () => {
  const { directory } = makeWorkspace({ "agents/open.yaml": "a: [\n---\n".repeat(150) });
  expect(new Set(validate({ directory }).map(({ code }) => code))).toEqual(new Set(["yaml-syntax"]));
});

wholeTest("10,000 documents in a file are read", () => {
  const { directory } = makeWorkspace({ "agents/many.yaml": "---\n".repeat(10_000) });
  const [only, ...others] = validate({ directory });
  expect([only?.code, others]).toEqual(["document-ineffective", []]);
});
