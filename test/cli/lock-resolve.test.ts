import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { agentText, documents, openDesk, policyText } from "./desk.js";
import { expectOf } from "./json-schemas.js";
import { hold, leaveJournal } from "./store-state.js";

const triage = documentText("Agent", "triage", { name: "Triage", description: "As sent" });
const lostAgent = { faults: [{ path: "/v3/agents/", drop: "after" as const }] };

describe("lock resolve", () => {
  test("what was created is recorded as it was sent, not as the document is now", async () => {
    const { workspace, emulator, run, lock } = await openDesk({ "agents/triage.yaml": triage }, lostAgent);
    expect((await run("apply", "--yes")).code).toBe(3);
    workspace.write({ "agents/triage.yaml": triage.replace("As sent", "As it is now") });
    const id = emulator.objects().agents[0]?.id ?? "";
    const resolved = await run("lock", "resolve", "agent:triage", "--adopt", id);
    expect(resolved).toMatchObject({ code: 0, err: "" });
    expect(resolved.out).toMatch(
      new RegExp(`^agent:triage: adopted ID ${id}, which the create of .* made\n$`),
    );
    expect(lock()).toMatchObject({ serial: 2, unknown: {} });
    expect(lock().resources["agent:triage"]).toMatchObject({ id, body: { description: "As sent" } });
    expect(lock().resources["agent:triage"]).not.toHaveProperty("uncertain");
    const { actions } = JSON.parse((await run("plan", "--format", "json")).out);
    expect(actions).toMatchObject([
      { action: "update", changes: [{ path: "description", before: "As sent", after: "As it is now" }] },
    ]);
  });

  test("what was not created is created by the next apply", async () => {
    const { emulator, run, lock } = await openDesk(
      { "agents/triage.yaml": triage },
      { faults: [{ path: "/v3/agents/", drop: "before" }] },
    );
    await run("apply", "--yes");
    expect((await run("lock", "resolve", "agent:triage", "--not-created")).out).toBe(
      "agent:triage: was not created\n",
    );
    expect(lock().unknown).toEqual({});
    expect((await run("apply", "--yes")).code).toBe(0);
    expect(emulator.objects().agents).toHaveLength(1);
  });

  test("a wrong ID is corrected by the way that the next attempt names", async () => {
    const { workspace, emulator, run } = await openDesk({ "agents/triage.yaml": triage }, lostAgent);
    await run("apply", "--yes");
    const id = emulator.objects().agents[0]?.id ?? "";
    await run("lock", "resolve", "agent:triage", "--adopt", "another");
    const { code, err } = await run("lock", "resolve", "agent:triage", "--adopt", id);
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /if the ID is wrong, remove the document, apply, and write it again with `lifecycle: \{adopt: ID\}`/,
      ),
    });
    workspace.remove("agents/triage.yaml");
    expect((await run("apply", "--yes")).code).toBe(0);
    const spec = { name: "Triage", description: "As sent" };
    workspace.write({ "agents/triage.yaml": documentText("Agent", "triage", spec, { adopt: id }) });
    expect((await run("apply", "--yes")).code).toBe(0);
    expect((await run("lock", "list")).out).toContain(id);
    expect(emulator.objects().agents).toHaveLength(1);
  });

  test("what was done is data, of which the sentence is made", async () => {
    const { emulator, run } = await openDesk({ "agents/triage.yaml": triage }, lostAgent);
    await run("apply", "--yes");
    const id = emulator.objects().agents[0]?.id ?? "";
    const words = ["lock", "resolve", "agent:triage", "--adopt", id];
    const found = JSON.parse((await run(...words, "--format", "json")).out);
    expectOf("lock-repair", found);
    const since = expect.stringMatching(/^\d{4}-/);
    expect(found.changes).toEqual([
      { type: "found", address: "agent:triage", ids: [id], operation: "create", since },
    ]);
    const again = JSON.parse((await run(...words, "--format", "json")).out);
    expect(again.changes).toEqual([{ type: "already-managed", address: "agent:triage", ids: [id] }]);
    expect((await run(...words)).out).toBe(`agent:triage: is already managed, with ID ${id}\n`);
  });

  test.each([
    ["adopted, the old object goes to the ledger", true],
    ["not created, the old object stays", false],
  ])("a replacement of unknown outcome: %s", async (_, isCreated) => {
    const { workspace, emulator, run, lock } = await openDesk(documents, {
      faults: [{ path: "/v1/rai/policies", drop: "after", skip: 1 }],
    });
    await run("apply", "--yes");
    workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
    expect((await run("apply", "--yes")).code).toBe(3);
    const [old, created] = emulator.objects().policies;
    const said = isCreated ? ["--adopt", created?.id ?? ""] : ["--not-created"];
    expect((await run("lock", "resolve", "policy:strict", "--adopt", old?.id ?? "")).code).toBe(1);
    expect((await run("lock", "resolve", "policy:strict", ...said)).code).toBe(0);
    expect(lock().unknown).toEqual({});
    expect(lock().resources["policy:strict"]?.id).toBe(isCreated ? created?.id : old?.id);
    expect(lock().retired).toEqual(
      isCreated
        ? { [old?.id ?? ""]: expect.objectContaining({ reason: "replaced", used_by: ["agent:support"] }) }
        : {},
    );
  });

  test("a journal left behind is accounted for first", async () => {
    const desk = await openDesk();
    await desk.run("apply", "--yes");
    leaveJournal(desk);
    expect((await desk.run("lock", "resolve", "agent:triage", "--adopt", "id-9")).code).toBe(0);
    expect(desk.lock().resources["agent:triage"]).toMatchObject({ id: "id-9", body: { name: "Triage" } });
    expect(() => desk.workspace.read("agentform.lock.journal")).toThrow(/ENOENT/);
  });

  test("a file resolves many at once", async () => {
    const { workspace, run, lock } = await openDesk(
      {
        "agents/triage.yaml": triage,
        "agents/other.yaml": documentText("Agent", "other", { name: "Other" }),
      },
      { faults: [{ path: "/v3/agents/", drop: "after", count: 2 }] },
    );
    await run("apply", "--yes");
    workspace.write({ "ids.csv": "address,id\nagent:triage,id-1\nagent:other,not-created\n" });
    expect(await run("lock", "resolve", "--from", "ids.csv")).toMatchObject({ code: 0, err: "" });
    expect(lock()).toMatchObject({ unknown: {}, resources: { "agent:triage": { id: "id-1" } } });
    expect(lock().resources).not.toHaveProperty(["agent:other"]);
  });

  test("what is not unknown cannot be resolved, and an ID must be one", async () => {
    const { run } = await openDesk({ "agents/triage.yaml": triage }, lostAgent);
    await run("apply", "--yes");
    const none = await run("lock", "resolve", "agent:support", "--not-created");
    expect(none.code).toBe(1);
    expect(none.err).toContain("agent:support: has no create with an unknown outcome");
  });
});

