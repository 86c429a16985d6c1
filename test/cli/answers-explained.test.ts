import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk, policyText, secretValue } from "./desk.js";
import { allOperations, openFullDesk } from "./full-desk.js";

const { "toolsets/desk.yaml": desk = "" } = documents;
const toolset = { "toolsets/desk.yaml": desk };
const agent = { "agents/triage.yaml": documentText("Agent", "triage", { name: "Triage" }) };

test("one ID for two tools is called that, and not a missing ID", async () => {
  const { run } = await openDesk(toolset, {
    faults: [{ path: "/v3/tools/", status: 200, body: { tool_ids: ["t-1", "t-1"] } }],
  });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(3);
  expect(err).toContain("the service answered 200 with the same ID for several tools");
  expect(err).not.toContain("without the ID");
  expect(err).toContain("--adopt listTickets=ID,createTicket=ID");
});

test("no tool may be all of a document whose operations are elsewhere", async () => {
  const faults = [{ path: "/v3/tools/", status: 200, body: { tool_ids: [] } }];
  const spec = {
    tool_set_name: "bare",
    openapi_schema: { openapi: "3.1.0", paths: { "/a": { $ref: "a.json" } } },
  };
  const { run } = await openDesk({ "toolsets/bare.yaml": documentText("ToolSet", "bare", spec) }, { faults });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0, err: expect.not.stringContaining("number") });
});

test.each([
  { ids: [], code: 3, said: "answered 200 without the ID, but with tool_ids" },
  { ids: ["t-1"], code: 0, said: "a different number of tools (1) than the document has operations (2)" },
  { ids: ["t-1", "t-2", "t-3"], code: 0, said: "a different number of tools (3)" },
])("$ids.length tools for two operations are not taken for all of them", async ({ ids, code, said }) => {
  const faults = [{ path: "/v3/tools/", status: 200, body: { tool_ids: ids } }];
  const { run } = await openDesk(toolset, { faults });
  const result = await run("apply", "--yes");
  expect(result).toMatchObject({ code });
  expect(result.err).toContain(said);
});

test("an answer without the ID hints at id_pointers", async () => {
  const { run } = await openDesk(agent, {
    faults: [{ path: "/v3/agents/", status: 200, body: { data: { id: "a-1", api_key: "made-there" } } }],
  });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(3);
  expect(err).toContain("without the ID, but with data");
  // Nothing else may ever tell the ID, so the answer is told and kept, without what is a secret by its name.
  const told = '{"data":{"id":"a-1","api_key":"***"}}';
  expect(err).toContain(`it said: \`${told}\``);
  expect((await run("lock", "show", "agent:triage")).out).toContain(told);
  expect(err).not.toContain("made-there");
  expect(err).toContain("`service.id_pointers: {agent: /…}`");
});

test.each([
  { body: ["a-1"], said: '; it said: `["a-1"]`; look' },
  { body: "a-1", said: '; it said: `"a-1"`; look' },
  { body: 17, said: "; it said: `17`; look" },
  // JSON is read with 53 bits of a number: its other digits would be those of another ID.
  { body: { agent_id: 2 ** 60 }, said: '; it said: `{"agent_id":"(a number beyond 2^53)"}`; look' },
  { body: {}, said: "with nothing; look" },
])("an answer $body without the ID is told whole", async ({ body, said }) => {
  const answered = JSON.stringify(body);
  const { run } = await openDesk(agent, { faults: [{ path: "/v3/agents/", status: 200, body: answered }] });
  expect((await run("apply", "--yes")).err).toContain(said);
});

test("what needs an ID that was not answered says how to give it", async () => {
  const { run } = await openDesk(documents, { answers: "minimal" });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(err).toContain("the ID of credential:provider is not known");
  expect(err).toContain("`agentform lock resolve credential:provider --adopt ID`");
});

