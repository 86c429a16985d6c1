import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCode } from "../../src/cli/exit-code.js";
import { leafCommands, renderCommandReference } from "./command-reference.js";
import { markedPart } from "./marked-part.js";

const begin =
  "<!-- begin: the command line's own words, written by UPDATE_GOLDEN=1 npx vitest run test/docs -->";

test("docs/reference/cli.md has every command and option as the command line itself describes them", async () => {
  const current = await renderCommandReference();
  expect(current).toContain("`--detailed-exitcode`");
  expect(markedPart("docs/reference/cli.md", begin, current)).toBe(current);
});

test("its exit codes are the code's", () => {
  const [, section = ""] = readFileSync("docs/reference/cli.md", "utf8").split("## Exit codes\n");
  const codes = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (\d+) \|/gm)].map(([, code]) =>
    Number(code),
  );
  expect(codes).toEqual(Object.values(exitCode));
});

test("the pages that the help of a command names speak of that command", async () => {
  const silent = [];
  for (const { path, entry } of leafCommands()) {
    const { documents } = await entry.load();
    const texts = documents.map((file) => readFileSync(`docs/${file}`, "utf8")).join("\n");
    const words = path.join(" ");
    if (!texts.includes(`agentform ${words}`) && !texts.includes(`\`${words}`)) silent.push(words);
  }
  expect(silent).toEqual([]);
});
