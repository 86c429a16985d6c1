import { agent, fill, type WorstCase } from "./worst-case.js";

/** A case of one agent whose YAML has these lines in its spec. */
function inAgent(name: string, spec: (bytes: number) => readonly string[]): WorstCase {
  return { name, files: (bytes) => ({ "agents/a.yaml": agent(spec(bytes)) }) };
}

/** A case of one file of documents that is this text. */
function asFile(name: string, text: (bytes: number) => string): WorstCase {
  return { name, files: (bytes) => ({ "agents/a.yaml": text(bytes) }) };
}

/** YAML of which each byte costs as much as possible. */
export const yamlCases: readonly WorstCase[] = [
  inAgent("yaml: short items in one flow list", (bytes) => [`x: [${fill(bytes, () => "a,")}a]`]),
  inAgent("yaml: nulls in one flow list", (bytes) => [`x: [${fill(bytes, () => "~,")}~]`]),
  inAgent("yaml: empty mappings in one flow list", (bytes) => [`x: [${fill(bytes, () => "{},")}{}]`]),
  inAgent("yaml: pairs in one flow list", (bytes) => [`x: [${fill(bytes, () => "a: b,")}a: b]`]),
  inAgent("yaml: short items in a block list", (bytes) => [`x:`, ...lines(bytes, () => "- a")]),
  inAgent("yaml: keys of one mapping", (bytes) => [`x:`, ...lines(bytes, (index) => ` k${index}: 1`)]),
  inAgent("yaml: one key again and again", (bytes) => [`x:`, ...lines(bytes, () => ` k: 1`)]),
  inAgent("yaml: one key again and again in a flow", (bytes) => [`x: {${fill(bytes, () => "k,")}k}`]),
  inAgent("yaml: compact block lists", (bytes) => [`x:`, ...lines(bytes, () => `${"- ".repeat(40)}a`)]),
  inAgent("yaml: anchors", (bytes) => [`x: [${fill(bytes, (index) => `&a${index} 1,`)}1]`]),
  inAgent("yaml: anchors and aliases", (bytes) => [
    `x: [${fill(bytes / 2, (index) => `&a${index} 1,`)}${fill(bytes / 2, (index) => `*a${index},`)}1]`,
  ]),
  inAgent("yaml: aliases of one anchor", (bytes) => [`x: [&a 1,${fill(bytes, () => `*a ,`)}1]`]),
  inAgent("yaml: aliases of a large value", (bytes) => [
    `x: [&a [${fill(bytes / 2, () => "1,")}1],${fill(bytes / 2, () => `*a ,`)}1]`,
  ]),
  inAgent("yaml: aliases of aliases", () => [
    `x0: &x0 [1,2,3,4,5,6,7,8]`,
    ...Array.from({ length: 10 }, (_, level) => {
      return `x${level + 1}: &x${level + 1} [${`*x${level} ,`.repeat(8)}1]`;
    }),
  ]),
  inAgent("yaml: aliases without an anchor", (bytes) => [`x: [${fill(bytes, () => `*a ,`)}1]`]),
  inAgent("yaml: merge keys", (bytes) => [`x:`, ...lines(bytes, () => `- {<<: 1}`)]),
  inAgent("yaml: tags", (bytes) => [`x: [${fill(bytes, () => "!a b,")}1]`]),
  inAgent("yaml: large integers", (bytes) => [`x: [${fill(bytes, () => "9007199254740993,")}1]`]),
  inAgent("yaml: one plain scalar", (bytes) => [`x: ${"a".repeat(bytes)}`]),
  inAgent("yaml: one plain scalar of many lines", (bytes) => [`x:`, ...lines(bytes, () => "  a b")]),
  inAgent("yaml: one block scalar", (bytes) => [`x: |`, ...lines(bytes, () => "  a b")]),
  inAgent("yaml: one folded block scalar", (bytes) => [`x: >`, ...lines(bytes, () => "  a")]),
  inAgent("yaml: one folded block scalar of deeper lines", (bytes) => [
    `x: >`,
    ...lines(bytes, (index) => (index % 2 ? "  a" : "   a")),
  ]),
  inAgent("yaml: one block scalar of empty lines", (bytes) => [`x: |\n    a\n${"\n".repeat(bytes)}    b`]),
  inAgent("yaml: one quoted scalar of escapes", (bytes) => [`x: "${"\\n".repeat(bytes / 2)}"`]),
  inAgent("yaml: one quoted scalar of empty lines", (bytes) => [`x: "a${"\n".repeat(bytes)}    b"`]),
  inAgent("yaml: one quoted scalar of folded lines", (bytes) => [
    `x: "a`,
    ...lines(bytes, () => "  b"),
    `c"`,
  ]),
  inAgent("yaml: one quoted scalar of spaces", (bytes) => [`x: "a${" ".repeat(bytes)}b"`]),
  inAgent("yaml: one quoted scalar of spaces and line ends", (bytes) => [
    `x: "a${fill(bytes, () => `${" ".repeat(1000)}\n`)}    b"`,
  ]),
  inAgent("yaml: an open quote", (bytes) => [`x: "${"a\n    ".repeat(bytes / 6)}`]),
  inAgent("yaml: open quotes", (bytes) => lines(bytes, (index) => `x${index}: "a`)),
  inAgent("yaml: open brackets", (bytes) => lines(bytes, () => `- [a`)),
  inAgent("yaml: closing brackets", (bytes) => [`x: ${"]".repeat(bytes)}`]),
  inAgent("yaml: commas in a flow", (bytes) => [`x: [${",".repeat(bytes)}]`]),
  inAgent("yaml: colons", (bytes) => [`x: ${"a:".repeat(bytes / 2)}`]),
  inAgent("yaml: questions", (bytes) => lines(bytes, () => `? a`)),
  inAgent("yaml: one huge key", (bytes) => [`${"k".repeat(bytes)}: 1`]),
  inAgent("yaml: one huge quoted key", (bytes) => [`"${"k".repeat(bytes)}": 1`]),
  inAgent("yaml: unknown fields", (bytes) => lines(bytes, (index) => `nam${index}: 1`)),
  inAgent("yaml: misspelt fields", (bytes) => [
    `pii_detection:`,
    ...lines(bytes, (index) => `  system_promp${index}: 1`),
  ]),
  inAgent("yaml: features with unknown fields", (bytes) => [
    `features:`,
    ...lines(bytes, (index) => `- {type: A${index}, confi: {}}`),
  ]),
  inAgent("yaml: values of the wrong type", (bytes) => [`tools: [${fill(bytes, () => "1,")}1]`]),
  inAgent("yaml: comments in a mapping", (bytes) => [...lines(bytes, () => "# a"), "description: b"]),
  asFile("yaml: nothing but comments", (bytes) => fill(bytes, () => "#\n")),
  asFile("yaml: one comment", (bytes) => `#${"a".repeat(bytes)}`),
  asFile("yaml: nothing but line ends", (bytes) => "\n".repeat(bytes)),
  asFile("yaml: nothing but spaces", (bytes) => " ".repeat(bytes)),
  asFile("yaml: nothing but tabs", (bytes) => "\t".repeat(bytes)),
  asFile("yaml: documents", (bytes) => fill(bytes, () => "---\n")),
  asFile("yaml: 10,000 documents", (bytes) => fill(Math.min(bytes, 90_000), () => "--- [a]\n")),
  asFile("yaml: ends of documents", (bytes) => fill(bytes, () => "...\n")),
  asFile("yaml: directives", (bytes) => `${fill(bytes, () => "%YAML 1.2\n")}--- a`),
  asFile("yaml: tag directives", (bytes) => `${fill(bytes, (index) => `%TAG !a${index}! b\n`)}--- a`),
  asFile("yaml: lines without an end of a mapping", (bytes) => fill(bytes, () => "a\n")),
  asFile("yaml: unclosed flows in documents", (bytes) => fill(Math.min(bytes, 60_000), () => "---\n[\n")),
  asFile("yaml: spaces before line ends", (bytes) => fill(bytes, () => `${" ".repeat(99)}\n`)),
  asFile("yaml: carriage returns", (bytes) => "\r".repeat(bytes)),
  asFile("yaml: markers of a merge", (bytes) => fill(bytes, () => "<<<<<<< a\n")),
];

function lines(bytes: number, line: (index: number) => string): string[] {
  return fill(bytes, (index) => `${line(index)}\n`)
    .trimEnd()
    .split("\n");
}
