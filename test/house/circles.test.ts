import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file));

// The linter does not follow `import()`.
test("no file of the sources imports itself through others, not even lazily", () => {
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  expect(imports.get("cli/commands.ts")).toContain("cli/commands/help.ts");
  const open = [...imports.keys()];
  const free = new Set<string>();
  // A file is in no circle if all that it imports is in none.
  for (let found = true; found;) {
    const next = open.filter((file) => !free.has(file) && imports.get(file)?.every((each) => free.has(each)));
    for (const file of next) free.add(file);
    found = next.length > 0;
  }
  expect(open.filter((file) => !free.has(file))).toEqual([]);
});

function importsOf(file: string): string[] {
  const text = readFileSync(`src/${file}`, "utf8");
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)]
    .map(([, path = ""]) => posix.join(posix.dirname(file), path))
    .flatMap((path) => files.find((each) => each === `${path}.ts` || each === `${path}.tsx`) ?? []);
}
