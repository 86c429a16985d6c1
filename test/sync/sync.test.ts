import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.js";
import { Secret } from "../../src/service/secret.js";
import type { ApplyRequest } from "../../src/sync/request.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import { importObjects } from "../../src/sync/import.js";
import { plan } from "../../src/sync/plan.js";
import { allOperations, fullManifest, openFullDesk } from "../cli/full-desk.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";

async function emulate(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

function applyTo(workspace: DiskWorkspace, { url }: Emulator, more: Partial<ApplyRequest> = {}) {
  return apply({
    directory: workspace.directory,
    userAgent: "agentform/test",
    confirm: async () => true,
    target: () => ({
      identity: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
      baseUrl: url,
      raiBaseUrl: url,
      apiKey: "${env:AGENT_API_KEY}",
      secrets: (name) => new Secret(`value of ${name}`),
    }),
    ...more,
  });
}

const openapi = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  paths: {
    "/tickets": {
      get: { operationId: "listTickets", responses: {} },
      post: { operationId: "createTicket", responses: {} },
    },
  },
};

const desk = {
  "policies/strict.yaml": documentText("Policy", "strict", {
    name: "Strict",
    banned_topics: { enabled: true, topics: ["weapons"] },
  }),
  "toolsets/desk.yaml": documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: openapi,
    default_headers: { Authorization: "Bearer ${env:DESK_TOKEN}" },
  }),
  "credentials/provider.yaml": documentText("Credential", "provider", {
    name: "Provider",
    credentials: { api_key: "${env:PROVIDER_KEY@1}" },
  }),
  "agents/support.yaml": documentText("Agent", "support", {
    name: "Support",
    tools: ["${toolset:desk}"],
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
  }),
};

test("a workspace is created in dependency order, and the second apply has nothing to do", async () => {
  const emulator = await emulate();
  const workspace = makeWorkspace(desk);
  const first = await applyTo(workspace, emulator);
  expect(first.diagnostics).toEqual([]);
  expect(first.status).toBe("applied");
  expect(first.summary).toEqual({ done: 4, failed: 0, unknown: 0, skipped: 0, blocked: 0 });

  const { agents, tools, policies, credentials } = emulator.objects();
  const [agent] = agents;
  expect(agent?.body).toMatchObject({
    tools: tools.map(({ id }) => id),
    llm_credential_id: credentials[0]?.id,
    features: [{ config: { policy_id: policies[0]?.id } }],
  });
  expect(emulator.requests.map(({ path }) => path).at(-1)).toBe("/v3/agents/");

  const lock = JSON.parse(workspace.read("agentform.lock"));
  expect(lock).toMatchObject({ serial: 1, resources: { "agent:support": { id: agent?.id } } });
  expect(existsSync(join(workspace.directory, "agentform.lock.journal"))).toBe(false);

  const second = await applyTo(workspace, emulator);
  expect(second.status).toBe("unchanged");
  expect(emulator.requests).toHaveLength(4);
});

test("a changed policy is replaced, and the agent that uses it gets the new ID", async () => {
  const emulator = await emulate();
  const workspace = makeWorkspace(desk);
  await applyTo(workspace, emulator);
  workspace.write({ "policies/strict.yaml": documentText("Policy", "strict", { name: "Stricter" }) });
  const { plan: planned } = await plan({ directory: workspace.directory });
  expect(planned?.actions.map(({ address, action }) => [address, action])).toEqual([
    ["policy:strict", "replace"],
    ["agent:support", "update"],
  ]);
  expect((await applyTo(workspace, emulator)).status).toBe("applied");
  const { policies, agents } = emulator.objects();
  expect(policies).toHaveLength(2);
  expect(agents[0]?.body).toMatchObject({ features: [{ config: { policy_id: policies[1]?.id } }] });
  const lock = JSON.parse(workspace.read("agentform.lock"));
  expect(lock.retired[policies[0]?.id ?? ""]).toMatchObject({
    address: "policy:strict",
    reason: "replaced",
    used_by: ["agent:support"],
  });
  expect((await plan({ directory: workspace.directory })).plan?.actions).toEqual([]);
});

