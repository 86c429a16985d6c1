import { isKnownBesideOperations } from "../../../src/core/openapi/unknown-keys.js";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/json/json.js";
import { outline } from "../../../src/core/openapi/openapi.js";
import { Budget } from "../../../src/json/budget.js";
import { pickOperations } from "../../../src/core/openapi/operation-choice.js";
import { examples, fc } from "../../harness/property.js";
import { runs, sample, wholeTest } from "../../harness/tier.js";
import { pickByIndex, pickRoutes, sourcesIn } from "./picked-document.js";
import { danglingIn, differenceOf } from "./same-in-documents.js";

/** Checks that a picked document has some operations of a whole one, as they were, and nothing that leads nowhere. */
function expectSame(whole: JsonObject, isPicked: (index: number) => boolean): void {
  const before = JSON.stringify(whole);
  const picked = pickByIndex(whole, isPicked);
  expect(JSON.stringify(whole)).toBe(before);
  const wanted = sourcesIn(whole).sources.filter((_, index) => isPicked(index));
  const found = sourcesIn(picked).sources;
  expect(found.map(({ operation }) => operation)).toEqual(wanted.map(({ operation }) => operation));
  for (const [index, { content, pathItem }] of wanted.entries()) {
    const other = found[index];
    const both = [
      [content, other?.content],
      [withoutMethods(pathItem), withoutMethods(other?.pathItem ?? {})],
    ] as const;
    for (const [one, two] of both) {
      expect(differenceOf({ document: whole, value: one }, { document: picked, value: two })).toBeUndefined();
    }
  }
  const dangling = danglingIn(whole);
  expect([...danglingIn(picked)].filter((ref) => !dangling.has(ref))).toEqual([]);
  for (const key of ["openapi", "swagger", "info", "servers", "host", "basePath", "schemes", "security"]) {
    const both = [
      { document: whole, value: whole[key] },
      { document: picked, value: picked[key] },
    ] as const;
    expect(differenceOf(...both)).toBeUndefined();
  }
}

// What a client may take for an operation is left out with the operations.
function withoutMethods(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => isKnownBesideOperations(key)));
}

const samples = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));
const documents = readdirSync(samples, { recursive: true, encoding: "utf8" })
  .filter((file) => /^\d.*\.json$/.test(file))
  .toSorted()
  .map((file) => [file, JSON.parse(readFileSync(join(samples, file), "utf8")) as JsonObject] as const)
  .filter(([, document]) => sourcesIn(document).sources.length > 0);

const ref = ($ref: string): JsonObject => ({ $ref });
const answer = (schema: Json): JsonObject => ({ responses: { 200: { content: { json: { schema } } } } });

