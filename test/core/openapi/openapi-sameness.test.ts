import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { examples, fc } from "../../harness/property.js";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type Json, type JsonObject, mapParts } from "../../../src/json/json.js";
import { valueAt, type Path } from "../../../src/json/path.js";
import { visitTexts } from "../../../src/json/texts.js";
import { externalReferences, operationsOf, essenceOf, outline } from "../../../src/core/openapi/openapi.js";
import { answering, outlined } from "./openapi-document.js";
import { sample, wholeTest } from "../../harness/tier.js";

function readFixture(name: string): Json {
  return parse(readFileSync(join(import.meta.dirname, "../../fixtures/openapi", name), "utf8")) as Json;
}

const readmeExamples = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));
const exampleFiles = readdirSync(readmeExamples, { recursive: true, encoding: "utf8" })
  .filter((file) => /^\d.*\.(?:json|yaml)$/.test(file))
  .toSorted();

// The other YAML files of the package have texts or methods that their JSON files do not have.
const unlike = /petstore-expanded|uspto|3\.1\/yaml\/(?:parameters-style|train-travel)/;
const twins = exampleFiles.filter((file) => file.endsWith(".yaml") && !unlike.test(file));

function readExample(file: string): Json {
  return parse(readFileSync(join(readmeExamples, file), "utf8")) as Json;
}

/** Turns the keys of every object round, or shuffles them by a list of numbers. */
function reorder(value: Json, seeds: readonly number[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => reorder(item, seeds));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, child], index) => ({
    key,
    child: reorder(child, seeds),
    rank: seeds.length === 0 ? -index : (seeds[(index * 7 + key.length) % seeds.length] ?? 0),
  }));
  return Object.fromEntries(
    entries.toSorted((a, b) => a.rank - b.rank).map(({ key, child }) => [key, child]),
  );
}

/** The outline with its operations by route, for documents whose paths come in another order. */
function byRoute(document: Json): JsonObject {
  const { operations, ...rest } = outline(document);
  const entries = operations.map((operation) => [`${operation.method} ${operation.path}`, operation]);
  return { ...rest, operations: Object.fromEntries(entries) as JsonObject };
}

/** Gives a value with another text at the end of a path. */
function withOtherText(value: Json, [step, ...rest]: Path): Json {
  if (step === undefined) return `${String(value)} and more`;
  return mapParts(value, (part, at) => (at === step ? withOtherText(part, rest) : part));
}

describe("documents that mean the same", () => {
  it.each(sample("documents", exampleFiles, 8))("%s has one outline in any form", (file) => {
    const document = readExample(file);
    const expected = outline(document);
    expect(expected.operations).toHaveLength(operationsOf(document).length);
    expect(outline(parse(stringify(document)) as Json)).toEqual(expected);
    expect(outline(JSON.parse(JSON.stringify(document, null, 3)) as Json)).toEqual(expected);
    expect(byRoute(reorder(document))).toEqual(byRoute(document));
  });

  it.each(sample("documents", exampleFiles, 8))("%s has another outline with any other text", (file) => {
    const document = readExample(file);
    const texts: Path[] = [];
    visitTexts(document, [], (_text, path) => {
      if (path.at(-1) !== "$ref") texts.push([...path]);
    });
    const expected = JSON.stringify(outline(document));
    const unseen = texts
      .filter((_path, index) => index % Math.ceil(texts.length / 40) === 0)
      .filter((path) => JSON.stringify(outline(withOtherText(document, path))) === expected);
    expect(unseen).toEqual([]);
  });

  it.each(sample("twins", twins, 5))("%s has the outline of its JSON twin", (file) => {
    const twin = file.replace("/yaml/", "/json/").replace(/yaml$/, "json");
    expect(outline(readExample(file))).toEqual(outline(readExample(twin)));
  });

  it("have one outline as YAML and as JSON", () => {
    expect(essenceOf(outline(readFixture("helpdesk.json")))).toEqual(
      essenceOf(outline(readFixture("helpdesk.yaml"))),
    );
  });

  wholeTest("have one outline however their keys are shuffled", () => {
    const documents = exampleFiles
      .filter((file) => /circular|star-trek|petstore|link|callbacks/.test(file))
      .map((file) => readExample(file));
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.array(fc.integer(), { minLength: 2, maxLength: 40 }),
        (document, seeds) => {
          expect(byRoute(reorder(document, seeds))).toEqual(byRoute(document));
        },
      ),
    );
  });
});

describe("any JSON value", () => {
  const ref = fc.constantFrom(
    "#",
    "#/",
    "#/paths",
    "#/paths/~1a",
    "#/paths/~1a/get",
    "#/b/0",
    "a.yaml",
    "",
    "#%",
  );
  const key = fc.constantFrom(
    "$ref",
    "paths",
    "/a",
    "get",
    "parameters",
    "in",
    "name",
    "b",
    "__proto__",
    "swagger",
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      ref,
      fc.jsonValue() as fc.Arbitrary<Json>,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));

  it("has an outline, operations and references without an error", () => {
    const item = fc.dictionary(fc.constantFrom("get", "put", "$ref", "parameters"), value, { maxKeys: 4 });
    const document = fc.record({
      paths: fc.dictionary(fc.constantFrom("/a", "/b"), item),
      b: value,
      swagger: value,
    });
    fc.assert(
      fc.property(fc.oneof(value, document), (document) => {
        const { operations } = outline(document);
        expect(operations).toHaveLength(operationsOf(document).length);
        const outside = externalReferences(document).map((path) => valueAt(document, path));
        expect(outside.every((ref) => typeof ref === "string" && !ref.startsWith("#"))).toBe(true);
      }),
      { numRuns: examples(500) },
    );
  });

  it("may be nested to the depth that documents have", () => {
    let schema: JsonObject = { type: "string", $ref: "#/components/schemas/X" };
    for (let depth = 0; depth < 100; depth += 1) schema = { items: [schema] };
    expect(outlined(answering(schema)).responses).toMatch(/^[0-9a-f]{64}$/);
  });
});
