import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/json/json.js";
import { omit } from "../../../src/core/openapi/outline-value.js";
import { fieldsWithoutChange } from "../../../src/core/kind/body.js";
import { kinds } from "../../../src/core/kind/kinds.js";
import { outline, withEssence, type Outline } from "../../../src/core/openapi/openapi.js";
import { schemaRef } from "./openapi-document.js";

const named = { type: "object", properties: { weight: { type: "integer" } } };
const pet = { type: "object", discriminator: { propertyName: "kind" } };
const subtype: JsonObject = { allOf: [schemaRef("Pet"), { properties: { weight: { type: "integer" } } }] };

/** What an operation takes, and the schemas of the document: `Dog` is reached by a name alone. */
const ways: Record<string, [Json, JsonObject]> = {
  "an anchor": [{ $ref: "#dog" }, { Dog: { $anchor: "dog", ...named } }],
  "a dynamic anchor": [{ $dynamicRef: "#dog" }, { Dog: { $dynamicAnchor: "dog", ...named } }],
  "an $id": [
    { $ref: "https://pets.example.com/dog" },
    { Dog: { $id: "https://pets.example.com/dog", ...named } },
  ],
  "a name in a discriminator's mapping": [
    { discriminator: { propertyName: "kind", mapping: { dog: "Dog" } } },
    { Dog: named },
  ],
  "a pointer in a discriminator's mapping": [
    { discriminator: { propertyName: "kind", mapping: { dog: "#/components/schemas/Dog" } } },
    { Dog: named },
  ],
  "the allOf of a subtype": [schemaRef("Pet"), { Pet: pet, Dog: subtype }],
  "the allOf of a subtype's subtype": [
    schemaRef("Pet"),
    { Pet: pet, Hound: { allOf: [schemaRef("Pet")] }, Dog: { allOf: [schemaRef("Hound"), named] } },
  ],
};

function documentOf(schema: Json, schemas: JsonObject, ofPath: JsonObject = {}): JsonObject {
  const post = {
    requestBody: { content: { "application/json": { schema } } },
    parameters: [{ name: "kind" }],
  };
  return { openapi: "3.1.0", paths: { "/pets": { post, ...ofPath } }, components: { schemas } };
}

const heavier = (schemas: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schemas).replaceAll("integer", "number")) as JsonObject;

/** Whether a tool set is made anew when its document changes so. */
function isChange(before: Outline, after: Outline): boolean {
  const found = fieldsWithoutChange({ openapi_schema: before }, { openapi_schema: after }, kinds.toolset);
  return found.length === 0;
}

const earlier = (found: Outline): Outline => omit(found, new Set(["by_name"])) as Outline;

describe.each(Object.entries(ways))("a schema that an operation reaches by %s", (_way, [schema, schemas]) => {
  const [before, after] = [schemas, heavier(schemas)].map((each) => outline(documentOf(schema, each)));

  it("makes the tool set anew when it changes", () => {
    expect(before?.by_name).toContain("#/components/schemas/Dog");
    expect(isChange(before as Outline, after as Outline)).toBe(true);
    const gone = outline(documentOf(schema, omit(schemas, new Set(["Dog"]))));
    expect(isChange(before as Outline, gone)).toBe(true);
    expect(isChange(gone, before as Outline)).toBe(true);
  });

  it("makes it anew where a parameter that the operation replaces leads to it", () => {
    const replaced = { parameters: [{ name: "kind", schema: schemaRef("Dog") }] };
    const [was, is] = [schemas, heavier(schemas)].map((each) => outline(documentOf(schema, each, replaced)));
    expect(isChange(was as Outline, is as Outline)).toBe(true);
  });

  it("is seen in the service's copy of the document", () => {
    const sent = earlier(before as Outline);
    expect(withEssence(before as Outline, sent)).toEqual(sent);
    expect(withEssence(after as Outline, sent)).not.toEqual(sent);
  });
});

it("a component that no operation reaches makes no tool set anew", () => {
  const [before, after] = [named, { ...named, title: "Spare" }].map((Spare) =>
    outline(documentOf(schemaRef("Pet"), { Pet: pet, Dog: subtype, Spare })),
  );
  expect(before?.by_name).toEqual(["#/components/schemas/Dog"]);
  expect(isChange(before as Outline, after as Outline)).toBe(false);
});

it.each([
  ["an extension of the document", { "x-shared": schemaRef("Dog") }, {}],
  [
    "a parameter that the operation replaces",
    {},
    { parameters: [{ name: "kind", schema: schemaRef("Dog") }] },
  ],
])(
  "a component that no operation reaches makes none anew where %s leads there no more",
  (_, whole, ofPath) => {
    const [before, after] = [
      outline({ ...documentOf(schemaRef("Pet"), { Pet: named, Dog: named }, ofPath), ...whole }),
      outline(documentOf(schemaRef("Pet"), { Pet: named, Dog: named })),
    ];
    expect(isChange(before, after)).toBe(false);
    expect(isChange(after, before)).toBe(false);
  },
);

it("the order of schemas makes no difference to those that are reached by a name", () => {
  const schemas = { Pet: pet, Dog: subtype, Cat: subtype };
  const turned = Object.fromEntries(Object.entries(schemas).toReversed());
  expect(outline(documentOf(schemaRef("Pet"), turned))).toEqual(
    outline(documentOf(schemaRef("Pet"), schemas)),
  );
});

it("what alone makes no tool set anew is as the other outline has it, and the rest is not", () => {
  const of = (title: string, tags: readonly string[], more: JsonObject = {}) =>
    outline({
      openapi: "3.1.0",
      info: { title, version: "1" },
      paths: { "/pets": { get: { operationId: "list", tags: [...tags] } } },
      ...more,
    });
  const [sent, seen] = [
    of("Pets", ["a"], { servers: [{ url: "https://pets.example.com" }] }),
    of("Dogs", ["b"]),
  ];
  expect(sent).toHaveProperty("servers");
  expect(sent.operations).toMatchObject([{ tags: ["a"] }]);
  expect(withEssence(seen, sent)).toEqual(of("Pets", ["a"]));
});