describe("a picked document", () => {
  it("has what its operations refer to, in document order, and nothing else", () => {
    const document = {
      components: {
        parameters: { p: { in: "query", name: "p", schema: ref("#/components/schemas/Id") }, q: {} },
        schemas: {
          Unused: {},
          Id: { type: "string" },
          Pet: { properties: { id: ref("#/components/schemas/Id") } },
        },
        "x-more": { E: {} },
      },
      openapi: "3.1.0",
      paths: {
        "/b": {
          parameters: [ref("#/components/parameters/p")],
          post: {},
          get: answer(ref("#/components/schemas/Pet")),
        },
        "/a": { get: answer(ref("#/components/schemas/Unused")) },
        "x-notes": {},
      },
      webhooks: { ping: { post: answer(ref("#/components/schemas/Unused")) } },
      "x-webhooks": { ping: { post: answer(ref("#/components/schemas/Unused")) } },
      "x-logo": { url: "logo.png" },
      info: { title: "pets" },
    };
    expect(JSON.stringify(pickRoutes(document, "GET /b"), null, 1)).toBe(
      JSON.stringify(
        {
          components: {
            parameters: { p: document.components.parameters.p },
            schemas: { Id: document.components.schemas.Id, Pet: document.components.schemas.Pet },
          },
          openapi: "3.1.0",
          paths: { "/b": { parameters: document.paths["/b"].parameters, get: document.paths["/b"].get } },
          "x-logo": { url: "logo.png" },
          info: { title: "pets" },
        },
        null,
        1,
      ),
    );
  });

  it("has what Swagger 2.0 keeps elsewhere", () => {
    const document = {
      swagger: "2.0",
      consumes: ["application/json"],
      paths: {
        "/a": {
          get: {
            security: [{ key: [] }],
            parameters: [ref("#/parameters/p")],
            responses: { 200: ref("#/responses/r"), 400: { schema: ref("Plain") } },
          },
        },
        "/b": { get: {} },
      },
      definitions: { Pet: {}, Plain: {}, Other: {} },
      parameters: { p: { in: "body", schema: ref("#/definitions/Pet") }, o: {} },
      responses: { r: {}, s: {} },
      securityDefinitions: { key: { type: "apiKey" }, other: {} },
    };
    expect(pickRoutes(document, "GET /a")).toEqual({
      swagger: "2.0",
      consumes: ["application/json"],
      paths: { "/a": document.paths["/a"] },
      definitions: { Pet: {}, Plain: {} },
      parameters: { p: document.parameters.p },
      responses: { r: {} },
      securityDefinitions: { key: { type: "apiKey" } },
    });
  });

  it("has the security schemes that a requirement names, of the document, of the operation or of a callback", () => {
    const schemes = Object.fromEntries(
      ["all", "own", "called", "unused"].map((name) => [name, { type: "http" }]),
    );
    const callbacks = { done: { "{$url}": { post: { security: [{ called: [] }] } } } };
    const document = {
      security: [{ all: [] }],
      paths: {
        "/a": { get: { security: [{ own: [] }, {}], callbacks }, put: { security: [{ unused: [] }] } },
      },
      components: { securitySchemes: schemes },
    };
    const { components } = pickRoutes(document, "GET /a");
    expect(Object.keys((components as JsonObject)["securitySchemes"] as JsonObject)).toEqual([
      "all",
      "own",
      "called",
    ]);
  });

  it("has the tags of its operations, and those above them", () => {
    const tags = [{ name: "root" }, { name: "other" }, { name: "pets", parent: "root" }];
    const document = {
      tags,
      paths: { "/a": { get: { tags: ["pets", "unlisted"] }, put: { tags: ["other"] } } },
    };
    const used = pickRoutes(document, "GET /a").tags;
    expect(used).toEqual([{ name: "root" }, { name: "pets", parent: "root" }]);
    const untagged = { tags, paths: { "/a": { get: {} } } };
    expect(pickRoutes(untagged, "GET /a")).not.toHaveProperty("tags");
  });

  it("has the schemas that a discriminator names, and those that say they are of its schema", () => {
    const schemas = {
      Pet: {
        discriminator: {
          propertyName: "kind",
          mapping: { big: "Lion", small: "#/components/schemas/Mouse" },
        },
      },
      Lion: {},
      Mouse: {},
      Cat: { allOf: [ref("#/components/schemas/Pet")] },
      Persian: {
        allOf: [ref("#/components/schemas/Cat"), { properties: { fur: ref("#/components/schemas/Fur") } }],
      },
      Fur: {},
      Stone: { allOf: [ref("#/components/schemas/Fur")] },
    };
    const document = {
      paths: { "/a": { get: answer(ref("#/components/schemas/Pet")) } },
      components: { schemas },
    };
    const { Stone: _unrelated, ...related } = schemas;
    expect(pickRoutes(document, "GET /a").components).toEqual({ schemas: related });
  });

  it("has the schemas that anchors and identifiers name, and what other texts point to", () => {
    const schemas = {
      Node: { $dynamicAnchor: "node" },
      Leaf: { $anchor: "leaf" },
      Tree: { $id: "https://example.com/schemas/tree" },
      Pointed: {},
      Other: { $anchor: "other" },
    };
    const uses = {
      a: { $dynamicRef: "#node" },
      b: ref("#leaf"),
      c: ref("tree"),
      "x-odata": "#/components/schemas/Pointed",
    };
    const document = { paths: { "/a": { get: answer({ properties: uses }) } }, components: { schemas } };
    const { Other: _unnamed, ...named } = schemas;
    expect(pickRoutes(document, "GET /a").components).toEqual({ schemas: named });
  });

  it("writes out a path item that is shared", () => {
    const document = {
      paths: { "/a": { $ref: "#/components/pathItems/Shared", put: {} }, "/b": ref("#/paths/~1a") },
      components: { pathItems: { Shared: { summary: "shared", get: answer({}), delete: {} } } },
    };
    expect(pickRoutes(document, "GET /b", "PUT /a", "DELETE /a")).toEqual({
      paths: {
        "/a": { summary: "shared", delete: {}, put: {} },
        "/b": { summary: "shared", get: answer({}) },
      },
    });
  });

  it("moves what is referred to inside other paths, so that it becomes no tool", () => {
    const inside = "responses/200/content/json/schema";
    const document = {
      "x-unpicked": "taken",
      paths: {
        "/a": { get: answer(ref(`#/paths/~1b/get/${inside}`)), put: {} },
        "/b": {
          get: answer({
            properties: { pet: ref("#/components/schemas/Pet"), b: ref(`#/paths/~1b/get/${inside}`) },
          }),
        },
        "/c": { get: answer(ref(`#/paths/~1a/get/${inside}`)) },
      },
      components: { schemas: { Pet: { items: ref("#/paths/~1a/put") } } },
    };
    const moved = `#/x-unpicked-/paths/~1b/get/${inside}`;
    expect(pickRoutes(document, "GET /a")).toEqual({
      "x-unpicked": "taken",
      paths: { "/a": { get: answer(ref(moved)) } },
      components: { schemas: { Pet: { items: ref("#/x-unpicked-/paths/~1a/put") } } },
      "x-unpicked-": {
        paths: {
          "/b": { get: answer({ properties: { pet: ref("#/components/schemas/Pet"), b: ref(moved) } }) },
          "/a": { put: {} },
        },
      },
    });
  });

  it("keeps links to other operations as they are written", () => {
    const links = { next: { operationId: "other" }, more: { operationRef: "#/paths/~1b/get" } };
    const document = {
      paths: { "/a": { get: { responses: { 200: { links } } } }, "/b": { get: { operationId: "other" } } },
    };
    expect(pickRoutes(document, "GET /a")).toEqual({ paths: { "/a": document.paths["/a"] } });
  });

  it("costs what it has to write out for each of many paths", () => {
    const size = 1000;
    const long = "x".repeat(size);
    const many = (item: (index: number) => Json) =>
      Object.fromEntries(Array.from({ length: size }, (_, index) => [`/${index}`, item(index)]));
    const shared = {
      paths: many(() => ref("#/components/pathItems/I")),
      components: { pathItems: { I: { get: { tags: [long] } } } },
    };
    const far = {
      paths: { "/a": { get: { list: Object.values(many(() => ref("#/x/A/get"))) } }, [long]: { get: {} } },
      x: { A: ref(`#/paths/${long}`) },
    };
    for (const document of [shared, far]) {
      const { sources, pointers } = sourcesIn(document);
      const chosen = sources.filter(({ operation }) => operation.path !== long);
      const budget = new Budget(size * (size - 1));
      pickOperations(document, chosen, pointers, budget);
      expect(budget.isSpent).toBe(true);
    }
  });

  wholeTest("is found in work that grows with the document, whatever refers to what", () => {
    const size = runs("schemas in a chain", 12_000, 20_000);
    const chain = (item: (index: number) => Json) =>
      Object.fromEntries(Array.from({ length: size }, (_, index) => [`S${index}`, item(index)]));
    const next = (index: number) => ref(`#/components/schemas/S${index + 1}`);
    const subtypes = chain((index) => ({
      discriminator: { propertyName: "kind" },
      allOf: [ref(`#/components/schemas/S${index - 1}`)],
    }));
    for (const schemas of [chain(next), chain((index) => ({ not: next(index) })), subtypes]) {
      const document = {
        paths: { "/a": { get: answer(ref("#/components/schemas/S0")) } },
        components: { schemas },
      };
      expect(pickRoutes(document, "GET /a")).toEqual(document);
    }
    const tags = Array.from({ length: size }, (_, index) => ({ name: `${index}`, parent: `${index + 1}` }));
    const tagged = { tags, paths: { "/a": { get: { tags: ["0"] } } } };
    expect(pickRoutes(tagged, "GET /a")).toEqual(tagged);
  });
});

