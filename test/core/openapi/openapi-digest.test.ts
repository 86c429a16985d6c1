import { fc } from "../../harness/property.js";
import { countHashed } from "../../harness/hashed.js";
import { runs, wholeTest } from "../../harness/tier.js";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/json/json.js";
import { outline } from "../../../src/core/openapi/openapi.js";
import { answering, digestOf, outlined, schemaRef, withSchemas } from "./openapi-document.js";

describe("references in an outline", () => {
  const pet = { type: "object", properties: { name: schemaRef("Name") } };
  const schemas = { Name: { type: "string" }, Pet: pet };
  const responsesWith = (schemas: JsonObject, name = "Pet"): string | undefined =>
    outlined(answering(schemaRef(name)), withSchemas(schemas)).responses;

  it("carry a change from any depth and nothing from elsewhere", () => {
    const digest = responsesWith(schemas);
    expect(responsesWith({ ...schemas, Name: { type: "string", maxLength: 3 } })).not.toBe(digest);
    expect(responsesWith({ ...schemas, Unused: { type: "null" } })).toBe(digest);
  });

  it.each(["oneOf", "anyOf"])("depend on the names that a discriminator has as values, in %s", (key) => {
    const among = (name: string, more: JsonObject) =>
      responsesWith({ Pet: { [key]: [schemaRef(name)], ...more }, [name]: { type: "object" } });
    expect(among("Hound", {})).toBe(among("Dog", {}));
    const discriminator = { propertyName: "kind" };
    expect(among("Hound", { discriminator })).not.toBe(among("Dog", { discriminator }));
  });

  it("do not depend on the names of components, on spelling, or on aliases", () => {
    const digest = responsesWith(schemas);
    const renamed = {
      Animal: { type: "object", properties: { name: schemaRef("Title") } },
      Title: { type: "string" },
    };
    expect(responsesWith(renamed, "Animal")).toBe(digest);
    expect(responsesWith({ ...schemas, Pet: { ...pet, properties: { name: schemaRef("N%61me") } } })).toBe(
      digest,
    );
    expect(responsesWith({ ...schemas, Beast: schemaRef("Pet") }, "Beast")).toBe(digest);
    expect(
      outlined(
        { requestBody: { $ref: "#/components/requestBodies/b" } },
        {
          components: { requestBodies: { b: { content: {} } } },
        },
      ).request_body,
    ).toBe(digestOf({ content: {} }));
  });

  it("count the siblings of a $ref", () => {
    const plain = outlined(answering(schemaRef("Pet")), withSchemas(schemas)).responses;
    const described = outlined(answering({ ...schemaRef("Pet"), description: "x" }), withSchemas(schemas));
    const deep = { ...schemaRef("Pet"), allOf: [schemaRef("Name")] };
    const before = outlined(answering(deep), withSchemas(schemas)).responses;
    const after = outlined(answering(deep), withSchemas({ ...schemas, Name: {} })).responses;
    expect(new Set([plain, described.responses, before, after]).size).toBe(4);
  });

  it("keep external and dangling ones as text, and a $ref that is no text as a key", () => {
    for (const value of [
      { $ref: "other.yaml#/Pet" },
      { $ref: "#/components/schemas/Nowhere" },
      { $ref: "#/paths/__proto__" },
      { $ref: "#anchor" },
      { $ref: { type: "string" } },
      { $ref: 1, "%": "#/%zz" },
    ]) {
      expect(outlined({ requestBody: value }).request_body).toBe(digestOf(value));
    }
    const inside = { $ref: schemaRef("Name") };
    const before = outlined({ requestBody: inside }, withSchemas(schemas)).request_body;
    expect(outlined({ requestBody: inside }, withSchemas({ Name: {} })).request_body).not.toBe(before);
  });

  it("see through other references on the way of a pointer", () => {
    const operation = answering(schemaRef("Beast/properties/name"));
    const through = { ...schemas, Beast: schemaRef("Pet") };
    const before = outlined(operation, withSchemas(through)).responses;
    expect(before).toBe(outlined(answering(schemaRef("Name")), withSchemas(schemas)).responses);
  });

  it("cannot be imitated by text", () => {
    const digest = digestOf({ type: "string" });
    const resolved = responsesWith(schemas);
    for (const fake of [`@${digest}`, digest, { $ref: `@${digest}` }, { $ref: digest }]) {
      expect(responsesWith({ Pet: { ...pet, properties: { name: fake } } })).not.toBe(resolved);
    }
  });

  it("reach numbers, lists, and the whole document", () => {
    const operation = { requestBody: { $ref: "#" }, responses: { $ref: "#/x-list" } };
    const before = outlined(operation, { "x-list": [1, { $ref: "#/x-list/0" }] });
    const after = outlined(operation, { "x-list": [2, { $ref: "#/x-list/0" }] });
    expect(before.responses).not.toBe(after.responses);
    expect(before.request_body).not.toBe(after.request_body);
  });
});

