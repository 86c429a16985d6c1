import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Kind } from "../../src/core/kind/kind.js";
import { kindNames, kinds } from "../../src/core/kind/kinds.js";

const place = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(place(path), "utf8");

type Word = (kind: Kind) => string;

const many: Word = ({ noun }) => noun[1];
const document: Word = (kind) => kind.document;
const folder: Word = (kind) => kind.folder;
const described = /^.*"plan and apply for .*$/imu;

/** The lines that list all kinds, each with the word that it has for one. */
const lists: readonly [path: string, line: RegExp, word: Word][] = [
  ["README.md", /^agentform keeps .*$/mu, many],
  ["package.json", described, many],
  ["site/.vitepress/config.mjs", described, many],
  ["src/cli/help/command-page.ts", described, many],
  ["src/cli/help/topics/documents.md", /^.*Each document is one resource.*$/mu, document],
  ["src/cli/help/topics/documents.md", /^.*Documents are in the folders.*$/mu, folder],
  ["src/cli/help/topics/references.md", /^\| `\$\{(?:policy|toolset):KEY\}`[^]*?\n\n/mu, ({ name }) => name],
  [
    "src/cli/init/templates/every/AGENTS.md",
    /^.*\| the documents: .*$/mu,
    ({ folder: own }) => `\`${own}/\``,
  ],
  ["docs/reference/documents.md", /^.*A document describes one resource.*$/mu, ({ noun }) => noun[0]],
  ["docs/reference/documents.md", /^.*file in the folders .*$/mu, (kind) => `\`${kind.folder}\``],
  ["docs/reference/diagnostics.md", /^.*Write one of the kinds: .*$/mu, document],
  ["docs/reference/diagnostics.md", /^The schemes are .*$/mu, ({ name }) => name],
];

describe.each(Object.values(kinds))("the kind $name", (kind) => {
  const { name } = kind;

  it.each(lists)("is in the list of %s at %s", (path, line, word) => {
    expect(line.exec(read(path))?.[0]).toContain(word(kind));
  });

  it("has a document in what `init` makes", () => {
    const templates = ["single", "shared"].map((each) => `src/cli/init/templates/${each}/${kind.folder}`);
    expect(templates.some((path) => existsSync(place(path)))).toBe(true);
  });

  it("has the type of its documents in the library", () => {
    expect(read("src/index.ts")).toContain(
      `export type { ${kind.document}Document } from "./generated/${name}.js";`,
    );
  });

  it("is in the list of schemas", () => {
    expect(read("docs/reference/formats.md")).toMatch(
      new RegExp(`^\\|.*\`${name}\`.*\\| the documents \\|$`, "mu"),
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
  const folders = Object.values(kinds).map(folder);
  expect(spec.include.default).toEqual([...folders, "rules"]);
});
