import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../src/json/json.js";
import { renderDocumentYaml } from "../../src/render/results/documents-yaml.js";
import { deadText } from "../../src/render/words/log-text.js";
import { commandTexts } from "../harness/job-log.js";
import { anyCharacter, examples, fc } from "../harness/property.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";

const blanks = [
  "\n",
  "\n\n",
  " ",
  "  \n",
  "\t",
  "---",
  "...",
  "- ",
  "? ",
  ": ",
  "#",
  " #",
  "|",
  ">",
  "%",
  "&a",
  "!t",
];
const words = [
  "null",
  "~",
  "1e3",
  "0x1f",
  ".inf",
  "1_0",
  "yes",
  "2026-01-01",
  "=",
  "<<",
  "a",
  "'",
  '"',
  "\\",
];
const piece = fc.oneof(
  fc.constantFrom(...blanks, ...words, ...commandTexts),
  hostileText,
  fc.string({ unit: anyCharacter }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const scalar = fc.oneof(text, fc.jsonValue({ maxDepth: 0 }));
const key = text.filter((each) => each !== "__proto__");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "medium" }, scalar, tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
}));
// As a body is: without -0, and without lone members that JSON does not have.
const document = fc
  .dictionary(key, value, { minKeys: 1, maxKeys: 4 })
  .map((each) => JSON.parse(JSON.stringify(each)) as JsonObject);

function parsed(yaml: string): unknown[] {
  return parseAllDocuments(yaml).map((each) => {
    expect(each.errors).toEqual([]);
    return each.toJS() as unknown;
  });
}

test("a document reads as what it was, whatever texts it has", () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) => {
      const yaml = documents.map((each) => renderDocumentYaml(each)).join("");
      expect(parsed(yaml)).toEqual(documents);
    }),
    { numRuns: examples(1000) },
  );
});

test("nothing that a terminal or a CI obeys is in it, and no tabs are lost", () => {
  fc.assert(
    fc.property(document, (each) => {
      const yaml = renderDocumentYaml(each);
      expect(deadText(yaml)).toBe(yaml);
      expect(yaml.replaceAll("\t", "")).not.toMatch(hiddenCharacter);
    }),
    { numRuns: examples(1000) },
  );
});

test("a text with a hidden character keeps its lines", () => {
  expect(renderDocumentYaml({ prompt: 'One "a"\n  two\u200c\n\n::error::x\n' })).toBe(`---
prompt: "One \\"a\\"\\n\\
  \\  two\\u200c\\n\\
  \\n\\
  \\x3a:error::x\\n"
`);
});

test("comments change nothing", () => {
  fc.assert(
    fc.property(document, text, (each, file) => {
      const sources = Object.keys(each).map((name, index) => {
        return { path: [name], place: { file }, layer: "patch" as const, line: index };
      });
      const yaml = renderDocumentYaml(each, sources);
      expect(parsed(yaml)).toEqual([each]);
      expect(deadText(yaml)).toBe(yaml);
      expect(yaml.replaceAll("\t", "")).not.toMatch(hiddenCharacter);
    }),
    { numRuns: examples(1000) },
  );
});
