import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

const end = "<!-- end -->";

/** Gives the part of a document between two marks, after putting a new text there where goldens are to be updated. */
export function markedPart(file: string, begin: string, current: string): string {
  const text = readFileSync(file, "utf8");
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  expect(from, `${file} has the marks`).toBeGreaterThan(begin.length - 1);
  expect(to).toBeGreaterThan(from);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    writeFileSync(file, `${text.slice(0, from)}\n\n${current}\n\n${text.slice(to)}`);
    return current;
  }
  return text.slice(from, to).trim();
}