describe("a picked document of @readme/oas-examples", () => {
  it.each(sample("documents", documents, 12))("%s has its operations as they were", (_, document) => {
    const count = sourcesIn(document).sources.length;
    expectSame(document, () => true);
    for (let only = 0; only < count; only += Math.ceil(count / 5)) {
      expectSame(document, (index) => index === only);
    }
    expectSame(document, (index) => index % 2 === 0);
  });

  it("has the outline that the operations have in the whole", () => {
    const unlike = documents.flatMap(([file, document]) => {
      const isPicked = (index: number): boolean => index % 3 === 0;
      const whole = outline(document).operations.filter((_, index) => isPicked(index));
      const same =
        JSON.stringify(outline(pickByIndex(document, isPicked)).operations) === JSON.stringify(whole);
      return same ? [] : [file];
    });
    expect(unlike).toEqual([]);
  });
});

/** Documents in which everything may refer to everything, in circles and into paths. */
const circular = (() => {
  const names = ["A", "B", "C", "D"];
  const routes = ["/a", "/b/{id}", "/c~d"];
  const escaped = routes.map((path) => path.replaceAll("~", "~0").replaceAll("/", "~1"));
  const content = "responses/200/content/application~1json/schema";
  const pointer = fc.constantFrom(
    ...names.flatMap((name) => [`#/components/schemas/${name}`, `#/components/schemas/${name}/properties/x`]),
    ...escaped.flatMap((path) => [
      `#/paths/${path}/get/${content}`,
      `#/paths/${path}/post/${content}`,
      `#/paths/${path}/get/responses/200`,
      `#/paths/${path}/parameters/0/schema`,
    ]),
    "#/x-shared/E",
    "#/components/responses/R/content/application~1json/schema",
    "#/components/schemas",
    "#/nowhere/at/all",
  );
  const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant<JsonObject>({ type: "string" }),
      pointer.map(ref),
      fc.record({ properties: fc.record({ x: tie("schema"), y: tie("schema") }, { requiredKeys: [] }) }),
      fc.record({ allOf: fc.array(tie("schema"), { maxLength: 2 }) }),
      fc.tuple(pointer, fc.string()).map(([$ref, description]) => ({ $ref, description })),
    ),
  }));
  const operation = schema.map((each): JsonObject => ({
    responses: { 200: { content: { "application/json": { schema: each } } } },
  }));
  const item = fc.oneof(
    { weight: 4, arbitrary: fc.record({ get: operation, post: operation }, { requiredKeys: [] }) },
    fc.record({
      parameters: fc.array(fc.record({ schema }), { maxLength: 1 }),
      get: operation,
      put: operation,
    }),
    fc.constantFrom(...escaped.map((path) => ref(`#/paths/${path}`)), ref("#/components/pathItems/I")),
    operation.map((put): JsonObject => ({ $ref: "#/components/pathItems/I", put })),
  );
  return fc.record({
    openapi: fc.constant("3.1.0"),
    paths: fc.record(Object.fromEntries(routes.map((path) => [path, item]))),
    components: fc.record({
      schemas: fc.record(Object.fromEntries(names.map((name) => [name, schema]))),
      responses: fc.record({ R: operation.map(({ responses }) => (responses as JsonObject)["200"] as Json) }),
      pathItems: fc.record({ I: fc.record({ get: operation, delete: operation }) }),
    }),
    "x-shared": fc.record({ E: schema }),
  }) as fc.Arbitrary<JsonObject>;
})();

