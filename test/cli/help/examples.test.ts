import { describe, expect, test } from "vitest";
import { leafCommands } from "../../docs/command-reference.js";
import { sample } from "../../harness/tier.js";
import { runIn } from "../desk.js";
import { prepare } from "./example-site.js";
import { wordsOf } from "./example-words.js";
import { parseWords } from "./named-command.js";

const leaves = leafCommands();
const examples = (
  await Promise.all(
    leaves.map(async ({ path, entry }) =>
      (await entry.load()).examples.map(([line]) => ({ command: path.join(" "), line })),
    ),
  )
).flat();

// What cannot be run here, and why.
const notRun: Readonly<Record<string, string>> = {
  "agentform emulator": "listens until it is interrupted",
  "agentform language-server": "speaks with an editor until that ends",
  "agentform plan --watch": "needs a terminal",
  "agentform comment": "needs a job of a forge",
};

const run = examples.filter(({ line }) => !Object.keys(notRun).some((start) => line.startsWith(start)));

describe("the examples of the commands", () => {
  test.each(leaves)("of $path are parsed by the command that they name", async ({ path, entry }) => {
    const lines = (await entry.load()).examples.map(([line]) => line);
    for (const line of lines) await expect(parseWords(wordsOf(line)), line).resolves.toBeUndefined();
    expect(lines.some((line) => line.startsWith(`agentform ${path.join(" ")}`))).toBe(true);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("that are not run are still there", () => {
    for (const start of Object.keys(notRun)) {
      expect(examples.filter(({ line }) => line.startsWith(start))).not.toEqual([]);
    }
  });

  test.each(sample("examples of commands", run, 8))("$line", async ({ command, line }) => {
    const { directory, words } = await prepare(command, line);
    const { code, err } = await runIn(directory, words);
    expect({ code, err: err.match(/^(error|warning)[\s\S]*/gm) }).toEqual({ code: 0, err: null });
  });
});
