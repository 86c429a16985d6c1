import { fc } from "../../harness/property.js";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/json/json.js";
import {
  indexOperations,
  operationKeys,
  operationsOf,
  type Operation,
} from "../../../src/core/openapi/openapi.js";

describe("operationsOf", () => {
  it("lists operations in document order with their methods in upper case", () => {
    const document = {
      paths: {
        "/b": { post: { operationId: "createB" }, get: {} },
        "/a": Object.fromEntries(
          ["trace", "patch", "head", "options", "delete", "put"].map((method) => [method, {}]),
        ),
      },
    };
    expect(operationsOf(document)).toEqual([
      { method: "POST", path: "/b", operationId: "createB" },
      { method: "GET", path: "/b" },
      ...["TRACE", "PATCH", "HEAD", "OPTIONS", "DELETE", "PUT"].map((method) => ({ method, path: "/a" })),
    ]);
  });

  it("counts only objects at methods under paths", () => {
    const document = {
      webhooks: { new: { post: { operationId: "hook" } } },
      components: { pathItems: { spare: { get: {} } } },
      paths: {
        "/a": { get: null, post: [], put: "x", summary: {}, parameters: {}, GET: {}, delete: {} },
        "/b": null,
        "x-note": { get: {} },
        "/c": { get: { operationId: 7 }, put: { operationId: "" } },
      },
    };
    expect(operationsOf(document)).toEqual([
      { method: "DELETE", path: "/a" },
      { method: "GET", path: "/c" },
      { method: "PUT", path: "/c" },
    ]);
    for (const empty of [null, 1, "x", [], {}, { paths: null }, { paths: [] }, { paths: {} }]) {
      expect(operationsOf(empty)).toEqual([]);
    }
  });

  it("follows local references of path items with every escape", () => {
    const get = (operationId: string): JsonObject => ({ get: { operationId } });
    const document = {
      paths: {
        "/one": { $ref: "#/components/pathItems/one" },
        "/two": { $ref: "#/paths/~1users~1{id}" },
        "/three": { $ref: "#/paths/~1users~1%7Bid%7D" },
        "/four": { $ref: "#/components/pathItems/a~0b%20c", post: { operationId: "own" } },
        "/five": { $ref: "#/x-list/1" },
        "/six": { $ref: "#/components/pathItems/100%" },
        "/seven": { $ref: "#/components/pathItems/a~01b" },
        "/users/{id}": get("user"),
      },
      "x-list": [get("zero"), get("listed")],
      components: {
        pathItems: { one: get("one"), "a~b c": get("tilde"), "100%": get("percent"), "a~1b": get("both") },
      },
    };
    expect(operationsOf(document).map(({ path, operationId }) => `${path} ${operationId}`)).toEqual([
      "/one one",
      "/two user",
      "/three user",
      "/four tilde",
      "/four own",
      "/five listed",
      "/six percent",
      "/seven both",
      "/users/{id} user",
    ]);
  });

  it("ends at circles, and at references that lead nowhere or outside", () => {
    const document = {
      paths: {
        "/self": { $ref: "#/paths/~1self" },
        "/ping": { $ref: "#/paths/~1pong" },
        "/pong": { $ref: "#/paths/~1ping", put: {} },
        "/deeper": { $ref: "#/paths/~1deeper/x" },
        "/nowhere": { $ref: "#/components/pathItems/constructor", get: {} },
        "/outside": { $ref: "paths.yaml#/pets" },
        "/text": { $ref: "#/info/title" },
        "/anchor": { $ref: "#anchor" },
      },
      components: { pathItems: {} },
      info: { title: "x" },
    };
    expect(operationsOf(document)).toEqual([
      { method: "PUT", path: "/pong" },
      { method: "GET", path: "/nowhere" },
    ]);
  });
});

describe("the names of operations", () => {
  const operations: Operation[] = [
    { method: "GET", path: "/a", operationId: "listA" },
    { method: "POST", path: "/a", operationId: "same" },
    { method: "PUT", path: "/a", operationId: "same" },
    { method: "GET", path: "/b" },
    { method: "GET", path: "/c", operationId: "GET /b" },
    { method: "GET", path: "/d e" },
  ];

  it("are operationIds where they are unique, else method and path", () => {
    expect(operationKeys(operations)).toEqual(["listA", "POST /a", "PUT /a", "GET /b", "GET /c", "GET /d e"]);
  });

  it("are found by operationId or by method, in any case, and path", () => {
    expect(indexOperations(operations).find("listA")).toBe(0);
    expect(indexOperations(operations).find("get /a")).toBe(0);
    expect(indexOperations(operations).find("Put /a")).toBe(2);
    expect(indexOperations(operations).find("GET /b")).toBe(3);
    expect(indexOperations(operations).find("GET /d e")).toBe(5);
    for (const unknown of ["same", "lista", "GET /A", "DELETE /a", "GET", "", "/a"]) {
      expect(indexOperations(operations).find(unknown)).toBeUndefined();
    }
  });

  it("never name two operations", () => {
    const name = fc.constantFrom("a", "b", "GET /a", "GET /b", "PUT /a");
    const operation = fc.record(
      { method: fc.constantFrom("GET", "PUT"), path: fc.constantFrom("/a", "/b", "/c"), operationId: name },
      { requiredKeys: ["method", "path"] },
    );
    const list = fc.uniqueArray(operation, { selector: ({ method, path }) => `${method} ${path}` });
    fc.assert(
      fc.property(list, (operations) => {
        const keys = operationKeys(operations);
        expect(keys.map((key) => indexOperations(operations).find(key))).toEqual([...operations.keys()]);
      }),
    );
  });
});
