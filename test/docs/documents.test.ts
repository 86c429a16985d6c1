import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { schemes } from "../../src/core/expression/expression.js";
import { aboutSecrets, providerKeys, tellingNames } from "../../src/core/schema/secret.js";
import { codeBlocks } from "./code-block.js";
import { examplesOf, type Example } from "./example.js";
import { renderKeyReference } from "./key-reference.js";
import { markedPart } from "./marked-part.js";
import { settled, unfold } from "./printed.js";
import { Shell } from "./shell.js";

const file = "docs/reference/documents.md";
const text = readFileSync(file, "utf8");
const examples = examplesOf(text);

// The manifest of the first example is that of every example without its own.
const manifest = examples[0]?.parts.find((part) => "file" in part);

describe("the reference of documents", () => {
  test.each(examples)("$heading: the example is valid, or shows what is wrong", async ({ parts }) => {
    const folder = mkdtempSync(join(tmpdir(), "agentform-example-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (name: string, content: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    };
    if (manifest) write(manifest.file, manifest.text);
    const shell = new Shell(folder);
    for (const part of parts) {
      if ("file" in part) {
        write(part.file, part.text);
        continue;
      }
      const printed = settled(await shell.run(part.command));
      const expected = unfold(settled(part.shown.join("\n")), printed);
      expect(printed, `line ${part.line}: ${part.command}`).toEqual(expected);
    }
    if (!showsProblems({ parts })) {
      expect(await shell.run("agentform validate")).not.toMatch(/^(error|warning)\[/m);
    }
  });

  test("every block of YAML, Markdown or JSON is a file of an example", () => {
    const listed = codeBlocks(text).filter(({ language }) => language !== "console");
    const files = examples.flatMap(({ parts }) => parts.filter((part) => "file" in part));
    expect(files.map((each) => each.text.trimEnd())).toEqual(listed.map((each) => each.text));
    expect(files.length).toBeGreaterThan(15);
  });

  test("it has every key of the schemas", () => {
    const begin = "<!-- begin: from the schemas, written by UPDATE_GOLDEN=1 npx vitest run test/docs -->";
    const current = renderKeyReference();
    expect(current).toContain("`for_each`");
    expect(markedPart(file, begin, current)).toBe(current);
  });

  test("its section on the lifecycle has every key of it", () => {
    const [, section = ""] = text.split("## Lifecycle\n");
    const listed = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    const { properties } = JSON.parse(readFileSync("schemas/shared/lifecycle.json", "utf8")) as {
      properties: object;
    };
    expect(listed.toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  test("it has every name that tells of a secret, and whose keys are known", () => {
    const begin = "<!-- begin: the names of secrets, written by UPDATE_GOLDEN=1 npx vitest run test/docs -->";
    const looks = {
      always: "any text",
      mostly: "any text but one short word, such as `optional` or `user_id`",
      perhaps: "a long text that is neither words nor numbers",
    };
    const quoted = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");
    const rows = tellingNames.map(({ words, where, telling }) => {
      return `| ${where === "end" ? "ends with" : "has"} ${quoted(words)} | ${looks[telling]} |`;
    });
    const current = [
      "| the name | a secret is |\n|---|---|",
      `| ends with ${quoted(aboutSecrets.map((word) => `-${word}`))} | nothing |`,
      ...rows,
      `| any | a key of ${providerKeys.map(([provider]) => provider).join(", of ")} |`,
    ].join("\n");
    expect(markedPart(file, begin, current)).toBe(current);
  });

  test("its table has every form of a reference", () => {
    const [, section = ""] = text.split("## References\n");
    const rows = (section.split("\n\n`")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
    const forms = new Set(
      rows.flatMap((row) => [...row.matchAll(/\$\{([a-z]+):/g)].map(([, scheme]) => scheme)),
    );
    expect([...forms].toSorted()).toEqual([...schemes].toSorted());
  });
});

function showsProblems({ parts }: Pick<Example, "parts">): boolean {
  return parts.some((part) => "shown" in part && part.shown.some((line) => /^(error|warning)\[/.test(line)));
}
