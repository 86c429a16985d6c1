import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/emulator.js";
import type { JsonObject } from "../../src/json/json.js";
import { sample } from "../harness/tier.js";
import { documentText } from "../harness/disk-workspace.js";
import { documents, manifestAt, policyText } from "./desk.js";
import { askingManifest, openAsked } from "./sixty.js";

const triage = documentText("Agent", "triage", { name: "Triage", description: "As sent" });
const lost = { faults: [{ path: "/v3/agents/", drop: "after" as const }] };

async function openLost(files: Readonly<Record<string, string>>, options: EmulatorOptions) {
  const filled = await openAsked("pages", options);
  filled.workspace.write(files);
  expect((await filled.run("apply", "--yes")).code).toBe(3);
  return { ...filled, lock: () => JSON.parse(filled.workspace.read("agentform.lock")) };
}

/** Searches where one object is equal to what was sent, and shows this. */
async function searchedWith(shown: JsonObject) {
  const object = { agent_id: "66f1c0de0000000000000017", name: "Triage", description: "As sent", ...shown };
  const answer = { method: "GET", count: 9, status: 200 };
  const faults = [
    { path: "/v3/agents/", drop: "before" as const },
    { ...answer, path: "/v3/agents/", body: { data: { items: [{ ...object, _id: object.agent_id }] } } },
    { ...answer, path: "/v3/agents/{id}", body: { data: object } },
  ];
  const { run } = await openLost({ "agents/triage.yaml": triage }, { faults });
  return await run("lock", "resolve", "agent:triage", "--search", "--yes");
}

