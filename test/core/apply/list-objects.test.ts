import { expect, test } from "vitest";
import type { Json } from "../../../src/json/json.js";
import { listObjects } from "../../../src/core/observation/list-objects.js";
import { readObject, type Seen } from "../../../src/core/observation/read-object.js";
import type { Service } from "../../../src/core/observation/service.js";
import { deploymentOf } from "../../../src/core/kind/written-operations.js";

const list = {
  host: "base",
  method: "GET",
  path: "/v3/agents/",
  items: "/items",
  object: "",
  idFields: ["agent_id", "_id", "id"],
  next: { pointer: "/next" },
} as const;

function serviceOf(...answers: readonly Json[]): Service {
  const left = [...answers];
  return {
    send: () => Promise.reject(new Error("nothing is sent")),
    ask: async () => ({ type: "success", status: 200, answer: left.shift() ?? null }),
    address: (named, { host, method, path }) => ({ host, method, path, query: named }),
    renew: () => undefined,
    close: async () => undefined,
  };
}

const one = { _id: "1", name: "A" };
const two = { _id: "2", name: "B" };

/** An object that is nested deeper than a stack reaches. */
function deep(): Json {
  const levels = 100_000;
  return { ...one, meta: JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json };
}

test("a list is read page by page, to its end", async () => {
  const pages = [
    { items: [one], next: "?2" },
    { items: [one, two], next: null },
  ];
  expect(await listObjects(serviceOf(...pages), list)).toMatchObject({
    objects: [{ id: "1" }, { id: "2" }],
    pages: 2,
  });
});

test.each<[string, readonly Json[], string]>([
  [
    "leads back",
    [
      { items: [one], next: "?2" },
      { items: [], next: "?2" },
    ],
    "leads back to a page",
  ],
  ["has a mapping for the next page", [{ items: [one], next: { href: "?2" } }], "no address of a next page"],
  [
    "has half of a character for the next page",
    [{ items: [one], next: "\ud83d" }],
    "no address of a next page",
  ],
  ["has a yes for the next page", [{ items: [one], next: true }], "no address of a next page"],
  ["has two objects with one ID", [{ items: [one, { ...two, _id: "1" }] }], "two different objects"],
  ["has two that are nested deeply", [{ items: [deep(), deep()] }], "two different objects"],
  ["has an item without an ID", [{ items: [{ name: "A" }] }], "no ID in its item 1"],
  ["is not there", [{ agents: [] }], "has no list at `/items`"],
])("a list that %s is not read to its end, and says so", async (_what, answers, message) => {
  const listing = await listObjects(serviceOf(...answers), list);
  expect(listing).not.toHaveProperty("objects");
  expect(listing).toMatchObject({ message: expect.stringContaining(message) as string });
});

test("a next page that is a mapping has the place of its address as a hint", async () => {
  const listing = await listObjects(serviceOf({ items: [], next: { href: "?2" } }), list);
  expect(listing).toMatchObject({ hint: "set `next` to `/next/href`" });
});

test.each<[string, Json, string]>([
  ["the object", one, "found"],
  ["another object", two, "other-object"],
  ["an object that refers to it", { _id: "2", llm_credential_id: "1" }, "other-object"],
  ["an object that refers to it, without its own ID", { llm_credential_id: "1", name: "A" }, "no-id"],
  ["an object without its ID", { name: "A" }, "no-id"],
  ["a page for everything", { message: "ok" }, "no-id"],
  ["a list", [one], "no-object"],
])("a read that answers %s is what it is", async (_what, answer, result) => {
  const { state, ...seen } = await readAs("GET /c/{id}", answer);
  expect("code" in seen ? seen.code : state).toBe(result);
});

test("an object whose ID is shown in small letters is the one that was read in capitals", async () => {
  const id = "66f1c09a8b7e5d4c3b2a1908";
  expect(await readAs("GET /c/{id}", { _id: id }, {}, id.toUpperCase())).toMatchObject({ state: "found" });
});

test("the ID of an object that is read is where the manifest says", async () => {
  const nested = { meta: { ref: "1" }, data: { _id: "2" } };
  const said = { request: "GET /c/{id}", object: "/data", id: "/meta/ref" };
  expect(await readAs(said, nested)).toMatchObject({ state: "found", body: { _id: "2" } });
  expect(await readAs(said, { data: { _id: "1" } })).toMatchObject({
    code: "no-id",
    why: expect.stringContaining("no ID in `/meta/ref`, so it may be about another object") as string,
  });
  const named = { id_pointers: { credential: "/result/key" } };
  expect(await readAs("GET /c/{id}", {})).toMatchObject({
    why: expect.stringContaining("in `credential_id`, `_id` or `id`,") as string,
  });
  expect(await readAs("GET /c/{id}", { key: "1" }, named)).toMatchObject({ state: "found" });
  // A reference of this name makes no agent the credential to which it refers.
  const renamed = { field_names: { llm_credential_id: "credential_id" } };
  expect(await readAs("GET /c/{id}", { _id: "2", credential_id: "1" }, renamed)).toMatchObject({
    code: "other-object",
  });
});

async function readAs(
  read: string | { request: string; object: string; id: string },
  answer: Json,
  more: Parameters<typeof deploymentOf>[0] = {},
  id = "1",
): Promise<Seen> {
  const declared = deploymentOf({ operations: { credential: { read } }, ...more }).credential?.read;
  if (!declared) throw new Error("nothing reads it");
  return await readObject(serviceOf(answer), declared, id);
}

test.each(["constructor", "toString", "__proto__"])("%s is no ID", async (id) => {
  const listing = await listObjects(serviceOf({ items: [{ _id: id, name: "A" }] }), list);
  expect(listing).not.toHaveProperty("objects");
});

test("a list whose pages never end is not kept, and says how long it was", async () => {
  const description = "x".repeat(30_000_000);
  let page = 0;
  const service = {
    ...serviceOf(),
    ask: async () => ({
      type: "success" as const,
      status: 200,
      answer: { items: [{ _id: String(++page), description }], next: `?${page}` },
    }),
  };
  expect(await listObjects(service, list)).toMatchObject({
    ok: false,
    message: expect.stringContaining("is longer than 256 million characters in all") as string,
  });
  expect(page).toBe(9);
});
