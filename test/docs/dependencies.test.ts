import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every dependency has its row, and no other package has one", () => {
  const { dependencies = {}, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies?: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  // What is our own comes last, in a table of its own.
  const [tables = ""] = readFileSync("docs/dependencies.md", "utf8").split("## What is our own");
  const rows = [...tables.matchAll(/^\| ([\w@/, -]+) \|/gm)]
    .flatMap(([, names = ""]) => names.split(", "))
    .filter((name) => name !== "package");
  expect(rows.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted());
});
