import type { WorstCase } from "./worst-case.js";

const toolset = `apiVersion: agentform/v1
kind: ToolSet
metadata: {name: t}
spec: {tool_set_name: t, openapi_schema: "\${file:a.json}"}
`;

function document(name: string, content: (bytes: number) => object | string): WorstCase {
  return {
    name,
    files(bytes) {
      const value = content(bytes);
      const text = typeof value === "string" ? value : JSON.stringify({ openapi: "3.1.0", ...value });
      return { "toolsets/t.yaml": toolset, "toolsets/a.json": text };
    },
  };
}

function operation(schema: object): object {
  return { "/a": { get: { responses: { 200: { schema } } } } };
}

/** Schemas by number, of about as many bytes altogether. */
function schemas(bytes: number, each: number, schema: (index: number, count: number) => object): object {
  const count = Math.max(2, Math.floor(bytes / each));
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, schema(index, count)]));
}

function members(count: number): object {
  return Object.fromEntries(Array.from({ length: Math.floor(count) }, (_, index) => [`m${index}`, {}]));
}

/** A document in which one operation leads to the first of these schemas. */
function leading(all: object): object {
  return { paths: operation({ $ref: "#/c/s0" }), c: all };
}

/** OpenAPI documents whose pointers lead far. */
export const openapiCases: readonly WorstCase[] = [
  document("openapi: a chain of references", (bytes) => {
    return leading(schemas(bytes, 24, (index) => ({ $ref: `#/c/s${index + 1}` })));
  }),
  document("openapi: a circle of references", (bytes) => {
    return leading(schemas(bytes, 24, (index, count) => ({ $ref: `#/c/s${(index + 1) % count}` })));
  }),
  document("openapi: a chain of properties", (bytes) => {
    return leading(schemas(bytes, 40, (index) => ({ p: { $ref: `#/c/s${index + 1}` } })));
  }),
  document("openapi: all lead to all", (bytes) => {
    const count = Math.floor(Math.sqrt(bytes / 20));
    const refs = Array.from({ length: count }, (_, index) => ({ $ref: `#/c/s${index}` }));
    return leading(Object.fromEntries(refs.map((_, index) => [`s${index}`, refs])));
  }),
  document("openapi: pointers through references that grow", (bytes) => {
    const tokens = "/p".repeat(Math.min(1000, Math.floor(bytes / 40)));
    return {
      paths: fromPaths(Math.floor(bytes / 2 / (tokens.length + 60)), (index) => `#/c/s0${tokens}/x${index}`),
      c: { s0: { $ref: `#/c/s1/p/p` }, s1: { $ref: "#/c/s0/p/p" } },
    };
  }),
  document("openapi: a pointer that leads through itself", (bytes) => ({
    paths: fromPaths(Math.floor(bytes / 90), (index) => `#/c/s/a/${index}`),
    c: { s: { $ref: `#/c/s${"/a".repeat(Math.floor(bytes / 6))}` } },
  })),
  document("openapi: pointers through a chain", (bytes) => ({
    paths: fromPaths(Math.floor(bytes / 100), (index) => `#/c/s0/x${index}`),
    c: schemas(bytes / 2, 24, (index) => ({ $ref: `#/c/s${index + 1}` })),
  })),
  document("openapi: long pointers", (bytes) => {
    const tokens = "/a".repeat(Math.floor(Math.sqrt(bytes)));
    const refs = Math.max(1, Math.floor(bytes / (tokens.length + 60)));
    return {
      paths: fromPaths(refs, (index) => `#/c/s${tokens}/${index}`),
      c: { s: { $ref: "#/c/t" }, t: { a: { $ref: "#/c/s" } } },
    };
  }),
  document("openapi: siblings of references", (bytes) => {
    const count = Math.floor(bytes / 60);
    return {
      paths: {
        "/a": { get: { parameters: [{ $ref: "#/c/s0" }] } },
        ...Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`/${index}`, { $ref: `#/c/s${index}` }]),
        ),
      },
      c: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `s${index}`,
          { $ref: `#/c/s${index + 1}`, [`k${index}`]: 1 },
        ]),
      ),
    };
  }),
  document("openapi: operations that all have the same callbacks", (bytes) => ({
    paths: fromItems(Math.floor(bytes / 160), () => ({ get: { callbacks: { $ref: "#/c/all" } } })),
    c: { all: members(bytes / 40) },
  })),
  document("openapi: operations that all have the same links", (bytes) => ({
    paths: fromItems(Math.floor(bytes / 160), () => ({ get: { responses: { 200: { $ref: "#/c/all" } } } })),
    c: { all: { links: members(bytes / 40) } },
  })),
  document("openapi: paths that all refer to one item", (bytes) => {
    const half = Math.floor(Math.sqrt(bytes / 10));
    const item = Object.fromEntries(Array.from({ length: half }, (_, index) => [`x-${index}`, 1]));
    return {
      paths: fromItems(half * 3, () => ({ $ref: "#/c/item" })),
      c: {
        item: {
          ...item,
          get: {},
          put: {},
          post: {},
          delete: {},
          patch: {},
          head: {},
          trace: {},
          options: {},
        },
      },
    };
  }),
  document("openapi: path items with much for each operation", (bytes) => ({
    paths: {
      "/a": {
        "x-rest": "a".repeat(bytes / 2),
        ...Object.fromEntries(["get", "put", "post", "delete", "patch", "head"].map((name) => [name, {}])),
      },
    },
  })),
  document("openapi: paths that share parameters", (bytes) => {
    const count = Math.floor(Math.sqrt(bytes / 20));
    const parameters = Array.from({ length: count }, (_, index) => ({ $ref: `#/p/${index}` }));
    return {
      paths: fromItems(count, () => ({ $ref: "#/item" })),
      item: {
        parameters,
        get: {},
        put: {},
        post: {},
        delete: {},
        patch: {},
        head: {},
        trace: {},
        options: {},
      },
      p: parameters.map((_, index) => ({ in: "query", name: `p${index}` })),
    };
  }),
  document("openapi: nested places", (bytes) => {
    // Each place holds all places below it, so that a text for each would be quadratic.
    const depth = 90;
    let value: object = { leaf: "a".repeat(bytes / 2) };
    for (let level = 0; level < depth; level++) value = { n: value };
    const refs = Array.from({ length: depth }, (_, index) => ({ $ref: `#/c${"/n".repeat(index)}` }));
    return { paths: operation({ refs }), c: value };
  }),
  document("openapi: many pointers into one deep place", (bytes) => {
    const count = Math.floor(bytes / 40);
    return {
      paths: operation({ refs: Array.from({ length: count }, (_, i) => ({ $ref: `#/c/${i}` })) }),
      c: Array.from({ length: count }, (_, i) => i),
    };
  }),
  document("openapi: spellings of one pointer", (bytes) => {
    const refs = Array.from({ length: Math.floor(bytes / 60) }, (_, index) => ({
      $ref: `#/c/${[...index.toString(2).padStart(20, "0")].map((bit) => (bit === "1" ? "%61" : "a")).join("")}`,
    }));
    return { paths: operation({ refs }), c: { ["a".repeat(20)]: { big: "b".repeat(bytes / 4) } } };
  }),
  document("openapi: external references", (bytes) => ({
    paths: operation({ refs: Array.from({ length: Math.floor(bytes / 20) }, (_, i) => ({ $ref: `x${i}` })) }),
  })),
  document("openapi: variables of a server that name each other", () => ({
    servers: [{ url: "https://a.example/{v0}", variables: naming(20) }],
    paths: operation({}),
  })),
  document("openapi: many values of many variables of a server", (bytes) => ({
    servers: [{ url: "https://a.example/{v0}", variables: valued(Math.floor(Math.sqrt(bytes / 10))) }],
    paths: operation({}),
  })),
  document("openapi: many values of a variable of many operations", (bytes) => ({
    servers: [{ url: "https://a.example/{v0}", variables: { v0: { enum: named(Math.floor(bytes / 40)) } } }],
    paths: fromItems(Math.floor(bytes / 40), () => ({ get: {} })),
  })),
  document("openapi: many demands of many operations", (bytes) => ({
    security: named(Math.floor(bytes / 40)).map((name) => ({ [name]: [] })),
    paths: fromItems(Math.floor(bytes / 40), () => ({ get: {} })),
  })),
  document("openapi: many servers of an item that many paths refer to", (bytes) => ({
    paths: fromPaths(Math.floor(bytes / 60), () => "#/x-item"),
    "x-item": {
      servers: [
        { url: "https://a.example/{v0}", variables: { v0: { enum: named(Math.floor(bytes / 60)) } } },
      ],
      get: {},
    },
  })),
  document("openapi: operations", (bytes) => ({
    paths: fromItems(Math.floor(bytes / 20), () => ({ get: {} })),
  })),
  document("openapi: operations of one name", (bytes) => ({
    paths: fromItems(Math.floor(bytes / 40), () => ({ get: { operationId: "a" } })),
  })),
];

function naming(count: number): object {
  const variables = Array.from({ length: count }, (_, index) => [
    `v${index}`,
    { default: `{v${index + 1}}`.repeat(10) },
  ]);
  return Object.fromEntries(variables);
}

function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a${index}`);
}

function valued(count: number): object {
  const values = named(count);
  return Object.fromEntries(values.map((_, index) => [`v${index}`, { default: "a", enum: values }]));
}

function fromItems(count: number, item: (index: number) => object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, item(index)]));
}

function fromPaths(count: number, ref: (index: number) => string): object {
  return fromItems(Math.max(1, count), (index) => ({ $ref: ref(index) }));
}