test("changed defaults of a tool set are sent to each of its tools, and a removed one as an empty object", async () => {
  const emulator = await emulate();
  const workspace = makeWorkspace(desk);
  await applyTo(workspace, emulator);
  const spec = { tool_set_name: "desk", openapi_schema: openapi, default_query_params: { lang: "en" } };
  workspace.write({ "toolsets/desk.yaml": documentText("ToolSet", "desk", spec) });
  expect((await applyTo(workspace, emulator)).summary).toMatchObject({ done: 1 });
  const puts = emulator.requests.filter(({ method }) => method === "PUT");
  expect(puts).toHaveLength(2);
  expect(emulator.objects().tools.map(({ body }) => body)).toEqual([
    { default_query_params: { lang: "en" }, default_headers: {} },
    { default_query_params: { lang: "en" }, default_headers: {} },
  ]);
});

test("a document that is gone is forgotten, and its object stays in the ledger", async () => {
  const emulator = await emulate();
  const workspace = makeWorkspace(desk);
  await applyTo(workspace, emulator);
  workspace.remove("agents/support.yaml");
  expect((await applyTo(workspace, emulator)).summary).toMatchObject({ done: 1 });
  const lock = JSON.parse(workspace.read("agentform.lock"));
  expect(lock.resources["agent:support"]).toBeUndefined();
  expect(Object.values(lock.retired)).toMatchObject([{ address: "agent:support", reason: "forgotten" }]);
  expect(emulator.requests).toHaveLength(4);
});

test("what depends on a failure is skipped by name, the rest goes on", async () => {
  const emulator = await emulate({ faults: [{ path: "/v1/rai/policies", status: 422 }] });
  const workspace = makeWorkspace(desk);
  const events: object[] = [];
  const { status, summary } = await applyTo(workspace, emulator, { onEvent: (event) => events.push(event) });
  expect(status).toBe("applied");
  expect(summary).toEqual({ done: 2, failed: 1, unknown: 0, skipped: 1, blocked: 0 });
  expect(events).toContainEqual({
    type: "skipped",
    address: "agent:support",
    action: "create",
    because: "policy:strict failed",
    cause: { code: "dependency-failed", parts: { address: "policy:strict" } },
  });
  expect((await applyTo(workspace, emulator)).summary).toMatchObject({ done: 2 });
});

test("an outcome that cannot be known is kept as unknown and not created again", async () => {
  const emulator = await emulate({ faults: [{ path: "/v3/agents/", drop: "after" }] });
  const workspace = makeWorkspace(desk);
  const { summary } = await applyTo(workspace, emulator);
  expect(summary).toMatchObject({ done: 3, unknown: 1 });
  const { plan: planned } = await plan({ directory: workspace.directory });
  expect(planned?.summary).toMatchObject({ unknown: 1, unchanged: 3 });
  const again = await applyTo(workspace, emulator);
  expect(again.summary).toMatchObject({ done: 0 });
  expect(emulator.objects().agents).toHaveLength(1);
});

test("a lock that was changed while a person was thinking is refused as moved, and nothing is sent", async () => {
  const emulator = await emulate();
  const workspace = makeWorkspace(desk);
  await applyTo(workspace, emulator);
  const sent = emulator.requests.length;
  workspace.write({ "agents/support.yaml": documentText("Agent", "support", { name: "Another" }) });
  const { status, diagnostics } = await applyTo(workspace, emulator, {
    confirm: async () => {
      const lock = JSON.parse(workspace.read("agentform.lock"));
      lock.resources["agent:support"].body.name = "Meanwhile";
      lock.resources["agent:support"].digest = "sha256:meanwhile";
      workspace.write({ "agentform.lock": `${JSON.stringify(lock, null, 2)}\n` });
      return true;
    },
  });
  expect(status).toBe("moved");
  const hint = "plan again and review the new plan";
  expect(diagnostics).toMatchObject([{ code: "plan-moved", severity: "error", hint }]);
  expect(emulator.requests).toHaveLength(sent);
});

