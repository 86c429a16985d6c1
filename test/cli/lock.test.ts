import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { plainObjects } from "../harness/kind-places.js";
import { documents, openDesk, policyText, secretValue } from "./desk.js";
import { hold, leaveJournal } from "./store-state.js";

const triage = documentText("Agent", "triage", { name: "Triage", description: "As sent" });

describe("lock list, show and retired", () => {
  test("what is managed is listed with ID, state and file, whatever is wrong with the documents", async () => {
    const { workspace, emulator, run, lock } = await openDesk();
    await run("apply", "--yes");
    workspace.write({ "agents/support.yaml": "kind: [", "policies/strict.yaml": "nonsense" });
    const [policy, credential, agent] = plainObjects(emulator.objects());
    const listed = await run("lock", "list");
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(listed.out).toBe(`agentform.lock, serial 1: 4 resources

address              ID                        state    file
agent:support        ${agent?.id}  managed  agents/support.yaml
credential:provider  ${credential?.id}  managed  credentials/provider.yaml
policy:strict        ${policy?.id}  managed  policies/strict.yaml
toolset:desk         2 tools, unmapped         managed  toolsets/desk.yaml
`);
    const json = JSON.parse((await run("lock", "list", "--format", "json")).out);
    expect(json).toMatchObject({
      format: "agentform/lock-list/v1",
      lock: { serial: 1, lineage: lock().lineage },
    });
    expect(json.resources[3]).toMatchObject({
      address: "toolset:desk",
      ids: [expect.any(String), expect.any(String)],
    });
  });

  test("nothing applied is an empty list, a broken manifest or a damaged lock an error", async () => {
    const { workspace, run } = await openDesk();
    expect(await run("lock", "list")).toMatchObject({
      code: 0,
      out: "agentform.lock, serial 0: 0 resources\n",
    });
    workspace.write({ "agentform.lock": "{" });
    const damaged = await run("lock", "list");
    expect(damaged).toMatchObject({ code: 1, out: "" });
    expect(damaged.err).toContain("lock-damaged");
    workspace.write({ "agentform.yaml": "kind: [" });
    expect(await run("lock", "list")).toMatchObject({ code: 1, out: "" });
  });

  test("unknown, uncertain and without an ID are told apart", async () => {
    const desk = await openDesk(
      { ...documents, "agents/triage.yaml": triage },
      { answers: "minimal", faults: [{ path: "/v3/agents/", drop: "after" }] },
    );
    await desk.run("apply", "--yes", "--exclude", "agent:support");
    await desk.run("lock", "resolve", "agent:support", "--adopt", "id-1");
    const states = JSON.parse((await desk.run("lock", "list", "--format", "json")).out).resources;
    expect(
      states.map(({ address, state }: { address: string; state: string }) => `${address} ${state}`),
    ).toEqual([
      "agent:support uncertain",
      "agent:triage unknown",
      "credential:provider no-id",
      "policy:strict managed",
      "toolset:desk managed",
    ]);
    expect((await desk.run("lock", "list")).out).toMatch(/^credential:provider {2,}no ID {2,}credentials/m);
  });

  test("the emulator's lock is another", async () => {
    const { run } = await openDesk();
    await run("apply", "--yes", "--emulator");
    expect((await run("lock", "list", "--emulator")).out).toContain("serial 1: 4 resources");
    expect((await run("lock", "list")).out).toContain("0 resources");
    expect((await run("lock", "show", "agent:support", "--emulator")).code).toBe(0);
    expect((await run("lock", "retired", "--emulator")).out).toContain("0 objects left behind");
  });

  test("an apply in progress is said, and nothing of it called unknown", async () => {
    const desk = await openDesk();
    await desk.run("apply", "--yes");
    leaveJournal(desk);
    expect((await desk.run("lock", "list")).out).toMatch(/^agent:triage .* unknown/m);
    await hold(desk);
    const listed = await desk.run("lock", "list");
    expect(listed.code).toBe(0);
    expect(listed.err).toContain("an apply is in progress");
    expect(listed.out).not.toContain("agent:triage");
  });

  test("all that is known of an address is shown, secrets symbolic", async () => {
    const { workspace, emulator, run } = await openDesk();
    await run("apply", "--yes");
    workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
    await run("apply", "--yes");
    const [old, current] = emulator.objects().policies;
    const policy = await run("lock", "show", "policy:strict");
    expect(policy).toMatchObject({ code: 0, err: "" });
    expect(policy.out).toMatch(new RegExp(`ID +${current?.id}\n`));
    expect(policy.out).toContain("banned_topics: {enabled: true, topics: [drugs]}");
    expect(policy.out).toMatch(new RegExp(`Left behind\n +${old?.id} +replaced\n`));
    const agent = await run("lock", "show", "agent:support");
    expect(agent.out).toMatch(new RegExp(`References\n[^]*policy:strict +${current?.id}\n`));
    const toolset = await run("lock", "show", "toolset:desk");
    expect(toolset.out).toContain("POST /tickets (createTicket)");
    expect(toolset.out).toContain("Bearer ${env:DESK_TOKEN}");
    expect(toolset.out).not.toContain(secretValue);
    const json = JSON.parse((await run("lock", "show", "policy:strict", "--format", "json")).out);
    expect(json).toMatchObject({ state: "managed", entry: { id: current?.id }, retired: [{ id: old?.id }] });
  });

  test("an address that is not there is an error, no address a usage error", async () => {
    const { run } = await openDesk();
    await run("apply", "--yes");
    const missing = await run("lock", "show", "agent:suport");
    expect(missing).toMatchObject({ code: 1, out: "" });
    expect(missing.err).toContain("did you mean `agent:support`?");
    for (const wrong of [
      ["show", "support"],
      ["show"],
      ["list", "x"],
      [],
      ["nonsense"],
      ["list", "--format", "xml"],
    ]) {
      expect((await run("lock", ...wrong)).code).toBe(64);
    }
  });

  test("the ledger names what uses an object now, in the words of a prune, and not what used it once", async () => {
    const { workspace, emulator, run } = await openDesk(documents);
    await run("apply", "--yes");
    const [old] = emulator.objects().policies;
    workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
    await run("apply", "--yes");
    const users = async () => {
      const { out } = await run("lock", "retired", "--format", "json");
      return JSON.parse(out).retired.map(({ used_by }: { used_by: string[] }) => used_by);
    };
    expect(await users()).toEqual([[]]);
    const agent = workspace.read("agents/support.yaml");
    workspace.write({ "agents/support.yaml": agent.replace("${policy:strict}", old?.id ?? "") });
    expect(await users()).toEqual([["the document of agent:support contains its ID"]]);
    await run("apply", "--yes");
    expect((await run("lock", "retired")).out).toContain("agent:support contains its ID");
    expect((await run("lock", "show", "policy:strict")).out).toContain("agent:support contains its ID");
  });

  test("the ledger says what was left behind, and why", async () => {
    const { workspace, emulator, run } = await openDesk(documents, { answers: "minimal" });
    await run("apply", "--yes", "--target", "credential:provider");
    await run("apply", "--yes", "--target", "policy:strict");
    workspace.remove("agents/support.yaml");
    workspace.remove("credentials/provider.yaml");
    workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
    await run("apply", "--yes");
    const listed = await run("lock", "retired");
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/^no ID +credential:provider +forgotten$/m);
    expect(listed.out).toMatch(
      new RegExp(`^${emulator.objects().policies[0]?.id} +policy:strict +replaced$`, "m"),
    );
    const json = JSON.parse((await run("lock", "retired", "--format", "json")).out);
    expect(json.retired).toMatchObject([
      { id: null, address: "credential:provider", reason: "forgotten" },
      { address: "policy:strict", reason: "replaced" },
    ]);
  });
});

