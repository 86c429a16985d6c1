import { describe, expect, it } from "vitest";
import { json, post, put, send, toolIds } from "./raw-request.js";
import { running } from "./running.js";

const HELPDESK = {
  openapi: "3.1.0",
  paths: { "/tickets": { post: { operationId: "createTicket" }, get: {} } },
};

describe("operation 1, a new policy", () => {
  it("answers the policy with an ID of its own making and its times, and keeps it", async () => {
    const { port, objects } = await running();
    const policy = { name: "Strict", description: "d", toxicity_check: { enabled: true, threshold: 0.4 } };
    const answer = json(await post(port, "/v1/rai/policies", { ...policy, _id: "mine" }));
    expect(answer).toMatchObject(policy);
    expect(answer["_id"]).toMatch(/^[0-9a-f]{24}$/);
    expect(Date.parse(String(answer["created_at"]))).toBeGreaterThan(0);
    expect(answer["updated_at"]).toBe(answer["created_at"]);
    const { _id: id, ...body } = answer;
    expect(objects().policies).toEqual([{ number: 1, id, body }]);
  });

  it("keeps the times that were sent", async () => {
    const { port } = await running();
    const created_at = "2024-01-02T03:04:05Z";
    expect(json(await post(port, "/v1/rai/policies", { name: "Old", created_at }))).toMatchObject({
      created_at,
    });
  });

  it("keeps fields that the interface does not show", async () => {
    const { port } = await running();
    const answer = json(await post(port, "/v1/rai/policies", { name: "p", jailbreak: { enabled: "maybe" } }));
    expect(answer["jailbreak"]).toEqual({ enabled: "maybe" });
  });
});

describe("operations 2 and 3, tool sets and tools", () => {
  it("prefixes the stored name and makes a tool for each operation, in document order", async () => {
    const { port, objects } = await running();
    const ids = toolIds(
      await post(port, "/v3/tools/", { tool_set_name: "helpdesk", openapi_schema: HELPDESK }),
    );
    expect(new Set(ids).size).toBe(2);
    const { toolSets, tools } = objects();
    expect(toolSets).toMatchObject([{ tools: ids, body: { tool_set_name: "openapi-helpdesk" } }]);
    expect(toolSets[0]?.body["openapi_schema"]).toEqual(HELPDESK);
    expect(tools).toMatchObject([
      { id: ids[0], method: "POST", path: "/tickets", operationId: "createTicket", toolSet: toolSets[0]?.id },
      { id: ids[1], method: "GET", path: "/tickets", toolSet: toolSets[0]?.id },
    ]);
  });

  it("changes the sent fields of that tool alone, and leaves its others", async () => {
    const { port, objects } = await running();
    const [first, second] = toolIds(
      await post(port, "/v3/tools/", { tool_set_name: "helpdesk", openapi_schema: HELPDESK }),
    );
    await put(port, `/v3/tools/${first}`, {
      default_headers: { "x-team": "a" },
      default_body_params: { a: 1 },
    });
    const answer = await put(port, `/v3/tools/${first}`, { default_headers: {} });
    expect(json(answer)).toEqual({ message: expect.any(String) });
    expect(objects().tools).toMatchObject([
      { id: first, body: { default_headers: {}, default_body_params: { a: 1 } } },
      { id: second, body: {} },
    ]);
    expect(objects().tools[1]?.body).toEqual({});
  });

  it("decodes the ID in the path", async () => {
    const { port, objects } = await running({ answers: "names" });
    const openapi_schema = { paths: { "/a": { get: { operationId: "read it / 100%" } } } };
    const [id = ""] = toolIds(await post(port, "/v3/tools/", { tool_set_name: "odd", openapi_schema }));
    expect(id).toMatch(/_read it \/ 100%$/);
    const answer = await put(port, `/v3/tools/${encodeURIComponent(id)}`, {
      default_query_params: { a: "b" },
    });
    expect(answer.status).toBe(200);
    expect(objects().tools[0]?.body).toEqual({ default_query_params: { a: "b" } });
  });

  it("answers 404 for a tool that there is not", async () => {
    const { port } = await running();
    expect((await put(port, "/v3/tools/nothing", {})).status).toBe(404);
    expect((await put(port, "/v3/tools/credentials", {})).status).toBe(404);
  });
});

describe("operations 4 and 5, agents", () => {
  it("creates an agent, and an update replaces its whole body", async () => {
    const { port, objects } = await running();
    const answer = json(
      await post(port, "/v3/agents/", { name: "support", temperature: 0.5, agent_role: "r" }),
    );
    const id = String(answer["agent_id"]);
    expect(objects().agents).toMatchObject([
      { id, body: { name: "support", temperature: 0.5, agent_role: "r" } },
    ]);
    const updated = await put(port, `/v3/agents/${id}`, { name: "support", top_p: 1 });
    expect(json(updated)).toEqual({ message: expect.any(String) });
    expect(objects().agents.map(({ body }) => body)).toEqual([{ name: "support", top_p: 1 }]);
  });

  it("accepts IDs that it does not know", async () => {
    const { port } = await running();
    const agent = {
      name: "a",
      tools: ["t"],
      features: [{ config: { policy_id: "p" } }],
      llm_credential_id: "c",
    };
    expect((await post(port, "/v3/agents/", agent)).status).toBe(200);
  });

  it("answers 404 for an agent that there is not", async () => {
    const { port, objects } = await running();
    expect((await put(port, "/v3/agents/nothing", { name: "a" })).status).toBe(404);
    expect(objects().agents).toEqual([]);
  });
});

describe("operation 6, a new credential", () => {
  it("keeps the names of what is under credentials, and no values", async () => {
    const { port, objects } = await running();
    const credentials = { api_key: "sk-secret", nested: { token: "t-secret", list: ["l-secret", 7] } };
    const sent = { name: "openai", provider_id: "openai", credentials, meta_data: { team: "care" } };
    const id = json(await post(port, "/v3/tools/credentials", sent))["credential_id"];
    const masked = {
      api_key: "[kept out]",
      nested: { token: "[kept out]", list: ["[kept out]", "[kept out]"] },
    };
    expect(objects().credentials).toEqual([{ number: 1, id, body: { ...sent, credentials: masked } }]);
  });
});

describe("all operations", () => {
  it("gives every object an ID of its own, also to equal bodies", async () => {
    const { port } = await running();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(port, "/v3/agents/", { name: "a" })),
    );
    expect(new Set(answers.map((answer) => json(answer)["agent_id"])).size).toBe(20);
  });

  it("takes the request target in absolute form, as a proxy sends it", async () => {
    const { port, url, requests } = await running();
    const answer = await send(port, { method: "POST", path: `${url}/v3/agents/?a=b`, body: { name: "a" } });
    expect(answer.status).toBe(200);
    expect(requests).toEqual([{ method: "POST", path: "/v3/agents/", status: 200 }]);
  });
});
