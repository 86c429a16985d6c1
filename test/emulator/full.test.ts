import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/emulator.js";
import type { Noun } from "../../src/emulator/kind.js";
import type { StoredObjects } from "../../src/emulator/storage.js";
import { json, post, put, type RawAnswer, send, toolIds } from "./raw-request.js";
import { running, temporaryFolder } from "./running.js";

const PETS = {
  tags: ["pets"],
  paths: {
    "/pets": {
      post: { summary: "Adds a pet", operationId: "addPet" },
      get: { summary: "Short", description: "Lists the pets" },
    },
  },
};

/** How the objects of a kind are made, found and changed. */
interface Sample {
  plural: Exclude<keyof StoredObjects, "toolSets">;
  path: string;
  body: object;
  change: object;
}

const SAMPLES: Readonly<Record<Noun, Sample>> = {
  policy: {
    plural: "policies",
    path: "/v1/rai/policies",
    body: { name: "Strict", toxicity_check: { threshold: 0.4, enabled: true } },
    change: { name: "Lax" },
  },
  credential: {
    plural: "credentials",
    path: "/v3/tools/credentials",
    body: { name: "openai", provider_id: "openai", meta_data: { team: "care" } },
    change: { name: "other" },
  },
  agent: {
    plural: "agents",
    path: "/v3/agents/",
    body: { name: "support", temperature: 0.5, features: [{ type: "RAI", priority: 0 }] },
    change: { name: "desk" },
  },
  tool: {
    plural: "tools",
    path: "/v3/tools/",
    body: { tool_set_name: "pets", openapi_schema: { paths: { "/pets": { get: {} } } } },
    change: { default_query_params: { limit: 1 } },
  },
};

const KINDS = Object.entries(SAMPLES).map(([noun, each]) => ({ noun: noun as Noun, ...each }));

const get = (port: number, path: string): Promise<RawAnswer> =>
  send(port, { method: "GET", path, headers: { accept: undefined, "content-type": undefined }, body: "" });
const remove = (port: number, path: string): Promise<RawAnswer> =>
  send(port, { method: "DELETE", path, headers: { accept: undefined, "content-type": undefined }, body: "" });
const list = async (port: number, path: string): Promise<Record<string, unknown>[]> =>
  JSON.parse((await get(port, path)).body);

async function create(port: number, { path, body }: Sample): Promise<string> {
  const answer = json(await post(port, path, body));
  const { _id, credential_id, agent_id, tool_ids } = answer;
  return String(_id ?? credential_id ?? agent_id ?? (Array.isArray(tool_ids) ? tool_ids[0] : undefined));
}

const placeOf = (path: string, id: string): string => `${path.replace(/\/$/, "")}/${id}`;

