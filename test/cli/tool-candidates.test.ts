import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { openapi } from "./applied-desk.js";
import { documents, manifestAt, openDesk } from "./desk.js";
import { allOperations, fullManifest, openFullDesk } from "./full-desk.js";

const { "toolsets/desk.yaml": desk = "" } = documents;
const agent = documentText("Agent", "support", { name: "Support", tools: ["${toolset:desk}"] });
const files = { "toolsets/desk.yaml": desk, "agents/support.yaml": agent };
const toolIds = [
  { name: "list", id: "65a1", method: "GET", path: "/tickets" },
  { name: "add", id: "65a2", method: "POST", path: "/tickets" },
];
const faults = [{ path: "/v3/tools/", status: 200, body: { tool_ids: toolIds } }];
const candidates = [
  { name: "list", id: "65a1", method: "GET", path: "/tickets" },
  { name: "add", id: "65a2", method: "POST", path: "/tickets" },
];
const advice = "write `id_pointers: {tool: /id}` or `id_pointers: {tool: /name}` under `spec.service`";

function settled(url: string, pointer: string): string {
  return manifestAt(url).replace("{base_url", `{id_pointers: {tool: ${pointer}}, base_url`);
}

test("of tools with several members that can be the ID all are kept, and what refers to them waits", async () => {
  const { run, lock, emulator } = await openDesk(files, { faults });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(err).toContain(advice);
  expect(lock().resources["toolset:desk"]).toMatchObject({ candidates });
  expect(lock().resources["toolset:desk"]).not.toHaveProperty("ids");
  const planned = await run("plan");
  expect(planned.code, planned.err).toBe(0);
  expect(planned.out).toContain("! agent:support");
  expect(planned.out + planned.err).toContain(advice);
  expect(planned.err).toContain("warning[tool-ids-unsettled]");
  expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a line of the manifest settles which member is the ID, without a request for the set", async () => {
  const { run, lock, emulator, workspace } = await openDesk(files, { faults });
  await run("apply", "--yes");
  workspace.write({ "agentform.yaml": settled(emulator.url, "/id") });
  const planned = await run("plan");
  expect(planned.out).toContain("`id_pointers` says which member is the ID of its tools");
  expect((await run("apply", "--yes")).code).toBe(0);
  const entry = lock().resources["toolset:desk"];
  expect(entry).toMatchObject({
    ids: ["65a1", "65a2"],
    tools: { listTickets: "65a1", createTicket: "65a2" },
  });
  expect(entry).not.toHaveProperty("candidates");
  expect(lock().resources["agent:support"]).toMatchObject({
    references: { "toolset:desk": ["65a1", "65a2"] },
  });
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/v3/tools/", "/v3/agents/"]);
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
});

test("what may be the ID of a tool is taken over by no other set, here or in another environment", async () => {
  const { run, emulator, workspace } = await openDesk({ "toolsets/desk.yaml": desk }, { faults });
  const manifest = manifestAt(emulator.url, "  environments: {default: {}, live: {}}\n");
  workspace.write({ "agentform.yaml": manifest });
  expect((await run("apply", "--yes")).code).toBe(0);
  const pairs = "listTickets=65a1,createTicket=65a2";
  expect(await run("lock", "resolve", "toolset:desk", "--adopt", pairs, "-e", "live")).toMatchObject({
    code: 1,
    err: expect.stringContaining("the environment `default` has it"),
  });
  workspace.write({ "toolsets/other.yaml": desk.replace(/"name": ?"desk"/, `"name":"other"`) });
  expect(await run("lock", "resolve", "toolset:other", "--adopt", pairs)).toMatchObject({
    code: 1,
    err: expect.stringContaining("adopt-taken"),
  });
});

test("a pointer that no candidate has settles nothing", async () => {
  const { run, lock, emulator, workspace } = await openDesk(files, { faults });
  await run("apply", "--yes");
  workspace.write({ "agentform.yaml": settled(emulator.url, "/uid") });
  await run("apply", "--yes");
  expect(lock().resources["toolset:desk"]).toMatchObject({ candidates });
});

test("a set whose IDs are not settled is neither changed nor replaced, and none of them is lost when it goes", async () => {
  const { run, lock, workspace } = await openDesk({ "toolsets/desk.yaml": desk }, { faults });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(0);
  expect(err).toContain(advice);
  expect((await run("plan", "--replace", "toolset:desk")).out).toContain("! toolset:desk");
  workspace.write({ "toolsets/desk.yaml": desk.replace("Bearer ", "Token ") });
  expect((await run("apply", "--yes")).code).toBe(1);
  expect(lock().resources["toolset:desk"]).toMatchObject({ candidates });
  workspace.remove("toolsets/desk.yaml");
  await run("apply", "--yes");
  expect(Object.keys(lock().retired).toSorted()).toEqual(["65a1", "65a2", "add", "list"]);
  // Of two members that may be the ID, a prune sends neither unless it is named.
  expect(Object.values(lock().retired).every(({ untold }) => untold === true)).toBe(true);
});

