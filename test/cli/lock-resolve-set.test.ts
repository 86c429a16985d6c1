import { expect, test } from "vitest";
import { agentText, documents, manifestAt, openDesk, type Desk } from "./desk.js";

const lostSet = { faults: [{ method: "POST" as const, path: "/v3/tools/", drop: "after" as const }] };

async function openLost(): Promise<Desk> {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText() }, lostSet);
  expect((await desk.run("apply", "--yes")).code).toBe(3);
  return desk;
}

const resolve = ["lock", "resolve", "toolset:desk"];

test("a set is resolved with all of its operations", async () => {
  const { run, lock } = await openLost();
  expect((await run(...resolve, "--adopt", "createTicket=t-2,listTickets=t-1")).code).toBe(0);
  expect(lock()).toMatchObject({
    unknown: {},
    resources: {
      "toolset:desk": { ids: ["t-1", "t-2"], tools: { listTickets: "t-1", createTicket: "t-2" } },
    },
  });
});

test("with some of them the rest stays unknown: what depends on the set waits, and the plan says what is missing", async () => {
  const { run, lock } = await openLost();
  const found = await run(...resolve, "--adopt", "listTickets=66f1c0de00000000000000ab");
  expect(found).toMatchObject({ code: 0, err: "" });
  expect(found.out).toBe(
    "toolset:desk: found IDs listTickets=66f1c0de00000000000000ab; the outcome of createTicket is still unknown\n",
  );
  expect(lock().resources["toolset:desk"]).toBeUndefined();
  expect(lock().unknown["toolset:desk"]).toMatchObject({
    found: { listTickets: "66f1c0de00000000000000ab" },
  });
  const plan = await run("plan", "--detailed-exitcode");
  expect(plan.code).toBe(3);
  expect(plan.out).toContain("found so far: listTickets");
  expect(plan.out).toContain("--adopt createTicket=ID\n");
  expect(plan.out).toContain("Blocked");
  expect((await run(...resolve, "--adopt", "createTicket=66f1c0de00000000000000ab")).err).toContain(
    "the same ID",
  );
  expect(
    (await run("lock", "resolve", "agent:support", "--adopt", "66f1c0de00000000000000ab")).err,
  ).toContain("belongs to `toolset:desk`");
  expect((await run(...resolve, "--adopt", "createTicket=t-2")).code).toBe(0);
  expect(lock()).toMatchObject({
    unknown: {},
    resources: {
      "toolset:desk": {
        ids: ["66f1c0de00000000000000ab", "t-2"],
        tools: { listTickets: "66f1c0de00000000000000ab", createTicket: "t-2" },
      },
    },
  });
  expect(lock().resources["toolset:desk"]).not.toHaveProperty("uncertain");
});

test("what was found is taken over by no other environment", async () => {
  const { run, emulator, workspace } = await openLost();
  await run(...resolve, "--adopt", "listTickets=t-1");
  const manifest = manifestAt(emulator.url, "  environments: {default: {}, live: {}}\n");
  workspace.write({ "agentform.yaml": manifest });
  expect(await run(...resolve, "--adopt", "listTickets=t-1,createTicket=t-9", "-e", "live")).toMatchObject({
    code: 1,
    err: expect.stringContaining("the environment `default` has it"),
  });
});

test("where the rest was not created, what was found goes to the ledger", async () => {
  const { run, lock } = await openLost();
  await run(...resolve, "--adopt", "listTickets=t-1");
  const { out } = await run(...resolve, "--not-created");
  expect(out).toContain("the rest was not created; left behind: IDs listTickets=t-1");
  expect(lock()).toMatchObject({
    unknown: {},
    retired: { "t-1": { address: "toolset:desk", operation: "listTickets", untold: true } },
  });
});

test("lifecycle.adopt answers for a whole set as well", async () => {
  const { workspace, run } = await openLost();
  const text = documents["toolsets/desk.yaml"] ?? "";
  const adopting = (adopt: string[]) => JSON.stringify({ ...JSON.parse(text), lifecycle: { adopt } });
  workspace.write({ "toolsets/desk.yaml": adopting(["listTickets=t-1"]) });
  const refused = await run("plan");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("no ID is given for `createTicket`");
  workspace.write({ "toolsets/desk.yaml": adopting(["listTickets=t-1", "createTicket=t-2"]) });
  expect((await run("plan")).code).toBe(0);
});

test.each([
  ["ids.json", '{"toolset:desk": "listTickets=t-1,createTicket=t-2"}'],
  ["ids.json", '{"toolset:desk": {"listTickets": "t-1", "createTicket": "t-2"}}'],
  ["ids.csv", 'address,id\ntoolset:desk,"listTickets=t-1,createTicket=t-2"\n'],
  ["ids.csv", "address,id\ntoolset:desk/listTickets,t-1\ntoolset:desk/createTicket,t-2\n"],
])("--from %s takes %j", async (file, text) => {
  const { workspace, run, lock } = await openLost();
  workspace.write({ [file]: text });
  expect(await run("lock", "resolve", "--from", file)).toMatchObject({ code: 0, err: "" });
  expect(lock().resources["toolset:desk"]).toMatchObject({
    tools: { listTickets: "t-1", createTicket: "t-2" },
  });
});

test("a line of CSV whose commas are not quoted is refused, and nothing of it is taken", async () => {
  const { workspace, run, lock } = await openLost();
  workspace.write({ "ids.csv": "address,id\ntoolset:desk,listTickets=t-1,createTicket=t-2\n" });
  const { code, err } = await run("lock", "resolve", "--from", "ids.csv");
  expect(code).toBe(1);
  expect(err).toContain("put cells that contain commas in quotes");
  expect(lock().unknown["toolset:desk"]).not.toHaveProperty("found");
});
