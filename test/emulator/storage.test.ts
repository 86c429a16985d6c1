import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { StorageError } from "../../src/emulator/folder.js";
import { json, post, put, send, toolIds } from "./raw-request.js";
import { running, temporaryFolder } from "./running.js";

const SET = {
  tool_set_name: "helpdesk",
  openapi_schema: { paths: { "/a": { get: { operationId: "a" }, put: {} }, "/b": { get: {} } } },
};

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function fill(port: number): Promise<string[]> {
  const policy = json(await post(port, "/v1/rai/policies", { name: "p" }));
  const tools = toolIds(await post(port, "/v3/tools/", SET));
  await put(port, `/v3/tools/${tools[1]}`, { default_headers: { "x-team": "care" } });
  const credential = json(
    await post(port, "/v3/tools/credentials", { name: "c", credentials: { key: "v" } }),
  );
  const agents = [];
  for (const name of ["a1", "a2", "a3"])
    agents.push(json(await post(port, "/v3/agents/", { name }))["agent_id"]);
  await put(port, `/v3/agents/${String(agents[0])}`, { name: "a1", model: "large" });
  return [policy["_id"], ...tools, credential["credential_id"], ...agents].map(String);
}

describe("the data folder", () => {
  it.each(["opaque", "names"] as const)("keeps everything over a restart (%s)", async (answers) => {
    const data = join(temporaryFolder(), "not", "there", "yet");
    const first = await running({ data, answers });
    await fill(first.port);
    const before = first.objects();
    await first.close();
    const second = await running({ data, answers });
    expect(second.objects()).toEqual(before);
    expect(before.agents.map(({ body }) => body["name"])).toEqual(["a1", "a2", "a3"]);
    expect(before.tools.map(({ body }) => body)).toEqual([{}, { default_headers: { "x-team": "care" } }, {}]);
    const tool = encodeURIComponent(before.tools[1]?.id ?? "");
    expect((await put(second.port, `/v3/tools/${tool}`, { default_body_params: {} })).status).toBe(200);
    expect(second.objects().tools[1]?.body).toEqual({
      default_headers: { "x-team": "care" },
      default_body_params: {},
    });
  });

  it.each([undefined, "same seed"])("gives no ID twice over restarts (seed %s)", async (seed) => {
    const data = temporaryFolder();
    const ids: string[] = [];
    for (let start = 0; start < 3; start += 1) {
      const emulator = await startEmulator({ data, ...(seed === undefined ? {} : { seed }) });
      ids.push(...(await fill(emulator.port)));
      await emulator.close();
    }
    expect(ids).toHaveLength(24);
    expect(new Set(ids).size).toBe(24);
  });

  it("gives no ID twice where a tool set came last", async () => {
    const data = temporaryFolder();
    const first = await running({ data, seed: "s" });
    const ids = toolIds(await post(first.port, "/v3/tools/", SET));
    await first.close();
    const second = await running({ data, seed: "s" });
    ids.push(...toolIds(await post(second.port, "/v3/tools/", SET)));
    expect(new Set(ids).size).toBe(6);
    expect(second.objects().tools.map(({ id }) => id)).toEqual(ids);
  });

  it("has a tool set of more tools than a call can have arguments", async () => {
    const data = temporaryFolder();
    mkdirSync(join(data, "toolSets"), { recursive: true });
    const tools = Array.from({ length: 200_000 }, (_, index) => ({
      number: index + 2,
      id: `t${index}`,
      method: "get",
      path: `/${index}`,
    }));
    writeFileSync(
      join(data, "toolSets", "1.json"),
      JSON.stringify({ number: 1, id: "set", body: { tool_set_name: "s" }, tools }),
    );
    const { port, objects } = await running({ data });
    expect(objects().tools).toHaveLength(tools.length);
    const [id] = toolIds(await post(port, "/v3/tools/", SET));
    expect(objects().tools.find((tool) => tool.id === id)?.number).toBe(tools.length + 3);
  });

  it("has an object before its answer is sent", async () => {
    const data = temporaryFolder();
    const { port } = await running({ data, faults: [{ drop: "after" }] });
    await post(port, "/v3/agents/", { name: "lost" });
    const later = await running({ data });
    expect(later.objects().agents).toMatchObject([{ body: { name: "lost" } }]);
  });

  it("leaves no half-written file, and passes over one that a kill has left", async () => {
    const data = temporaryFolder();
    const first = await running({ data });
    await fill(first.port);
    expect(filesUnder(data).filter((file) => !file.endsWith(".json"))).toEqual([]);
    writeFileSync(join(data, "agents", "99.json.tmp"), '{"number": 99, "id"');
    const second = await running({ data });
    expect(second.objects()).toEqual(first.objects());
  });

  it("answers 500 and keeps nothing where it cannot write", async () => {
    const data = temporaryFolder();
    const lines: string[] = [];
    const { port, objects } = await running({ data, log: (line) => lines.push(line) });
    renameSync(join(data, "agents"), join(data, "elsewhere"));
    writeFileSync(join(data, "agents"), "in the way");
    expect((await post(port, "/v3/agents/", { name: "a" })).status).toBe(500);
    expect(objects().agents).toEqual([]);
    expect(lines[0]).toMatch(/^POST \/v3\/agents\/ 500 failed: /);
  });

  it.each([
    ["policies", "1.json", "{"],
    ["agents", "1.json", "[]"],
    ["agents", "1.json", '{"number": "1", "id": "x", "body": {}}'],
    ["credentials", "1.json", '{"number": 1, "id": "x"}'],
    ["toolSets", "1.json", '{"number": 1, "id": "x", "body": {}, "tools": [{"id": "y"}]}'],
    ["tools", "2.json", '{"number": 2, "id": "of-no-set", "body": {}}'],
    ["tools", "2.json", '{"number": 2, "id": "of-no-set", "deleted": true}'],
    ["toolSets", "1.json", '{"number": 1, "id": "x", "deleted": true}'],
    ["agents", "1.json", '{"number": 1, "id": "x", "deleted": "yes"}'],
    ["agents", "1.json", '{"number": 1, "id": "x", "body": {}, "times": {"created_at": "now"}}'],
  ])("is refused with its file named when damaged: %s/%s %s", async (kind, name, content) => {
    const data = temporaryFolder();
    mkdirSync(join(data, kind));
    writeFileSync(join(data, kind, name), content);
    await expect(startEmulator({ data })).rejects.toThrow(StorageError);
    await expect(startEmulator({ data })).rejects.toThrow(join(data, kind, name));
  });

  it("keeps a deletion, and never gives its ID again", async () => {
    const data = temporaryFolder();
    const first = await running({
      data,
      seed: "s",
      faults: [{ method: "DELETE", drop: "after" }],
      operations: "full",
    });
    const ids = await fill(first.port);
    const paths = [`/v3/agents/${ids.at(-1)}`, `/v3/tools/${ids[1]}`, `/v1/rai/policies/${ids[0]}`];
    for (const path of paths) await send(first.port, { method: "DELETE", path });
    const { agents, tools, policies } = first.objects();
    expect([agents.length, tools.length, policies.length]).toEqual([2, 2, 0]);
    await first.close();
    const second = await running({ data, seed: "s", operations: "full" });
    expect(second.objects()).toEqual({ ...first.objects(), agents, tools, policies });
    const later = await fill(second.port);
    expect(later.filter((id) => ids.includes(id))).toEqual([]);
    expect((await put(second.port, `/v3/agents/${ids.at(-1)}`, { name: "a" })).status).toBe(404);
  });

  it("answers 500 and deletes nothing where it cannot write", async () => {
    const data = temporaryFolder();
    const { port, objects, edit } = await running({ data, operations: "full" });
    const [id = ""] = edit({ kind: "agent", create: { name: "a" } });
    renameSync(join(data, "agents"), join(data, "elsewhere"));
    writeFileSync(join(data, "agents"), "in the way");
    expect((await send(port, { method: "DELETE", path: `/v3/agents/${id}` })).status).toBe(500);
    expect((await send(port, { method: "GET", path: `/v3/agents/${id}` })).status).toBe(200);
    expect(objects().agents).toHaveLength(1);
  });

  it.each([
    ["documented", "full"],
    ["full", "documented"],
  ] as const)("of a service with operations %s is refused by one with %s", async (one, other) => {
    const data = temporaryFolder();
    const first = await running({ data, operations: one });
    await fill(first.port);
    await first.close();
    const before = filesUnder(data).map((file) => [file, readFileSync(file, "utf8")]);
    const refused = startEmulator({ data, operations: other });
    await expect(refused).rejects.toThrow(StorageError);
    await expect(refused).rejects.toThrow(
      `${data} has the objects of an emulator with operations \`${one}\``,
    );
    expect(filesUnder(data).map((file) => [file, readFileSync(file, "utf8")])).toEqual(before);
    expect((await running({ data, operations: one })).objects()).toEqual(first.objects());
  });

  it("without objects is taken by either, and stays with the full one", async () => {
    const data = temporaryFolder();
    for (const operations of ["documented", "documented", "full", "full"] as const) {
      await (await running({ data, operations })).close();
    }
    await expect(startEmulator({ data })).rejects.toThrow(StorageError);
  });

  it("has the same files as ever with the documented operations", async () => {
    const data = temporaryFolder();
    const { port } = await running({ data, seed: "s" });
    await post(port, "/v3/agents/", { name: "a" });
    const [id] = toolIds(await post(port, "/v3/tools/", SET));
    await put(port, `/v3/tools/${id}`, { default_headers: {} });
    const files = filesUnder(data).toSorted();
    expect(files.map((file) => file.slice(data.length))).toEqual([
      "/agents/1.json",
      "/toolSets/2.json",
      "/tools/3.json",
    ]);
    const [agent, set, tool] = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
    expect(Object.keys(agent)).toEqual(["number", "id", "body"]);
    expect(Object.keys(set)).toEqual(["number", "id", "body", "tools"]);
    expect(Object.keys(set.tools[0])).toEqual(["number", "id", "method", "path", "operationId"]);
    expect(Object.keys(tool)).toEqual(["number", "id", "body"]);
  });

  it("is not needed", async () => {
    const first = await running();
    await fill(first.port);
    expect((await running()).objects().agents).toEqual([]);
  });
});