test("the columns of the ledger are aligned, however long its IDs are", async () => {
  const { run } = await openDesk(toolset, {
    faults: [{ path: "/v3/tools/", status: 200, body: { tool_ids: ["t-1", `t-${"x".repeat(80)}`] } }],
  });
  expect((await run("apply", "--yes")).code).toBe(0);
  await run("apply", "--yes", "--replace", "toolset:desk");
  const [head = "", ...rows] = (await run("lock", "retired")).out.trimEnd().split("\n").slice(2);
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.indexOf("toolset:desk")).toBe(head.indexOf("address"));
  for (const row of rows) expect(row.indexOf("replaced")).toBe(head.indexOf("reason"));
});

test("what was taken out of an answer, for it has the value of a secret, is no difference", async () => {
  const spec = {
    name: "Provider",
    credentials: { key: "${env:PROVIDER_KEY}" },
    meta_data: { note: secretValue },
  };
  const body = { credential_id: "c-1", ...spec };
  const faults = [{ method: "POST", path: "/v3/tools/credentials", status: 200, body }];
  const { run } = await openDesk(
    { "credentials/provider.yaml": documentText("Credential", "provider", spec) },
    { faults },
  );
  const { code, err } = await run("apply", "--yes");
  expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining("something else") });
});

describe("a service that has an object of that name already", () => {
  const banning = (...topics: string[]) => ({ banned_topics: { enabled: true, topics } });

  /** Applies a policy that bans one topic, and then another one, which is answered with this, beside the old ID. */
  async function replaced(answer: object) {
    const body = { _id: "" };
    const faults = [{ method: "POST", path: "/v1/rai/policies", skip: 1, status: 200, body }];
    const opened = await openDesk(documents, { faults });
    expect(await opened.run("apply", "--yes")).toMatchObject({ code: 0 });
    const id = String(opened.lock().resources["policy:strict"]?.["id"]);
    Object.assign(body, { name: "Strict", ...answer, _id: id });
    opened.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
    return { ...opened, id, result: await opened.run("apply", "--yes") };
  }

  test("and answers it as it is has replaced nothing", async () => {
    const { result, lock, run, id } = await replaced(banning("weapons"));
    const { code, err } = result;
    expect(code).toBe(3);
    expect(err).toContain(
      `the service answered ${id}, which is the object to replace, with its old \`banned_topics\``,
    );
    expect(err).toContain("agent:support: skipped");
    expect(lock().resources["policy:strict"]).toMatchObject({ id, body: banning("weapons") });
    expect((await run("plan", "--detailed-exitcode")).code).toBe(3);
  });

  test("and overwrites it has replaced it", async () => {
    const { result, lock, id } = await replaced(banning("weapons", "drugs"));
    expect(result.code).toBe(0);
    expect(result.err).not.toContain("the ID that it had before");
    expect(lock().resources["policy:strict"]).toMatchObject({ id, body: banning("weapons", "drugs") });
  });

  test("and does not show it leaves the look at it to a person", async () => {
    const { result } = await replaced({});
    expect(result.code).toBe(0);
    expect(result.err).toContain(
      "it has the same ID as before: look in the service whether it has what was sent",
    );
  });

  test("and does not show it is read, where it can be", async () => {
    const text = (version: number) =>
      documentText("Credential", "provider", { name: "Provider", meta_data: { version } });
    const body = { credential_id: "" };
    const faults = [{ method: "POST", path: "/v3/tools/credentials", skip: 1, status: 200, body }];
    const opened = await openFullDesk({ "credentials/provider.yaml": text(1) }, allOperations, { faults });
    expect(await opened.run("apply", "--yes")).toMatchObject({ code: 0 });
    body.credential_id = String(opened.lock().resources["credential:provider"]?.["id"]);
    opened.workspace.write({ "credentials/provider.yaml": text(2) });
    const { code, err } = await opened.run("apply", "--yes");
    expect(code).toBe(3);
    expect(err).toContain("which is the object to replace, with its old `meta_data`");
  });

  test("and answers that to a create is not passed over", async () => {
    const body = { _id: "p-1", name: "Strict", banned_topics: { enabled: false, topics: [] } };
    const faults = [{ method: "POST", path: "/v1/rai/policies", status: 200, body }];
    const { run } = await openDesk({ "policies/strict.yaml": policyText() }, { faults });
    const { code, err } = await run("apply", "--yes");
    expect(code).toBe(0);
    expect(err).toContain(
      "the answer differs from what was sent in `banned_topics`: look whether it is an older object of the same name",
    );
  });

  test("or answers with what was sent for another has told nobody's ID", async () => {
    const answer = (_id: string, name: string) => {
      return { method: "POST", path: "/v1/rai/policies", status: 200, body: { _id, name } };
    };
    const policy = (key: string, name: string) => ({
      [`policies/${key}.yaml`]: documentText("Policy", key, { name }),
    });
    const files = { ...documents, ...policy("strict", "Strict"), ...policy("mild", "Mild") };
    const { run, lock, emulator } = await openDesk(files, {
      faults: [answer("p-mild", "Mild"), answer("p-strict", "Strict")],
    });
    const { code, err } = await run("apply", "--yes");
    expect(code).toBe(3);
    expect(err).toContain("the service answered p-mild with the name of policy:mild");
    expect(err).toContain("agent:support: skipped");
    expect(emulator.objects().agents).toEqual([]);
    expect(lock()).toMatchObject({
      resources: {},
      unknown: { "policy:mild": { operation: "create" }, "policy:strict": { operation: "create" } },
    });
    for (const key of ["strict", "mild"])
      expect(await run("lock", "resolve", `policy:${key}`, "--adopt", `p-${key}`)).toMatchObject({ code: 0 });
    expect(lock()).toMatchObject({
      resources: { "policy:mild": { id: "p-mild" }, "policy:strict": { id: "p-strict" } },
      unknown: {},
      retired: {},
    });
  });

  test("and does not show it is read after a create, where it can be", async () => {
    const body = { agent_id: "" };
    const faults = [{ method: "POST", path: "/v3/agents/", status: 200, body }];
    const spec = { name: "Triage", system_prompt: "Sort what comes." };
    const files = { "agents/triage.yaml": documentText("Agent", "triage", spec) };
    const { run, emulator } = await openFullDesk(files, allOperations, { faults });
    const [id = ""] = emulator.edit({ kind: "agent", create: { ...spec, system_prompt: "Chat." } });
    body.agent_id = id;
    const { code, err } = await run("apply", "--yes");
    expect(code).toBe(0);
    expect(err).toContain("the service has something else than it was sent in `system_prompt`");
  });

  test("or is nowhere by the ID that was answered, is said too", async () => {
    const faults = [
      { method: "POST", path: "/v3/agents/", status: 200, body: { success: false, agent_id: "a-1" } },
    ];
    const files = { "agents/triage.yaml": documentText("Agent", "triage", { name: "Triage" }) };
    const { run, workspace, emulator, lock } = await openFullDesk(files, allOperations, { faults });
    const { code, err } = await run("apply", "--yes");
    expect(code).toBe(0);
    expect(err).toContain("it could not be verified: the service does not show it under this ID");
    const [id = ""] = emulator.edit({ kind: "agent", create: { name: "Triage", description: "Sorts." } });
    const changed = documentText("Agent", "triage", { name: "Triage", description: "Sorts." });
    workspace.write({ "agents/triage.yaml": changed });
    expect((await run("apply", "--yes")).err).toContain(
      "no apply has seen it under the ID a-1: if the service",
    );
    workspace.remove("agents/triage.yaml");
    await run("apply", "--yes");
    workspace.write({
      "agents/triage.yaml": JSON.stringify({ ...JSON.parse(changed), lifecycle: { adopt: id } }),
    });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(lock().resources["agent:triage"]).toMatchObject({ id });
    expect(emulator.objects().agents).toHaveLength(1);
  });
});
