import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { agentText, documents } from "./desk.js";
import { allOperations, openFullDesk } from "./full-desk.js";

const { "policies/strict.yaml": policy = "", "credentials/provider.yaml": credential = "" } = documents;
const long = "66f1c0de00000000000000ab";

/** Answers to creates, in which the objects of each kind have the same ID. */
function answersOf(id: string | number): EmulatedFault[] {
  const answers = {
    "/v1/rai/policies": { _id: id },
    "/v3/tools/credentials": { credential_id: id },
    "/v3/agents/": { agent_id: id },
  };
  return [
    ...Object.entries(answers).map(([path, body]) => ({ method: "POST", path, status: 200, body })),
    { method: "PUT", path: "/v3/agents/*", status: 200, body: { message: "updated" }, count: 9 },
  ];
}

const files = {
  "policies/strict.yaml": policy,
  "credentials/provider.yaml": credential,
  "agents/support.yaml": agentText({ tools: [] }),
};
const deletes = Object.fromEntries(
  Object.entries(allOperations).map(([kind, { delete: operation }]) => [kind, { delete: operation }]),
);

test.each(["main", 7, "policy#7", "policy#main"])(
  "objects of several kinds that have the ID %s are kept and deleted each by itself",
  async (given) => {
    const id = String(given);
    const faults = answersOf(given);
    const { run, lock, workspace, emulator } = await openFullDesk(files, deletes, { faults });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(lock().resources).toMatchObject({
      "policy:strict": { id },
      "credential:provider": { id },
      "agent:support": { id, references: { "policy:strict": id, "credential:provider": id } },
    });
    workspace.remove("policies/strict.yaml");
    workspace.write({ "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    workspace.remove("credentials/provider.yaml");
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    const left = JSON.parse((await run("lock", "retired", "--format", "json")).out) as { retired: object[] };
    expect(left.retired).toMatchObject([
      { address: "credential:provider", id },
      { address: "policy:strict", id },
    ]);
    expect(await run("prune", id, "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`\`credential:${id}\` or \`policy:${id}\``) as string,
    });
    expect(await run("prune", `policy:${id}`, "--yes")).toMatchObject({ code: 0 });
    expect(Object.values(lock().retired)).toMatchObject([{ address: "credential:provider" }]);
    const taken = documentText("Credential", "other", { name: "Provider" });
    workspace.write({ "credentials/other.yaml": taken });
    expect(await run("lock", "resolve", "credential:other", "--adopt", id)).toMatchObject({ code: 0 });
    expect(lock()).toMatchObject({ retired: {}, resources: { "agent:support": { id } } });
    expect(emulator.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
      `/v1/rai/policies/${encodeURIComponent(id)}`,
    ]);
  },
);

test("a create without an answer is told an ID that an object of another kind has", async () => {
  const [ofPolicy] = answersOf("main");
  const faults: EmulatedFault[] = [
    ...(ofPolicy ? [ofPolicy] : []),
    { method: "POST", path: "/v3/agents/", drop: "after" },
  ];
  const agent = documentText("Agent", "support", { name: "Support" });
  const desk = await openFullDesk(
    { "policies/strict.yaml": policy, "agents/support.yaml": agent },
    {},
    { faults },
  );
  const { run, lock } = desk;
  expect(await run("apply", "--yes")).toMatchObject({ code: 3 });
  expect(await run("lock", "resolve", "agent:support", "--adopt", "main")).toMatchObject({ code: 0 });
  expect(lock()).toMatchObject({ unknown: {}, resources: { "agent:support": { id: "main" } } });
  expect(await run("plan")).toMatchObject({ code: 0, out: expect.stringContaining("No changes.") as string });
});

test("one long hexadecimal ID for two kinds is in doubt, and each is told that it is its own", async () => {
  const agent = documentText("Agent", "support", { name: "Support" });
  const desk = await openFullDesk(
    { "policies/strict.yaml": policy, "agents/support.yaml": agent },
    {},
    { faults: answersOf(long) },
  );
  const { run, lock } = desk;
  expect(await run("apply", "--yes")).toMatchObject({ code: 3 });
  expect(Object.keys(lock().unknown)).toEqual(["agent:support", "policy:strict"]);
  for (const address of ["agent:support", "policy:strict"])
    expect(await run("lock", "resolve", address, "--adopt", long)).toMatchObject({ code: 0 });
  expect(lock()).toMatchObject({ unknown: {}, retired: {} });
  expect(await run("plan")).toMatchObject({ code: 0, out: expect.stringContaining("No changes.") as string });
});

test.each([".", ".."])("an ID of %s, which no path of a request can have, is none", async (id) => {
  const agent = documentText("Agent", "support", { name: "Support" });
  const { run, lock } = await openFullDesk({ "agents/support.yaml": agent }, {}, { faults: answersOf(id) });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(3);
  expect(err).toContain("without the ID, but with agent_id");
  expect(err).toContain(`"agent_id":"${id}"`);
  expect(await run("lock", "resolve", "agent:support", "--adopt", id)).toMatchObject({
    code: 1,
    err: expect.stringContaining("and not `.` or `..`") as string,
  });
  expect(await run("lock", "resolve", "agent:support", "--not-created")).toMatchObject({ code: 0 });
  expect(lock()).toMatchObject({ unknown: {}, resources: {} });
});

test("an ID with what separates parts of an address goes into a path as one part", async () => {
  const id = "../a/b?c#d%2e";
  const agent = (name: string) => ({ "agents/support.yaml": documentText("Agent", "support", { name }) });
  const { run, workspace, emulator } = await openFullDesk(agent("One"), {}, { faults: answersOf(id) });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write(agent("Two"));
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(emulator.requests.at(-1)).toMatchObject({
    method: "PUT",
    path: `/v3/agents/${encodeURIComponent(id)}`,
  });
});
