import { describe, expect, it, test } from "vitest";
import type { Plan } from "../../src/core/plan/plan.js";
import type { Lists } from "../../src/emulator/world.js";
import type { Json, JsonObject } from "../../src/json/json.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";
import { openDesk, runIn, secretValue } from "./desk.js";
import { allOperations, fullManifest, openFullDesk } from "./full-desk.js";
import {
  agent,
  manifestWithOperations,
  openAppliedDesk,
  tenEdits,
  twoOfEach,
  type Ways,
} from "./applied-desk.js";

const shapes: readonly (readonly [Lists, Ways])[] = [
  ["array", "read"],
  ["array", "list"],
  ["key", "list"],
  ["pages", "read"],
  ["pages", "list"],
];

describe.each(sample("forms of lists", shapes, 2))("on a service with the lists %s, by %s", (lists, ways) => {
  it("has no drift after an apply, and ten edits by another hand are ten lines", async () => {
    const desk = await openAppliedDesk(lists, ways);
    const before = desk.workspace.read("agentform.lock");
    const none = await desk.run("drift", "--detailed-exitcode", "--out", "found.json");
    expect(none).toMatchObject({ code: 0, err: expect.stringMatching(/^11 of 11 read\n/) });
    expect(none.out).toContain("No drift. 9 resources are in the service as last applied.");
    tenEdits(desk);
    const found = await desk.run("drift", "--detailed-exitcode", "--format", "json", "--out", "found.json");
    expect(found).toMatchObject({ code: 2, err: expect.stringMatching(/^11 of 11 read\n/) });
    // What an apply has read of an object tells what somebody added from what the service adds.
    expect(found.err.includes("not compared")).toBe(ways === "list");
    const { actions, summary } = JSON.parse(found.out) as Plan;
    expect(summary).toMatchObject({ changed: 4, gone: 2, unchanged: 3, update: 0, forget: 0 });
    const lines = actions.flatMap(({ address, action, changes }) =>
      action === "gone"
        ? [`${address} gone`]
        : changes.map(({ path, after }) => `${address} ${path} ${JSON.stringify(after)}`),
    );
    expect(lines.toSorted()).toEqual([
      "agent:sales gone",
      'agent:support description "Edited"',
      "agent:support features[RAI] undefined",
      'agent:support llm_credential_id "${credential:other}"',
      "agent:triage temperature undefined",
      'agent:triage tools ["${toolset:desk}","${toolset:billing}"]',
      "policy:lax gone",
      'policy:strict banned_topics.topics ["weapons"]',
      'toolset:desk default_query_params.lang "fr"',
      "toolset:desk tools[closeTicket] undefined",
    ]);
    expect(actions.find(({ address }) => address === "toolset:desk")?.reasons).toEqual([
      "`default_query_params` differs in getTicket, of 2 tools",
    ]);
    for (const file of ["agentform.lock"]) expect(desk.workspace.read(file)).toBe(before);
    for (const text of [found.out, none.out, desk.workspace.read("found.json")])
      expect(text).not.toContain(secretValue);
    const again = await desk.run("drift");
    expect(again.code).toBe(0);
  });
});

