import { describe, expect, it } from "vitest";
import { EditError } from "../../src/emulator/edit.js";
import { json, post, put, type RawAnswer, send } from "./raw-request.js";
import { running } from "./running.js";

const SET = {
  tool_set_name: "pets",
  openapi_schema: { paths: { "/a": { get: { operationId: "a" } }, "/b": { get: { operationId: "b" } } } },
  default_headers: { "x-team": "care", "x-shift": "day" },
  default_query_params: { limit: 1 },
};

const edit = (port: number, body: unknown): Promise<RawAnswer> => post(port, "/__emulator/edit", body);

async function created(port: number, body: object): Promise<string[]> {
  const { ids } = json(await edit(port, body));
  return Array.isArray(ids) ? ids.map(String) : [];
}

describe.each(["documented", "full"] as const)("an edit by hand, with the %s operations", (operations) => {
  it.each([
    ["policy", "policies", { name: "p", keywords: { enabled: true, keywords: ["a"] } }],
    ["credential", "credentials", { name: "c", meta_data: { team: "care", region: "eu" } }],
    ["agent", "agents", { name: "a", model: "m", response_format: { type: "json", strict: true } }],
  ] as const)("creates, changes and deletes a %s", async (kind, plural, body) => {
    const { port, objects } = await running({ operations });
    const [id = "", other = ""] = [
      ...(await created(port, { kind, create: body })),
      ...(await created(port, { kind, create: body })),
    ];
    expect(objects()[plural]).toMatchObject([
      { id, body },
      { id: other, body },
    ]);
    const changes = {
      name: "by hand",
      keywords: { enabled: null },
      meta_data: { team: null },
      response_format: { strict: null },
    };
    const answer = await edit(port, { kind, id, changes });
    expect([answer.status, json(answer)]).toEqual([200, { ids: [id] }]);
    const [changed, untouched] = objects()[plural];
    expect(changed?.body["name"]).toBe("by hand");
    const left = {
      policy: { keywords: { keywords: ["a"] } },
      credential: { meta_data: { region: "eu" } },
      agent: { model: "m", response_format: { type: "json" } },
    }[kind];
    for (const [name, value] of Object.entries(left)) expect(changed?.body[name]).toEqual(value);
    expect(untouched?.body).toMatchObject(body);
    expect((await edit(port, { kind, id, delete: true })).status).toBe(200);
    expect(objects()[plural].map((kept) => kept.id)).toEqual([other]);
    expect((await edit(port, { kind, id, delete: true })).status).toBe(404);
    expect((await edit(port, { kind, id, changes })).status).toBe(404);
  });

  it("creates a tool set, and changes and deletes one tool of it", async () => {
    const { port, objects } = await running({ operations });
    const [a = "", b = ""] = await created(port, { kind: "tool", create: SET });
    expect(objects().toolSets).toMatchObject([{ tools: [a, b], body: { tool_set_name: "openapi-pets" } }]);
    const changes = { default_headers: { "x-shift": null, "x-new": "1" }, default_query_params: null };
    await edit(port, { kind: "tool", id: a, changes });
    expect(objects().tools.map(({ body }) => body)).toEqual([
      { default_headers: { "x-team": "care", "x-new": "1" }, default_query_params: null },
      {},
    ]);
    await edit(port, { kind: "tool", id: b, delete: true });
    expect(objects().tools.map(({ id }) => id)).toEqual([a]);
    expect(objects().toolSets).toMatchObject([{ tools: [a] }]);
    expect((await put(port, `/v3/tools/${b}`, { default_headers: {} })).status).toBe(404);
  });

  it("changes what the client has made, and the client what it has made", async () => {
    const { port, objects } = await running({ operations });
    const id = String(json(await post(port, "/v3/agents/", { name: "a", model: "m" }))["agent_id"]);
    await edit(port, { kind: "agent", id, changes: { temperature: 0.3 } });
    expect(objects().agents).toMatchObject([{ body: { name: "a", model: "m", temperature: 0.3 } }]);
    await put(port, `/v3/agents/${id}`, { name: "a", model: "m" });
    expect(objects().agents.map(({ body }) => body)).toEqual([{ name: "a", model: "m" }]);
  });

  it.each([
    [{}, ["kind"]],
    [{ kind: "agents", create: { name: "a" } }, ["kind"]],
    [{ kind: "toolset", create: SET }, ["kind"]],
    [{ kind: "toString", create: {} }, ["kind"]],
    [{ kind: 7, create: {} }, ["kind"]],
    [{ kind: "agent" }, []],
    [{ kind: "agent", id: "KNOWN" }, []],
    [{ kind: "agent", id: "KNOWN", changes: {}, delete: true }, []],
    [{ kind: "agent", changes: {} }, ["id"]],
    [{ kind: "agent", delete: true }, ["id"]],
    [{ kind: "agent", id: "KNOWN", create: { name: "b" } }, ["id"]],
    [{ kind: "agent", id: 7, delete: true }, ["id"]],
    [{ kind: "agent", id: "KNOWN", delete: false }, ["delete"]],
    [{ kind: "agent", id: "KNOWN", changes: [] }, ["changes"]],
    [{ kind: "agent", id: "KNOWN", changes: {}, why: "" }, ["why"]],
    [{ kind: "agent", id: "KNOWN", changes: { name: null } }, ["changes", "name"]],
    [{ kind: "agent", id: "KNOWN", changes: { temperature: "hot" } }, ["changes", "temperature"]],
    [{ kind: "agent", create: {} }, ["create", "name"]],
    [{ kind: "tool", create: { tool_set_name: "t" } }, ["create", "openapi_schema"]],
  ])("is refused with the place: %j", async (body, loc) => {
    const { port, objects, edit: byLibrary } = await running({ operations });
    const [known = ""] = byLibrary({ kind: "agent", create: { name: "a" } });
    const before = objects();
    const text = JSON.stringify(body).replace("KNOWN", known);
    const answer = await edit(port, text);
    expect(answer.status).toBe(422);
    const { detail } = json(answer);
    expect(detail).toContainEqual({
      loc: ["body", ...loc],
      msg: expect.any(String),
      type: expect.any(String),
    });
    expect(objects()).toEqual(before);
  });

  it("takes no key of a patch for a prototype", async () => {
    const { port, objects } = await running({ operations });
    const [id = ""] = await created(port, { kind: "agent", create: { name: "a" } });
    for (const changes of ['{"__proto__": {"name": "b"}}', '{"response_format": {"__proto__": {"a": 1}}}']) {
      const answer = await edit(port, `{"kind": "agent", "id": "${id}", "changes": ${changes}}`);
      expect(answer.status).toBe(422);
    }
    expect(objects().agents.map(({ body }) => body)).toEqual([{ name: "a" }]);
  });

  it("needs the key and a JSON body, as all else does", async () => {
    const { port } = await running({ operations });
    const sending = {
      method: "POST",
      path: "/__emulator/edit",
      body: { kind: "agent", create: { name: "a" } },
    };
    expect((await send(port, { ...sending, headers: { "x-api-key": undefined } })).status).toBe(401);
    expect((await send(port, { ...sending, headers: { "content-type": "text/plain" } })).status).toBe(415);
    expect((await edit(port, "{")).status).toBe(400);
    const looked = await send(port, { ...sending, method: "GET" });
    expect([looked.status, looked.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await post(port, "/__emulator/edit/", {})).status).toBe(404);
  });

  it("has its line in the log, over HTTP and in the library", async () => {
    const lines: string[] = [];
    const emulator = await running({ operations, log: (line) => lines.push(line) });
    const [id = ""] = await created(emulator.port, { kind: "agent", create: { name: "a" } });
    emulator.edit({ kind: "agent", id, changes: { model: "m", name: "b" } });
    emulator.edit({ kind: "agent", id, delete: true });
    expect(() => emulator.edit({ kind: "agent", id, delete: true })).toThrow(EditError);
    const at = "POST /__emulator/edit";
    expect(lines).toEqual([
      `${at} 200 by hand: agent ${id} created`,
      `${at} 200 by hand: agent ${id} changed: model, name`,
      `${at} 200 by hand: agent ${id} deleted`,
      `${at} 404 no agent ${id}`,
    ]);
    expect(emulator.requests).toEqual([{ method: "POST", path: "/__emulator/edit", status: 200 }]);
  });

  it("meets no fault, and uses none up", async () => {
    const { port, objects } = await running({ operations, faults: [{ status: 500 }] });
    await created(port, { kind: "agent", create: { name: "a" } });
    expect(objects().agents).toHaveLength(1);
    expect((await post(port, "/v3/agents/", { name: "b" })).status).toBe(500);
  });

  it("keeps secrets out of the storage", async () => {
    const { objects, edit: byLibrary } = await running({ operations });
    const [id = ""] = byLibrary({ kind: "credential", create: { name: "c", credentials: { a: "hush" } } });
    byLibrary({ kind: "credential", id, changes: { credentials: { b: "hush" }, api_key: "hush" } });
    const [tool = ""] = byLibrary({ kind: "tool", create: SET });
    byLibrary({ kind: "tool", id: tool, changes: { default_headers: { Cookie: "hush" } } });
    expect(JSON.stringify(objects())).not.toContain("hush");
    expect(objects().tools[0]?.body["default_headers"]).toMatchObject({ Cookie: "[kept out]" });
  });

  it("does not share what it was given", async () => {
    const { objects, edit: byLibrary } = await running({ operations });
    const body = { name: "a", response_format: { type: "json" } };
    byLibrary({ kind: "agent", create: body });
    body.response_format.type = "changed";
    expect(objects().agents[0]?.body["response_format"]).toEqual({ type: "json" });
  });
});
