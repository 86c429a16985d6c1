import { describe, expect, it } from "vitest";
import { deploymentOf } from "../../src/core/kind/written-operations.js";
import { listObjects } from "../../src/core/observation/list-objects.js";
import { answer, rawServer, type Reaction } from "./raw-server.js";
import { calling } from "./calling.js";

const one = { host: "base", method: "GET", path: "/v3/agents/a%2F1" } as const;

async function ask(reactions: readonly Reaction[], intent: "read" | "delete" = "read") {
  const server = await rawServer(reactions);
  const { service, slept } = await calling(server.url);
  const request = intent === "read" ? one : ({ ...one, method: "DELETE" } as const);
  return { outcome: await service.ask(request, intent), received: server.received, slept };
}

describe("a read", () => {
  it("sends no body, and gives the answer", async () => {
    const { outcome, received } = await ask([answer(200, '{"name":"A"}')]);
    expect(outcome).toEqual({ type: "success", status: 200, answer: { name: "A" } });
    expect(received[0]).toMatchObject({ body: "" });
  });

  it("is repeated after a 500 and a reset", async () => {
    const reset: Reaction = (socket) => socket.resetAndDestroy();
    const { outcome, received } = await ask([answer(500), reset, answer(200, "{}")]);
    expect(outcome).toMatchObject({ type: "success" });
    expect(received).toHaveLength(3);
  });

  it("needs an answer's body", async () => {
    expect((await ask([answer(200, "")])).outcome).toMatchObject({ type: "unknown" });
  });
});