describe.each(KINDS)("a full service and a $noun", (kind) => {
  const { path, body, change } = kind;

  it("lists it, reads it, changes it and deletes it", async () => {
    const { port, objects } = await running({ operations: "full" });
    expect(await list(port, path)).toEqual([]);
    const id = await create(port, kind);
    const place = placeOf(path, id);
    const read = await get(port, place);
    expect([read.status, read.headers.get("content-type")]).toEqual([200, "application/json"]);
    const sent = kind.noun === "tool" ? { ...body, tool_set_name: "openapi-pets" } : body;
    expect(json(read)).toMatchObject({ ...sent, _id: id });
    expect(await list(port, path)).toEqual([json(read)]);

    expect(json(await put(port, place, change))).toEqual({ message: expect.any(String) });
    expect(json(await get(port, place))).toMatchObject({ ...change, _id: id });

    const gone = await remove(port, place);
    expect([gone.status, gone.body, gone.headers.get("content-type")]).toEqual([204, "", undefined]);
    expect(gone.headers.has("content-length")).toBe(false);
    expect(await list(port, path)).toEqual([]);
    expect(objects()[kind.plural]).toEqual([]);
  });

  it("answers 404 for an ID that there is not, and for a deleted one", async () => {
    const { port } = await running({ operations: "full" });
    const id = await create(port, kind);
    await remove(port, placeOf(path, id));
    for (const unknown of ["nothing", id]) {
      const place = placeOf(path, unknown);
      for (const answer of [
        await get(port, place),
        await put(port, place, change),
        await remove(port, place),
      ]) {
        expect(answer.status).toBe(404);
        expect(json(answer)).toEqual({ message: expect.any(String) });
      }
    }
  });

  it("asks for the key, and refuses a bad ID and a bad body", async () => {
    const { port, objects } = await running({ operations: "full" });
    const id = await create(port, kind);
    const before = objects();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await send(port, {
        method,
        path: placeOf(path, id),
        headers: { "x-api-key": undefined },
      });
      expect(answer.status).toBe(401);
      const bad = await send(port, { method, path: placeOf(path, "%zz") });
      expect(bad.status).toBe(400);
    }
    expect((await get(port, path)).status).toBe(200);
    expect((await send(port, { method: "GET", path, headers: { "x-api-key": "" } })).status).toBe(401);
    const wrong = kind.noun === "tool" ? { default_headers: 7 } : { name: 7 };
    expect((await put(port, placeOf(path, id), wrong)).status).toBe(422);
    expect((await put(port, placeOf(path, id), "{")).status).toBe(400);
    expect((await put(port, placeOf(path, id), "7")).status).toBe(422);
    expect(objects()).toEqual(before);
  });

  it("gives the same bytes at every read, also after a restart", async () => {
    const data = temporaryFolder();
    const first = await running({ operations: "full", data });
    const id = await create(first.port, kind);
    await put(first.port, placeOf(path, id), change);
    await create(first.port, kind);
    const read = (emulator: Emulator): Promise<string[]> =>
      Promise.all([path, placeOf(path, id)].map(async (place) => (await get(emulator.port, place)).body));
    const before = await read(first);
    expect(await read(first)).toEqual(before);
    await first.close();
    expect(await read(await running({ operations: "full", data }))).toEqual(before);
  });

  it("keeps the time of the creation, and moves that of the last change", async () => {
    const { port, edit } = await running({ operations: "full" });
    const id = await create(port, kind);
    const times = async (): Promise<[string, string]> => {
      const { created_at, updated_at } = json(await get(port, placeOf(path, id)));
      return [String(created_at), String(updated_at)];
    };
    const [created, updated] = await times();
    expect(updated).toBe(created);
    await expect.poll(() => new Date().toISOString() > created).toBe(true);
    await put(port, placeOf(path, id), change);
    const [createdThen, updatedThen] = await times();
    expect(createdThen).toBe(created);
    expect(updatedThen > created).toBe(true);
    await expect.poll(() => new Date().toISOString() > updatedThen).toBe(true);
    edit({ kind: kind.noun, id, changes: { description: "by hand" } });
    const [createdLast, updatedLast] = await times();
    expect(createdLast).toBe(created);
    expect(updatedLast > updatedThen).toBe(true);
  });

  it("has none of it with the documented operations", async () => {
    const { port, objects } = await running();
    const id = await create(port, kind);
    const hasUpdate = kind.noun === "agent" || kind.noun === "tool";
    const all = await get(port, path);
    // The path of a new credential is also that of a tool with this name.
    const allow = kind.noun === "credential" ? "PUT, POST" : "POST";
    expect([all.status, all.headers.get("allow")]).toEqual([405, allow]);
    for (const answer of [await get(port, placeOf(path, id)), await remove(port, placeOf(path, id))]) {
      if (hasUpdate) expect([answer.status, answer.headers.get("allow")]).toEqual([405, "PUT"]);
      else expect([answer.status, answer.headers.get("allow")]).toEqual([404, undefined]);
    }
    if (!hasUpdate) expect((await put(port, placeOf(path, id), change)).status).toBe(404);
    expect(Object.keys(objects()[kind.plural][0] ?? {})).not.toContain("times");
  });
});

