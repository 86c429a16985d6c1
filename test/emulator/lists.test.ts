import { describe, expect, it } from "vitest";
import { atPointer } from "../../src/json/json-pointer.js";
import type { Json } from "../../src/json/json.js";
import { post, send } from "./raw-request.js";
import { running } from "./running.js";

async function read(port: number, path: string): Promise<Json> {
  return JSON.parse((await send(port, { method: "GET", path })).body);
}

const PLACES = {
  policies: "/v1/rai/policies",
  tools: "/v3/tools/",
  credentials: "/v3/tools/credentials",
  agents: "/v3/agents/",
};

async function fill(port: number): Promise<void> {
  const openapi_schema = { paths: { "/a": { get: {} } } };
  await post(port, PLACES.policies, { name: "p" });
  await post(port, PLACES.tools, { tool_set_name: "t", openapi_schema });
  await post(port, PLACES.credentials, { name: "c" });
  await post(port, PLACES.agents, { name: "a" });
}

describe.each(Object.entries(PLACES))("the list of %s", (plural, path) => {
  it.each([
    ["array", "", ""],
    ["key", `/${plural}`, ""],
    ["pages", "/data/items", "/data"],
  ] as const)("with %s has its objects at %j, and a read at %j", async (lists, items, object) => {
    const { port } = await running({ operations: "full", lists });
    await fill(port);
    const found = atPointer(await read(port, path), items);
    expect(found).toHaveLength(1);
    const first = Array.isArray(found) ? (found[0] ?? null) : null;
    const id = String(atPointer(first, "/_id"));
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(atPointer(await read(port, `${path.replace(/\/$/, "")}/${id}`), object)).toEqual(first);
  });
});

describe("pages", () => {
  async function walk(port: number, path: string): Promise<{ names: Json[][]; totals: Json[] }> {
    const names: Json[][] = [];
    const totals: Json[] = [];
    for (let next: Json | undefined = path; typeof next === "string";) {
      const page: Json = await read(port, next);
      const items = atPointer(page, "/data/items");
      names.push(Array.isArray(items) ? items.map((item) => atPointer(item, "/name") ?? null) : []);
      totals.push(atPointer(page, "/paging/total") ?? null);
      next = atPointer(page, "/paging/next");
    }
    return { names, totals };
  }

  it.each([
    [0, [0]],
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
    [25, [10, 10, 5]],
  ])("of ten: %d objects are pages of %j", async (count, sizes) => {
    const { port, edit } = await running({ operations: "full", lists: "pages" });
    const created = Array.from({ length: count }, (_, index) => `agent ${index}`);
    for (const name of created) edit({ kind: "agent", create: { name } });
    const { names, totals } = await walk(port, PLACES.agents);
    expect(names.map(({ length }) => length)).toEqual(sizes);
    expect(names.flat()).toEqual(created);
    expect(new Set(totals)).toEqual(new Set([count]));
  });

  it("skip and repeat nothing when an object before the next page goes", async () => {
    const { port, edit } = await running({ operations: "full", lists: "pages", pageSize: 2 });
    const ids = ["a", "b", "c", "d"].flatMap((name) => edit({ kind: "policy", create: { name } }));
    const next = String(atPointer(await read(port, PLACES.policies), "/paging/next"));
    expect(next).toMatch(/^\/v1\/rai\/policies\?cursor=./);
    for (const id of ids.slice(0, 2)) edit({ kind: "policy", id, delete: true });
    expect((await walk(port, next)).names).toEqual([["c", "d"]]);
  });

  it("are refused for a cursor of a different making", async () => {
    const { port } = await running({ operations: "full", lists: "pages" });
    for (const cursor of ["x", "-1", "", "9".repeat(400)]) {
      const answer = await send(port, { method: "GET", path: `${PLACES.agents}?cursor=${cursor}` });
      expect(answer.status).toBe(422);
      expect(JSON.parse(answer.body)).toMatchObject({ detail: [{ loc: ["query", "cursor"] }] });
    }
  });
});
