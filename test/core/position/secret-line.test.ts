import { expect, test } from "vitest";
import { composeAll } from "../../../src/core/document/compose.js";
import { secretsInLines } from "../../../src/core/position/secret-line.js";
import { secretNames } from "../../../src/core/position/secret-name.js";
import { effort } from "../../harness/effort.js";
import { examples, fc } from "../../harness/property.js";
import { linesOf } from "./framed-lines.js";
import { sample } from "../../harness/tier.js";

const canary = "Canary7x";
const shown = /[Cc]anary|anary7|nary7x/;

test.each<[string, string, string[]]>([
  [
    "expressions and the rest of the document stay",
    "spec:\n  credentials: {api_key: ${env:KEY}}\n  tools: [${toolset:weather}]\n",
    ["spec:", "  credentials: {api_key: ${env:KEY}}", "  tools: [${toolset:weather}]", ""],
  ],
  [
    "the lines of a value are masked until the next field",
    `spec:\n  credentials:\n    first: ${canary}\n\n    second: \${env:B}\n  description: @x\n`,
    ["spec:", "  credentials:", "    ••••••", "", "    ••••••", "  description: @x", ""],
  ],
  [
    "a value that is not indented ends at a known field",
    `spec:\n  credentials:\n  key: ${canary}\n  description: @x\n`,
    ["spec:", "  credentials:", "  ••••••", "  description: @x", ""],
  ],
  [
    "a block that is not indented, too",
    `spec:\n  api_key: |\n-----BEGIN KEY-----\n${canary}\n-----END KEY-----\nlifecycle: @x\n`,
    ["spec:", "  api_key: ••••••", "••••••", "••••••", "••••••", "lifecycle: @x", ""],
  ],
  [
    "an open bracket hides all until it is closed",
    `spec:\n  credentials: {\n key: ${canary},\n }\n  name: @x\n`,
    ["spec:", "  credentials: {", " ••••••", " }", "  name: @x", ""],
  ],
  [
    "an open quote hides all to the end",
    `spec:\n  api_key: "${canary}\nname: ${canary}\n---\nname: ${canary}`,
    ["spec:", "  api_key: ••••••", "", "", ""],
  ],
  [
    "the markers of a merge are no value",
    `spec:\n  credentials:\n<<<<<<< HEAD\n    key: ${canary}\n=======\n    key: ${canary}\n>>>>>>> main\n`,
    ["spec:", "  credentials:", "<<<<<<< HEAD", "    ••••••", "=======", "    ••••••", ">>>>>>> main", ""],
  ],
  ["a sign for a colon does not help", `spec: @\napi_key = ${canary}\n`, ["spec: @", "api_key ••••••", ""]],
  [
    "an anchor is hidden where a secret has an alias",
    `spec:\n  meta_data: &a ${canary}\n  credentials: {k: *a}\n  name: @x\n`,
    ["spec:", "  meta_data: &a ••••••", "  credentials: {••••••", "  name: @x", ""],
  ],
  [
    "a value that goes on without an indent is masked",
    `name: @x\napi_key: a\n${canary}\n`,
    ["name: @x", "api_key: ••••••", "••••••", ""],
  ],
  [
    "a bracket that was never opened closes none that is",
    `name: @x\napi_key: }\n  a: {\n${canary}\n`,
    ["name: @x", "api_key: }", "  ••••••", "••••••", ""],
  ],
  [
    "a secret that is mentioned hides its line alone, and a sign within a word nothing",
    `name: @x\nnote: our api_key is ${canary}\nother R&D: B\n`,
    ["name: @x", "note: our api_key ••••••", "other R&D: B", ""],
  ],
  [
    "what a comment leaves out is masked as well",
    `name: @x\n#credentials:\n    key: ${canary}\n# cookie:\n#   a: ${canary}\n`,
    ["name: @x", "#credentials:", "    ••••••", "# cookie:", "#   ••••••", ""],
  ],
  [
    "a secret that is named within the value of another one has a value of its own",
    `name: @x\nsecret: \${env:A}\n  token:\n${canary}\n`,
    ["name: @x", "secret: ${env:A}", "  ••••••", "••••••", ""],
  ],
  [
    "a secret that is named after an anchor, too",
    `name: @x\n  model: &a B\nsecret:\n  description: ${canary}\n`,
    ["name: @x", "  model: &a ••••••", "••••••", "  ••••••", ""],
  ],
  [
    "a group goes on after a member that is a field elsewhere",
    `name: @x\n  credentials:\n  api_key: \${env:A}\n  second: ${canary}\n`,
    ["name: @x", "  credentials:", "  api_key: ${env:A}", "  ••••••", ""],
  ],
  [
    "the kind of a document is no secret",
    "kind: Credential\nmetadata: {name: @x}\n",
    ["kind: Credential", "metadata: {name: @x}", ""],
  ],
])("in broken YAML %s", (_name, text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

test.each(["!", "*", "&", "!<", "!!"])("a secret that begins with `%s` is masked", (sign) => {
  const text = `spec:\n  name: A\n  credentials:\n    password: ${sign}${canary}\n`;
  expect(linesOf(text).slice(2)).toEqual(["  credentials:", "    ••••••", ""]);
});

test("what is like a scheme is one before an expression alone", () => {
  const text =
    "spec: @\napi_key: Y2FuYXJ5=\nname: A\napi_key: Bearer ${env:A}\nname: B\napi_key: ${env:A} key=\n";
  expect(linesOf(text)).toEqual([
    "spec: @",
    "api_key: ••••••",
    "name: A",
    "api_key: Bearer ${env:A}",
    "name: B",
    "api_key: ••••••",
    "",
  ]);
});

test("a comment over several lines is masked in valid YAML, too", () => {
  const text = `spec:\n  # credentials:\n  #   key: ${canary}\n  name: A\n  # about the name\n`;
  expect(linesOf(text)).toEqual([
    "spec:",
    "  # credentials:",
    "  #   ••••••",
    "  name: A",
    "  # about the name",
    "",
  ]);
  const separated = ["\r", "\u2028"].map((sign) => `name: A${sign}B # api_key: ${canary}`);
  for (const line of separated) expect(linesOf(line).join("")).not.toMatch(shown);
});

const sound = `apiVersion: agentform/v1
kind: Credential
metadata: {name: provider, labels: {team: care}}
spec:
  name: Provider
  meta_data: {note: &anchor ${canary}-0}
  credentials:
    first: ${canary}-1
    second: "${canary}-2"
    list: [${canary}-3, '${canary}-4']
    blob: |
      ${canary}-5
      ${canary}-6
    copied: *anchor
  # api_key: ${canary}-7
---
apiVersion: agentform/v1
kind: ToolSet
metadata:
  name: desk
spec:
  tool_set_name: desk
  default_headers: {Authorization: Bearer ${canary}-8, X-Team: care}
  provider_api_key: ${canary}-9
  openapi_schema: \${file:desk.json}
`;

interface Damage {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const names = [...sound.matchAll(/credentials|authorization|(?:provider_)?api_key|&anchor|\*anchor/gi)].map(
  ({ 0: { length }, index }) => ({ start: index - 1, end: index + length + 1 }),
);
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(sound.length),
  remove: fc.constantFrom(0, 0, 1, 2, 4),
  insert: fc.constantFrom(..."[]{}\"':,@`%&*!|>#\t\n-? ", "\n---\n", "  ", "- ", ": ", "{{", "${x", ""),
});

/** Damages a text, but neither the names of its secrets nor the line ends behind them. */
function damaged(all: readonly Damage[]): string {
  let text = sound;
  for (const { at, remove, insert } of all.toSorted((a, b) => b.at - a.at)) {
    if (names.some(({ start, end }) => at + remove > start && at < end)) continue;
    text = text.slice(0, at) + insert + text.slice(at + remove);
  }
  return text;
}

test("of a secret nothing is shown, wherever the YAML around it is broken", () => {
  expect(linesOf(sound).join("\n")).not.toMatch(shown);
  const isHidden = fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (all) => {
    const text = damaged(all);
    fc.pre([...composeAll(text)].some(({ errors }) => errors.length > 0));
    expect(linesOf(text).join("\n"), text).not.toMatch(shown);
  });
  fc.assert(isHidden, { numRuns: examples(1500) });
});

const pieces = [
  ":!",
  "api_key ",
  "{ ",
  "credentials: {",
  "&a ",
  "'",
  "- ",
  "x\n",
  "api_key: \n",
  "${env:A} ",
];

test.each(sample("pieces of a broken text", pieces, 3))(
  "the work for many times `%s` grows as their number does",
  (piece) => {
    const work = (count: number) => {
      const text = `name: @x\napi_key: ${piece.repeat(count)}`;
      return effort(() => secretsInLines(text, secretNames));
    };
    // Quadratic work would be 256 times as much.
    expect(work(160_000)).toBeLessThan(100 * (work(10_000) + 2));
  },
);
