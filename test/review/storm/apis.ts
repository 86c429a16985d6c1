import type { JsonObject } from "../../../src/json/json.js";

const nouns = [
  "orders",
  "parcels",
  "invoices",
  "returns",
  "stores",
  "vouchers",
  "claims",
  "notes",
  "visits",
  "plans",
];

/** Describes a GET operation. */
export function reading(id: string, what: string): JsonObject {
  return {
    operationId: id,
    summary: `Reads ${what}`,
    description: `Gives ${what} as they are now.`,
    responses: { "200": { description: "What was asked for" } },
  };
}

/** Makes the OpenAPI document of an API with so many operations; one that only reads has no other than GET. */
export function openApiOf(name: string, count: number, readsOnly: boolean): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const item = (path: string) => (paths[path] ??= {});
  for (let index = 0; index < count; index++) {
    const noun = `${nouns[Math.floor(index / 4) % nouns.length]}`;
    const [one, all] = [`/${noun}/{id}`, `/${noun}`];
    const sort = readsOnly ? [0, 1][index % 2] : index % 4;
    const suffix = readsOnly && index % 4 > 1 ? "/history" : "";
    if (sort === 0)
      item(`${all}${suffix}`).get = reading(`list-${noun}${suffix.slice(1)}`, `all ${noun} of ${name}`);
    if (sort === 1)
      item(`${one}${suffix}`).get = {
        ...reading(`read-${noun}${suffix.slice(1)}`, `one of the ${noun} of ${name}`),
        parameters: [{ in: "path", name: "id", required: true, schema: { type: "string" } }],
      };
    if (sort === 2)
      item(all).post = { ...reading(`make-${noun}`, noun), summary: `Makes one of the ${noun} of ${name}` };
    if (sort === 3)
      item(one).patch = {
        ...reading(`change-${noun}`, noun),
        summary: `Changes one of the ${noun} of ${name}`,
      };
  }
  return {
    openapi: "3.1.0",
    info: { title: name, version: "1.4.0" },
    servers: [{ url: `https://api.${name}.example/v1` }],
    security: [{ key: [] }, { login: ["read"] }],
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Shop-Key" },
        login: {
          type: "oauth2",
          flows: {
            clientCredentials: { tokenUrl: `https://login.${name}.example/token`, scopes: { read: "Reads" } },
          },
        },
      },
    },
    paths,
  };
}
