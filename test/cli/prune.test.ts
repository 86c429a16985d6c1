import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/json/json.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Json } from "../../src/json/json.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { git } from "../store/git-medium.js";
import { StateServer } from "../store/state-server.js";
import { agentText, documents, manifestAt, policyText, runIn, secretValue, type Desk } from "./desk.js";
import { allOperations, deletesAlone, fullManifest, openFullDesk } from "./full-desk.js";
import { wholeTest } from "../harness/tier.js";

const guarded = (name: string, policy: string) =>
  documentText("Agent", name, {
    name,
    features: [{ type: "RAI", priority: 0, config: { policy_id: policy } }],
  });

/** Applies, then replaces the policy, so that its old object is left behind; gives the ID of that. */
async function leaveBehind(desk: Desk): Promise<string> {
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const old = String(desk.lock().resources["policy:strict"]?.["id"]);
  desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(Object.keys(desk.lock().retired)).toEqual([old]);
  return old;
}

const policies = ({ emulator }: Desk) => emulator.objects().policies.map(({ id }) => id);

describe("prune", () => {
  test("deletes what is left behind, and shows it", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const { code, out, err } = await desk.run("prune", "--yes");
    const digest = /Digest: (\S+)/.exec(out)?.[1] ?? "";
    expect({ code, out }).toEqual({
      code: 0,
      out: `agentform prune: desk
Compared with what was last applied (agentform.lock).
1 needs a review, none weakens or widens.
Plan: 1 to delete. 1 distinct edit.

Guardrail notes
  ! review   policy:strict  an object that it left behind is deleted in the service, which cannot be undone  [retired-deleted]

Only here: edits that no other resource has
  -- policy:strict
      because it was left behind by a replacement
      deletes 1 object in the service at the end (ID ${old})

Words
  delete: deleted in the service at the end of the apply, which cannot be undone

1 needs a review, none weakens or widens.
Plan: 1 to delete. 1 distinct edit.
Digest: ${digest}

Prune complete: 1 done.
`,
    });
    expect(err).toContain(`policy:strict: deleted (${old})\n`);
    expect(policies(desk)).not.toContain(old);
    expect(desk.lock()).toMatchObject({ retired: {}, deleted: { [`policy ${old}`]: 3 }, serial: 3 });
    const nothing = await desk.run("prune", "--yes");
    expect(nothing).toMatchObject({ code: 0, out: expect.stringContaining("Nothing to delete.") });
    expect(desk.lock().serial).toBe(3);
    expect((await desk.run("plan")).out).toContain("No changes.");
    for (const adopt of [old, old.toUpperCase()]) {
      desk.workspace.write({
        "policies/back.yaml": documentText("Policy", "back", { name: "B" }, { adopt }),
      });
      expect((await desk.run("plan")).err).toContain(`this object was deleted: ${adopt}`);
    }
  });

  test("deletes what is named, if it is in the ledger", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const unknown = await desk.run("prune", "--yes", "nothing");
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("prune-unknown-id") });
    const now = String(desk.lock().resources["policy:strict"]?.["id"]);
    const managed = await desk.run("prune", "--yes", now);
    expect(managed).toMatchObject({
      code: 1,
      err: expect.stringContaining("it is managed as policy:strict"),
    });
    expect(policies(desk).toSorted()).toEqual([old, now].toSorted());
    expect(await desk.run("prune", "--yes", old)).toMatchObject({ code: 0 });
    expect(policies(desk)).toEqual([now]);
  });

  test("an ID that objects of several kinds have is of the one whose kind is named", async () => {
    const desk = await openFullDesk({ "agents/a.yaml": documentText("Agent", "a", { name: "A" }) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const object = { body: { name: "Old" }, reason: "forgotten" };
    const retired = {
      "agent#7": { ...object, address: "agent:old" },
      "policy#7": { ...object, address: "policy:old" },
      "policy#8": { ...object, address: "policy:older" },
    };
    desk.workspace.write({ "agentform.lock": JSON.stringify({ ...desk.lock(), retired }) });
    const { code, err } = await desk.run("prune", "--yes", "7");
    expect(code).toBe(1);
    expect(err).toContain("`7` is the ID of several objects that are left behind: agent:old, policy:old");
    expect(err).toContain("= hint: say of which kind: `agent:7` or `policy:7`");
    expect((await desk.run("prune", "--yes", "policy:9")).err).toContain("did you mean `policy:7`?");
    expect((await desk.run("prune", "--out", "plan.json", "policy:7")).code).toBe(0);
    expect((await desk.run("apply", "plan.json", "--yes")).code).toBe(0);
    expect(Object.keys(desk.lock().retired)).toEqual(["agent#7", "policy#8"]);
    expect((await desk.run("prune", "--yes", "7", "policy:8")).code).toBe(0);
    expect(desk.lock().retired).toEqual({});
  });

  test("names the lists that it could not look at, before it deletes", async () => {
    const { list: _list, ...unlisted } = allOperations.agent;
    const desk = await openFullDesk(documents, { ...allOperations, agent: unlisted });
    await leaveBehind(desk);
    const { out } = await desk.run("prune", "--yes");
    expect(out).toContain("are not seen, because `service.operations.agent.list` is not set");
  });

  test("counts what the deployment cannot delete", async () => {
    const { policy: _policy, ...others } = allOperations;
    const desk = await openFullDesk(documents, others);
    const old = await leaveBehind(desk);
    const { code, out } = await desk.run("prune", "--yes");
    expect(code).toBe(0);
    expect(out).toContain("1 object stays, because `service.operations.policy.delete` is not set");
    const named = await desk.run("prune", "--yes", old);
    expect(named.code).toBe(1);
    expect(named.out).toContain("stays: `service.operations.policy.delete` is not set");
    expect(policies(desk)).toContain(old);
  });

  test("keeps what an agent made by hand uses, and what a resource names by its ID", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const create = { name: "by hand", system_prompt: `Obey ${old}.` };
    const [id = ""] = desk.emulator.edit({ kind: "agent", create });
    const { code, out } = await desk.run("prune", "--yes");
    expect(code).toBe(0);
    expect(out).toContain(`stays: the agent ${id} (by hand) refers to it in the service`);
    desk.emulator.edit({ kind: "agent", id, delete: true });
    desk.workspace.write({ "agents/literal.yaml": guarded("literal", old) });
    expect((await desk.run("prune", "--yes")).out).toContain(
      "stays: the document of agent:literal contains its ID",
    );
    await desk.run("apply", "--yes");
    expect((await desk.run("prune", "--yes")).out).toContain("stays: agent:literal contains its ID");
    // Many services take a hexadecimal ID in capitals for the same.
    desk.workspace.write({ "agents/literal.yaml": guarded("literal", old.toUpperCase()) });
    await desk.run("apply", "--yes");
    expect((await desk.run("prune", "--yes")).out).toContain("stays: agent:literal contains its ID");
    expect(policies(desk)).toContain(old);
  });

  test("keeps what an agent made by hand uses where a list shows less than a read, which must work", async () => {
    const names: { _id: string }[] = [];
    const agents = { method: "GET", path: "/v3/agents/", count: 99, status: 200, body: names };
    const last = { method: "GET", path: "/v3/agents/{id}", skip: 13, count: 9, status: 403 };
    const desk = await openFullDesk(documents, allOperations, { faults: [agents, last] });
    const old = await leaveBehind(desk);
    for (const prompt of ["Obey.", `Obey ${old}.`, "Wait."])
      desk.emulator.edit({ kind: "agent", create: { name: "by hand", system_prompt: prompt } });
    names.push(...desk.emulator.objects().agents.map(({ id }) => ({ _id: id })));
    const { out } = await desk.run("prune", "--yes");
    expect(out).toContain(`stays: the agent ${names[2]?._id} (by hand) refers to it in the service`);
    const unread = await desk.run("prune", "--yes");
    expect(unread.out).toContain("stays: what uses it is not known: GET /v3/agents/");
    expect(policies(desk)).toContain(old);
  });

  test.each([
    ["but empty", null],
    ["as it was before", "66f1c0de0000000000000042"],
  ])("keeps what an agent made by hand uses where a list has a field of it, %s", async (_how, listed) => {
    const agents: Json[] = [];
    const agent = { _id: "66f1c0de0000000000000077", name: "by hand", features: [{ config: {} }] };
    const list = { method: "GET", path: "/v3/agents/", count: 99, status: 200, body: agents };
    const read = { ...list, path: `/v3/agents/${agent._id}`, body: agent };
    const desk = await openFullDesk(documents, allOperations, { faults: [list, read] });
    const old = await leaveBehind(desk);
    agents.push(...desk.emulator.objects().agents.map(({ id, body }) => ({ ...body, _id: id })));
    agents.push({ ...agent, features: [{ config: { policy_id: listed } }] });
    Object.assign(agent, { features: [{ config: { policy_id: old } }] });
    const { out } = await desk.run("prune", "--yes");
    expect(out).toContain(`stays: the agent ${agent._id} (by hand) refers to it in the service`);
    expect(policies(desk)).toContain(old);
  });

  test.each([
    ["a read shows", [], /the list of GET \/v3\/agents\/ lacks ID/],
    ["no read tells of", [{ skip: 3, count: 9, status: 403 }], /GET \/v3\/agents\/ID: HTTP 403/],
  ])("keeps all where a list lacks what the state has, and %s", async (_what, reads, why) => {
    const list = { method: "GET", path: "/v3/agents/", count: 99, status: 200, body: [] };
    const desk = await openFullDesk(documents, allOperations, {
      faults: [list, ...reads.map((each) => ({ method: "GET", path: "/v3/agents/{id}", ...each }))],
    });
    const old = await leaveBehind(desk);
    desk.emulator.edit({ kind: "agent", create: { name: "by hand", system_prompt: `Obey ${old}.` } });
    const { out } = await desk.run("prune", "--yes");
    const id = String(desk.lock().resources["agent:support"]?.["id"]);
    expect(out).toContain("stays: what uses it is not known: ");
    expect(out.replaceAll(id, "ID")).toMatch(why);
    expect(policies(desk)).toContain(old);
  });

  test("keeps an agent that another one refers to by a number", async () => {
    const body = { name: "a", system_prompt: "Be kind." };
    const create = { method: "POST", path: "/v3/agents/", status: 200, body: { agent_id: 17 } };
    const list = { method: "GET", path: "/v3/agents/", count: 99, status: 200 };
    const agents = [
      { _id: 17, ...body },
      { _id: 18, managed_agents: [17] },
    ];
    const operations = {
      ...deletesAlone(),
      agent: { list: "GET /v3/agents/", delete: "DELETE /v3/agents/{id}" },
    };
    const faults = [create, { ...list, body: agents }];
    const desk = await openFullDesk({ "agents/a.yaml": documentText("Agent", "a", body) }, operations, {
      faults,
    });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    desk.workspace.remove("agents/a.yaml");
    await desk.run("apply", "--yes");
    expect((await desk.run("prune", "--yes")).out).toContain("(17) stays: the agent 18 refers to it");
  });

  test("an object's own number is no reference to an object of another kind with that number", async () => {
    const agents = [{ _id: 7, agent_id: "7", name: "By hand" }];
    const list = { method: "GET", path: "/v3/agents/", count: 99, status: 200, body: agents };
    const { read: _read, ...unread } = allOperations.agent;
    const files = { "agents/a.yaml": documentText("Agent", "a", { name: "A" }) };
    const desk = await openFullDesk(files, { ...allOperations, agent: unread }, { faults: [list] });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    const retired = { "policy#7": { address: "policy:old", body: { name: "Old" }, reason: "forgotten" } };
    desk.workspace.write({ "agentform.lock": JSON.stringify({ ...desk.lock(), retired }) });
    Object.assign(agents[0] ?? {}, { notes: { policy: "7" } });
    expect((await desk.run("prune", "--yes")).out).toContain(
      "(7) stays: the agent 7 (By hand) refers to it in the service",
    );
    Object.assign(agents[0] ?? {}, { notes: {} });
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(desk.lock().retired).toEqual({});
  });

  test.each([404, 403])(
    "keeps all where a list may show less than a read that answers %d",
    async (status) => {
      const agents: { _id: string }[] = [];
      const list = { method: "GET", path: "/v3/agents/", count: 99, status: 200, body: agents };
      const read = { method: "GET", path: "/v3/agents/{id}", skip: 3, count: 99, status };
      const desk = await openFullDesk(documents, allOperations, { faults: [list, read] });
      const old = await leaveBehind(desk);
      const create = { name: "by hand", system_prompt: `Obey ${old}.` };
      desk.emulator.edit({ kind: "agent", create });
      agents.push(...desk.emulator.objects().agents.map(({ id }) => ({ _id: id })));
      const { out } = await desk.run("prune", "--yes");
      expect(out).toContain("stays: what uses it is not known: GET /v3/agents/");
      expect(policies(desk)).toContain(old);
    },
  );

  test("keeps what a document takes over", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const { resources } = desk.lock();
    const leftAs = (id: string) => {
      const retired = Object.fromEntries(Object.values(desk.lock().retired).map((each) => [id, each]));
      desk.workspace.write({ "agentform.lock": JSON.stringify({ ...desk.lock(), resources, retired }) });
      rmSync(join(desk.workspace.directory, ".agentform"), { recursive: true, force: true });
    };
    const forms = [old, old.toUpperCase()];
    for (const [id, adopt] of forms.flatMap((id) => forms.map((adopt) => [id, adopt] as const))) {
      leftAs(id);
      desk.workspace.write({
        "policies/back.yaml": documentText("Policy", "back", { name: "Back" }, { adopt }),
      });
      expect((await desk.run("prune", "--yes")).out).toContain(
        "stays: `lifecycle.adopt` of policy:back names it",
      );
    }
    for (const [id, adopt] of [forms, forms.toReversed()]) {
      leftAs(String(id));
      const resolved = await desk.run("lock", "resolve", "policy:back", "--adopt", String(adopt));
      expect(resolved).toMatchObject({ code: 0 });
      expect((await desk.run("prune", "--yes")).out).toContain("stays: it is managed as policy:back");
    }
    expect(policies(desk)).toContain(old);
  });

  test("knows an object by the ID that a list shows in capitals", async () => {
    const listed: Json[] = [];
    const list = { method: "GET", path: "/v1/rai/policies", count: 99, status: 200, body: listed };
    const missing = { method: "DELETE", path: "/v1/rai/policies/{id}", status: 404 };
    const { read: _read, ...policy } = allOperations.policy;
    const desk = await openFullDesk(documents, { ...allOperations, policy }, { faults: [list, missing] });
    const old = await leaveBehind(desk);
    // Its own ID is no use of it, wherever the object has it.
    listed.push({ _id: old.toUpperCase(), name: "Strict", description: `see ${old}` });
    const contradicted = await desk.run("prune", "--yes");
    expect(contradicted).toMatchObject({ code: 1, err: expect.stringContaining("but still shows it") });
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(policies(desk)).not.toContain(old);
  });

  test("deletes what uses each other, and is listed in capitals, in one run", async () => {
    const listed: Json[] = [];
    const list = { method: "GET", path: "/v3/agents/", count: 99, status: 200, body: listed };
    const { read: _read, ...agent } = allOperations.agent;
    const desk = await openFullDesk(documents, { ...allOperations, agent }, { faults: [list] });
    const old = await leaveBehind(desk);
    for (const name of ["One", "Other"]) desk.emulator.edit({ kind: "agent", create: { name } });
    const managed = desk.lock().resources["agent:support"]?.["id"];
    const ids = desk.emulator.objects().agents.flatMap(({ id }) => (id === managed ? [] : id));
    const object = { body: {}, reason: "forgotten" };
    const capitals = ids.map((id) => id.toUpperCase());
    const { retired } = desk.lock();
    const prune = async (known: readonly string[], shown: readonly string[], ...how: readonly string[]) => {
      const left = known.map((id, index) => [id, { ...object, address: `agent:old-${index}` }]);
      const lock = { ...desk.lock(), retired: { ...retired, ...Object.fromEntries(left) } };
      desk.workspace.write({ "agentform.lock": JSON.stringify(lock) });
      const [one = "", other = ""] = shown;
      const both = [
        { _id: one, name: "One", tools: [other, old] },
        { _id: other, name: "Other", tools: [one] },
      ];
      listed.splice(0, 2, ...both);
      const { code, out } = await desk.run("prune", ...how);
      expect([code, out]).toEqual([0, expect.not.stringContaining("stays")]);
    };
    await prune(capitals, ids, "--out", "plan.json");
    await prune(ids, capitals, "--yes");
    expect(policies(desk)).not.toContain(old);
  });

  test("keeps everything if a list cannot be read, and says why", async () => {
    const agent = { ...allOperations.agent, list: { request: "GET /v3/agents/", items: "/agents" } };
    const desk = await openFullDesk(documents, { ...allOperations, agent });
    const old = await leaveBehind(desk);
    const { code, out } = await desk.run("prune", "--yes", "--format", "json");
    expect(code).toBe(0);
    const [version, found, summary] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(version).toMatchObject({ type: "version", format: "agentform/apply/v1" });
    const kept = expect.stringContaining(
      "what uses it is not known: the answer to GET /v3/agents/ has no list",
    );
    expect(found).toMatchObject({
      type: "diagnostics",
      diagnostics: [{ code: "prune-kept", address: "policy:strict", message: kept }],
    });
    expect(summary).toEqual({ type: "summary", done: 0, failed: 0, unknown: 0, skipped: 0, blocked: 0 });
    expect(policies(desk)).toContain(old);
  });

  test("deletes an agent before the policy that it refers to, and keeps both together", async () => {
    const files = { "policies/strict.yaml": policyText(), "agents/a.yaml": guarded("a", "${policy:strict}") };
    for (const operations of [allOperations, deletesAlone()]) {
      const desk = await openFullDesk(files, operations);
      await desk.run("apply", "--yes");
      desk.workspace.remove("policies/strict.yaml");
      desk.workspace.remove("agents/a.yaml");
      await desk.run("apply", "--yes");
      const policy = Object.entries(desk.lock().retired).find(
        ([, { address }]) => address === "policy:strict",
      );
      const alone = await desk.run("prune", "--yes", policy?.[0] ?? "");
      expect(alone).toMatchObject({ code: 1, out: expect.stringContaining("stays: ") });
      expect(policies(desk)).toHaveLength(1);
      expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
      const paths = desk.emulator.requests
        .filter(({ method }) => method === "DELETE")
        .map(({ path }) => path);
      expect(paths.map((path) => path.split("/")[2])).toEqual(["agents", "rai"]);
    }
  });

  test("keeps what a forgotten agent refers to by a name that the policy had then", async () => {
    const files = { "policies/strict.yaml": policyText(), "agents/a.yaml": guarded("a", "${policy:strict}") };
    const desk = await openFullDesk(files, { policy: deletesAlone().policy ?? {} });
    await desk.run("apply", "--yes");
    desk.workspace.remove("agents/a.yaml");
    await desk.run("apply", "--yes");
    desk.workspace.remove("policies/strict.yaml");
    const lifecycle = { moved_from: "policy:strict" };
    for (const name of ["Strict", "Stricter"]) {
      const text = documentText("Policy", "other", { name }, lifecycle);
      desk.workspace.write({ "policies/other.yaml": text });
      expect((await desk.run("apply", "--yes")).code).toBe(0);
    }
    const pruned = await desk.run("prune", "--yes");
    expect(pruned.out).toContain("agent:a, which is left behind too, refers to it");
    expect(policies(desk)).toHaveLength(Object.keys(desk.lock().retired).length);
  });

  test("keeps what an update that may have arrived refers to, once the agent is forgotten", async () => {
    const names = ["strict", "other"];
    const policyFiles = names.map((name) => [
      `policies/${name}.yaml`,
      documentText("Policy", name, { name }),
    ]);
    const files = { ...Object.fromEntries(policyFiles), "agents/a.yaml": guarded("a", "${policy:strict}") };
    const desk = await openFullDesk(files, { policy: deletesAlone().policy ?? {} });
    await desk.run("apply", "--yes");
    const lock = desk.lock();
    const references = { "policy:other": String(lock.resources["policy:other"]?.["id"]) };
    const attempted = [{ body: { name: "a" }, references }];
    Object.assign(lock.resources["agent:a"] ?? {}, { uncertain: true, attempted });
    desk.workspace.write({ "agentform.lock": JSON.stringify(lock) });
    desk.workspace.remove("agents/a.yaml");
    await desk.run("apply", "--yes");
    for (const name of names) desk.workspace.remove(`policies/${name}.yaml`);
    await desk.run("apply", "--yes");
    await desk.run("prune", "--yes");
    expect(policies(desk)).toHaveLength(2);
  });

  test("keeps what a different environment manages, and needs all their locks", async () => {
    const desk = await openFullDesk({});
    const environments = "  environments: {default: {}, staging: {}}\n";
    desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, environments) });
    desk.workspace.write({ "policies/strict.yaml": policyText() });
    await desk.run("apply", "--yes");
    const old = String(desk.lock().resources["policy:strict"]?.["id"]);
    const shared = documentText("Policy", "strict", { name: "Shared" }, { adopt: { staging: old } });
    desk.workspace.write({ "policies/strict.yaml": shared });
    // Nothing takes over what another environment still manages.
    expect(await desk.run("apply", "--yes", "-e", "staging")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`cannot have the ID ${old}: the environment \`default\` has it`),
    });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await desk.run("apply", "--yes", "-e", "staging")).toMatchObject({ code: 0 });
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
    // The document without `adopt` does not name it any more.
    desk.workspace.write({ "policies/strict.yaml": documentText("Policy", "strict", { name: "Shared" }) });
    const { out } = await desk.run("prune", "--yes");
    expect(out).toContain("stays: it is managed as policy:strict in agentform.staging.lock");
    const staging = desk.workspace.read("agentform.staging.lock");
    // The same service may have two names.
    desk.workspace.write({ "agentform.staging.lock": staging.replaceAll("127.0.0.1", "localhost") });
    const renamed = await desk.run("prune", "--yes");
    expect(renamed.out).toContain("stays: it is managed as policy:strict in agentform.staging.lock");
    desk.workspace.write({ "agentform.staging.lock": staging.slice(0, 100) });
    expect(await desk.run("prune", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("lock-damaged"),
    });
    expect(policies(desk)).toContain(old);
    desk.workspace.remove("agentform.staging.lock");
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(policies(desk)).not.toContain(old);
  });

  wholeTest(
    "keeps what an environment manages whose state is on a server, and needs to read it",
    async () => {
      const server = await StateServer.start();
      onTestFinished(() => server.close());
      const desk = await openFullDesk({});
      const stored = `  lock: {store: http, address: "${server.origin}/state/{environment}"}\n  environments: {default: {}, staging: {}}\n`;
      desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, stored) });
      desk.workspace.write({ "policies/strict.yaml": policyText() });
      await desk.run("apply", "--yes");
      const [old = ""] = policies(desk);
      const shared = documentText("Policy", "strict", { name: "Shared" }, { adopt: { staging: old } });
      desk.workspace.write({ "policies/strict.yaml": shared });
      expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
      expect(await desk.run("apply", "--yes", "-e", "staging")).toMatchObject({ code: 0 });
      desk.workspace.write({ "policies/strict.yaml": documentText("Policy", "strict", { name: "Shared" }) });
      const { out } = await desk.run("prune", "--yes");
      expect(out).toContain(`stays: it is managed as policy:strict in ${server.origin}/state/staging`);
      // The state stands there, whichever environments the manifest of a branch has.
      const without = stored.replace(", staging: {}", "");
      desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, without) });
      expect((await desk.run("prune", "--yes")).out).toContain(
        `stays: it is managed as policy:strict in ${server.origin}/state/staging`,
      );
      // A machine that has written none of it knows of it by a commit.
      git(desk.workspace.directory, "init", "-q", "-b", "main");
      const commit = (text: string): void => {
        desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, text) });
        git(desk.workspace.directory, "add", "agentform.yaml");
        git(desk.workspace.directory, "commit", "-q", "-m", "environments");
      };
      commit(stored);
      commit(without);
      rmSync(join(desk.workspace.directory, ".agentform"), { recursive: true });
      expect((await desk.run("prune", "--yes")).out).toContain(
        `stays: it is managed as policy:strict in ${server.origin}/state/staging`,
      );
      // A shallow clone has no such commit.
      desk.workspace.write({ ".git/shallow": git(desk.workspace.directory, "rev-parse", "HEAD") });
      expect((await desk.run("prune", "--yes")).out).toContain("not known: this clone is shallow");
      expect(policies(desk)).toContain(old);
      desk.workspace.remove(".git/shallow");

      desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, stored) });
      const isStaging = ({ url }: { readonly url: string }) => url.includes("/state/staging");
      server.fault = (request) => (isStaging(request) ? { status: 503 } : undefined);
      const refused = await desk.run("prune", "--yes");
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("/state/staging") });
      expect(policies(desk)).toContain(old);
      // A partial clone that lacks the manifest of that commit is no clone without it.
      server.fault = () => undefined;
      desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, without) });
      const partial = join(desk.workspace.directory, "partial");
      git(desk.workspace.directory, "config", "uploadpack.allowFilter", "true");
      const filter = ["-q", "--no-checkout", "--filter=blob:none"];
      git(desk.workspace.directory, "clone", ...filter, `file://${desk.workspace.directory}`, partial);
      rmSync(join(desk.workspace.directory, ".git"), { recursive: true });
      renameSync(join(partial, ".git"), join(desk.workspace.directory, ".git"));
      expect(await desk.run("prune", "--yes")).toMatchObject({
        code: 1,
        err: expect.stringContaining("this clone does not have all objects of its history"),
      });
      expect(policies(desk)).toContain(old);
    },
  );

  test("says of what the service has only accepted to delete that it may still be there", async () => {
    const faults = [{ method: "DELETE", status: 202, body: {} }];
    const desk = await openFullDesk(documents, allOperations, { faults });
    const old = await leaveBehind(desk);
    expect(await desk.run("prune", "--yes")).toMatchObject({
      code: 3,
      err: expect.stringContaining("the service has accepted the delete, and still shows it"),
    });
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(desk.lock().retired).toEqual({});

    const blind = await openFullDesk(documents, deletesAlone(), { faults });
    await leaveBehind(blind);
    expect(await blind.run("prune", "--yes")).toMatchObject({
      code: 0,
      err: expect.stringContaining("the service has accepted the delete (202), and may carry it out later"),
    });
  });

  wholeTest(
    "keeps what an environment manages that was given up before the workspace had another name",
    async () => {
      await keepsFromEarlierName("plain", (origin) => `address: "${origin}/state/{environment}"`);
      const sealed = () => "gitlab: {project: group/desk}, seal: '${env:EXAMPLE_SEAL}'";
      await keepsFromEarlierName("gitlab", sealed);
    },
  );

  async function keepsFromEarlierName(
    form: "plain" | "gitlab",
    placeAt: (origin: string) => string,
  ): Promise<void> {
    const server = await StateServer.start({ form });
    onTestFinished(() => server.close());
    const desk = await openFullDesk({});
    const run = (...args: string[]) => runIn(desk.workspace.directory, args, { CI_API_V4_URL: server.api });
    const place = `  lock: {store: http, ${placeAt(server.origin)}}\n`;
    const commit = (name: string, environments: string): void => {
      const text = fullManifest(
        desk.emulator.url,
        allOperations,
        `${place}  environments: ${environments}\n`,
      );
      desk.workspace.write({ "agentform.yaml": text.replace("name: desk", `name: ${name}`) });
      git(desk.workspace.directory, "add", "agentform.yaml");
      git(desk.workspace.directory, "commit", "-q", "-m", "environments");
    };
    git(desk.workspace.directory, "init", "-q", "-b", "main");
    commit("desk", "{default: {}, staging: {}}");
    desk.workspace.write({ "policies/strict.yaml": policyText() });
    await run("apply", "--yes");
    const [old = ""] = policies(desk);
    const shared = documentText("Policy", "strict", { name: "Shared" }, { adopt: { staging: old } });
    desk.workspace.write({ "policies/strict.yaml": shared });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await run("apply", "--yes", "-e", "staging")).toMatchObject({ code: 0 });
    desk.workspace.write({ "policies/strict.yaml": documentText("Policy", "strict", { name: "Shared" }) });
    commit("desk", "{default: {}}");
    commit("counter", "{default: {}}");
    expect(await run("lock", "move", "--from-workspace", "desk")).toMatchObject({ code: 0 });
    // Another machine than the one that applied.
    const keeps = async (...args: string[]) => {
      rmSync(join(desk.workspace.directory, ".git/agentform"), { recursive: true, force: true });
      expect((await run("prune", "--yes", ...args)).out).toMatch(
        /stays: it is managed as policy:strict in http\S+\/(?:desk-)?staging/,
      );
      expect(policies(desk)).toContain(old);
    };
    await keeps();
    mkdirSync(join(desk.workspace.directory, "team"));
    git(desk.workspace.directory, "mv", "agentform.yaml", "team");
    git(desk.workspace.directory, "commit", "-q", "-m", "move");
    await keeps("-C", "team");
    git(desk.workspace.directory, "reset", "-q", "--hard", "HEAD~");
    server.fault = ({ url }) => (url.includes("staging") ? { status: 503 } : undefined);
    expect(await run("prune", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("under the earlier name `desk` of the workspace"),
    });
  }

  wholeTest("passes over what had moved elsewhere before the workspace had another name", async () => {
    const server = await StateServer.start({ form: "gitlab" });
    onTestFinished(() => server.close());
    const { workspace, emulator } = await openFullDesk({});
    const { directory } = workspace;
    const run = (...args: string[]) => runIn(directory, args, { CI_API_V4_URL: server.api });
    const storeIn = (project: string) => `{store: http, gitlab: {project: group/${project}}}`;
    const commit = (name: string, project: string): void => {
      const more = `  lock: ${storeIn(project)}\n`;
      const text = fullManifest(emulator.url, allOperations, more).replace("name: desk", `name: ${name}`);
      workspace.write({ "agentform.yaml": text });
      git(directory, "add", "agentform.yaml");
      git(directory, "commit", "-q", "-m", name);
    };
    const move = async (...args: string[]) =>
      expect(await run("lock", "move", ...args)).toMatchObject({ code: 0 });
    git(directory, "init", "-q", "-b", "main");
    commit("desk", "one");
    workspace.write({ "policies/strict.yaml": policyText() });
    await run("apply", "--yes");
    await move("--to", storeIn("two"));
    commit("desk", "two");
    commit("counter", "two");
    await move("--from-workspace", "desk");
    await move("--to", storeIn("one"));
    commit("counter", "one");
    workspace.write({ "policies/strict.yaml": policyText(["tax"]) });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(emulator.objects().policies).toHaveLength(1);
  });

  test("keeps everything while the last update of a resource is uncertain", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const lock = JSON.parse(desk.workspace.read("agentform.lock")) as { resources: Record<string, object> };
    Object.assign(lock.resources["agent:support"] ?? {}, { uncertain: true });
    desk.workspace.write({ "agentform.lock": JSON.stringify(lock) });
    expect((await desk.run("prune", "--yes")).out).toContain("the last update of agent:support is uncertain");
    await desk.run("apply", "--yes");
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(policies(desk)).not.toContain(old);
  });

  test("refuses with documents that have errors, and with a different service", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    desk.workspace.write({ "agents/support.yaml": agentText({ nme: "Support" }) });
    expect((await desk.run("prune", "--yes")).code).toBe(1);
    desk.workspace.write({ "agents/support.yaml": agentText() });
    desk.workspace.write({ "agentform.yaml": fullManifest("http://127.0.0.1:9") });
    const moved = await desk.run("prune", "--yes");
    expect(moved).toMatchObject({ code: 1, err: expect.stringContaining("service-moved") });
    expect(moved.err.match(/pass `--service-moved` to plan and apply/g)).toHaveLength(1);
    expect(policies(desk)).toContain(old);
  });

  test("a refused delete is a failure, and shows no secret that the service echoes", async () => {
    const canary = "c4n4ry-of-the-desk";
    const body = { detail: `in use by ${canary}` };
    const faults = [{ method: "DELETE", status: 409, body }];
    const desk = await openFullDesk(documents, deletesAlone(), { faults });
    const old = await leaveBehind(desk);
    let printed = "";
    const print = (text: string) => (printed += text);
    const code = await main(["prune", "--yes"], {
      env: { AGENT_API_KEY: secretValue, DESK_TOKEN: canary, PROVIDER_KEY: "x" },
      cwd: desk.workspace.directory,
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out: print,
      err: print,
    });
    expect(code).toBe(1);
    expect(printed).toContain("in use by");
    expect(printed).toContain("Prune incomplete: 0 done, 1 failed.");
    expect(printed).not.toContain(canary);
    expect(desk.workspace.read("agentform.lock")).not.toContain(canary);
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
  });

  test("works with the emulator", async () => {
    const desk = await openFullDesk();
    await desk.run("apply", "--yes", "--emulator");
    desk.workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
    await desk.run("apply", "--yes", "--emulator");
    const { code, out } = await desk.run("prune", "--yes", "--emulator");
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("Prune complete: 1 done."),
    });
  });
});

