import { describe, expect, it } from "vitest";
import { externalReferences } from "../../../src/core/openapi/openapi.js";

describe("externalReferences", () => {
  it("lists the paths to what lies outside, in document order", () => {
    const document = {
      paths: {
        "/a": { $ref: "a.yaml" },
        "/b": { get: { parameters: [{ $ref: "#/x" }, { $ref: "./p.json#/y" }] } },
      },
      components: { schemas: { $ref: { $ref: "https://example.com/s.json" }, Z: { $ref: 3 } } },
    };
    expect(externalReferences(document)).toEqual([
      ["paths", "/a", "$ref"],
      ["paths", "/b", "get", "parameters", 1, "$ref"],
      ["components", "schemas", "$ref", "$ref"],
    ]);
  });

  it("stops at a hundred", () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ a: { $ref: `f${index}.yaml` } }));
    const found = externalReferences(many);
    expect(found).toHaveLength(100);
    expect(found.at(-1)).toEqual([99, "a", "$ref"]);
  });
});