describe("a picked document with circles", () => {
  it("has its operations as they were", () => {
    fc.assert(
      fc.property(circular, fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), (document, picks) => {
        expectSame(document, (index) => picks[index % picks.length] === true);
      }),
      { numRuns: examples(2000) },
    );
  });
});

/** Documents that hold anything anywhere, with the keys and references that a pick looks at. */
const strange = (() => {
  const word = fc.constantFrom(
    "#/components",
    "#/components/schemas/A",
    "#/components/schemas/A/0",
    "#/definitions/A",
    "#/paths/~1a",
    "#/paths/~1a/get",
    "#/paths/~1b/put/0",
    "#/tags/0",
    "#/x-hooks/A",
    "#/x-hooks/A/get",
    "#/security",
    "#A",
    "A",
    "https://example.com/A",
    "#/%25",
    "",
  );
  const key = fc.constantFrom(
    ..."$ref $dynamicRef $anchor $id allOf discriminator mapping security tags name parent A get put 0".split(
      " ",
    ),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      word,
      fc.jsonValue() as fc.Arbitrary<Json>,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
    ),
  }));
  const things = fc.oneof(value, fc.dictionary(fc.constantFrom("A", "B"), value, { maxKeys: 2 }));
  const item = fc.dictionary(fc.constantFrom("get", "put", "$ref", "parameters"), value, { maxKeys: 4 });
  return fc.record(
    {
      paths: fc.dictionary(fc.constantFrom("/a", "/b", "/c"), item),
      components: fc.oneof(value, fc.dictionary(fc.constantFrom("schemas", "securitySchemes"), things)),
      definitions: things,
      tags: value,
      security: value,
      "x-hooks": things,
      "x-all": value,
    },
    { requiredKeys: ["paths"] },
  ) as fc.Arbitrary<JsonObject>;
})();

describe("a picked part of anything", () => {
  it("has its operations as they were", () => {
    fc.assert(
      fc.property(strange, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), (document, picks) => {
        expectSame(document, (index) => picks[index % picks.length] === true);
      }),
      { numRuns: examples(5000) },
    );
  });
});
