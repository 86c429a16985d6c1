import { describe, expect, it } from "vitest";
import { kinds } from "../../src/core/kind/kinds.js";
import { json, post, put, send } from "./raw-request.js";
import { running } from "./running.js";

const CREATES = Object.values(kinds).map(({ create }) => create.path);
const NAMED = { name: "n", tool_set_name: "n", openapi_schema: {} };

describe("the key", () => {
  it("must be there", async () => {
    const { port, objects } = await running();
    for (const key of [undefined, ""]) {
      const answer = await send(port, {
        method: "POST",
        path: "/v3/agents/",
        headers: { "x-api-key": key },
        body: NAMED,
      });
      expect(answer.status).toBe(401);
      expect(json(answer)).toEqual({ message: expect.any(String) });
    }
    expect(objects().agents).toEqual([]);
  });

  it("must be the given one, where one is given", async () => {
    const { port } = await running({ apiKey: "right" });
    const statusWith = async (key: string): Promise<number> =>
      (await send(port, { method: "POST", path: "/v3/agents/", headers: { "x-api-key": key }, body: NAMED }))
        .status;
    expect(await statusWith("wrong")).toBe(401);
    expect(await statusWith("righ")).toBe(401);
    expect(await statusWith("right")).toBe(200);
  });

  it("is asked for before anything else", async () => {
    const { port } = await running();
    const headers = { "x-api-key": undefined };
    expect((await send(port, { method: "GET", path: "/nowhere", headers })).status).toBe(401);
  });
});

describe("paths and methods", () => {
  it.each(["/v3/agents", "/v3/tools", "/v1/rai/policies/", "/v3/tools/credentials/", "/v3/tools/a/b", "/"])(
    "knows nothing at %s",
    async (path) => {
      const { port } = await running();
      const answer = await post(port, path, NAMED);
      expect(answer.status).toBe(404);
      expect(json(answer)).toEqual({ message: expect.any(String) });
    },
  );

  it("has no reading and no deleting", async () => {
    const { port } = await running();
    const read = await send(port, { method: "GET", path: "/v3/agents/" });
    expect(read.status).toBe(405);
    expect(read.headers.get("allow")).toBe("POST");
    expect((await send(port, { method: "DELETE", path: "/v3/agents/x" })).headers.get("allow")).toBe("PUT");
    const both = await send(port, { method: "PATCH", path: "/v3/tools/credentials" });
    expect(both.headers.get("allow")).toBe("PUT, POST");
  });

  it("refuses an ID that is badly encoded", async () => {
    const { port } = await running();
    expect((await put(port, "/v3/tools/%zz", {})).status).toBe(400);
  });
});

describe("headers", () => {
  it.each(CREATES)("asks for JSON as content-type: POST %s", async (path) => {
    const { port } = await running();
    const statusWith = async (type: string | undefined): Promise<number> =>
      (await send(port, { method: "POST", path, headers: { "content-type": type }, body: NAMED })).status;
    expect(await statusWith(undefined)).toBe(415);
    expect(await statusWith("text/plain")).toBe(415);
    expect(await statusWith("application/jsonl")).toBe(415);
    expect(await statusWith("Application/JSON; charset=utf-8")).toBe(200);
  });

  it.each([
    ["POST", "/v1/rai/policies", 200],
    ["POST", "/v3/tools/", 200],
    ["PUT", "/v3/tools/x", 404],
    ["POST", "/v3/agents/", 406],
    ["PUT", "/v3/agents/x", 406],
    ["POST", "/v3/tools/credentials", 406],
  ])("without accept: %s %s gives %d", async (method, path, status) => {
    const { port } = await running();
    const without = await send(port, { method, path, headers: { accept: undefined }, body: NAMED });
    expect(without.status).toBe(status);
    const other = await send(port, { method, path, headers: { accept: "text/html, */*" }, body: NAMED });
    expect(other.status).toBe(status);
    const listed = await send(port, {
      method,
      path,
      headers: { accept: "text/html, application/json;q=0.5" },
      body: NAMED,
    });
    expect(listed.status).not.toBe(406);
  });
});

describe("bodies", () => {
  it.each(["", "{", "undefined", '{"name": "a"} x', "{'name': 'a'}"])("400 for %j", async (body) => {
    const { port } = await running();
    for (const path of CREATES) expect((await post(port, path, body)).status).toBe(400);
  });

  it("400 for bytes that are not UTF-8", async () => {
    const { port } = await running();
    const response = await fetch(`http://127.0.0.1:${port}/v1/rai/policies`, {
      method: "POST",
      headers: { "x-api-key": "k", "content-type": "application/json" },
      body: Buffer.from('{"name": "\xff"}', "latin1"),
    });
    expect(response.status).toBe(400);
  });

  it.each(["[]", "null", '"text"', "7"])("422 for %s, which is no object", async (body) => {
    const { port } = await running();
    for (const path of CREATES) {
      const answer = await post(port, path, body);
      expect(answer.status).toBe(422);
      expect(json(answer)).toEqual({
        detail: [{ loc: ["body"], msg: expect.any(String), type: "type_error.object" }],
      });
    }
  });

  it("keeps nothing of what it refuses", async () => {
    const { port, objects } = await running();
    const before = structuredClone(objects());
    for (const path of CREATES)
      for (const body of [{}, { name: 1 }]) expect((await post(port, path, body)).status).toBe(422);
    expect(objects()).toEqual(before);
  });
});

