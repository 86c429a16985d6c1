import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";

const source = fileURLToPath(new URL("../../src", import.meta.url));

interface Naming {
  readonly name: string;
  readonly file: string;
  readonly isParameter: boolean;
  /** Its text; definitions that schemas share are generated once for each of them. */
  readonly text: string;
}

/** Where the nodes that name a type have its name. */
const nameKeys = new Map([
  ["TSInterfaceDeclaration", "id"],
  ["TSTypeAliasDeclaration", "id"],
  ["TSEnumDeclaration", "id"],
  ["ClassDeclaration", "id"],
  ["TSTypeParameter", "name"],
  ["TSMappedType", "key"],
]);

function namingsIn(file: string): Naming[] {
  const text = readFileSync(join(source, file), "utf8");
  const found: Naming[] = [];
  const visit = (node: object): void => {
    const fields = new Map<string, unknown>(Object.entries(node));
    const type = String(fields.get("type"));
    const named = fields.get(nameKeys.get(type) ?? "");
    if (named && typeof named === "object" && "name" in named) {
      const isParameter = type === "TSTypeParameter" || type === "TSMappedType";
      const own = text.slice(Number(fields.get("start")), Number(fields.get("end")));
      found.push({ name: String(named.name), file, isParameter, text: own });
    }
    for (const value of fields.values()) if (value && typeof value === "object") visit(value);
  };
  visit(parseAst(text, { lang: file.endsWith(".tsx") ? "tsx" : "ts" }));
  return found;
}

test("a name of a type means one thing in the whole source", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/u.test(file),
  );
  const byName = new Map<string, Naming[]>();
  for (const each of files.flatMap(namingsIn)) {
    byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  }
  expect(byName.size).toBeGreaterThan(500);
  const ambiguous = [...byName].flatMap(([name, all]) => {
    const declared = all.filter(({ isParameter }) => !isParameter);
    const meanings = new Set(declared.map(({ file, text }) => (file.startsWith("generated") ? text : file)));
    // Type parameters may share a name with each other, but not with a declared type.
    const isOne = declared.length === 0 || (meanings.size === 1 && declared.length === all.length);
    return isOne ? [] : [`${name}: ${all.map(({ file }) => file).join(", ")}`];
  });
  expect(ambiguous).toEqual([]);
});
