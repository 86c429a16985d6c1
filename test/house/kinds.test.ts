import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kindNames, kinds } from "../../src/core/kind/kinds.js";

const place = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(place(path), "utf8");

describe.each(Object.values(kinds))("the kind $name", (kind) => {
  const { name } = kind;

  it("has a document in what `init` makes", () => {
    const templates = ["single", "shared"].map((each) => `src/cli/init/templates/${each}/${kind.folder}`);
    expect(templates.some((path) => existsSync(place(path)))).toBe(true);
  });

  it("has the type of its documents in the library", () => {
    expect(read("src/index.ts")).toContain(
      `export type { ${kind.document}Document } from "./generated/${name}.js";`,
    );
  });
});

const documents = Object.values(kinds).map(({ document: each }) => each);
const workspace = JSON.parse(read("schemas/workspace.schema.json"));
const { properties: spec } = workspace.properties.spec;

it("`defaults` and rules take the documents of every kind", () => {
  const rule = JSON.parse(read("schemas/rule.schema.json")).properties.spec.properties;
  expect(workspace.definitions.default.properties.kind.enum).toEqual(documents);
  expect(rule.for.properties.kind.enum).toEqual(documents);
});

it("a further field of a deployment is of any kind, and takes references to any", () => {
  const [, named] = workspace.definitions["extra-field"].anyOf;
  expect(named.additionalProperties.enum).toEqual(kindNames);
  expect(Object.keys(spec.extra_fields.properties)).toEqual(kindNames);
});

it("the answers and operations of a deployment are of every kind", () => {
  const { id_pointers, operations } = workspace.definitions.service.properties;
  expect(Object.keys(id_pointers.properties)).toEqual(expect.arrayContaining([...kindNames]));
  expect(Object.keys(operations.properties)).toEqual(kindNames);
});

it("the default of `include` has the folder of every kind, and that of rules", () => {
  const folders = Object.values(kinds).map(({ folder }) => folder);
  expect(spec.include.default).toEqual([...folders, "rules"]);
});