describe("what a read answers", () => {
  it("fills in the fields of the service where they are absent, and keeps those that were sent", async () => {
    const { port } = await running({ operations: "full" });
    await post(port, "/v3/agents/", { name: "a" });
    await post(port, "/v3/agents/", { name: "b", top_p: 0.2, version: "7" });
    const [a, b] = await list(port, "/v3/agents/");
    expect(a).toMatchObject({ top_p: 1, version: "1", agent_id: a?.["_id"] });
    expect(b).toMatchObject({ top_p: 0.2, version: "7", agent_id: b?.["_id"] });
    await post(port, "/v1/rai/policies", { name: "p" });
    await post(port, "/v1/rai/policies", { name: "q", user_id: "me" });
    const [p, q] = await list(port, "/v1/rai/policies");
    expect([typeof p?.["user_id"], q?.["user_id"]]).toEqual(["string", "me"]);
  });

  it("has the times that the answer to a new policy had, and its own over those that were sent", async () => {
    const { port } = await running({ operations: "full" });
    const { _id, ...created } = json(await post(port, "/v1/rai/policies", { name: "p" }));
    expect(json(await get(port, `/v1/rai/policies/${String(_id)}`))).toMatchObject(created);
    const old = { name: "old", created_at: "2024-01-02T03:04:05Z", _id: "mine" };
    const id = String(json(await post(port, "/v1/rai/policies", old))["_id"]);
    const read = json(await get(port, `/v1/rai/policies/${id}`));
    expect(read["_id"]).toBe(id);
    expect(read["created_at"]).toBe(read["updated_at"]);
  });

  it("has its keys in an order of its own, whatever was sent", async () => {
    const { port } = await running({ operations: "full" });
    const body = {
      name: "a",
      response_format: { type: "x", a: { zz: 1, b: [{ yy: 1, a: 2 }] } },
      model: "m",
    };
    const backwards = {
      model: "m",
      response_format: { a: { b: [{ a: 2, yy: 1 }], zz: 1 }, type: "x" },
      name: "a",
    };
    for (const sent of [body, backwards]) await post(port, "/v3/agents/", sent);
    const [first = {}, second = {}] = await list(port, "/v3/agents/");
    expect(Object.keys(first)).toEqual(Object.keys(second));
    expect(Object.keys(first).slice(0, 4)).toEqual(["_id", "name", "model", "top_p"]);
    expect(JSON.stringify(first["response_format"])).toBe('{"a":{"b":[{"a":2,"yy":1}],"zz":1},"type":"x"}');
  });

  it("shows a tool with its operation, its set and what was changed since", async () => {
    const { port } = await running({ operations: "full" });
    const set = {
      tool_set_name: "pets",
      openapi_schema: PETS,
      default_headers: { "x-team": "care" },
      default_query_params: { limit: 10 },
      endpoint_defaults: { "/pets": {} },
      enhance_descriptions: true,
      provider_api_key: "hush",
    };
    const ids = toolIds(await post(port, "/v3/tools/", set));
    await put(port, `/v3/tools/${ids[0]}`, { default_query_params: {}, default_body_params: { a: 1 } });
    const { provider_api_key: _hidden, ...shown } = set;
    const shared = { ...shown, tool_set_name: "openapi-pets", created_at: expect.any(String) };
    const tools = await list(port, "/v3/tools/");
    expect(tools).toEqual([
      {
        ...shared,
        _id: ids[0],
        updated_at: expect.any(String),
        name: "addPet",
        method: "POST",
        path: "/pets",
        description: "Adds a pet",
        default_query_params: {},
        default_body_params: { a: 1 },
      },
      {
        ...shared,
        _id: ids[1],
        updated_at: tools[1]?.["created_at"],
        name: "GET /pets",
        method: "GET",
        path: "/pets",
        description: "Lists the pets",
      },
    ]);
    await remove(port, `/v3/tools/${ids[0]}`);
    expect((await list(port, "/v3/tools/")).map(({ _id }) => _id)).toEqual([ids[1]]);
  });

  it("gives back no secret, and the names of those under `credentials` and in the headers", async () => {
    const { port, edit } = await running({ operations: "full" });
    const credentials = { key: "hush-a", nested: { list: ["hush-b", 7] } };
    const id = String(
      json(await post(port, "/v3/tools/credentials", { name: "c", credentials, api_key: "hush-c" }))[
        "credential_id"
      ],
    );
    await put(port, `/v3/tools/credentials/${id}`, { name: "c", credentials, acme_api_key: "hush-d" });
    await post(port, "/v3/agents/", { name: "a", api_key: "hush-e" });
    const default_headers = { Authorization: "hush-f", "x-team": "care" };
    const openapi_schema = PETS;
    await post(port, "/v3/tools/", { tool_set_name: "t", openapi_schema, default_headers });
    edit({ kind: "agent", create: { name: "b", acme_api_key: "hush-g" } });
    edit({ kind: "credential", id, changes: { credentials: { more: "hush-h" } } });
    const paths = ["/v3/tools/credentials", "/v3/agents/", "/v3/tools/"];
    const texts = await Promise.all(paths.map(async (path) => (await get(port, path)).body));
    expect(texts.join("")).not.toContain("hush");
    expect(texts.join("")).not.toContain("api_key");
    expect(json(await get(port, `/v3/tools/credentials/${id}`))["credentials"]).toEqual({
      key: "***",
      more: "***",
      nested: { list: ["***", "***"] },
    });
    const [tool] = await list(port, "/v3/tools/");
    expect(tool?.["default_headers"]).toEqual({ Authorization: "***", "x-team": "care" });
  });
});

describe("the paths of a full service", () => {
  it("do not take the credentials for a tool", async () => {
    const { port } = await running({ operations: "full" });
    expect(await list(port, "/v3/tools/credentials")).toEqual([]);
    const answer = await remove(port, "/v3/tools/credentials");
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "POST", "PUT"]);
    expect((await put(port, "/v3/tools/credentials", {})).status).toBe(404);
  });

  it("say which methods they allow", async () => {
    const { port } = await running({ operations: "full" });
    const allowAt = async (path: string): Promise<string[] | undefined> =>
      (await send(port, { method: "PATCH", path })).headers.get("allow")?.split(", ").toSorted();
    for (const { path } of KINDS.filter(({ noun }) => noun !== "credential")) {
      expect(await allowAt(path)).toEqual(["GET", "POST"]);
    }
    for (const { path } of KINDS) expect(await allowAt(placeOf(path, "x"))).toEqual(["DELETE", "GET", "PUT"]);
  });

  it.each(["/v3/agents", "/v3/tools", "/v1/rai/policies/", "/v3/tools/credentials/", "/v3/agents/a/b"])(
    "are exact: nothing is at %s",
    async (path) => {
      const { port } = await running({ operations: "full" });
      expect((await get(port, path)).status).toBe(404);
    },
  );
});