describe("a list that says of itself that it is a part", () => {
  const items = '[{"_id":"1"}]';
  const link = { link: '<?page=9>; rel="last", <?page=2>; rel="prefetch next"' };
  const part = answer(206, items);
  const linked = answer(200, items, link);

  async function listed(reaction: Reaction, next?: string, place = "") {
    const { service } = await calling((await rawServer([reaction])).url);
    const list = { request: "GET /v3/agents/", items: place, ...(next && { next }) };
    const operations = { agent: { list } };
    const { agent } = deploymentOf({ operations });
    if (!agent?.list) throw new Error("no list");
    return await listObjects(service, agent.list);
  }

  it.each([
    ["HTTP 206", part],
    ["a `Link` header", linked],
  ])("by %s is not read to its end", async (how, reaction) => {
    const listing = await listed(reaction);
    expect(listing).not.toHaveProperty("objects");
    expect(listing).toMatchObject({
      message: expect.stringContaining(`further pages according to ${how}`) as string,
    });
  });

  it.each([{ "x-total-count": "2" }, { "x-total": "2, 2" }, { "content-range": "items 0-0/2" }])(
    "by a total in %j is not read to its end, unless pages are followed",
    async (headers) => {
      const reaction = answer(200, items, headers);
      expect(await listed(reaction)).toMatchObject({
        message: expect.stringContaining("a header says that there are 2") as string,
      });
      expect(await listed(reaction, "/0/next")).toMatchObject({ ok: true });
    },
  );

  it.each([{ "x-total-count": "1" }, { "x-total": "many" }, { "content-range": "items 0-0/*" }])(
    "does not say so by %j",
    async (headers) => expect(await listed(answer(200, items, headers))).toMatchObject({ ok: true }),
  );

  it("is a page where the manifest says how pages end, and none is linked", async () => {
    expect(await listed(part, "/0/next")).toMatchObject({ ok: true });
    expect(await listed(linked, "/0/next")).not.toHaveProperty("objects");
  });

  it("does not say so by a link that leads elsewhere", async () => {
    const first = { link: '<?page=1>; rel="first"; title="next", </next>; rel=next-archive' };
    expect(await listed(answer(200, items, first))).toMatchObject({ ok: true });
  });

  const agents = [{ _id: "1" }];
  const inKey = async (beside: object, next?: string) =>
    await listed(answer(200, JSON.stringify({ agents, ...beside })), next, "/agents");

  it.each([
    [{ total: 2 }, "/total"],
    [{ has_more: true }, "/has_more"],
    [{ count: 2 }, "/count"],
    [{ meta: { current_page: 1, total_pages: 2 } }, "/meta/total_pages"],
    [{ pageCount: 2 }, "/pageCount"],
    [{ last: false, size: 20, number: 0 }, "/last"],
    [{ total: 9, next: "/v3/agents/?page=2" }, "/next"],
    [{ next_page: 2 }, "/next_page"],
    [{ nextPageToken: "abc" }, "/nextPageToken"],
    [{ "@odata.nextLink": "/v3/agents/?skip=1" }, "/@odata.nextLink"],
    [{ paging: { next: "/v3/agents/?page=2" } }, "/paging/next"],
    [{ _links: { next: { href: "/v3/agents/?page=2" } } }, "/_links/next/href"],
    [{ links: [{ rel: "next", href: "/v3/agents/?page=2" }] }, "/links/0/href"],
    [{ paging: { next: { after: "abc" } } }, "/paging/next/after"],
    [{ pageInfo: { hasNextPage: true } }, "/pageInfo/hasNextPage"],
    [{ total_size: 2 }, "/total_size"],
    [{ total: "2" }, "/total"],
  ])("in its answer is not read to its end: %j", async (beside, place) => {
    expect(await inKey(beside)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`\`${place}\` in its answer says that there is more`) as string,
    });
  });

  it("is whole where its answer says that there is nothing more", async () => {
    const pages = { count: 1, total_pages: "1", last_page: 1, last: true };
    const end = {
      ...pages,
      total: 1,
      next: null,
      has_more: false,
      next_cursor: "",
      paging: { next: null },
      page: 1,
    };
    expect(await inKey(end)).toMatchObject({ ok: true });
  });

  it.each([
    { has_more: false, next_cursor: "abc", total: 9 },
    { meta: { has_more: false }, links: { next: "/v3/agents/?page=2" } },
    { pageInfo: { hasNextPage: false, nextCursor: "abc" } },
    { links: [{ rel: "next", href: null }] },
  ])("is whole where its answer says so and names a next page: %j", async (beside) => {
    expect(await inKey(beside)).toMatchObject({ ok: true });
  });

  it("is not whole where `next` leads to nothing and something else to a next page, but for a total", async () => {
    expect(await inKey({ paging: { next: "?page=2" } }, "/next")).toMatchObject({ ok: false });
    expect(await inKey({ total: 2, count: 2, pageCount: 2 }, "/next")).toMatchObject({ ok: true });
  });
});

describe("a delete", () => {
  it("sends no body, and needs no answer's body", async () => {
    const { outcome, received } = await ask(["HTTP/1.1 204 No Content\r\n\r\n"], "delete");
    expect(outcome).toEqual({ type: "success", status: 204, answer: null });
    expect(received[0]?.method).toBe("DELETE");
    expect(received[0]).toMatchObject({ body: "" });
  });

  it("is repeated when its outcome is unknown", async () => {
    const { outcome, received } = await ask([answer(502), answer(404, "{}")], "delete");
    expect(received).toHaveLength(2);
    expect(outcome).toMatchObject({ status: 404 });
  });
});

describe("the address of a next page", () => {
  it("is taken within the service's address alone", async () => {
    const { service } = await calling("http://127.0.0.1:1/api");
    const from = { host: "base", method: "GET", path: "/v3/agents/" } as const;
    const next = { host: "base", method: "GET", path: "/v3/agents/", query: "cursor=2" };
    expect(service.address("?cursor=2", from)).toEqual(next);
    expect(service.address("/api/v3/agents/?cursor=2", from)).toEqual(next);
    expect(service.address("http://127.0.0.1:1/api/v3/agents/?cursor=2", from)).toEqual(next);
    expect(service.address("http://127.0.0.1:2/api/v3/agents/?cursor=2", from)).toBeUndefined();
    expect(service.address("/other/v3/agents/", from)).toBeUndefined();
    expect(service.address("http://[", from)).toBeUndefined();
  });
});
