import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/json/json.js";
import { essenceOf, outline } from "../../../src/core/openapi/openapi.js";
import { pickRoutes } from "./picked-document.js";
import { effectiveOf } from "../../../src/core/openapi/effective.js";

const key = { type: "apiKey", in: "header", name: "X-Key" };

/** A document that says in references where calls go, which clients that resolve all of them read. */
const said: JsonObject = {
  openapi: "3.1.0",
  servers: { $ref: "#/x-servers" },
  security: { $ref: "#/x-security" },
  paths: {
    "/a": { parameters: { $ref: "#/x-parameters" }, get: {} },
    "/b": { get: { servers: [{ url: { $ref: "#/x-url" } }], security: [{ $ref: "#/x-demand" }] } },
  },
  components: { $ref: "#/x-components" },
  "x-servers": { $ref: "#/x-list" },
  "x-list": [{ url: "https://a.example" }],
  "x-url": "https://b.example",
  "x-security": [{ key: [] }],
  "x-demand": { other: [] },
  "x-parameters": [{ in: "query", name: "q" }],
  "x-components": { securitySchemes: { key } },
};

const essence = (document: JsonObject): Json => essenceOf(outline(document));

describe("references where OpenAPI knows none", () => {
  it("are followed to lists, texts and sections", () => {
    const { addresses, security, operations, schemes } = effectiveOf(outline(said));
    const own = operations.get("GET /b");
    expect(addresses.map(({ text }) => text)).toEqual(["https://a.example"]);
    expect(security.demands).toEqual([["key"]]);
    expect(own?.addresses.map(({ text }) => text)).toEqual(["https://b.example"]);
    expect(own?.security.demands).toEqual([["other"]]);
    expect(Object.fromEntries(schemes)).toEqual({ key });
    expect(operations.get("GET /a")?.operation.parameters).toMatchObject([{ in: "query", name: "q" }]);
  });

  it.each<[string, Json]>([
    ["x-list", [{ url: "https://other.example" }]],
    ["x-url", "https://other.example"],
    ["x-security", []],
    ["x-demand", {}],
    ["x-parameters", [{ in: "query", name: "other" }]],
    ["x-components", { securitySchemes: { key: { ...key, in: "query" } } }],
  ])("make a change of `%s` a change of the tool set", (part, value) => {
    expect(essence({ ...said, [part]: value })).not.toEqual(essence(said));
  });

  it("are followed to the keys of Swagger 2.0", () => {
    const swagger = {
      swagger: "2.0",
      host: { $ref: "#/x-host" },
      schemes: { $ref: "#/x-schemes" },
      paths: { "/a": { get: {} } },
      "x-host": "a.example",
      "x-schemes": ["https"],
    };
    expect(outline(swagger).servers).toEqual([{ url: "https://a.example" }]);
  });

  it("keep the schemes that picked operations demand", () => {
    const document = {
      paths: { "/a": { get: { security: { $ref: "#/x-demands" } }, delete: {} } },
      components: { securitySchemes: { key, other: key } },
      "x-demands": [{ $ref: "#/x-demand" }],
      "x-demand": { key: [] },
    };
    expect(pickRoutes(document, "GET /a").components).toEqual({ securitySchemes: { key } });
  });

  it("lead nowhere where they go round", () => {
    const round = { servers: { $ref: "#/x-a" }, "x-a": { $ref: "#/servers" }, paths: { "/a": { get: {} } } };
    expect(outline(round).servers).toEqual({ $ref: "#/x-a" });
  });
});

describe("security schemes of two versions of OpenAPI", () => {
  const schemesOf = (one: Json, other: Json) =>
    outline({ ...said, components: { securitySchemes: { key: other } }, securityDefinitions: { key: one } })
      .security?.schemes;

  it("are both there under one name, as far as they differ", () => {
    const open = { ...key, in: "query" };
    expect(schemesOf(key, key)).toEqual({ key });
    expect(schemesOf(open, key)).toEqual({ key: { ...key, $ref: open } });
    expect(schemesOf(open, "key")).toEqual({ key: ["key", open] });
  });
});

describe("an operation that is not written as OpenAPI has it", () => {
  const of = (operation: JsonObject): Json => essence({ paths: { "/a": { get: operation } } });
  const withParameters = (parameters: Json): Json => of({ parameters });

  it.each<[string, Json, Json]>([
    ["parameters by name", { q: { in: "query" } }, { q: { in: "header" } }],
    [
      "two parameters of one name",
      [{ name: "q", a: 1 }, { name: "q" }],
      [{ name: "q", a: 2 }, { name: "q" }],
    ],
    ["a parameter that is a text", ["q"], ["r"]],
    ["a `required` that is a text", [{ name: "q", required: "true" }], [{ name: "q", required: "false" }]],
    ["a name that is a number", [{ name: 1 }], [{ name: 2 }]],
  ])("differs in %s", (_what, one, other) => {
    expect(withParameters(one)).not.toEqual(withParameters(other));
  });

  it("differs in an operationId that is no text", () => {
    expect(of({ operationId: 404 })).not.toEqual(of({ operationId: 405 }));
    expect(of({ operationId: null })).toEqual(of({}));
  });

  it("is the same without parameters, and with one of them twice", () => {
    const shared = { $ref: "#/components/parameters/q" };
    const components = { parameters: { q: { in: "query", name: "q" } } };
    const whole = (parameters: Json): Json =>
      essence({ components, paths: { "/a": { get: { parameters } } } });
    expect(withParameters(null)).toEqual(of({}));
    expect(whole([shared, shared])).toEqual(whole([shared]));
  });
});
