import { expect, test } from "vitest";
import type { Json } from "../../../src/json/json.js";
import { listObjects } from "../../../src/core/observation/list-objects.js";
import { readObject } from "../../../src/core/observation/read-object.js";
import type { Service } from "../../../src/core/observation/service.js";
import { kinds } from "../../../src/core/kind/kinds.js";

const list = {
  host: "base",
  method: "GET",
  path: "/v3/agents/",
  items: "/items",
  object: "",
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

test("a list is read page by page, to its end", async () => {
  const pages = [
    { items: [one], next: "?2" },
    { items: [one, two], next: null },
  ];
  expect(await listObjects(serviceOf(...pages), kinds.agent, list)).toMatchObject({
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
  ["has a yes for the next page", [{ items: [one], next: true }], "no address of a next page"],
  ["has two objects with one ID", [{ items: [one, { ...two, _id: "1" }] }], "two different objects"],
  ["has an item without an ID", [{ items: [{ name: "A" }] }], "no ID in its item 1"],
  ["is not there", [{ agents: [] }], "has no list at `/items`"],
])("a list that %s is not read to its end, and says so", async (_what, answers, message) => {
  const listing = await listObjects(serviceOf(...answers), kinds.agent, list);
  expect(listing).not.toHaveProperty("objects");
  expect(listing).toMatchObject({ message: expect.stringContaining(message) as string });
});

test("a next page that is a mapping has the place of its address as a hint", async () => {
  const listing = await listObjects(serviceOf({ items: [], next: { href: "?2" } }), kinds.agent, list);
  expect(listing).toMatchObject({ hint: "set `next` to `/next/href`" });
});

const read = { host: "base", method: "GET", path: "/v3/agents/{id}", object: "", gone: [404] } as const;

test.each<[string, Json, string]>([
  ["the object", one, "found"],
  ["the object, its ID under another name", { key: "1", name: "A" }, "found"],
  ["an object without its ID", { name: "A" }, "found"],
  ["another object", two, "unreadable"],
  ["a page for everything", { message: "ok" }, "unreadable"],
  ["a list", [one], "unreadable"],
])("a read that answers %s is what it is", async (_what, answer, state) => {
  expect(await readObject(serviceOf(answer), kinds.agent, read, "1")).toMatchObject({ state });
});

test.each(["constructor", "toString", "__proto__"])("%s is no ID", async (id) => {
  const listing = await listObjects(serviceOf({ items: [{ _id: id, name: "A" }] }), kinds.agent, list);
  expect(listing).not.toHaveProperty("objects");
});
