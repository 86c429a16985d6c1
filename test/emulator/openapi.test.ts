import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { post, toolIds } from "./raw-request.js";
import { running } from "./running.js";
import { sample } from "../harness/tier.js";

async function toolsOf(openapi_schema: unknown): Promise<string[]> {
  const { port, objects, close } = await running();
  const ids = toolIds(await post(port, "/v3/tools/", { tool_set_name: "s", openapi_schema }));
  const tools = objects().tools.map(
    ({ method, path, operationId = "-" }) => `${method} ${path} ${operationId}`,
  );
  expect(tools).toHaveLength(ids.length);
  await close();
  return tools;
}

describe("which operations become tools", () => {
  it("all eight methods, and none of the other keys of a path", async () => {
    const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
    const item = Object.fromEntries(methods.map((method) => [method, { operationId: `${method}It` }]));
    const paths = { "/a": { summary: "s", parameters: [], servers: [], connect: {}, "x-get": {}, ...item } };
    expect(await toolsOf({ openapi: "3.0.0", paths })).toEqual(
      methods.map((method) => `${method.toUpperCase()} /a ${method}It`),
    );
  });

  it("in the order of the document", async () => {
    const paths = { "/z": { post: {}, get: {} }, "/a": { delete: {} } };
    expect(await toolsOf({ swagger: "2.0", paths })).toEqual(["POST /z -", "GET /z -", "DELETE /a -"]);
  });

  it.each([
    [{}],
    [{ paths: {} }],
    [{ paths: [] }],
    [{ paths: "none" }],
    [{ openapi: "3.1.0", webhooks: { ping: { post: { operationId: "ping" } } } }],
    [{ paths: { "/a": null, "/b": [{ get: {} }], "/c": "get", "/d": { get: null, post: [] } } }],
    [{ paths: { "x-note": { get: {} } } }],
    [{ paths: { "/a": { $ref: "https://example.com/a.json" }, "/b": { $ref: "other.yaml#/b" } } }],
    [{ paths: { "/a": { $ref: "#/nowhere/at/all" }, "/b": { $ref: "#/constructor" }, "/c": { $ref: 7 } } }],
    [{ paths: { "/a": { $ref: "#/paths/~1b" }, "/b": { $ref: "#/paths/~1a" } } }],
    [{ paths: { "/a": { $ref: "#/%zz" } } }],
  ])("none in %j", async (document) => {
    expect(await toolsOf(document)).toEqual([]);
  });

  it("follows local references of paths", async () => {
    const document = {
      openapi: "3.1.0",
      paths: {
        "/a": { $ref: "#/components/pathItems/Shared" },
        "/b/{c}": { get: { operationId: "b" } },
        "/d": { $ref: "#/paths/~1b~1%7Bc%7D" },
        "/e": { $ref: "#/components/pathItems/Chain", put: { operationId: "own" } },
      },
      components: {
        pathItems: {
          Shared: { post: { operationId: "shared" } },
          Chain: { $ref: "#/components/pathItems/Shared" },
        },
      },
    };
    expect(await toolsOf(document)).toEqual([
      "POST /a shared",
      "GET /b/{c} b",
      "GET /d b",
      "POST /e shared",
      "PUT /e own",
    ]);
  });

  it("takes a name that is empty or no text as none", async () => {
    const paths = { "/a": { get: { operationId: "" }, put: { operationId: 7 } } };
    expect(await toolsOf({ paths })).toEqual(["GET /a -", "PUT /a -"]);
  });
});

type Tree = { [key: string]: Tree } | undefined;

const examples = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));

const isDescription = /^\s*["']?(openapi|swagger)["']?\s*:/m;

/** The files of descriptions, with their texts. */
function readTexts(): { name: string; text: string }[] {
  return readdirSync(examples, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|ya?ml)$/.test(name) && !name.includes("node_modules"))
    .map((name) => ({ name, text: readFileSync(join(examples, name), "utf8") }))
    .filter(({ text }) => isDescription.test(text));
}

// The documents refer to whole paths by pointers without escapes other than ~1.
function countOperations(document: Tree): number {
  const follow = (item: Tree): Tree => {
    const pointer: unknown = item?.["$ref"];
    if (typeof pointer !== "string") return item;
    const steps = pointer.replace("#/", "").split("/");
    return steps.reduce<Tree>((at, step) => at?.[step.replaceAll("~1", "/")], document);
  };
  const keys = Object.values(document?.["paths"] ?? {}).flatMap((item) => Object.keys(follow(item) ?? {}));
  return keys.filter((key) => /^(get|put|post|delete|options|head|patch|trace)$/.test(key)).length;
}

describe("the documents of @readme/oas-examples", () => {
  it("each gives as many tools as it has operations", async () => {
    const all = readTexts();
    expect(all.length).toBe(129);
    const documents = sample("documents", all, 4).map(({ name, text }) => ({
      name,
      document: parse(text, { maxAliasCount: -1 }) as Tree,
    }));
    const { port } = await running();
    const counts: [string, number][] = [];
    for (const { name, document } of documents) {
      const set = { tool_set_name: name, openapi_schema: document };
      counts.push([name, toolIds(await post(port, "/v3/tools/", set)).length]);
    }
    expect(counts).toEqual(documents.map(({ name, document }) => [name, countOperations(document)]));
    expect(counts.filter(([, count]) => count > 0).length).toBeGreaterThan(0.7 * documents.length);
  });
});
