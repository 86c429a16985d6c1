import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { canonical, type Json, type JsonObject } from "../../../src/json/json.js";
import {
  essenceOf,
  outline,
  outlineBudget,
  type OutlineOperation,
} from "../../../src/core/openapi/openapi.js";
import { answering, digestOf, outlined, schemaRef } from "./openapi-document.js";

function readFixture(name: string): Json {
  return parse(readFileSync(join(import.meta.dirname, "../../fixtures/openapi", name), "utf8")) as Json;
}

function omitTags(operation: object = {}): object {
  return Object.fromEntries(Object.entries(operation).filter(([key]) => key !== "tags"));
}

describe("outline", () => {
  it("says all of an OpenAPI 3 operation", () => {
    const page = { name: "page", in: "query", schema: { type: "integer" } };
    const requestBody = { content: { "text/plain": { schema: { type: "string" } } } };
    const responses = { 204: { description: "done" } };
    const document = {
      openapi: "3.0.3",
      info: { title: "Pets" },
      servers: [{ url: "https://a.example/{v}", variables: { v: { default: "1" } } }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } },
      paths: {
        "/pets/{id}": {
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { ...page, description: "overridden" },
          ],
          post: {
            operationId: "createPet",
            tags: ["pets"],
            summary: "Creates",
            description: "A pet",
            parameters: [page, { name: "Accept", in: "header" }],
            requestBody,
            responses,
            deprecated: true,
            "x-cost": 3,
          },
          get: {},
        },
      },
    };
    const id = { in: "path", name: "id", required: true, digest: digestOf({ schema: { type: "string" } }) };
    const pageDigest = digestOf({ schema: { type: "integer" } });
    expect(outline(document)).toEqual({
      openapi: "3.0.3",
      info: { title: "Pets" },
      servers: [{ url: "https://a.example/{v}", variables: { v: { default: "1" } } }],
      security: { requirements: [{ key: [] }], schemes: document.components.securitySchemes },
      operations: [
        {
          method: "POST",
          path: "/pets/{id}",
          operationId: "createPet",
          parameters: [
            { in: "header", name: "Accept", required: false, digest: digestOf({}) },
            id,
            { in: "query", name: "page", required: false, digest: pageDigest },
          ],
          request_body: digestOf(requestBody),
          responses: digestOf(responses),
          summary: "Creates",
          description: "A pet",
          tags: ["pets"],
          deprecated: true,
          "x-cost": 3,
        },
        {
          method: "GET",
          path: "/pets/{id}",
          parameters: [
            id,
            {
              in: "query",
              name: "page",
              required: false,
              digest: digestOf({ schema: { type: "integer" }, description: "overridden" }),
            },
          ],
        },
      ],
    });
  });

  it("says the same of Swagger 2.0 in its own places", () => {
    const body = { in: "body", name: "pet", required: true, schema: { $ref: "#/definitions/Pet" } };
    const document: JsonObject = {
      swagger: "2.0",
      schemes: ["https", "http"],
      host: "pets.example",
      basePath: "/v1",
      produces: ["application/json"],
      securityDefinitions: { basic: { type: "basic" } },
      definitions: { Pet: { type: "object" } },
      parameters: { pet: body },
      paths: {
        "/pets": { post: { parameters: [{ $ref: "#/parameters/pet" }, { in: "formData", name: "photo" }] } },
      },
    };
    const { servers, security, operations } = outline(document);
    expect(servers).toEqual([{ url: "https://pets.example/v1" }, { url: "http://pets.example/v1" }]);
    expect(security).toEqual({ schemes: { basic: { type: "basic" } } });
    expect(operations).toEqual([
      {
        method: "POST",
        path: "/pets",
        parameters: [{ in: "formData", name: "photo", required: false, digest: digestOf({}) }],
        request_body: expect.stringMatching(/^[0-9a-f]{64}$/),
        produces: ["application/json"],
      },
    ]);
    const changed = { ...document, definitions: { Pet: { type: "string" } } };
    expect(outline(changed).operations[0]?.request_body).not.toBe(operations[0]?.request_body);
  });

  it("makes servers of what parts of a Swagger 2.0 address there are", () => {
    const serversOf = (parts: JsonObject): Json | undefined => outline({ swagger: "2.0", ...parts }).servers;
    expect(serversOf({})).toBeUndefined();
    expect(serversOf({ basePath: "/" })).toBeUndefined();
    expect(serversOf({ basePath: "/v2" })).toEqual([{ url: "/v2" }]);
    expect(serversOf({ host: "a.example" })).toEqual([{ url: "//a.example" }]);
    expect(serversOf({ host: "a.example", basePath: "/", schemes: ["wss"] })).toEqual([
      { url: "wss://a.example" },
    ]);
    expect(serversOf({ basePath: "/v2", schemes: ["http"] })).toEqual([{ url: "/v2", schemes: ["http"] }]);
    const text = { host: "a.example", schemes: "wss" };
    expect(outline({ swagger: "2.0", ...text })).toMatchObject({
      servers: [{ url: "wss://a.example" }],
      schemes: "wss",
    });
  });

  it("tells a parameter in a list from one in none", () => {
    const id = { name: "id", in: "query" };
    const [listed, alone] = [[id], id].map((parameters) => outlined({ parameters }).parameters);
    expect(listed).toMatchObject([id]);
    expect(alone).toMatchObject([{ name: "", in: "" }]);
  });

  it("leaves out what a document does not have", () => {
    expect(outline({ paths: { "/a": { get: {} } } })).toEqual({
      operations: [{ method: "GET", path: "/a" }],
    });
    expect(outline({ openapi: "3.1.0" })).toEqual({ openapi: "3.1.0", operations: [] });
    expect(outline(null)).toEqual({ operations: [] });
  });

  it("lets operations inherit what their path says", () => {
    const document = (path: JsonObject, operation: JsonObject = {}): JsonObject => ({
      paths: { "/a": { ...path, get: operation } },
    });
    const servers = [{ url: "https://b.example" }];
    const [first] = outline(document({ servers })).operations;
    expect(first).toEqual({ method: "GET", path: "/a", servers });
    const own = document({ servers, summary: "All" }, { servers: [] });
    expect(outline(own).operations[0]).toEqual({ method: "GET", path: "/a", summary: "All", servers: [] });
  });

  it("keeps where the calls of an operation go where that is not where those of the document go", () => {
    const servers = [{ url: "https://a.example" }];
    const security = [{ key: [] }];
    const said = (operation: JsonObject, more: JsonObject = {}): OutlineOperation =>
      outlined(operation, { servers, security, ...more });
    expect(said({ servers, security })).toEqual({ method: "GET", path: "/pets" });
    expect(said({ servers: [{ $ref: "#/x-server" }], security: [] }, { "x-server": { url: "//b" } })).toEqual(
      {
        method: "GET",
        path: "/pets",
        servers: [{ url: "//b" }],
        security: [],
      },
    );
    expect(outlined({ security: [] })).toEqual({ method: "GET", path: "/pets" });
    expect(
      outlined({ schemes: ["http"] }, { swagger: "2.0", host: "a", schemes: ["https"] }).servers,
    ).toEqual([{ url: "http://a" }]);
  });

  it("keeps the addresses of callbacks and the servers of links", () => {
    const components = { callbacks: { paid: { "https://b.example/paid": { post: { responses: {} } } } } };
    const links = { next: { operationId: "x", server: { url: "https://c.example" } }, plain: {} };
    const found = outlined(
      { callbacks: { onPaid: { $ref: "#/components/callbacks/paid" } }, responses: { 200: { links } } },
      { components },
    );
    expect(found.callbacks).toEqual({
      onPaid: { "https://b.example/paid": digestOf({ post: { responses: {} } }) },
    });
    expect(found.link_servers).toEqual({ "200 next": { url: "https://c.example" } });
  });

  it("keeps the servers that a callback has of its own, wherever it says them", () => {
    const [ofPath, ofCall] = [{ url: "https://a.example" }, { url: "https://b.example" }];
    const called = { servers: [ofPath], post: { $ref: "#/components/x-call" } };
    const components = { "x-call": { servers: [ofCall], responses: {} }, pathItems: { called } };
    const found = outlined(
      { callbacks: { paid: { "/paid": { $ref: "#/components/pathItems/called" } } } },
      { components },
    );
    expect(found.callbacks).toEqual({
      paid: { "/paid": { digest: expect.any(String), servers: [ofPath, ofCall] } },
    });
  });

  it("lists the environment variables that are in digests alone", () => {
    const seen = {
      servers: [{ url: "https://a.example/${env:SEEN}" }],
      "x-b": { c: ["${env:B}", "$${env:C}"] },
    };
    const responses = {
      200: { description: "${env:A@2} ${env:A}${env:B}${env:SEEN}${policy:strict}${HOME}" },
    };
    const document = { info: { contact: { name: "${env:Z}" } }, paths: { "/pets": { get: { responses } } } };
    expect(outline({ ...document, ...seen }).secrets_in_digests).toEqual([
      "${env:A@2}",
      "${env:A}",
      "${env:Z}",
    ]);
    expect(outline({ paths: {}, secrets_in_digests: ["x"] })).toEqual({
      operations: [],
      $secrets_in_digests: ["x"],
    });
  });

  it("keeps what links say of operations at another address", () => {
    const refs = { near: "#/paths/~1pets/get", beside: "pets.json#/a", far: "https://d.example/a.json#/a" };
    const links = Object.fromEntries(
      Object.entries(refs).map(([name, operationRef]) => [name, { operationRef }]),
    );
    const found = outlined({ responses: { 200: { links } } });
    expect(found.link_operations).toEqual({ "200 far": refs.far });
    // An outline of an earlier version lacks them, and what they are made from is in a digest.
    const { link_operations: _, ...earlier } = found;
    expect(essenceOf({ operations: [found] })).toEqual(essenceOf({ operations: [earlier] }));
  });

  it("keeps the beginning of a long text, and nothing that looks like a digest", () => {
    const long = `${"a".repeat(1990)}\${env:NAMES}`;
    const said = outlined({ summary: "f".repeat(64), description: long, "x-a": "0".repeat(64) });
    expect(said.summary).toBe(digestOf("f".repeat(64)));
    expect(said).toMatchObject({ "x-a": digestOf("0".repeat(64)) });
    expect(said.description).toBe(`${"a".repeat(1990)}… (12 more characters, sha256:${digestOf(long)})`);
  });

  it("says by its own name what else a document and its operations say", () => {
    const schemas = { Used: { type: "object" }, Spare: { type: "string" } };
    const found = outline({
      openapi: "3.1.0",
      info: { title: "Pets", contact: { name: "A" } },
      tags: [{ name: "pets", description: "All" }],
      webhooks: { born: { post: {} } },
      operations: "odd",
      components: { schemas },
      paths: {
        "/a": {
          get: { ...answering(schemaRef("Used")), method: "odd", "x-cost": { cents: 3 }, tags: ["pets"] },
        },
        "/b": { summary: "Nothing yet", parameters: [] },
        "x-c": { delete: { operationId: "removeAll" } },
      },
    });
    expect(found).toEqual({
      openapi: "3.1.0",
      info: { title: "Pets", contact: digestOf({ name: "A" }) },
      tags: [{ name: "pets", description: "All" }],
      webhooks: { born: digestOf({ post: {} }) },
      paths: {
        "/b": { summary: "Nothing yet", parameters: [] },
        "x-c": { delete: digestOf({ operationId: "removeAll" }) },
      },
      $operations: "odd",
      components: { schemas: { Spare: digestOf({ type: "string" }) } },
      operations: [
        {
          method: "GET",
          path: "/a",
          responses: expect.stringMatching(/^[0-9a-f]{64}$/),
          $method: "odd",
          "x-cost": digestOf({ cents: 3 }),
          tags: ["pets"],
        },
      ],
    });
    expect(essenceOf(found)).toEqual({ operations: [{ ...omitTags(found.operations[0]) }] });
  });

  it("follows the references of parameters, siblings over what they point to", () => {
    const components = {
      parameters: {
        limit: { in: "query", name: "limit", required: true, schema: schemaRef("Size") },
        alias: { $ref: "#/components/parameters/limit" },
      },
      schemas: { Size: { type: "integer" } },
    };
    const parameters = [{ $ref: "#/components/parameters/alias", description: "how many" }];
    const [limit] = outlined({ parameters }, { components }).parameters ?? [];
    expect(limit).toMatchObject({ in: "query", name: "limit", required: true });
    const [plain] =
      outlined({ parameters: [{ $ref: "#/components/parameters/alias" }] }, { components }).parameters ?? [];
    expect(plain?.digest).not.toBe(limit?.digest);
    const larger = { ...components, schemas: { Size: { type: "number" } } };
    expect(outlined({ parameters }, { components: larger }).parameters?.[0]?.digest).not.toBe(limit?.digest);
  });

  it("lets the nearest sibling of a chain of references win, and keeps what it wins over", () => {
    const components = {
      parameters: {
        far: { in: "query", name: "q", style: "far" },
        near: { $ref: "#/components/parameters/far", style: "near", explode: true },
      },
    };
    const parameters = [{ $ref: "#/components/parameters/near", style: "own" }];
    const parameter = { style: "own", explode: true, $ref: { style: "near", $ref: { style: "far" } } };
    expect(outlined({ parameters }, { components }).parameters).toEqual([
      { in: "query", name: "q", required: false, digest: digestOf(parameter) },
    ]);
  });

  it("keeps parameters whose references lead nowhere apart by their text", () => {
    const parameters = [{ $ref: "b.yaml#/x" }, { $ref: "#/nowhere" }, { $ref: "b.yaml#/x" }, null, 3];
    expect(
      outlined({ parameters }).parameters?.map((parameter) => `${parameter.in} ${parameter.name}`),
    ).toEqual([" ", "$ref #/nowhere", "$ref b.yaml#/x", "$ref b.yaml#/x"]);
  });

  it("tells which part of an operation changed", () => {
    const before = readFixture("helpdesk.yaml");
    const after = readFixture("helpdesk-changed.yaml");
    const changes = outline(before).operations.map((operation, index) => {
      const other = outline(after).operations[index];
      const keys = Object.keys({ ...operation, ...other }) as (keyof OutlineOperation)[];
      return keys.filter((key) => canonical(operation[key] ?? null) !== canonical(other?.[key] ?? null));
    });
    expect(changes).toEqual([
      ["parameters", "tags"],
      ["request_body"],
      [],
      ["responses", "description", "deprecated"],
    ]);
  });

  it("takes too much where the variables of any server make its URL longer than any", () => {
    const variables = { a: { default: "{b}".repeat(200) }, b: { default: "x".repeat(100) } };
    const server = { url: "https://a.example/{a}", variables };
    const operations = [
      { servers: [server] },
      { responses: { 200: { links: { next: { server } } } } },
      { responses: {} },
    ];
    const spent = operations.map((get) => {
      const budget = outlineBudget();
      outline({ paths: { "/a": { get } } }, budget);
      return budget.isSpent;
    });
    expect(spent).toEqual([true, true, false]);
  });

  it("is assignable to what the lock stores", () => {
    const stored: JsonObject = outline(readFixture("helpdesk.yaml"));
    expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
  });
});