describe("a prune is a plan", () => {
  test("in every form of a plan, which deletes nothing", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const json = await desk.run("prune", "--format", "json");
    expect(json.code).toBe(2);
    const lines = json.out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    const { plan } = JSON.parse(lines[1] ?? "") as { plan: object };
    expect(plan).toMatchObject({
      format: "agentform/plan/v1",
      options: { prune: true },
      notes: [{ code: "retired-deleted", effect: "review", address: "policy:strict" }],
      actions: [
        {
          address: "policy:strict",
          action: "delete",
          retired: true,
          ids: [old],
          requests: [`DELETE /v1/rai/policies/${old}`],
        },
      ],
      summary: { delete: 1, unchanged: 0 },
    });
    const markdown = await desk.run("prune", "--format", "markdown");
    expect(markdown.out).toContain("### agentform prune for desk");
    expect(markdown.out).toContain("`agentform prune --expect` with it applies this plan");
    const html = await desk.run("prune", "--format", "html");
    expect(html.out).toContain(old);
    for (const format of ["markdown", "html"]) {
      expect(await desk.run("prune", "--yes", "--format", format)).toMatchObject({ code: 64 });
    }
    expect(policies(desk)).toContain(old);
    expect(desk.emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  test("saved, it is shown again, and applied as it is", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    expect(await desk.run("prune", "--out", "prune.json")).toMatchObject({ code: 0 });
    expect(policies(desk)).toContain(old);
    expect((await desk.run("show", "prune.json")).out).toContain(`deletes 1 object in the service`);
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Prune complete: 1 done."),
    });
    expect(policies(desk)).not.toContain(old);
    expect(desk.lock().retired).toEqual({});
    // What was saved is not what a prune would do now.
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({ code: 4 });
  });

  test("saved, it is refused once something uses an object, or with other settings or documents", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    await desk.run("prune", "--out", "prune.json");
    const create = { name: "by hand", system_prompt: `Obey ${old}.` };
    const [id = ""] = desk.emulator.edit({ kind: "agent", create });
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({ code: 4 });
    desk.emulator.edit({ kind: "agent", id, delete: true });
    const policy = { ...allOperations.policy, delete: "DELETE /v3/agents/{id}" };
    const manifest = desk.workspace.read("agentform.yaml");
    desk.workspace.write({
      "agentform.yaml": fullManifest(desk.emulator.url, { ...allOperations, policy }),
    });
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({ code: 4 });
    desk.workspace.write({
      "agentform.yaml": manifest,
      "agents/support.yaml": agentText({ nme: "Support" }),
    });
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({ code: 1 });
    expect(policies(desk)).toContain(old);
    expect(desk.emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  test("saved, it is refused once an answer would be read otherwise", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    await desk.run("prune", "--out", "prune.json");
    const manifest = desk.workspace.read("agentform.yaml");
    const request = allOperations.policy.delete;
    const policy = { ...allOperations.policy, delete: { request, gone: [401] } };
    const otherwise = fullManifest(desk.emulator.url, { ...allOperations, policy });
    desk.workspace.write({ "agentform.yaml": otherwise });
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({ code: 4 });
    expect(desk.emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
    desk.workspace.write({ "agentform.yaml": manifest });
    expect(await desk.run("apply", "prune.json", "--yes")).toMatchObject({ code: 0 });
  });

  test("with the digest that was agreed to, and no other", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    const shown = await desk.run("prune", "--format", "json");
    const { digest } = JSON.parse(shown.out.trimEnd().split("\n").at(-1) ?? "") as { digest: string };
    const wrong = await desk.run("prune", "--yes", "--expect", digest.replace(/.$/, "x"));
    expect(wrong.code).toBe(4);
    expect(policies(desk)).toContain(old);
    expect(await desk.run("prune", "--yes", "--expect", digest)).toMatchObject({ code: 0 });
    expect(policies(desk)).not.toContain(old);
  });

  test("records no settings, which only an apply makes true", async () => {
    const desk = await openFullDesk();
    await leaveBehind(desk);
    const settings = () =>
      (JSON.parse(desk.workspace.read("agentform.lock")) as { settings: object }).settings;
    const before = settings();
    const { agent: _agent, ...fewer } = allOperations;
    desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, fewer) });
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(settings()).toEqual(before);
    expect((await desk.run("plan")).out).toContain("setting-changed");
  });

  test("several objects of one resource are one action, and each is told", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs", "hate"]) });
    await desk.run("apply", "--yes");
    const [, next = ""] = Object.keys(desk.lock().retired).toSorted((id) => (id === old ? -1 : 1));
    const create = { name: "by hand", system_prompt: `Obey ${next}.` };
    const [id = ""] = desk.emulator.edit({ kind: "agent", create });
    const one = await desk.run("prune", "--yes", "--format", "json");
    expect(one.code).toBe(0);
    expect(one.out).toContain(`policy:strict (${next}) stays: the agent ${id}`);
    expect(policies(desk)).not.toContain(old);
    expect(policies(desk)).toContain(next);
    desk.emulator.edit({ kind: "agent", id, delete: true });
    desk.workspace.write({ "policies/strict.yaml": policyText(["hate"]) });
    await desk.run("apply", "--yes");
    const both = await desk.run("prune", "--yes", "--format", "json");
    const events = both.out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]));
    expect(events).toMatchObject([
      { type: "version" },
      { type: "start", address: "policy:strict", action: "delete" },
      { type: "old-deleted", address: "policy:strict" },
      { type: "old-deleted", address: "policy:strict" },
      {
        type: "done",
        address: "policy:strict",
        action: "delete",
        ids: [expect.any(String), expect.any(String)],
      },
      { type: "summary", done: 1, failed: 0 },
    ]);
    expect(policies(desk)).toHaveLength(1);
  });
});

