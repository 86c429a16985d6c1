import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kinds } from "../../src/core/kind/kinds.js";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe.each(Object.values(kinds))("the kind $name", ({ name, document, noun: [, many] }) => {
  it.each(["package.json", "src/cli/help/command-page.ts"])("is named in %s", (path) => {
    expect(/^.*"plan and apply for .*$/imu.exec(read(path))?.[0]).toContain(many);
  });

  it("has the type of its documents in the library", () => {
    expect(read("src/index.ts")).toContain(
      `export type { ${document}Document } from "./generated/${name}.js";`,
    );
  });

  it("is in the list of schemas", () => {
    expect(read("docs/reference/formats.md")).toMatch(
      new RegExp(`^\\|.*\`${name}\`.*\\| the documents \\|$`, "mu"),
    );
  });
});

it("`defaults` takes the documents of every kind", () => {
  const { definitions } = JSON.parse(read("schemas/workspace.schema.json"));
  const documents = Object.values(kinds).map(({ document }) => document);
  expect(definitions.default.properties.kind.enum).toEqual(documents);
});

it("the default of `include` has the folder of every kind, and that of rules", () => {
  const { properties } = JSON.parse(read("schemas/workspace.schema.json"));
  const folders = Object.values(kinds).map(({ folder }) => folder);
  expect(properties.spec.properties.include.default).toEqual([...folders, "rules"]);
});
