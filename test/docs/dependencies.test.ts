import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readPackage = (file: string) =>
  JSON.parse(readFileSync(file, "utf8")) as { readonly devDependencies: Readonly<Record<string, string>> };

test("every dependency has its row, and no other package has one", () => {
  const { devDependencies: built } = readPackage("package.json");
  const { devDependencies: tested } = readPackage("test/package.json");
  const { devDependencies: shown } = readPackage("site/package.json");
  // What is our own comes last, in a table of its own.
  const [tables = ""] = readFileSync("docs/project/dependencies.md", "utf8").split("## What is our own");
  const rows = [...tables.matchAll(/^\| ([\w@/, -]+) \|/gm)]
    .flatMap(([, names = ""]) => names.split(", "))
    .filter((name) => name !== "package");
  expect(rows.toSorted()).toEqual(Object.keys({ ...built, ...tested, ...shown }).toSorted());
});

test("what tests alone need is not installed where only the command is built", () => {
  expect(Object.keys(readPackage("package.json"))).not.toContain("dependencies");
  expect(readFileSync("ci/build.sh", "utf8")).toContain("npm ci --no-workspaces --include=dev");
});