test("no value of a secret reaches lock or plan, and the emulator was sent it", async () => {
  const emulator = await emulate();
  const workspace = makeWorkspace(desk);
  const { plan: planned } = await applyTo(workspace, emulator);
  expect(workspace.read("agentform.lock") + JSON.stringify(planned)).not.toContain("value of");
  expect(workspace.read("agentform.lock")).toContain("${env:PROVIDER_KEY@1}");
});

test("a tool set is made of the operations that it picks, and of what they refer to", async () => {
  const emulator = await emulate({ answers: "names" });
  const schema = { type: "object" };
  const ref = { $ref: "#/components/schemas/Ticket" };
  const whole = {
    ...openapi,
    paths: {
      ...openapi.paths,
      "/tickets/{id}": {
        get: { operationId: "getTicket", tags: ["read"], responses: { 200: { schema: ref } } },
        put: {
          operationId: "changeTicket",
          responses: { 200: { schema: { $ref: "#/components/schemas/Other" } } },
        },
      },
    },
    components: { schemas: { Ticket: schema, Other: schema } },
  };
  const toolset = JSON.parse(
    documentText("ToolSet", "desk", { tool_set_name: "desk", openapi_schema: whole }),
  );
  const operations = ["POST /tickets", { tag: "read" }];
  const agent = { name: "Support", tools: ["${toolset:desk/getTicket}"] };
  const workspace = makeWorkspace({
    "toolsets/desk.yaml": JSON.stringify({ ...toolset, operations }),
    "agents/support.yaml": documentText("Agent", "support", agent),
  });
  expect((await applyTo(workspace, emulator)).summary).toMatchObject({ done: 2, failed: 0 });
  const { toolSets, tools, agents } = emulator.objects();
  expect(tools.map(({ operationId }) => operationId)).toEqual(["createTicket", "getTicket"]);
  expect(agents[0]?.body).toMatchObject({ tools: [tools[1]?.id] });
  expect(toolSets[0]?.body["openapi_schema"]).toEqual({
    ...openapi,
    paths: {
      "/tickets": { post: openapi.paths["/tickets"].post },
      "/tickets/{id}": { get: whole.paths["/tickets/{id}"].get },
    },
    components: { schemas: { Ticket: schema } },
  });

  whole.components.schemas.Other = { type: "array" };
  workspace.write({
    "toolsets/desk.yaml": JSON.stringify({
      ...toolset,
      operations: ["getTicket", "* /tickets", "createTicket"],
    }),
  });
  const { plan: planned } = await plan({ directory: workspace.directory });
  expect(planned?.actions.map(({ address, action, affects }) => [address, action, affects])).toEqual([
    ["toolset:desk", "replace", ["agent:support"]],
    ["agent:support", "update", []],
  ]);
});

test("an import that cannot write its files after all puts nothing into the lock, which would be removed again", async () => {
  const { emulator, run } = await openFullDesk();
  await run("apply", "--yes");
  const { directory } = makeWorkspace({
    "agentform.yaml": fullManifest(emulator.url, allOperations),
    "elsewhere/readme.md": "",
  });
  const { status, diagnostics } = await importObjects({
    directory,
    into: "",
    render: JSON.stringify,
    userAgent: "agentform/test",
    target: (settings) => targetOf(settings, (name) => new Secret(`value of ${name}`)),
    // Meanwhile, a link takes the place of the folder.
    async confirm() {
      symlinkSync("elsewhere", join(directory, "agents"));
      return true;
    },
  });
  expect([status, diagnostics.map(({ code }) => code)]).toEqual(["refused", ["import-unwritten"]]);
  expect(existsSync(join(directory, "agentform.lock"))).toBe(false);
});