test("drift is told in the words and order of a plan", async () => {
  const desk = await openAppliedDesk();
  tenEdits(desk);
  const { out } = await desk.run("drift");
  expect(withoutChance(out, desk)).toMatchInlineSnapshot(`
    "agentform drift: desk
    Compared what was last applied (agentform.lock) with what was found in the service at TIME.
    3 weaken a guardrail, 3 widen an agent's reach.
    Drift: 2 gone, 4 changed, 3 unchanged. 10 distinct edits.

    Guardrail notes
      ! weakens  agent:support  policy:strict is detached: the agent no longer refers to it  [policy-detached]
          - features[RAI]: {config: {policy_id: \${policy:strict}}, priority: 0, type: RAI}
      ! weakens  policy:lax     is gone from the service, and guards no agent any more  [policy-forgotten]
      ! weakens  policy:strict  \`banned_topics\` no longer bans \`drugs\`  [banned-topic-gone]
          ~ banned_topics.topics:
              - drugs
      ! widens   agent:support  \`llm_credential_id\` changes from \`\${credential:provider}\` to \`\${credential:other}\`  [credential-changed]
          ~ llm_credential_id: \${credential:provider} → \${credential:other}
      ! widens   toolset:desk   the default query parameter \`lang\` changes from \`en\` to \`fr\`  [default-changed]
          ~ default_query_params.lang: en → fr
      ! widens   agent:triage   gains \`getInvoice\` (GET /getInvoice) of toolset:billing  [tool-gained]
          ~ tools:
              + \${toolset:billing}

    Only here: edits that no other resource has
      - agent:sales  agents/sales.yaml  not judged
          because it is not in the service any more

      - policy:lax  policies/lax.yaml
          because it is not in the service any more

      ~ agent:support  agents/support.yaml  not judged: \`description\`
          ~ description: The support desk → Edited
          features[RAI]: in the notes
          llm_credential_id: in the notes

      ~ agent:triage  agents/triage.yaml  not judged: \`temperature\`
          - temperature: 0.2
          tools: in the notes

      ~ toolset:desk  toolsets/desk.yaml  not judged: \`tools[closeTicket]\`
          because \`default_query_params\` differs in getTicket, of 2 tools
          - tools[closeTicket]: ID
          default_query_params.lang: in the notes
          affects agent:sales, agent:support, agent:triage

      ~ policy:strict  policies/strict.yaml
          banned_topics.topics: in the notes
          affects agent:sales, agent:support, agent:triage

    Not judged: \`tools\` of 1 resource, \`description\` of 1 resource, \`temperature\` of 1 resource, 1 resource gone. No note is about these 4 edits. Read them.

    Words
      changed: what was changed in the service since the last apply; before is what was sent
      gone: the service does not have it any more
      RAI: the feature by which an agent has a policy

    3 weaken a guardrail, 3 widen an agent's reach.
    Drift: 2 gone, 4 changed, 3 unchanged. 10 distinct edits.
    Digest: DIGEST
    "
  `);
  const markdown = await desk.run("drift", "--format", "markdown");
  expect(markdown.out.split("\n")[0]).toMatchInlineSnapshot(
    `"### agentform drift for desk: 3 weaken a guardrail, 3 widen an agent's reach · 2 gone, 4 changed, 3 unchanged"`,
  );
  expect(markdown.out).not.toContain("--expect");
  const html = await desk.run("drift", "--format", "html");
  expect(html.out).toContain("<title>Drift: desk</title>");
});

function withoutChance(text: string, { emulator }: { readonly emulator: { readonly url: string } }): string {
  return text
    .replaceAll(emulator.url, "URL")
    .replace(/ at \d{4}-\S+Z/g, " at TIME")
    .replace(/sha256:\S+/g, "DIGEST")
    .replace(/\b[0-9a-f]{24}\b/g, "ID");
}

test("without operations the command says what to add, and sends nothing", async () => {
  const { emulator, run } = await openDesk();
  expect((await run("apply", "--yes")).code).toBe(0);
  const { length } = emulator.requests;
  const { code, out, err } = await run("drift");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("`service.operations` has no `read` and no `list`");
  expect(err).toContain("docs/reference/deployments.md");
  expect(emulator.requests).toHaveLength(length);
});