describe("lock restore", () => {
  test.each<[string, (lines: readonly string[]) => readonly string[]]>([
    ["line 2", ([header = "", ...others]) => [header, "a sector of zeros", ...others]],
    ["line 1", (lines) => lines.map((line) => `${line}\r`)],
    ["line 1", ([, ...others]) => ["a sector of zeros", ...others]],
  ])(
    "takes what a journal began behind its damage (%s) for unknown, so that nothing is created again",
    async (where, damage) => {
      const desk = await openDesk({ ...documents, "agents/triage.yaml": triage });
      const { workspace, emulator, run } = desk;
      await run("apply", "--yes", "--exclude", "agent:triage");
      leaveJournal(desk, "id-7");
      const lines = workspace.read("agentform.lock.journal").split("\n");
      workspace.write({ "agentform.lock.journal": damage(lines).join("\n") });
      const { length } = emulator.requests;
      expect((await run("apply", "--yes")).err).toContain(`${where} of the journal is damaged`);
      expect(await run("lock", "restore")).toMatchObject({ code: 0 });
      expect((await run("lock", "list")).out).toMatch(/^agent:triage +unknown/m);
      expect((await run("apply", "--yes")).code).toBe(3);
      expect(emulator.requests).toHaveLength(length);
    },
  );

  test("writes nothing where a journal of which nothing can be read is all that there is", async () => {
    const { workspace, run } = await openDesk(documents);
    workspace.write({ "agentform.lock.journal": "a sector of zeros\na sector of zeros\n" });
    const { code, err } = await run("lock", "restore");
    expect(code).toBe(1);
    expect(err).toContain("error[journal-damaged]: line 1 of the journal is damaged");
    expect(err).toContain("put a backup in its place; or remove it");
    expect(workspace.read("agentform.lock.journal")).toContain("a sector of zeros");
    expect(existsSync(join(workspace.directory, "agentform.lock"))).toBe(false);
  });
});
