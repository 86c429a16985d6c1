import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { agentText, documents, openDesk, policyText } from "./desk.js";

const set = documents["toolsets/desk.yaml"] ?? "";

/** A desk where a change was applied, but for the agents: the service refused their updates. */
async function halfApplied(change: Readonly<Record<string, string>>, count = 2) {
  const faults = [{ method: "PUT", path: "/v3/agents/*", status: 400, count }];
  const second = documentText("Agent", "second", {
    name: "Second",
    features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }],
  });
  const desk = await openDesk({ ...documents, "agents/second.yaml": second }, { faults });
  const { run, workspace } = desk;
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write(change);
  expect(await run("apply", "--yes")).toMatchObject({ code: 1 });
  return desk;
}

function moved(text: string, from: string, to: string): string {
  const document = JSON.parse(text) as object;
  return JSON.stringify({ ...document, metadata: { name: to }, lifecycle: { moved_from: from } });
}

async function notesOf(run: (...args: string[]) => Promise<{ out: string }>, ...args: string[]) {
  const { out } = await run("plan", "--format", "json", ...args);
  const { notes } = JSON.parse(out) as { notes: { code: string; effect: string; address: string }[] };
  return notes.map(({ code, effect, address }) => `${effect} ${address} ${code}`);
}

const banGone = "weakens policy:strict banned-topic-gone";
const fewer = { "policies/strict.yaml": policyText([]) };

test("the rest of an apply is shown with what the policy that it gives to agents lacks", async () => {
  const { run } = await halfApplied(fewer);
  expect(await notesOf(run)).toEqual([banGone]);
  expect(await run("plan", "--fail-on", "weakens")).toMatchObject({ code: 1 });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await notesOf(run)).toEqual([]);
});

test("an agent that got the new policy is no reason to compare again, one that did not is", async () => {
  const { run } = await halfApplied(fewer);
  expect(await run("apply", "--yes", "--target", "agent:second")).toMatchObject({ code: 0 });
  expect(await notesOf(run, "--exclude", "agent:support")).toEqual([]);
  expect(await notesOf(run)).toEqual([banGone]);
});

test("where the policy is edited again, what agents have is compared with that", async () => {
  const { run, workspace } = await halfApplied(fewer);
  workspace.write({ "policies/strict.yaml": policyText(["weapons"]) });
  expect(await notesOf(run)).toEqual([]);
  workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
  expect(await notesOf(run)).toEqual([banGone]);
  workspace.write({ "policies/strict.yaml": policyText(["weapons"]) });
  expect(await notesOf(run, "--exclude", "policy:strict")).toEqual([banGone]);
});

test("a policy that agents no longer refer to is compared with nothing", async () => {
  const { run, workspace } = await halfApplied(fewer);
  workspace.remove("agents/second.yaml");
  workspace.write({ "agents/support.yaml": agentText({ features: [] }) });
  const notes = await notesOf(run);
  expect(notes).toContain("weakens agent:support policy-detached");
  expect(notes).not.toContain(banGone);
});

test("of a tool set, of which the state has no earlier one, it says that nothing is compared", async () => {
  const { run } = await halfApplied({ "toolsets/desk.yaml": set.replace("/tickets", "/all-tickets") }, 1);
  expect(await notesOf(run)).toEqual(["weakens agent:support used-id-changed"]);
  expect((await run("plan")).out).toContain(
    "`toolset:desk` stands for something else than was last sent here, and the state does not have what that was",
  );
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await notesOf(run)).toEqual([]);
});

test("a credential is compared with the one that it replaced", async () => {
  const text = documents["credentials/provider.yaml"] ?? "";
  const { run } = await halfApplied(
    { "credentials/provider.yaml": text.replace("PROVIDER_KEY@1", "DESK_TOKEN") },
    1,
  );
  expect(await notesOf(run)).toEqual(["widens credential:provider secret-changed"]);
});

test("a policy that has moved since is compared with the one that it replaced", async () => {
  const { run, workspace } = await halfApplied(fewer);
  workspace.remove("policies/strict.yaml");
  workspace.remove("agents/second.yaml");
  const config = { policy_id: "${policy:tight}" };
  workspace.write({
    "policies/tight.yaml": moved(policyText([]), "policy:strict", "tight"),
    "agents/support.yaml": agentText({ features: [{ type: "RAI", priority: 0, config }] }),
  });
  expect(await notesOf(run)).toContain("weakens policy:tight banned-topic-gone");
});

test("what is at another address now is not said to be unknown", async () => {
  const next = set.replace('"name":"desk"', '"name":"next"').replace("listTickets", "listAll");
  const { run, workspace } = await openDesk({ ...documents, "toolsets/next.yaml": next });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({
    "toolsets/desk.yaml": moved(set, "toolset:desk", "former"),
    "toolsets/next.yaml": moved(next, "toolset:next", "desk"),
  });
  const notes = await notesOf(run);
  expect(notes).toContain("widens agent:support writing-tool-gained");
  expect(notes.filter((note) => note.endsWith("used-id-changed"))).toEqual([]);
});

test("single tools of a set are told once", async () => {
  const tools = ["listTickets", "createTicket"].map((operation) => `\${toolset:desk/${operation}}`);
  const faults = [{ method: "PUT", path: "/v3/agents/*", status: 400 }];
  const files = { ...documents, "agents/support.yaml": agentText({ tools }) };
  const { run, workspace } = await openDesk(files, { faults, answers: "names" });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "toolsets/desk.yaml": set.replace("/tickets", "/all-tickets") });
  expect(await run("apply", "--yes")).toMatchObject({ code: 1 });
  expect(await notesOf(run)).toEqual(["weakens agent:support used-id-changed"]);
});