test("what moves to a page of a list that was read already is not gone", async () => {
  const pages = [1, 2, 3, 4].map((page) => ({ items: [] as JsonObject[], next: page % 2 ? "?c=2" : null }));
  const faults = pages.map((body) => ({ method: "GET", path: "/v3/agents/", status: 200, body }));
  const list = { request: "GET /v3/agents/", items: "/items", next: "/next" };
  const documents = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const desk = await openFullDesk(documents, { agent: { list } }, { faults });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  pages[2]?.items.push({ _id: String(desk.lock().resources["agent:support"]?.["id"]), name: "Support" });
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("what a read does not find, and a list shows, is not gone", async () => {
  const documents = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const missing = { method: "GET", path: "/v3/agents/{id}", skip: 1, count: 1, status: 404 };
  const desk = await openFullDesk(documents, allOperations, { faults: [missing] });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const { code, err } = await desk.run("drift");
  expect(code).toBe(1);
  expect(err).toContain("its read answers that it is gone, but GET /v3/agents/ shows it");
});

test("what a read does not find is not gone where its list cannot be read, and is not created anew", async () => {
  const documents = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const missing = { method: "GET", path: "/v3/agents/{id}", skip: 1, count: 3, status: 404 };
  const empty = { method: "GET", path: "/v3/agents/", status: 200, body: [] };
  const refused = { method: "GET", path: "/v3/agents/", count: 2, status: 403 };
  const desk = await openFullDesk(documents, allOperations, { faults: [missing, empty, refused] });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect((await desk.run("drift", "--out", "found.json")).out).toContain("Drift: 1 gone.");
  const applied = await desk.run("apply", "--yes", "--observed", "found.json");
  expect(applied.code).toBe(1);
  const { code, err } = await desk.run("drift");
  expect(code).toBe(1);
  for (const said of [err, applied.err]) {
    expect(said).toContain("its read answers that it is gone, but GET /v3/agents/: HTTP 403");
  }
  expect(desk.emulator.objects().agents).toHaveLength(1);
});

test("only what is asked for is read", async () => {
  const desk = await openAppliedDesk();
  tenEdits(desk);
  const one = await desk.run("drift", "--target", "agent:support", "--format", "json");
  expect(one.err).toBe("1 of 1 read\n");
  const { actions, partial } = JSON.parse(one.out) as Plan;
  expect({ actions: actions.map(({ address }) => address), partial }).toEqual({
    actions: ["agent:support"],
    partial: true,
  });
  expect((await desk.run("drift", "--target", "agent:nobody")).code).toBe(1);
  expect((await desk.run("drift", "--selector", "team=care")).err).toContain("selector-empty");
});

test("labels select what had them when it was last applied, once its document is gone", async () => {
  const text = documentText("Agent", "support", { name: "Support" });
  const document = text.replace('"metadata":{', '"metadata":{"labels":{"team":"care"},');
  const desk = await openFullDesk({ "agents/support.yaml": document }, allOperations);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.remove("agents/support.yaml");
  expect((await desk.run("drift", "--selector", "team=care")).err).toBe("1 of 1 read\n");
});

test("documents with errors do not matter, and neither does a changed document", async () => {
  const desk = await openAppliedDesk();
  desk.workspace.write({
    "agents/broken.yaml": "kind: [",
    "agents/support.yaml": agent("support", { description: "New" }),
  });
  expect((await desk.run("plan")).code).toBe(1);
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("an observation replaces only an observation", async () => {
  const desk = await openAppliedDesk();
  desk.workspace.write({ "mine.json": "{}" });
  const refused = await desk.run("drift", "--out", "mine.json");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("mine.json cannot be written");
  expect(desk.workspace.read("mine.json")).toBe("{}");
  expect((await desk.run("drift", "--out", "found.json")).code).toBe(0);
  expect((await desk.run("drift", "--out", "found.json")).code).toBe(0);
});

test("what is uncertain says so", async () => {
  const desk = await openAppliedDesk();
  const lock = JSON.parse(desk.workspace.read("agentform.lock")) as { resources: Record<string, object> };
  lock.resources["agent:support"] = { ...lock.resources["agent:support"], uncertain: true, attempted: [] };
  desk.workspace.write({ "agentform.lock": JSON.stringify(lock) });
  desk.edit("agent:support", { description: "Edited" });
  const { out, err } = await desk.run("drift");
  expect(err).toContain("`agent:support` is uncertain");
  expect(out).toContain("because it is not certain what was last sent");
});

test("the emulator in the process can be read", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestWithOperations("https://agents.example.com", {
      policy: { read: "GET /elsewhere/{id}" },
      agent: { list: { request: "GET /all", items: "/agents" } },
    }),
    ...twoOfEach,
  });
  expect((await runIn(directory, ["apply", "--emulator", "--yes"])).code).toBe(0);
  const { code, out, err } = await runIn(directory, ["drift", "--emulator", "--detailed-exitcode"]);
  expect(code).toBe(0);
  expect(out).toContain("No drift. 5 resources are in the service as last applied.");
  expect(err).toContain("2 tool sets cannot be read");
  expect(err).toContain("2 credentials cannot be read");
});

test("a manifest with an operation in a wrong form is refused, and not read in part", async () => {
  const desk = await openFullDesk();
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const manifest = desk.workspace
    .read("agentform.yaml")
    .replace("GET /v3/agents/{id}", "GET /v3/agents/{ID}");
  desk.workspace.write({ "agentform.yaml": manifest });
  const { code, out, err } = await desk.run("drift");
  expect(code).toBe(1);
  expect(out + err).toContain("operation-invalid");
  expect(out).not.toContain("No drift");
});

test("what cannot be read is no part of what did not drift", async () => {
  const faults = [{ method: "GET", path: "/v3/agents/{id}", count: 20, status: 403 }];
  const desk = await openFullDesk(undefined, undefined, { faults });
  expect(await desk.run("apply", "--yes", "--no-check")).toMatchObject({ code: 0 });
  const { code, out, err } = await desk.run("drift");
  expect(code).toBe(1);
  expect(out).toContain("No drift in what could be read.");
  expect(err).toContain("object-unreadable");
});

test("a service that refuses every request is waited for as long as an apply would", async () => {
  // The apply reads each of the three agents once.
  const refused = { status: 429, method: "GET", path: "/v3/agents/{id}", skip: 3, count: 1000 };
  const desk = await openAppliedDesk("array", "read", twoOfEach, [refused]);
  const found = await desk.run("drift", "--patience", "0s", "--target", "agent:support");
  expect(found.code).toBe(1);
  expect(found.err).toContain("`agent:support` could not be read: HTTP 429");
});

test("what an object refers to may be shown as an object of its own", async () => {
  const { "agents/sales.yaml": _sales, "agents/triage.yaml": _triage, ...files } = twoOfEach;
  const answer: Record<string, Json> = {};
  // The first read is that of the apply.
  const read = { method: "GET", path: "/v3/agents/{id}", skip: 1, count: 99, status: 200, body: answer };
  const desk = await openAppliedDesk("array", "read", files, [read]);
  const shown = (address: string) => ({ _id: desk.id(address), name: "Its own" });
  const features = (policy: string) => [{ type: "RAI", priority: 0, config: { policy_id: shown(policy) } }];
  const { body: sent } = desk.emulator.objects().agents[0] ?? { body: {} };
  Object.assign(answer, sent, {
    agent_id: desk.id("agent:support"),
    version: "1",
    top_p: 1,
    tools: ["listTickets", "getTicket", "closeTicket"].map((name) => shown(`toolset:desk/${name}`)),
    features: features("policy:strict"),
    llm_credential_id: shown("credential:provider"),
  });
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
  // Another one is a difference, as it is without what surrounds its ID.
  Object.assign(answer, { features: features("policy:lax") });
  const { code, out } = await desk.run("drift", "--detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toContain("${policy:lax}");
  expect(out).not.toContain("Its own");
  expect(await desk.run("drift", "--write", "--yes")).toMatchObject({ code: 0 });
  expect(desk.workspace.read("agents/support.yaml")).toContain('"policy_id":"${policy:lax}"');
});

test("what documents have in such a place beside an ID, or as a number, stays as it is", async () => {
  const managed = [{ id: "66f1c0de00000000000000bb", usage_description: "For refunds" }];
  const features = [{ type: "OTHER", priority: 0, config: { policy_id: 17 } }];
  const document = (name: string, managed_agents: Json) =>
    documentText("Agent", name, { name, system_prompt: "Be kind.", managed_agents, features });
  const files = { "agents/many.yaml": document("many", managed), "agents/one.yaml": document("one", [17]) };
  const desk = await openFullDesk(files);
  const extra = "  extra_fields: {agent: [managed_agents]}\n";
  desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, allOperations, extra) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
  const state = ["agentform.lock", ".agentform/default.lock"];
  for (const file of [...state, ...Object.keys(files)]) desk.workspace.remove(file);
  expect(await desk.run("import", "--all", "--yes")).toMatchObject({ code: 0 });
  expect(desk.workspace.read("agents/many.yaml")).toContain("For refunds");
  expect(await desk.run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
});
