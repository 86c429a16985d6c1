import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeBlocks, stepsOf } from "./code-block.js";
import { settled, unfold } from "./printed.js";
import { Shell } from "./shell.js";

const readme = readFileSync("README.md", "utf8");
const blocks = codeBlocks(readme);

const digestIn = (lines: readonly string[]) => /sha256:[0-9a-f]+/.exec(lines.join("\n"))?.[0];

describe("the README", () => {
  test("the tour's commands print what it shows", async () => {
    const folder = mkdtempSync(join(tmpdir(), "agentform-tour-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const shell = new Shell(folder);
    let steps = 0;
    for (const block of blocks) {
      if (block.language === "diff") shell.patch(`${block.text}\n`);
      if (block.language !== "console") continue;
      for (const { command, shown } of stepsOf(block)) {
        const text = await shell.run(command);
        const printed = settled(text);
        const expected = unfold(settled(shown.join("\n")), printed);
        // The digest of a first plan is the same for everybody.
        if (shown.includes("Nothing was applied yet.")) expect(text).toContain(digestIn(shown));
        expect(printed, `line ${block.line}: ${command}`).toEqual(expected);
        steps++;
      }
    }
    expect(steps).toBeGreaterThan(8);
  });

  test("trying it takes two commands, and their scripts exist", () => {
    const [, section = ""] = readme.split("## Try it\n");
    const commands = codeBlocks(section.split("\n## ")[0] ?? "").map(({ text }) => text);
    expect(commands).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
  });

  test("its exit codes are the code's", async () => {
    const { exitCode } = await import("../../src/cli/exit-code.js");
    const [, section = ""] = readme.split("## Exit codes\n");
    const codes = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (\d+) \|/gm)].map(([, code]) =>
      Number(code),
    );
    expect(codes).toEqual(Object.values(exitCode));
  });
});