test("a saved plan deletes a set whose IDs the manifest has settled since", async () => {
  const deleted = desk.replace(/\}$/, ',"lifecycle":{"on_removal":"delete"}}');
  const { run, emulator, workspace } = await openDesk(
    { "toolsets/desk.yaml": deleted },
    { faults, operations: "full" },
  );
  await run("apply", "--yes");
  const able = 'operations: {toolset: {delete: "DELETE /v3/tools/{id}"}}, base_url';
  workspace.write({ "agentform.yaml": settled(emulator.url, "/id").replace("base_url", able) });
  workspace.remove("toolsets/desk.yaml");
  expect((await run("plan", "--out", "plan.json")).out).toContain("(IDs 65a1, 65a2)");
  const { code, err } = await run("apply", "plan.json", "--yes");
  expect(code, err).toBe(0);
  const paths = emulator.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);
  expect(paths).toEqual(["/v3/tools/65a1", "/v3/tools/65a2"]);
});

test("of tools that the service shows to be of other operations, none is given to an agent", async () => {
  const one = documentText("Agent", "support", { name: "Support", tools: ["${toolset:pair/first}"] });
  const openapi_schema = openapi(["first", "second"]);
  const pair = documentText("ToolSet", "pair", { tool_set_name: "pair", openapi_schema });
  const both = { "toolsets/pair.yaml": pair, "agents/support.yaml": one };
  const { run, lock, emulator, workspace } = await openFullDesk(both, allOperations, { answers: "shuffled" });
  const inOrder = fullManifest(emulator.url).replace(
    "operations:",
    "tool_ids: document_order\n    operations:",
  );
  workspace.write({ "agentform.yaml": inOrder });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(err).toMatch(/the service shows `(first|second)` under the ID/);
  expect(err).toContain("which tool of toolset:pair is `first` is not known");
  const { ids, tools } = lock().resources["toolset:pair"] as { ids: string[]; tools?: object };
  expect(tools).toBeUndefined();
  expect(emulator.objects().agents).toEqual([]);
  await run("lock", "resolve", "toolset:pair", "--adopt", `first=${ids[1]},second=${ids[0]}`);
  expect(await run("drift")).toMatchObject({ code: 0 });
  await run("lock", "resolve", "toolset:pair", "--adopt", `first=${ids[0]},second=${ids[1]}`);
  expect(await run("drift")).toMatchObject({ code: 1 });
});

describe("where each tool can be read, what is shown of them", () => {
  const one = documentText("Agent", "support", { name: "Support", tools: ["${toolset:pair/second}"] });
  const openapi_schema = openapi(["first", "second", "third"]);
  const pair = documentText("ToolSet", "pair", { tool_set_name: "pair", openapi_schema });
  const both = { "toolsets/pair.yaml": pair, "agents/support.yaml": one };
  const shuffled = { answers: "shuffled", seed: "of the tools" } as const;

  test("says which is of which operation", async () => {
    const { run, lock, emulator } = await openFullDesk(both, allOperations, shuffled);
    const { code, err } = await run("apply", "--yes");
    expect(code, err).toBe(0);
    const made = new Map(emulator.objects().tools.map(({ id, operationId }) => [operationId, id]));
    expect(lock().resources["toolset:pair"]?.tools).toEqual(Object.fromEntries(made));
    expect(emulator.objects().agents).toMatchObject([{ body: { tools: [made.get("second")] } }]);
    expect(await run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test.each([
    ["no operation", {}],
    ["the operation of another one", { method: "GET", path: "/first" }],
  ])("says nothing if it is %s of one of them", async (_, shown) => {
    const { run, emulator } = await openFullDesk(both, allOperations, shuffled);
    await run("apply", "--yes");
    const [, id = ""] = emulator.objects().tools.map((each) => each.id);
    const fault = { method: "GET", path: `/v3/tools/${id}`, status: 200, body: { _id: id, ...shown } };
    const again = await openFullDesk(both, allOperations, { ...shuffled, faults: [fault] });
    const { code, err } = await again.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toContain("which tool of toolset:pair is `second` is not known");
    expect(again.lock().resources["toolset:pair"]).not.toHaveProperty("tools");
    expect(again.emulator.objects().agents).toEqual([]);
  });
});