describe("the seed", () => {
  it("makes IDs repeatable, and only the seed does", async () => {
    const idOf = async (seed: string | undefined): Promise<unknown> =>
      json(await post((await running({ seed })).port, "/v3/agents/", { name: "a" }))["agent_id"];
    expect(await idOf("one")).toBe(await idOf("one"));
    expect(await idOf("one")).not.toBe(await idOf("two"));
    expect(await idOf(undefined)).not.toBe(await idOf(undefined));
  });
});

describe("secrets", () => {
  it("reach neither the log, nor the data folder, nor the snapshot", async () => {
    const data = temporaryFolder();
    const lines: string[] = [];
    const secret = (name: string): string => `hush-${name}`;
    const { port, objects } = await running({ data, log: (line) => lines.push(line) });
    const headers = { "x-api-key": secret("key"), authorization: secret("header") };
    const postWith = (path: string, body: unknown): ReturnType<typeof send> =>
      send(port, { method: "POST", path, headers, body });
    await postWith(`/v3/tools/credentials?token=${secret("query")}`, {
      name: "c",
      credentials: { a: secret("a"), b: { c: [secret("b"), { d: secret("d") }] } },
    });
    const set = {
      ...SET,
      enhance_descriptions: true,
      provider_api_key: secret("provider"),
      acme_api_key: secret("renamed"),
      default_headers: { Authorization: secret("auth"), "X-Api-Key": secret("x"), "x-team": "care" },
      default_query_params: { access_token: [secret("query")], page: "1" },
      endpoint_defaults: { "GET /x": { clientSecret: secret("endpoint"), key: "id" } },
    };
    const [tool] = toolIds(await postWith("/v3/tools/", set));
    await send(port, {
      method: "PUT",
      path: `/v3/tools/${tool}`,
      headers,
      body: { default_headers: { cookie: secret("cookie") }, provider_api_key: secret("again") },
    });
    await postWith("/v3/agents/", { name: "a", api_key: secret("agent") });
    await postWith("/v3/tools/credentials", { name: 7, credentials: { a: secret("refused") } });
    await postWith("/v1/rai/policies", { name: "p", credentials: secret("policy") });
    await postWith("/v3/agents/", `{"name": "${secret("broken")}"`);
    const kept = filesUnder(data).map((file) => readFileSync(file, "utf8"));
    expect([...lines, ...kept, JSON.stringify(objects())].join("\n")).not.toContain("hush");
    expect(lines).toHaveLength(7);
    expect(objects().toolSets[0]?.body).toMatchObject({
      provider_api_key: "[kept out]",
      acme_api_key: "[kept out]",
      default_headers: { Authorization: "[kept out]", "X-Api-Key": "[kept out]", "x-team": "care" },
      default_query_params: { access_token: ["[kept out]"], page: "1" },
      endpoint_defaults: { "GET /x": { clientSecret: "[kept out]", key: "id" } },
    });
    expect(kept.some((text) => text.includes('"d": "[kept out]"'))).toBe(true);
  });
});
