import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { agentText, documents, manifestAt, openDesk, policyText } from "./desk.js";

const triage = documentText("Agent", "triage", { name: "Triage", description: "As sent" });

/** The entries of a lock but for the names of their writes, which are others each time. */
function withoutWrites(resources: Readonly<Record<string, Record<string, unknown>>>): Record<string, object> {
  const entries = Object.entries(resources).map(([address, { write: _write, ...entry }]) => [address, entry]);
  return Object.fromEntries(entries) as Record<string, object>;
}

describe("lock resolve of an object to take over", () => {
  test("an agent that exists is recorded, and the next apply updates it instead of creating one", async () => {
    const { emulator, run, lock } = await openDesk({ "agents/triage.yaml": triage });
    const adopted = await run("lock", "resolve", "agent:triage", "--adopt", "id-1");
    expect(adopted).toMatchObject({ code: 0, err: "" });
    expect(adopted.out).toBe(
      "agent:triage: adopted ID id-1; the next apply updates it to match its document\n",
    );
    expect(lock()).toMatchObject({
      serial: 1,
      service: { base_url: emulator.url },
      resources: { "agent:triage": { id: "id-1", uncertain: true, file: "agents/triage.yaml" } },
    });
    const planned = JSON.parse((await run("plan", "--format", "json")).out);
    expect(planned.summary).toMatchObject({ create: 0, update: 1 });
    expect(planned.actions[0].reasons).toEqual([
      "it was adopted with the ID id-1, and is sent what its document says for the first time",
    ]);
    expect(planned.actions[0].changes).toEqual([
      { path: "name", after: "Triage" },
      { path: "description", after: "As sent" },
    ]);
    await run("apply", "--yes");
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT /v3/agents/id-1"]);
  });

  test("what another environment manages is not taken over, nor is it what an unknown create made", async () => {
    const lost = { faults: [{ path: "/v3/agents/", drop: "before" as const, skip: 1 }] };
    const { emulator, workspace, run } = await openDesk({ "agents/triage.yaml": triage }, lost);
    workspace.write({
      "agentform.yaml": manifestAt(emulator.url, "  environments: {default: {}, live: {}}\n"),
    });
    expect((await run("apply", "--yes", "-e", "live")).code).toBe(0);
    const [id = ""] = emulator.objects().agents.map((agent) => agent.id);
    const sent = emulator.requests.length;
    // Many services take a hexadecimal ID in capitals for the same.
    for (const each of [id, id.toUpperCase()]) {
      workspace.write({ "agents/triage.yaml": triage });
      expect(await run("lock", "resolve", "agent:triage", "--adopt", each)).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          `agent:triage cannot have the ID ${each}: the environment \`live\` has it`,
        ),
      });
      const named = documentText("Agent", "triage", { name: "Mine" }, { adopt: { default: each } });
      workspace.write({ "agents/triage.yaml": named });
      expect(await run("plan")).toMatchObject({
        code: 0,
        err: expect.stringMatching(/warning\[adopt-taken\].*`live` has it\n *--> agents\/triage\.yaml:/),
      });
      expect(await run("apply", "--yes")).toMatchObject({
        code: 1,
        err: expect.stringMatching(/adopt-taken.*\n *--> agents\/triage\.yaml:/),
      });
    }
    expect(emulator.requests).toHaveLength(sent);
    workspace.write({ "agents/triage.yaml": triage });
    expect((await run("apply", "--yes")).code).toBe(3);
    expect(await run("lock", "resolve", "agent:triage", "--adopt", id)).toMatchObject({
      code: 1,
      err: expect.stringContaining("the environment `live` has it"),
    });
  });

  test("what has the ID of another kind is no rename of it", async () => {
    const { emulator, workspace, run } = await openDesk({ "policies/strict.yaml": policyText() });
    expect((await run("apply", "--yes")).code).toBe(0);
    const [id = ""] = emulator.objects().policies.map((policy) => policy.id);
    for (const adopt of [id, id.toUpperCase()]) {
      workspace.write({ "agents/triage.yaml": documentText("Agent", "triage", { name: "A" }, { adopt }) });
      for (const words of [["plan"], ["lock", "resolve", "agent:triage", "--adopt", adopt]]) {
        const { code, err } = await run(...words);
        expect([code, err]).toEqual([
          1,
          expect.stringContaining("hint: an object can have only one address: correct the ID"),
        ]);
      }
    }
  });

  test("an object that was taken over by its ID in capitals has no second address either", async () => {
    const { workspace, run } = await openDesk({ "agents/triage.yaml": triage });
    const id = "66f1c09a8b7e5d4c3b2a1908";
    const mixed = id.replace("f", "F");
    const second = (adopt: string) =>
      workspace.write({ "agents/b.yaml": documentText("Agent", "b", { name: "B" }, { adopt }) });
    workspace.write({
      "agents/triage.yaml": documentText("Agent", "triage", { name: "A" }, { adopt: mixed }),
    });
    second(id.replace("c", "C"));
    expect((await run("plan")).err).toContain("error[adopt-taken]");
    workspace.remove("agents/b.yaml");
    expect((await run("lock", "resolve", "agent:triage", "--adopt", mixed)).code).toBe(0);
    for (const each of [id, id.toUpperCase()]) {
      second(each);
      for (const words of [["plan"], ["lock", "resolve", "agent:b", "--adopt", each]])
        expect((await run(...words)).err).toContain("error[adopt-taken]");
    }
  });

  const stores = ["file", "git"] as const;
  test.each(stores)(
    "what a create is answered with that another environment has fails (%s)",
    async (store) => {
      const answer = { method: "POST", path: "/v3/agents/", status: 200, body: { agent_id: "a-1" } };
      const { emulator, workspace, run } = await openDesk(
        { "agents/triage.yaml": triage },
        { faults: [answer, answer] },
      );
      // The same address in another spelling.
      const at = `{service: {base_url: "${emulator.url.replace("http", "HTTP")}"}}`;
      const more = `  environments: {default: {}, broken: {}, live: ${at}}\n  lock: {store: ${store}}\n`;
      workspace.write({ "agentform.yaml": manifestAt(emulator.url, more) });
      if (store === "git") {
        git(workspace.directory, "init", "-q");
        git(workspace.directory, "remote", "add", "origin", makeGitMedium().remote);
      }
      expect((await run("apply", "--yes", "-e", "live")).code).toBe(0);
      // One that cannot be read hides no other.
      workspace.write({ "agentform.broken.lock": "{" });
      const { code, err } = await run("apply", "--yes");
      expect([code, err]).toEqual([
        1,
        expect.stringContaining("the ID a-1, and the environment `live` has it"),
      ]);
      expect((await run("lock", "list")).out).toContain("a-1");
      const [, resend = ""] = /then apply the other one with `(.*)`/.exec(err) ?? [];
      expect((await run("plan", "-e", "live", ...resend.split(" "))).out).toContain("1 to update");
    },
  );

  test("nor what an environment has that is gone since before the workspace got its name", async () => {
    const { emulator, workspace, run } = await openDesk({ "agents/triage.yaml": triage });
    const manifest = (...names: string[]) =>
      manifestAt(emulator.url, `  environments: {${names.map((name) => `${name}: {}`).join(", ")}}\n`);
    workspace.write({ "agentform.yaml": manifest("default", "live") });
    expect((await run("apply", "--yes", "-e", "live")).code).toBe(0);
    const [{ id } = { id: "" }] = emulator.objects().agents;
    workspace.write({ "agentform.yaml": manifest("default").replace("name: ", "name: new-") });
    expect(await run("lock", "resolve", "agent:triage", "--adopt", String(id))).toMatchObject({
      code: 1,
      err: expect.stringContaining("the environment `live` has it"),
    });
  });

  test("nor what one environment has left behind and another manages", async () => {
    const { emulator, workspace, run, lock } = await openDesk({});
    const environments = "  environments: {default: {}, old: {}, new: {}}\n";
    const strict = (adopt?: object) =>
      workspace.write({
        "policies/strict.yaml": documentText(
          "Policy",
          "strict",
          { name: adopt ? "Shared" : "Own" },
          { adopt },
        ),
      });
    workspace.write({ "agentform.yaml": manifestAt(emulator.url, environments) });
    strict();
    expect((await run("apply", "--yes", "-e", "old")).code).toBe(0);
    const [id = ""] = emulator.objects().policies.map((policy) => policy.id);
    strict({ default: id });
    for (const args of [["-e", "old"], []]) expect((await run("apply", "--yes", ...args)).code).toBe(0);
    expect(lock().resources["policy:strict"]).toMatchObject({ id });
    strict({ new: id });
    expect(await run("apply", "--yes", "-e", "new")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the environment `default` has it"),
    });
  });

  test.each([
    ["", "it can be neither read nor updated"],
    [
      "operations: {policy: {read: 'GET /v1/rai/policies/{id}'}}, ",
      "it cannot be updated, and `agentform drift` compares it after that",
    ],
  ])("a plan says of a policy that it takes over what can be told of it: %j", async (more, told) => {
    const { workspace, run, emulator } = await openDesk({});
    workspace.write({
      "agentform.yaml": manifestAt(emulator.url).replace("service: {", `service: {${more}`),
      "policies/strict.yaml": policyText().replace('"spec":', '"lifecycle":{"adopt":"id-1"},"spec":'),
    });
    const { out } = await run("plan");
    expect(out).toContain(`because it is assumed to equal the document: ${told}\n`);
  });

  test("a policy that exists is assumed to equal its document", async () => {
    const { run, lock } = await openDesk({ "policies/strict.yaml": policyText() });
    expect((await run("lock", "resolve", "policy:strict", "--adopt", "id-1")).out).toContain(
      "assumed to equal its document",
    );
    expect(lock().resources["policy:strict"]).toMatchObject({ id: "id-1", assumed: true });
    // The policy is as it was; which key the service was given is nowhere in the lock.
    expect((await run("plan")).out).toContain("Plan: 1 setting to record, 1 unchanged.");
    expect((await run("apply", "--yes")).out).toContain("Apply complete: 1 setting recorded.");
  });

  test("a credential whose ID was not answered gets it, and what waited for it goes on", async () => {
    const { emulator, run, lock } = await openDesk(documents, { answers: "minimal" });
    expect((await run("apply", "--yes")).code).toBe(1);
    expect(emulator.objects().agents).toEqual([]);
    const before = lock().resources["credential:provider"];
    expect((await run("lock", "resolve", "credential:provider", "--adopt", "id-1")).code).toBe(0);
    expect(lock().resources["credential:provider"]).toEqual({
      ...before,
      id: "id-1",
      write: expect.any(String),
    });
    await run("apply", "--yes");
    expect(emulator.requests.at(-1)).toMatchObject({ method: "POST", path: "/v3/agents/" });
    expect(emulator.requests.filter(({ path }) => path.endsWith("/credentials"))).toHaveLength(1);
  });

  test("a tool set is adopted by its operations, its tools mapped", async () => {
    const { run, lock } = await openDesk();
    expect((await run("lock", "resolve", "toolset:desk", "--adopt", "t-1")).code).toBe(1);
    expect(
      (await run("lock", "resolve", "toolset:desk", "--adopt", "createTicket=t-2,GET /tickets=t-1")).code,
    ).toBe(0);
    expect(lock().resources["toolset:desk"]).toMatchObject({
      ids: ["t-1", "t-2"],
      tools: { listTickets: "t-1", createTicket: "t-2" },
      uncertain: true,
      assumed: true,
    });
    const { actions } = JSON.parse((await run("plan", "--target", "toolset:desk", "--format", "json")).out);
    expect(actions[0]).toMatchObject({
      action: "update",
      reasons: ["it was adopted, and is sent what its document says for the first time"],
      changes: [{ path: "default_headers" }],
    });
  });

  test("a tool set is adopted by paths that have commas and equals signs", async () => {
    const paths = { "/geo/{lat},{lon}": { get: {} }, "/near;at={place}": { get: {} }, "/a": { get: {} } };
    const spec = { tool_set_name: "desk", openapi_schema: { openapi: "3.1.0", paths } };
    const { run, lock } = await openDesk({ "toolsets/desk.yaml": documentText("ToolSet", "desk", spec) });
    const given = "GET /geo/{lat},{lon}=t-1,GET /near;at={place}=t=2,get /a=t-3";
    expect((await run("lock", "resolve", "toolset:desk", "--adopt", given)).err).toBe("");
    expect(lock().resources["toolset:desk"]).toMatchObject({
      tools: { "GET /geo/{lat},{lon}": "t-1", "GET /near;at={place}": "t=2", "GET /a": "t-3" },
    });
  });

  test("an adopted agent whose first update is lost is sent it again, for what it has is not known", async () => {
    const { run } = await openDesk(
      { "agents/triage.yaml": triage },
      { faults: [{ method: "PUT", drop: "after" }] },
    );
    await run("lock", "resolve", "agent:triage", "--adopt", "id-1");
    expect((await run("apply", "--yes")).code).not.toBe(0);
    expect((await run("plan")).out).toContain("is sent what its document says");
  });

  test("a file adopts many at once, as CSV or as JSON", async () => {
    const csv =
      'id,address,note\r\nid-1,policy:strict,"a, b"\r\nt-1,toolset:desk/listTickets,\r\nt-2,toolset:desk/createTicket,\r\n';
    const json = { "policy:strict": "id-1", "toolset:desk": { listTickets: "t-1", createTicket: "t-2" } };
    const locks = [];
    for (const text of [`\uFEFF${csv}`, JSON.stringify(json)]) {
      const { workspace, run, lock } = await openDesk();
      workspace.write({ "ids.txt": text });
      expect(await run("lock", "resolve", "--from", "ids.txt")).toMatchObject({ code: 0, err: "" });
      locks.push(withoutWrites(lock().resources));
    }
    expect(locks[0]).toEqual(locks[1]);
    expect(Object.keys(locks[0] ?? {})).toEqual(["policy:strict", "toolset:desk"]);
  });

  test("all that is wrong is said at once, and nothing is written", async () => {
    const { workspace, run } = await openDesk();
    await run("apply", "--yes", "--target", "policy:strict");
    const { id } = JSON.parse(workspace.read("agentform.lock")).resources["policy:strict"];
    const before = workspace.read("agentform.lock");
    workspace.write({
      "ids.json": JSON.stringify({
        "policy:strict": "another",
        "agent:support": id,
        "agent:missing": "id-2",
        "toolset:desk": ["noSuchOperation=t-1"],
        "credential:provider": "id-3",
      }),
    });
    const refused = await run("lock", "resolve", "--from", "ids.json");
    expect(refused).toMatchObject({ code: 1, out: "" });
    for (const said of [
      `policy:strict: is already managed, with ID ${id}`,
      `agent:support: cannot have the ID ${id}: it belongs to \`policy:strict\``,
      "agent:missing: has no valid document",
      "toolset:desk: `noSuchOperation=t-1` names no operation",
    ]) {
      expect(refused.err).toContain(said);
    }
    expect(workspace.read("agentform.lock")).toBe(before);
  });

  test("what is adopted already is no change", async () => {
    const { workspace, run } = await openDesk();
    await run("lock", "resolve", "policy:strict", "--adopt", "id-1");
    const before = workspace.read("agentform.lock");
    const again = await run("lock", "resolve", "policy:strict", "--adopt", "id-1");
    expect(again).toMatchObject({ code: 0, out: "policy:strict: is already managed, with ID id-1\n" });
    expect(workspace.read("agentform.lock")).toBe(before);
  });

  test("the IDs of another service are refused", async () => {
    const { workspace, run } = await openDesk();
    await run("lock", "resolve", "policy:strict", "--adopt", "id-1");
    const manifest = workspace.read("agentform.yaml").replaceAll("127.0.0.1", "localhost");
    workspace.write({ "agentform.yaml": manifest });
    const refused = await run("lock", "resolve", "agent:support", "--adopt", "id-2");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("service-moved");
  });

  test("a document that cannot be used is shown with its errors", async () => {
    const { workspace, run } = await openDesk();
    workspace.write({ "agents/support.yaml": agentText({ tools: 5 }) });
    const refused = await run("lock", "resolve", "agent:support", "--adopt", "id-1");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("document-invalid");
    expect(refused.err).toContain("agent:support: has no valid document");
  });
});

