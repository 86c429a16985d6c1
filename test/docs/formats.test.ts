import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the reference of formats has a row for each schema", () => {
  const named = [...readFileSync("docs/reference/formats.md", "utf8").matchAll(/^\| (`.*?) \|/gm)]
    .flatMap(([, cell = ""]) => cell.split(", "))
    .map((name) => name.replaceAll("`", ""));
  const schemas = readdirSync("schemas").flatMap((file) => /^(.+)\.schema\.json$/.exec(file)?.[1] ?? []);
  expect(named.toSorted()).toEqual(schemas.toSorted());
});