const POLICIES = "/v1/rai/policies";
const WRONG: readonly [string, object, string[], string][] = [
  [POLICIES, {}, ["name"], "value_error.missing"],
  [POLICIES, { name: 7 }, ["name"], "type_error.string"],
  [POLICIES, { _id: 7 }, ["_id"], "type_error.string"],
  [POLICIES, { description: null }, ["description"], "type_error.string"],
  [POLICIES, { allowed_topics: [] }, ["allowed_topics"], "type_error.object"],
  [POLICIES, { allowed_topics: { enabled: "yes" } }, ["allowed_topics", "enabled"], "type_error.boolean"],
  [POLICIES, { banned_topics: { topics: "x" } }, ["banned_topics", "topics"], "type_error.array"],
  [POLICIES, { banned_topics: { topics: ["a", 1] } }, ["banned_topics", "topics", "1"], "type_error.string"],
  [POLICIES, { keywords: { keywords: [{}] } }, ["keywords", "keywords", "0"], "type_error.string"],
  [POLICIES, { toxicity_check: { threshold: "0.4" } }, ["toxicity_check", "threshold"], "type_error.number"],
  [POLICIES, { prompt_injection: { enabled: 1 } }, ["prompt_injection", "enabled"], "type_error.boolean"],
  [POLICIES, { secrets_detection: { action: true } }, ["secrets_detection", "action"], "type_error.string"],
  [POLICIES, { pii_detection: { types: [] } }, ["pii_detection", "types"], "type_error.object"],
  [POLICIES, { pii_detection: { types: { A: true } } }, ["pii_detection", "types", "A"], "type_error.string"],
  [
    POLICIES,
    { pii_detection: { custom_pii: [{ label: 1 }] } },
    ["pii_detection", "custom_pii", "0", "label"],
    "type_error.string",
  ],
  [POLICIES, { user_id: {} }, ["user_id"], "type_error.string"],
  [POLICIES, { created_at: "yesterday" }, ["created_at"], "type_error.datetime"],
  [POLICIES, { updated_at: 1 }, ["updated_at"], "type_error.datetime"],
  ["/v3/tools/", { tool_set_name: "n" }, ["openapi_schema"], "value_error.missing"],
  ["/v3/tools/", { openapi_schema: {} }, ["tool_set_name"], "value_error.missing"],
  ["/v3/tools/", { openapi_schema: "{}" }, ["openapi_schema"], "type_error.object"],
  ["/v3/tools/", { default_headers: [] }, ["default_headers"], "type_error.object"],
  ["/v3/tools/", { endpoint_defaults: null }, ["endpoint_defaults"], "type_error.object"],
  ["/v3/tools/", { enhance_descriptions: "no" }, ["enhance_descriptions"], "type_error.boolean"],
  ["/v3/tools/", { provider_api_key: 7 }, ["provider_api_key"], "type_error.string"],
  ["/v3/agents/", {}, ["name"], "value_error.missing"],
  ["/v3/agents/", { tools: [{ id: "x" }] }, ["tools", "0"], "type_error.string"],
  ["/v3/agents/", { features: {} }, ["features"], "type_error.array"],
  ["/v3/agents/", { features: [{ priority: 0.5 }] }, ["features", "0", "priority"], "type_error.integer"],
  ["/v3/agents/", { features: [{ config: "x" }] }, ["features", "0", "config"], "type_error.object"],
  ["/v3/agents/", { temperature: "0.2" }, ["temperature"], "type_error.number"],
  ["/v3/agents/", { response_format: "json" }, ["response_format"], "type_error.object"],
  ["/v3/agents/", { version: 3 }, ["version"], "type_error.string"],
  ["/v3/tools/credentials", {}, ["name"], "value_error.missing"],
  ["/v3/tools/credentials", { credentials: "sk" }, ["credentials"], "type_error.object"],
  ["/v3/tools/credentials", { meta_data: 1 }, ["meta_data"], "type_error.object"],
];

describe("422", () => {
  it.each(WRONG)("POST %s %j at %j: %s", async (path, body, loc, type) => {
    const { port } = await running();
    const answer = await post(port, path, type === "value_error.missing" ? body : { ...NAMED, ...body });
    expect(answer.status).toBe(422);
    expect(json(answer)).toEqual({ detail: [{ loc: ["body", ...loc], msg: expect.any(String), type }] });
  });

  it("says all that is wrong at once", async () => {
    const { port } = await running();
    const answer = json(
      await post(port, POLICIES, { name: 1, user_id: 2, keywords: { enabled: 0, keywords: 0 } }),
    );
    expect(answer["detail"]).toHaveLength(4);
  });

  it("checks updates as well", async () => {
    const { port } = await running();
    expect((await put(port, "/v3/agents/x", { name: "a", tools: "t" })).status).toBe(422);
    expect((await put(port, "/v3/agents/x", { tools: [] })).status).toBe(422);
    expect((await put(port, "/v3/tools/x", { default_headers: "h" })).status).toBe(422);
  });
});