describe("lock resolve of single tools, and lock unlock", () => {
  test("the tools of a set are mapped, so that one of them can be referred to", async () => {
    const single = agentText({ tools: ["${toolset:desk/createTicket}"] });
    const { emulator, run, lock } = await openDesk({ ...documents, "agents/support.yaml": single });
    expect((await run("apply", "--yes")).code).toBe(1);
    const [list = "", create = ""] = emulator.objects().tools.map(({ id }) => id);
    const mapped = await run(
      "lock",
      "resolve",
      "toolset:desk",
      "--adopt",
      `listTickets=${list},createTicket=${create}`,
    );
    expect(mapped.code).toBe(0);
    expect(mapped.out).toBe(`toolset:desk: listTickets is ${list}, createTicket is ${create}\n`);
    expect(lock().resources["toolset:desk"]).toMatchObject({
      tools: { createTicket: create, listTickets: list },
    });
    expect((await run("apply", "--yes")).code).toBe(0);
    expect(emulator.objects().agents[0]?.body).toMatchObject({ tools: [create] });
  });

  test("a map is refused unless operations and IDs are the set's, one to one", async () => {
    const { workspace, emulator, run } = await openDesk();
    await run("apply", "--yes");
    const [id = ""] = emulator.objects().tools.map((tool) => tool.id);
    const before = workspace.read("agentform.lock");
    for (const [address = "", pairs = ""] of [
      ["toolset:desk", "createTicket=stranger"],
      ["toolset:desk", `noSuchOperation=${id}`],
      ["toolset:desk", `createTicket=${id},listTickets=${id}`],
      ["agent:support", `createTicket=${id}`],
      ["toolset:missing", `createTicket=${id}`],
    ]) {
      expect((await run("lock", "resolve", address, "--adopt", pairs)).code).toBe(1);
    }
    expect(workspace.read("agentform.lock")).toBe(before);
  });

  test("a held lock is not repaired until its holder's nonce unlocks it", async () => {
    const desk = await openDesk({ "agents/triage.yaml": triage });
    const nonce = await hold(desk);
    const held = await desk.run("lock", "resolve", "agent:triage", "--adopt", "id-1");
    expect(held.code).toBe(4);
    expect(held.err).toContain(`agentform lock unlock ${nonce}`);
    const wrong = await desk.run("lock", "unlock", "another");
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain(nonce);
    const unlocked = await desk.run("lock", "unlock", nonce);
    expect(unlocked.code).toBe(0);
    expect(unlocked.out).toContain(`agentform.lock: unlocked (process ${process.pid}`);
    expect((await desk.run("lock", "resolve", "agent:triage", "--adopt", "id-1")).code).toBe(0);
    expect((await desk.run("lock", "unlock", nonce)).err).toContain("it is not held at all");
  });

  test.each([
    "resolve",
    "resolve agent:triage",
    "resolve triage --adopt id-1",
    "resolve agent:triage --adopt id-1 --from ids.csv",
    "resolve --from missing.csv",
    "resolve agent:triage --adopt id-1 --not-created",
    "resolve --from ids.csv --not-created",
    "unlock",
  ])("lock %s is a usage error", async (words) => {
    const { workspace, run } = await openDesk({ ...documents, "ids.csv": "address,id\n" });
    expect((await run("lock", ...words.split(" "))).code).toBe(64);
    expect(() => workspace.read("agentform.lock")).toThrow(/ENOENT/);
  });
});
