import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { answerBash, quoteWord } from "../../../src/cli/completion/shells.js";
import type { Candidates } from "../../../src/cli/completion/candidates.js";
import { splitLine, type OpenQuote } from "../../../src/cli/completion/shell-line.js";
import { needProgram } from "../../harness/need.js";
import { examples, fc } from "../../harness/property.js";

const breaks = " \t\n\"'@><=;|&(:";
const quotes: readonly OpenQuote[] = ["", "'", '"'];

test.each<[line: string, words: readonly string[], kept: string]>([
  ["", [""], ""],
  ["agentform", ["agentform"], ""],
  ["agentform ", ["agentform", ""], ""],
  ["agentform  plan\t--target agent:su", ["agentform", "plan", "--target", "agent:su"], "agent:"],
  ["a --target=agent:su", ["a", "--target=agent:su"], "--target=agent:"],
  ["a team=My\\ Fr", ["a", "team=My Fr"], "team="],
  ["a 'team=My Fr", ["a", "team=My Fr"], ""],
  ["a team='My Fr", ["a", "team=My Fr"], "team="],
  ['a team="My \\"Fr: \\x', ["a", 'team=My "Fr: \\x'], "team="],
  ["a 'x y':z", ["a", "x y:z"], "x y:"],
  ["a x\\:y", ["a", "x:y"], ""],
  ["a '' b", ["a", "", "b"], ""],
  ["a; b c", ["b", "c"], ""],
  ["a | b $(c d", ["c", "d"], ""],
  ["a > out.txt -", ["a", "-"], ""],
  ["a `b", ["a", "`b"], ""],
])("the line %j has the words %j", (line, words, kept) => {
  expect(splitLine(line, breaks)).toMatchObject({ words, kept });
});

test("a redirection is to a file, and behind a backslash nothing is known", () => {
  expect(splitLine("a > ou", breaks).isRedirected).toBe(true);
  expect(answerBash([breaks, "a > ou"], never)).toEqual(["files"]);
  expect(answerBash([breaks, "a b\\"], never)).toEqual([]);
});

function never(): Candidates {
  throw new Error("not asked for");
}

describe("a word that is completed", () => {
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."a b=:$()`'\"\\!*?[]{}~#&;|<>^%@,-é☃") }),
    fc.string({ unit: "grapheme" }),
  );
  const word = hostile.map((text) => text.replaceAll(/\p{C}|\p{Zl}|\p{Zp}/gu, ""));

  test("is in the line what it was, whatever was typed before", () => {
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom(...quotes), (text, cut, quote) => {
        const chars = [...text];
        const typed = chars.slice(0, cut % (chars.length + 1)).join("");
        const begun = quoteWord(typed, quote);
        if (begun === undefined) return;
        const line = `agentform ${quote}${begun}`;
        const asked: string[] = [];
        const [type, completed] = answerBash([breaks, line], (words) => {
          asked.push(...words);
          return { type: "words", words: [{ word: text }] };
        });
        expect({ type, asked }).toEqual({ type: "words", asked: [typed] });
        if (completed === undefined) return expect(quote === '"' && text.includes("!")).toBe(true);
        const { kept } = splitLine(line, breaks);
        expect(splitLine(`x ${quote}${quoteWord(kept, quote)}${completed}`, "").words[1]).toBe(text);
      }),
    );
  });

  test("is for bash itself what it was, and nothing in it is run or expanded", () => {
    needProgram("bash");
    const words = fc.sample(word, examples(2000));
    const written = words.flatMap((text) =>
      quotes.flatMap((quote) => {
        const quoted = quoteWord(text, quote);
        // An empty word needs a quote of some kind to be one.
        return quoted === undefined || (quote === "" && text === "")
          ? []
          : [{ text, quoted: `${quote}${quoted}${quote}` }];
      }),
    );
    const script = `PATH=/nowhere; printf '%s\\0' ${written.map(({ quoted }) => quoted).join(" ")}`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-s"], {
      input: script,
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    expect(stderr).toBe("");
    expect(stdout.split("\0").slice(0, -1)).toEqual(written.map(({ text }) => text));
  });
});