describe("a wrong ID that a document adopts", () => {
  test("of an agent is corrected in the document, and no second object is made", async () => {
    const { emulator, workspace, run, lock } = await openDesk();
    const [id = ""] = emulator.edit({ kind: "agent", create: { name: "Triage" } });
    const adopting = (adopt: string) =>
      workspace.write({
        "agents/support.yaml": documentText("Agent", "support", { name: "Mine" }, { adopt }),
      });
    adopting("mistyped");
    const failed = await run("apply", "--yes");
    expect(failed).toMatchObject({
      code: 1,
      err: expect.stringContaining("correct it as `lifecycle.adopt`"),
    });
    expect(failed.err).not.toContain("no longer exists");
    adopting(id);
    const { actions } = JSON.parse((await run("plan", "--format", "json")).out);
    expect(actions).toMatchObject([{ action: "adopt", ids: [id], leaves: 1 }]);
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(emulator.objects().agents.map(({ body }) => body)).toEqual([{ name: "Mine" }]);
    expect(lock().retired).toMatchObject({ mistyped: { address: "agent:support" } });
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    adopting("another");
    expect(await run("plan")).toMatchObject({ code: 1, err: expect.stringContaining("adopt-taken") });
  });

  test("of a policy is corrected in the document, and of one that is protected not", async () => {
    const { emulator, workspace, run, lock } = await openDesk();
    const [id = ""] = emulator.edit({ kind: "policy", create: { name: "Strict" } });
    const adopting = (adopt: string, more: object = {}) =>
      workspace.write({
        "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }, { adopt, ...more }),
      });
    const features = [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }];
    workspace.write({ "agents/a.yaml": documentText("Agent", "a", { name: "A", features }) });
    adopting("mistyped");
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    adopting(id, { protect: true });
    expect(await run("plan")).toMatchObject({ code: 1, err: expect.stringContaining("would replace it") });
    adopting(id);
    expect((await run("plan", "--target", "policy:strict")).out).toContain("~ agent:a");
    expect((await run("plan", "--exclude", "agent:a")).out).toContain("[replacement-not-in-effect]");
    // Another guard may take the place of this one in the same way.
    expect((await run("plan")).out).toMatch(
      /weakens +policy:strict .*\[object-exchanged\][^]*strict\.yaml +not judged/,
    );
    expect(await run("plan", "--fail-on", "weakens")).toMatchObject({ code: 1 });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(lock().resources["policy:strict"]).toMatchObject({ id, adopted: id });
    expect(lock().retired).toMatchObject({ mistyped: { address: "policy:strict", untold: true } });
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("of one tool of a set is corrected, and the others are not left behind", async () => {
    const { emulator, workspace, run, lock } = await openDesk();
    const spec = {
      tool_set_name: "desk",
      openapi_schema: {
        openapi: "3.1.0",
        paths: { "/a": { get: { operationId: "a" }, post: { operationId: "b" } } },
      },
      default_headers: { "X-Desk": "1" },
    };
    const [a, b] = emulator.edit({ kind: "tool", create: spec });
    const adopting = (adopt: string[]) =>
      workspace.write({ "toolsets/desk.yaml": documentText("ToolSet", "desk", spec, { adopt }) });
    adopting([`a=${a}`, "b=mistyped"]);
    await run("apply", "--yes");
    adopting([`a=${a}`, `b=${b}`]);
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(lock().resources["toolset:desk"]).toMatchObject({ ids: [a, b] });
    expect(Object.keys(lock().retired)).toEqual(["mistyped"]);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});