describe("what somebody wrote into the ledger, or made of what is in it", () => {
  const payroll = "Payroll bot of another team";

  /** A desk, and an agent that it has nothing to do with but an entry in its ledger. */
  async function withForged(entry: object, operations: Parameters<typeof openFullDesk>[1] = allOperations) {
    const desk = await openFullDesk(documents, operations);
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const other = makeWorkspace({
      "agentform.yaml": manifestAt(desk.emulator.url).replace("{name: desk}", "{name: payroll}"),
      "agents/payroll.yaml": documentText("Agent", "payroll", { name: payroll }),
    });
    expect((await runIn(other.directory, ["apply", "--yes"])).code).toBe(0);
    const theirs = desk.emulator.objects().agents.find((agent) => agent.body.name === payroll)?.id ?? "";
    const lock = desk.lock();
    Object.assign(lock.retired, { [theirs]: { address: "agent:old", reason: "forgotten", ...entry } });
    desk.workspace.write({ "agentform.lock": JSON.stringify(lock) });
    const isThere = () => desk.emulator.objects().agents.some(({ id }) => id === theirs);
    return { desk, theirs, isThere };
  }

  test("is not deleted if the service shows something else", async () => {
    const { desk, theirs, isThere } = await withForged({ body: { name: "Old" } });
    const { code, err } = await desk.run("prune", "--yes");
    expect(err).toContain(
      `agent:old (${theirs}) stays: the service shows something else in \`name\` than what was left behind`,
    );
    expect([code, isThere()]).toEqual([0, true]);
  });

  test("is not deleted if somebody gave it more or less than it was sent, be it forgotten or to be deleted", async () => {
    const desk = await openFullDesk(
      {
        "agents/left.yaml": documentText("Agent", "left", { name: "Left" }),
        "agents/gone.yaml": documentText("Agent", "gone", { name: "Gone" }, { on_removal: "delete" }),
        "policies/p.yaml": documentText("Policy", "p", { name: "P" }),
        "agents/bare.yaml": documentText("Agent", "bare", {
          name: "Bare",
          features: [{ type: "RAI", config: { policy_id: "${policy:p}" } }],
        }),
        "agents/same.yaml": documentText("Agent", "same", { name: "Same" }),
        "agents/thin.yaml": documentText("Agent", "thin", { name: "Thin", goal: "G" }),
      },
      allOperations,
    );
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const edit = (name: string, changes: JsonObject) =>
      desk.emulator.edit({ kind: "agent", id: String(desk.lock().resources[`agent:${name}`]?.id), changes });
    for (const name of ["left", "gone"]) edit(name, { temperature: 0.9 });
    edit("bare", { features: [] });
    edit("thin", { goal: null });
    edit("same", { last_used: "2026-01-01T00:00:00Z" });
    for (const name of ["left", "gone", "bare", "thin", "same"]) desk.workspace.remove(`agents/${name}.yaml`);
    const other = "the service shows something else in `temperature` than what was left behind";
    const applied = await desk.run("apply", "--yes");
    expect([applied.code, applied.err]).toEqual([1, expect.stringContaining(other)]);
    const pruned = await desk.run("prune", "--yes");
    expect([pruned.code, pruned.err.split(other).length]).toEqual([0, 3]);
    expect(pruned.err).toContain("the service shows something else in `features` than");
    expect(
      desk.emulator
        .objects()
        .agents.map(({ body }) => body.name)
        .toSorted(),
    ).toEqual(["Bare", "Gone", "Left", "Thin"]);
  });

  const token = { mode: "manual", client_id: "8f14e45f-ceea-467f-9a3b" };
  const using = (policy_id: string) => ({ features: [{ type: "RAI", config: { policy_id } }] });
  const own = { "/agent_id": 0, "/top_p": 1, "/version": 0 };

  test.each<[string, entry: JsonObject & { readonly body: JsonObject }, seen: JsonObject]>([
    ["also in a mapping of secrets", { body: { login_token: token } }, { login_token: token }],
    [
      "also in a mapping of secrets with a reference",
      {
        body: { login_token: { ...token, client_id: "${policy:strict}" } },
        references: { "policy:strict": token.client_id },
      },
      { login_token: token },
    ],
    [
      "but for a reference of which the ledger does not have what it stood for",
      { body: using("${policy:strict}"), baseline: { hidden: [], own } },
      using("another"),
    ],
  ])("is deleted if the service shows what was sent %s", async (_what, { body, ...entry }, seen) => {
    const { desk, theirs, isThere } = await withForged({ body: { name: payroll, ...body }, ...entry });
    desk.emulator.edit({ kind: "agent", id: theirs, changes: seen });
    expect(await desk.run("prune", "--yes")).toMatchObject({ code: 0 });
    expect(isThere()).toBe(false);
  });

  test("is named as the service names it, if there is nothing to compare it with", async () => {
    const { desk, theirs } = await withForged({});
    const { out, err } = await desk.run("prune", "--out", "prune.json");
    expect(`${out}${err}`).toContain(
      `agent:old (${theirs}): whether it is still what was left behind cannot be told; the service calls it \`${payroll}\``,
    );
  });

  test("is said to be unknown where nothing can be read", async () => {
    const { desk } = await withForged({ body: { name: "Old" } }, deletesAlone());
    const { out, err } = await desk.run("prune", "--out", "prune.json");
    expect(`${out}${err}`).toContain("agent:old: whether it is still what was left behind cannot be told");
  });

  test("stays if it was adopted and no update has arrived, unless it is named", async () => {
    const denied = { method: "PUT", status: 403, body: { message: "not yours" } };
    const desk = await openFullDesk(documents, allOperations, { faults: [denied] });
    const { emulator, run, lock, workspace } = desk;
    const [theirs = "", mine = ""] = ["Theirs", "Mine"].flatMap((name) =>
      emulator.edit({ kind: "agent", create: { name } }),
    );
    const adopting = (adopt: string) =>
      workspace.write({ "agents/triage.yaml": documentText("Agent", "triage", { name: "T" }, { adopt }) });
    adopting(theirs);
    expect((await run("apply", "--yes")).code).toBe(1);
    adopting(mine);
    expect((await run("apply", "--yes")).code).toBe(0);
    expect(Object.keys(lock().retired)).toEqual([theirs]);
    const all = await run("prune", "--yes");
    expect(all).toMatchObject({ code: 0, out: expect.stringContaining("Nothing to delete.") });
    expect(all.err).toContain(`agent:triage (${theirs}) stays: its ID may be that of another object`);
    const ids = () => emulator.objects().agents.map(({ id }) => id);
    expect(ids()).toContain(theirs);
    expect((await run("prune", "--yes", theirs)).code).toBe(0);
    expect(ids()).not.toContain(theirs);
  });

  test("stays if it was adopted and is of a kind that is never sent whole again", async () => {
    const desk = await openFullDesk(documents, deletesAlone());
    const { emulator, run, lock, workspace } = desk;
    const openapi_schema = { openapi: "3.1.0", paths: { "/a": { get: { operationId: "a" } } } };
    const spec = { tool_set_name: "theirs", openapi_schema };
    const [policy = ""] = emulator.edit({ kind: "policy", create: { name: "Theirs" } });
    const [tool = ""] = emulator.edit({ kind: "tool", create: spec });
    const adopted = {
      "policies/p.yaml": documentText("Policy", "p", { name: "P" }, { adopt: policy }),
      "toolsets/t.yaml": documentText(
        "ToolSet",
        "t",
        { ...spec, default_headers: {} },
        { adopt: [`a=${tool}`] },
      ),
    };
    workspace.write(adopted);
    expect((await run("apply", "--yes")).code).toBe(0);
    for (const file of Object.keys(adopted)) workspace.remove(file);
    expect((await run("apply", "--yes")).code).toBe(0);
    expect(Object.keys(lock().retired).toSorted()).toEqual([policy, tool].toSorted());
    const { code, out, err } = await run("prune", "--yes");
    expect([code, out]).toEqual([0, expect.stringContaining("Nothing to delete.")]);
    expect(err).toContain(`policy:p (${policy}) stays: its ID may be that of another object`);
    expect(err).toContain(`toolset:t (${tool}) stays: its ID may be that of another object`);
    const again = documentText("ToolSet", "u", { ...spec, default_headers: {} }, { adopt: [`a=${tool}`] });
    workspace.write({ "toolsets/u.yaml": again });
    expect((await run("prune", "--yes", tool)).err).toContain("`lifecycle.adopt` of toolset:u names it");
    workspace.remove("toolsets/u.yaml");
    expect((await run("prune", "--yes", policy)).code).toBe(0);
    expect(policies(desk)).not.toContain(policy);
  });

  test("stays if it was changed after the plan was saved", async () => {
    const desk = await openFullDesk();
    const old = await leaveBehind(desk);
    expect((await desk.run("prune", "--out", "prune.json")).code).toBe(0);
    desk.emulator.edit({ kind: "policy", id: old, changes: { name: "Changed" } });
    const { code, err } = await desk.run("apply", "prune.json", "--yes");
    expect([code, err]).toEqual([4, expect.stringContaining("shows something else in `name`")]);
    expect(policies(desk)).toContain(old);
  });

  test.each(["on_removal", "on_replaced"])(
    "stays if it was adopted and is not what its document says, before `%s` deletes it",
    async (when) => {
      const desk = await openFullDesk({});
      const [theirs = ""] = desk.emulator.edit({ kind: "policy", create: { name: "Theirs" } });
      const lifecycle = { adopt: theirs, [when]: "delete" };
      const write = (name: string) =>
        desk.workspace.write({ "policies/p.yaml": documentText("Policy", "p", { name }, lifecycle) });
      write("Mine");
      expect((await desk.run("apply", "--yes")).code).toBe(0);
      if (when === "on_removal") desk.workspace.remove("policies/p.yaml");
      else write("Mine too");
      const { out, err } = await desk.run("apply", "--yes");
      expect(`${out}${err}`).toContain(
        "the service shows something else in `name` than what was left behind; to delete it all the same, do so in the service",
      );
      expect(policies(desk)).toContain(theirs);
      expect(Object.keys(desk.lock().retired)).toEqual([theirs]);
    },
  );

  test.each(["on_removal", "on_replaced"])(
    "stays if it was adopted, and cannot be compared, when `%s` would delete it",
    async (when) => {
      const openapi_schema = { openapi: "3.1.0", paths: { "/a": { get: { operationId: "listA" } } } };
      const spec = { tool_set_name: "t", openapi_schema };
      const lifecycle = { [when]: "delete" };
      const desk = await openFullDesk({});
      const [tool = ""] = desk.emulator.edit({ kind: "tool", create: spec });
      const [agent = ""] = desk.emulator.edit({ kind: "agent", create: { name: "Payroll" } });
      desk.workspace.write({
        "toolsets/t.yaml": documentText("ToolSet", "t", spec, lifecycle),
        "agents/a.yaml": documentText("Agent", "a", { name: "A" }, lifecycle),
      });
      await desk.run("lock", "resolve", "agent:a", "--adopt", agent);
      await desk.run("lock", "resolve", "toolset:t", "--adopt", `listA=${tool}`);
      if (when === "on_removal") {
        desk.workspace.remove("toolsets/t.yaml");
        desk.workspace.remove("agents/a.yaml");
      }
      const replaced = when === "on_removal" ? [] : ["agent:a", "toolset:t"];
      const { code } = await desk.run("apply", "--yes", ...replaced.flatMap((each) => ["--replace", each]));
      expect(code).toBe(0);
      expect(Object.keys(desk.lock().retired).toSorted()).toEqual([agent, tool].toSorted());
      expect((await desk.run("prune", "--yes", agent, tool)).code).toBe(0);
      expect(desk.lock().retired).toEqual({});
    },
  );

  test("stays in the ledger if it was changed before `on_removal` deletes it", async () => {
    const triage = documentText("Agent", "triage", { name: "Triage" }, { on_removal: "delete" });
    const desk = await openFullDesk({ ...documents, "agents/triage.yaml": triage });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const id = String(desk.lock().resources["agent:triage"]?.["id"]);
    desk.emulator.edit({ kind: "agent", id, changes: { name: "Changed" } });
    desk.workspace.remove("agents/triage.yaml");
    const { code, err } = await desk.run("apply", "--yes");
    expect([code, err]).toEqual([1, expect.stringContaining("shows something else in `name`")]);
    expect(Object.keys(desk.lock().retired)).toEqual([id]);
    expect(desk.emulator.objects().agents.some((agent) => agent.id === id)).toBe(true);
  });
});
