import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { codeBlocks, stepsOf } from "./code-block.js";
import { settled, unfold } from "./printed.js";
import { partsOf } from "./example.js";
import type { Shell } from "./shell.js";

const digestIn = (lines: readonly string[]) => /sha256:[0-9a-f]+/.exec(lines.join("\n"))?.[0];

/**
 * Does what a page tells a reader to do, from an empty folder: writes its files, makes its changes, and runs its
 * commands, of which each must print what the page shows. Gives how many commands there were.
 */
export async function takeTour(page: string, folder: string, shell: Shell): Promise<number> {
  const text = readFileSync(page, "utf8");
  const lines = text.split("\n");
  let steps = 0;
  for (const block of codeBlocks(text)) {
    if (block.language === "diff") shell.patch(`${block.text}\n`);
    if (block.language !== "console") {
      for (const part of partsOf(block, lines)) if ("file" in part) write(folder, part.file, part.text);
      continue;
    }
    for (const { command, shown } of stepsOf(block)) {
      const whole = await shell.run(command);
      const printed = settled(whole);
      // The digest of a first plan is the same for everybody.
      const digest = shown.includes("Nothing was applied yet.") ? digestIn(shown) : undefined;
      if (digest !== undefined) expect(whole).toContain(digest);
      expect(printed, `${page}, line ${block.line}: ${command}`).toEqual(
        unfold(settled(shown.join("\n")), printed),
      );
      steps++;
    }
  }
  return steps;
}

function write(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