describe("lock resolve --search", () => {
  test("the only object that is equal to what was sent resolves the create", async () => {
    const { run, emulator, lock } = await openLost({ "agents/triage.yaml": triage }, lost);
    emulator.edit({ kind: "agent", create: { name: "Triage", description: "Something else" } });
    const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
    const id = emulator.objects().agents[0]?.id ?? "";
    expect(searched).toMatchObject({ code: 0, err: "" });
    expect(searched.out).toContain(`${id} "Triage", created `);
    expect(searched.out).toContain(": equal to what was sent\n");
    expect(searched.out).toContain(": differs in description\n");
    expect(lock()).toMatchObject({ unknown: {}, resources: { "agent:triage": { id } } });
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("what a runner that died had only claimed is found by what its references are now", async () => {
    const features = [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }];
    const files = {
      "policies/strict.yaml": policyText(),
      "agents/triage.yaml": documentText("Agent", "triage", { name: "Triage", features }),
    };
    const { run, workspace, emulator, lock } = await openLost(files, lost);
    const claimed = lock();
    delete claimed.unknown["agent:triage"].references;
    workspace.write({ "agentform.lock": `${JSON.stringify(claimed, null, 2)}\n` });
    const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
    expect(searched).toMatchObject({ code: 0, out: expect.stringContaining(": equal to what was sent\n") });
    expect(lock().resources["agent:triage"].id).toBe(emulator.objects().agents[0]?.id);
    expect((await run("apply", "--yes")).code).toBe(0);
    expect(emulator.objects().agents).toHaveLength(1);
  });

  test("a list that lacks what the state has, and a read shows, says nothing of what is not there", async () => {
    const faults = [
      { method: "POST", path: "/v3/agents/", skip: 1, drop: "after" as const },
      { method: "GET", path: "/v3/agents/", count: 9, status: 200, body: { data: { items: [] } } },
    ];
    const sales = documentText("Agent", "sales", { name: "Sales" });
    const { run, lock } = await openLost(
      { "agents/sales.yaml": sales, "agents/triage.yaml": triage },
      { faults },
    );
    const [address = ""] = Object.keys(lock().unknown);
    const { code, err } = await run("lock", "resolve", address, "--search", "--yes");
    expect(code).toBe(1);
    expect(err).toMatch(/the list of GET \/v3\/agents\/ lacks \w+, which the service shows when it is read/);
  });

  test("what is not there stays unknown until somebody says that it was not created", async () => {
    const { run, lock } = await openLost(
      { "agents/triage.yaml": triage },
      { faults: [{ path: "/v3/agents/", drop: "before" }] },
    );
    const before = lock();
    const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
    expect(searched).toMatchObject({ code: 1, err: "" });
    expect(searched.out).toBe(
      "agent:triage: not found among 0 objects; it stays unknown.\n" +
        "If nothing was created: agentform lock resolve agent:triage --not-created\n",
    );
    expect(lock()).toEqual(before);
  });

  test("of several that are equal, none is taken", async () => {
    const { run, emulator, lock } = await openLost({ "agents/triage.yaml": triage }, lost);
    emulator.edit({ kind: "agent", create: { name: "Triage", description: "As sent" } });
    const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
    expect(searched.code).toBe(1);
    expect(searched.out).toContain("2 candidates among 2 objects");
    expect(searched.out).toContain("None is certain.");
    expect(lock().unknown).toHaveProperty(["agent:triage"]);
  });

  test.each([
    ["created_at", 1_600_000_000, "2020-09-13T12:26:40.000Z"],
    ["created_at", 1_600_000_000_000, "2020-09-13T12:26:40.000Z"],
    ["created_at", 1_600_000_000_000_000, "2020-09-13T12:26:40.000Z"],
    ["createdAt", "2020-01-01", "2020-01-01"],
  ])("an older object is not taken, with %s %j", async (field, time, shown) => {
    const { out, code } = await searchedWith({ [field]: time });
    expect(out).toContain(`created ${shown}: equal to what was sent, but it is older than the create`);
    expect(code).toBe(1);
  });

  test("a time without a zone is one of UTC, wherever this machine is", async () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    onTestFinished(() => void vi.unstubAllEnvs());
    const now = new Date().toISOString().replace("Z", "");
    const { out, code } = await searchedWith({ created_at: now });
    expect(out).toContain(`created ${now}: equal to what was sent\n`);
    expect(code).toBe(0);
  });

  test.each([
    ["agent:twin", "  environments: {}\n", "default"],
    ["the environment `one`", "  environments: {default: {}, one: {}}\n", "one"],
  ])(
    "what %s has is not taken if either the list or the state has its ID in capitals",
    async (owner, environments, its) => {
      const list = { method: "GET", count: 99, status: 200 };
      const [listed, shown]: [JsonObject[], JsonObject] = [[], {}];
      const faults = [
        { path: "/v3/agents/", method: "POST", drop: "before" as const, skip: 1 },
        { ...list, path: "/v3/agents/", body: listed },
        { ...list, path: "/v3/agents/{id}", body: shown },
      ];
      const { run, workspace, emulator } = await openAsked("array", { faults });
      workspace.write({
        "agentform.yaml": askingManifest(emulator.url, "array", environments),
        "agents/twin.yaml": documentText("Agent", "twin", { name: "Triage", description: "As sent" }),
      });
      const inOne = its === "one" ? ["-e", its] : [];
      expect((await run("apply", "--yes", ...inOne)).code).toBe(0);
      const { id = "", body = {} } = emulator.objects().agents[0] ?? {};
      listed.push(Object.assign(shown, { ...body, _id: id.toUpperCase() }));
      if (its === "one") workspace.remove("agents/twin.yaml");
      workspace.write({ "agents/triage.yaml": triage });
      expect((await run("apply", "--yes")).code).toBe(3);
      const search = () => run("lock", "resolve", "agent:triage", "--search", "--yes");
      const isNotTaken = { code: 1, out: expect.stringContaining(`what was sent, but ${owner} has it`) };
      expect(await search()).toMatchObject(isNotTaken);
      const file = its === "one" ? "agentform.one.lock" : "agentform.lock";
      workspace.write({ [file]: workspace.read(file).replaceAll(id, id.toUpperCase()) });
      rmSync(join(workspace.directory, ".agentform"), { recursive: true });
      Object.assign(shown, { _id: id });
      expect(await search()).toMatchObject(isNotTaken);
    },
  );

  test("what another address has is shown, and not taken", async () => {
    const twin = documentText("Agent", "twin", { name: "Triage", description: "As sent" });
    const { run, lock, workspace } = await openAsked("array", {
      faults: [{ path: "/v3/agents/", drop: "before", skip: 1 }],
    }).then((filled) => ({ ...filled, lock: () => JSON.parse(filled.workspace.read("agentform.lock")) }));
    workspace.write({ "agents/twin.yaml": twin });
    expect((await run("apply", "--yes")).code).toBe(0);
    workspace.write({ "agents/triage.yaml": triage });
    expect((await run("apply", "--yes")).code).toBe(3);
    const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
    expect(searched.code).toBe(1);
    expect(searched.out).toContain("equal to what was sent, but agent:twin has it");
    expect(lock().unknown).toHaveProperty(["agent:triage"]);
  });

  test("what a different environment has left behind, or may have made, is not taken", async () => {
    const faults = [
      { path: "/v3/agents/", method: "POST", drop: "before" as const, skip: 1 },
      { path: "/v3/agents/", method: "POST", drop: "after" as const, skip: 1 },
    ];
    const { run, workspace, emulator } = await openAsked("array", { faults });
    workspace.write({
      "agentform.yaml": askingManifest(
        emulator.url,
        "array",
        "  environments: {one: {}, two: {}, three: {}}\n",
      ),
      "agents/triage.yaml": triage,
    });
    const search = ["lock", "resolve", "agent:triage", "--search", "--yes"];
    expect((await run("apply", "--yes", "-e", "one")).code).toBe(0);
    workspace.remove("agents/triage.yaml");
    expect((await run("apply", "--yes", "-e", "one")).code).toBe(0);
    workspace.write({ "agents/triage.yaml": triage });
    expect((await run("apply", "--yes", "-e", "two")).code).toBe(3);
    const left = await run(...search, "-e", "two");
    expect(left.code).toBe(1);
    expect(left.out).toContain("equal to what was sent, but the environment `one` has it");
    expect((await run("apply", "--yes", "-e", "three")).code).toBe(3);
    const twin = await run(...search, "-e", "two");
    expect(twin.code).toBe(1);
    expect(twin.out).toContain(
      "but the create of agent:triage in the environment `three` has an unknown outcome and the same body",
    );
  });

  test("a tool set is found by the tools of its name and document", async () => {
    const { run, lock, emulator } = await openLost(
      { "toolsets/desk.yaml": documents["toolsets/desk.yaml"] ?? "" },
      { faults: [{ path: "/v3/tools/", drop: "after" }] },
    );
    expect(await run("lock", "resolve", "toolset:desk", "--search", "--yes")).toMatchObject({
      code: 0,
      err: "",
    });
    const ids = emulator.objects().tools.map(({ id }) => id);
    expect(lock().resources["toolset:desk"]).toMatchObject({
      ids,
      tools: { listTickets: ids[0], createTicket: ids[1] },
    });
  });

  test("of a tool set that is not certain, it asks which tool is which operation", async () => {
    const { run, emulator } = await openLost(
      { "toolsets/desk.yaml": documents["toolsets/desk.yaml"] ?? "" },
      { faults: [{ path: "/v3/tools/", drop: "after" }] },
    );
    const [tool] = emulator.objects().tools;
    emulator.edit({ kind: "tool", id: tool?.id ?? "", changes: { default_query_params: { lang: "en" } } });
    expect((await run("lock", "resolve", "toolset:desk", "--search", "--yes")).out).toContain(
      "None is certain. Say which: agentform lock resolve toolset:desk --adopt OPERATION=ID,… | --not-created",
    );
  });

  test.each([
    ["without its document", { tool_set_name: "openapi-desk" }],
    ["without anything but a name of their own", { name: "listTickets" }],
  ])("tools that the service shows %s are not called absent", async (_how, shown) => {
    const tools = ["T1", "T2"].map((id) => ({ ...shown, _id: id, tool_id: id }));
    const asked = { method: "GET", count: 1, status: 200 };
    const faults = [
      { path: "/v3/tools/", method: "POST", drop: "after" as const },
      { ...asked, path: "/v3/tools/", body: { data: { items: tools } } },
      ...tools.map((data) => ({ ...asked, path: "/v3/tools/{id}", body: { data } })),
    ];
    const { run } = await openLost(
      { "toolsets/desk.yaml": documents["toolsets/desk.yaml"] ?? "" },
      { faults },
    );
    const { code, out } = await run("lock", "resolve", "toolset:desk", "--search", "--yes");
    expect(code).toBe(1);
    expect(out).toContain("toolset:desk: 1 candidate among 2 objects\n  T1, T2 ");
    expect(out).toContain(", but the service does not give back its OpenAPI document\n");
    expect(out).toContain("None is certain. Say which: agentform lock resolve toolset:desk --adopt ");
  });

  const failing = [
    ["refused", { status: 403 }],
    ["failing", { status: 500, count: 100 }],
    ["without an end", { drop: "after" as const, count: 100 }],
    ["no JSON", { garbage: "<html>", count: 100 }],
  ] as const;
  test.each(sample("lists that fail", failing, 2))(
    "a list that is %s says nothing about what is there",
    async (_, fault) => {
      const { run, lock } = await openLost(
        { "agents/triage.yaml": triage },
        { faults: [...lost.faults, { path: "/v3/agents/", method: "GET", ...fault }] },
      );
      const before = lock();
      const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
      expect(searched).toMatchObject({ code: 1, out: "" });
      expect(searched.err).toContain("service-unread");
      expect(lock()).toEqual(before);
    },
  );

  test("without a list in the manifest, it says which key is missing", async () => {
    const { run, workspace, emulator } = await openLost({ "agents/triage.yaml": triage }, lost);
    workspace.write({ "agentform.yaml": manifestAt(emulator.url) });
    const searched = await run("lock", "resolve", "agent:triage", "--search", "--yes");
    expect(searched.code).toBe(1);
    expect(searched.err).toContain("service.operations.agent.list");
    expect(searched.err).toContain("docs/reference/deployments.md");
  });

  test("takes no other answer", async () => {
    const { run } = await openLost({ "agents/triage.yaml": triage }, lost);
    expect((await run("lock", "resolve", "agent:triage", "--search", "--not-created")).code).toBe(64);
    expect((await run("lock", "resolve", "agent:triage", "--not-created", "--yes")).code).toBe(64);
    const managed = await run("lock", "resolve", "agent:other", "--search", "--yes");
    expect(managed.code).toBe(1);
    expect(managed.err).toContain("has no create with an unknown outcome");
  });
});
