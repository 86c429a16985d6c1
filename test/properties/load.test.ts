import { anyCharacter, examples, fc } from "../harness/property.js";
import { describe, expect, test } from "vitest";
import { parseDocuments } from "../../src/core/document/document.js";
import { escapeLiteral, parseText, unescaped } from "../../src/core/expression/expression.js";
import { canonical, equal, type Json } from "../../src/json/json.js";
import { plan } from "../../src/sync/plan.js";
import { validate } from "../harness/validate.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";

const syntax = fc.constantFrom(
  "$",
  "${",
  "$${",
  "}",
  "{",
  "env:X}",
  "${env:X}",
  "${var:",
  ":",
  "-",
  "a",
  "\n",
  "🤖",
);
const expressionText = fc.array(syntax, { maxLength: 20 }).map((parts) => parts.join(""));

describe("expressions", () => {
  test("an escaped text reads as the text alone", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), expressionText), (text) => {
        expect(parseText(escapeLiteral(text))).toEqual([text]);
        expect(unescaped(escapeLiteral(text))).toBe(text);
      }),
      { numRuns: examples(2000) },
    );
  });

  test("parts begin where they say, and together leave nothing out", () => {
    fc.assert(
      fc.property(expressionText, (text) => {
        let rebuilt = "";
        for (const part of parseText(text)) {
          if (typeof part !== "string") expect(text.startsWith(part.source, part.offset)).toBe(true);
          rebuilt += typeof part === "string" ? escapeLiteral(part) : part.source;
        }
        expect(unescaped(rebuilt)).toBe(unescaped(text));
      }),
      { numRuns: examples(2000) },
    );
  });
});

const good = `apiVersion: agentform/v1
kind: Agent
metadata:
  name: support
  labels: {team: care}
spec:
  name: &name Support desk
  system_prompt: |
    You help. \${var:model}
  description: *name
  temperature: 0.2
  tools: ["\${toolset:desk}", '\${toolset:desk/op}']
  features:
    - {type: RAI, priority: 0, config: {policy_id: "\${policy:strict}"}}
lifecycle:
  protect: true
---
apiVersion: agentform/v1
kind: Policy
metadata: {name: strict}
spec: {name: Strict}
`;

function check(bytes: string | Uint8Array): void {
  const { directory } = makeWorkspace({ "agents/a.yaml": bytes as string });
  const diagnostics = validate({ directory });
  for (const { message, line, column } of diagnostics) {
    expect(message).not.toBe("");
    expect((line ?? 1) >= 1 && (column ?? 1) >= 1).toBe(true);
  }
}

describe("any file", () => {
  test("of random bytes is answered", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), check), { numRuns: examples(200) });
  });

  test("of random YAML pieces is answered", () => {
    const piece = fc.constantFrom(
      ..."ab:?[]{}'\"|>#%@`,\n\t\u0000\ufeff\u2028",
      ..."  |- |&a |*a|!t |---\n|...\n|<<|\r\n|${var:x}".split("|"),
    );
    const text = fc.array(piece, { maxLength: 300 }).map((parts) => parts.join(""));
    fc.assert(fc.property(text, check), { numRuns: examples(300) });
  });

  test("that was a good one is answered", () => {
    const edit = fc.record({
      at: fc.nat(good.length),
      cut: fc.nat(12),
      put: fc.oneof(
        fc.string({ maxLength: 3, unit: anyCharacter }),
        fc.constantFrom("\n", "\t", '"', "[", "*name", "${", ": ", ""),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = good;
        for (const { at, cut, put } of edits) text = text.slice(0, at) + put + text.slice(at + cut);
        check(text);
      }),
      { numRuns: examples(300) },
    );
  });

  test("written as JSON gives back its value", () => {
    const value = fc
      .jsonValue({ maxDepth: 4 })
      .filter(
        (each) => each !== null && !/"(__proto__|constructor|prototype|<<)"/.test(JSON.stringify(each)),
      );
    fc.assert(
      fc.property(value, (each) => {
        const text = JSON.stringify(each);
        const { value: documents, findings } = parseDocuments("a.yaml", text);
        expect(findings).toEqual([]);
        expect(equal(documents[0]?.value, JSON.parse(text) as Json)).toBe(true);
      }),
    );
  });
});

describe("values", () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

  test("are equal exactly if their canonical texts are", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(equal(a, b)).toBe(canonical(a) === canonical(b));
        expect(equal(a, JSON.parse(JSON.stringify(a)) as Json)).toBe(true);
        expect(canonical(JSON.parse(canonical(a)) as Json)).toBe(canonical(a));
      }),
    );
  });

  test("do not depend on the order of their keys", () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string(), json), { selector: ([key]) => key, maxLength: 6 });
    fc.assert(
      fc.property(entries, (each) => {
        const [one, other] = [Object.fromEntries(each), Object.fromEntries(each.toReversed())];
        expect(canonical(one)).toBe(canonical(other));
        expect(equal(one, other)).toBe(true);
      }),
    );
  });
});

describe("where documents stand", () => {
  const documents = [
    documentText("Policy", "strict", { name: "Strict" }),
    documentText("Policy", "loose", { name: "Loose" }),
    documentText("Credential", "provider", { name: "P", credentials: { key: "${env:KEY}" } }),
    documentText("Agent", "one", { name: "One", features: [{ config: { policy_id: "${policy:strict}" } }] }),
    documentText("Agent", "two", {
      name: "Two",
      llm_credential_id: "${credential:provider}",
      tool: "${agent:one}",
    }),
  ];

  async function planned(files: Readonly<Record<string, string>>) {
    const result = await plan({ directory: makeWorkspace(files).directory });
    expect(result.diagnostics).toEqual([]);
    // Where a document stands is told, and is all that may differ.
    return JSON.stringify(result.plan, (key, value: unknown) => (key === "file" ? undefined : value));
  }

  test("changes nothing in the plan", async () => {
    const expected = await planned(
      Object.fromEntries(documents.map((text, index) => [`agents/${index}.yaml`, text])),
    );
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    const names = fc.array(
      fc.constantFrom("agents/a.yaml", "policies/b.yml", "toolsets/x/y.yaml", "credentials/c.yaml"),
      { minLength: 5, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(order, names, async (indexes, files) => {
        const texts: { [file: string]: string } = {};
        for (const [position, index] of indexes.entries()) {
          const file = files[position] ?? "";
          texts[file] = `${texts[file] ?? ""}---\n${documents[index]}\n`;
        }
        expect(await planned(texts)).toBe(expected);
      }),
      { numRuns: examples(50) },
    );
  });
});
