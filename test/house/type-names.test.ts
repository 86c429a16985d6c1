import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

interface Declaration {
  readonly name: string;
  readonly file: string;
  /** Its text; definitions that schemas share are generated once for each of them. */
  readonly text: string;
}

function declarationsIn(file: string): Declaration[] {
  const text = readFileSync(join(source, file), "utf8");
  const heads = text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gmu);
  return Array.from(heads, ({ index, 1: name = "" }) => {
    const body = /^[^]*?(?:^\}|;$)/mu.exec(text.slice(index));
    return { name, file, text: body?.[0] ?? "" };
  });
}

test("a name of a type means one thing in the whole source", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/u.test(file),
  );
  const byName = new Map<string, Declaration[]>();
  for (const each of files.flatMap(declarationsIn)) {
    byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  }
  expect(byName.size).toBeGreaterThan(500);
  const ambiguous = [...byName].flatMap(([name, all]) => {
    const meanings = new Set(all.map(({ file, text }) => (file.startsWith("generated") ? text : file)));
    return meanings.size > 1 ? [`${name}: ${all.map(({ file }) => file).join(", ")}`] : [];
  });
  expect(ambiguous).toEqual([]);
});