describe("recursive schemas", () => {
  const schemas = {
    Tree: { properties: { leaf: schemaRef("Leaf"), children: { items: schemaRef("Tree") } } },
    Leaf: { properties: { tree: schemaRef("Tree"), label: schemaRef("Label") } },
    Label: { type: "string" },
    Root: { properties: { tree: schemaRef("Tree") } },
  };
  const digestsFrom = (order: readonly string[], schemas: JsonObject): JsonObject => {
    const paths = order.map((name) => [`/${name}`, { get: answering(schemaRef(name)) }] as const);
    const { operations } = outline({ paths: Object.fromEntries(paths), ...withSchemas(schemas) });
    return Object.fromEntries(operations.map(({ path, responses }) => [path, responses ?? null]));
  };

  it("have one digest whichever operation comes to them first", () => {
    const expected = digestsFrom(["Tree", "Leaf", "Label", "Root"], schemas);
    expect(new Set(Object.values(expected)).size).toBe(4);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(["Tree", "Leaf", "Label", "Root"], { minLength: 1 }),
        fc.shuffledSubarray(Object.entries(schemas), { minLength: 4 }),
        (order, entries) => {
          expect(expected).toMatchObject(digestsFrom(order, Object.fromEntries(entries)));
        },
      ),
    );
  });

  it("tell a reference into themselves from its text", () => {
    const both = { anyOf: [schemaRef("A"), schemaRef("A")] };
    const one = { anyOf: [schemaRef("A"), "#/components/schemas/A"] };
    const [before, after] = [both, one].map((A) => digestsFrom(["A"], { A }));
    expect(before).not.toEqual(after);
  });

  it("have another digest when a member, or what a member needs, changes", () => {
    const names = ["Tree", "Leaf", "Root"];
    const before = digestsFrom(names, schemas);
    const relabelled = digestsFrom(names, { ...schemas, Label: { type: "integer" } });
    const grown = digestsFrom(names, { ...schemas, Tree: { ...schemas.Tree, title: "T" } });
    const cut = digestsFrom(names, { ...schemas, Leaf: { properties: { label: schemaRef("Label") } } });
    for (const after of [relabelled, grown, cut]) {
      for (const name of names) expect(after[`/${name}`]).not.toBe(before[`/${name}`]);
    }
  });

  it("give equal digests for random graphs of components in any order", () => {
    const graph = fc.array(fc.array(fc.nat(11), { maxLength: 3 }), { minLength: 12, maxLength: 12 });
    const order = fc.shuffledSubarray([...Array(12).keys()], { minLength: 12 });
    fc.assert(
      fc.property(graph, order, order, (graph, components, entries) => {
        const nodeOf = (index: number): JsonObject => ({
          title: `t${index % 3}`,
          anyOf: (graph[index] ?? []).map((target) => schemaRef(`S${target}`)),
        });
        const built = (order: readonly number[]): JsonObject =>
          Object.fromEntries(order.map((index) => [`S${index}`, nodeOf(index)]));
        const names = (order: readonly number[]): string[] => order.map((index) => `S${index}`);
        const straight = [...Array(12).keys()];
        expect(digestsFrom(names(entries), built(components))).toEqual(
          digestsFrom(names(straight), built(straight)),
        );
      }),
    );
  });

  wholeTest("may be longer than any stack", () => {
    const count = runs("schemas in a chain", 12_000, 20_000);
    const chain = (last: Json): JsonObject =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `C${index}`,
          index === count - 1 ? last : { not: schemaRef(`C${index + 1}`) },
        ]),
      );
    const responses = (last: Json): string | undefined =>
      outlined(answering(schemaRef("C0")), withSchemas(chain(last))).responses;
    const digests = [responses({ type: "string" }), responses({ type: "null" }), responses(schemaRef("C0"))];
    expect(new Set(digests).size).toBe(3);
    const aliases = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`C${index}`, schemaRef(`C${index + 1}`)]),
    );
    const aliased = { ...aliases, [`C${count}`]: { type: "null" }, C: { type: "null" } };
    expect(outlined(answering(schemaRef("C0")), withSchemas(aliased)).responses).toBe(
      outlined(answering(schemaRef("C")), withSchemas(aliased)).responses,
    );
  });

  it("of a large document are each digested once", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `S${index}`,
        {
          title: `${index}`,
          anyOf: [1, 17, 2999].map((step) => schemaRef(`S${(index * step + step) % 3000}`)),
        },
      ]),
    );
    const paths = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [
        `/p${index}`,
        { get: answering(schemaRef(`S${index * 3}`)) },
      ]),
    );
    const hashed = countHashed();
    const { operations } = outline({ paths, ...withSchemas(schemas) });
    expect(new Set(operations.map(({ responses }) => responses)).size).toBe(1000);
    expect(hashed.characters).toBeLessThan(2_000_000);
    // What is not seen is no measure.
    expect(hashed.characters).toBeGreaterThan(0);
  });
});
