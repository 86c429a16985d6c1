import { expect, test } from "vitest";
import { explainField } from "../../src/core/explain/explained-field.js";
import { parseQuestion } from "../../src/core/explain/question.js";
import { loadSchema } from "../../src/core/schema/schema-parts.js";
import { renderFieldText } from "../../src/render/results/explained.js";
import { anyCharacter, examples, fc } from "../harness/property.js";

const key = fc.oneof(
  fc.constantFrom(
    "agent",
    "manifest",
    "spec",
    "service",
    "tools",
    "features",
    "[0]",
    "config",
    "properties",
    "0",
  ),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
);
const word = fc.array(key, { maxLength: 6 }).map((keys) => keys.join("."));

test("any word has an explanation, or a message with a hint", async () => {
  await fc.assert(
    fc.asyncProperty(word, async (text) => {
      const question = parseQuestion(text);
      if (!question.ok) expect(question.hint).not.toBe("");
      else if (!question.code) {
        const name = question.field.kind?.name ?? "workspace";
        const explained = explainField(question.field, await loadSchema(name));
        if (explained.ok)
          expect(renderFieldText(explained.field, { color: false, width: 80 })).toMatch(/\n$/);
        else expect(explained.hint).not.toBe("");
      }
    }),
    { numRuns: examples(1000) },
  );
});

test("every field that a schema names is explained, with the name that leads to it", async () => {
  for (const [word, name] of [
    ["agent", "agent"],
    ["policy", "policy"],
    ["toolset", "toolset"],
    ["credential", "credential"],
    ["manifest", "workspace"],
  ] as const) {
    const schema = await loadSchema(name);
    const visit = (path: readonly string[]): number => {
      const explained = explainField({ word, kind: undefined, path }, schema);
      if (!explained.ok) throw new Error(`${word}.${path.join(".")}: ${explained.message}`);
      const { field } = explained;
      expect(field.name).toBe([word, ...path].join("."));
      const members = field.members.filter((each) => !each.name.startsWith("spec."));
      return members.reduce((sum, each) => sum + visit([...path, each.name]), 1);
    };
    expect(visit([])).toBeGreaterThan(15);
  }
});
