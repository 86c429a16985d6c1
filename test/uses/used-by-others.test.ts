import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../src/disk/real-path.js";
import type { Plan } from "../../src/generated/plan.js";
import { readNewestNeighbours } from "../../src/sync/around/newest-neighbours.js";
import { findWorkspaces, forgetState, readNeighbours } from "../../src/workspace/others/neighbours.js";
import { workspaceKey } from "../../src/workspace/others/state-elsewhere.js";
import { usesGraph } from "../../src/workspace/others/uses-graph.js";
import { documentText } from "../harness/disk-workspace.js";
import { git, guarded, manifestOf, openPlatform, policy, twoTeams } from "./platform.js";
import { wholeTest } from "../harness/tier.js";

const pruning = (name: string) =>
  manifestOf(name, "URL").replace(
    "api_key:",
    'operations: {policy: {delete: "DELETE /v1/rai/policies/{id}"}}, api_key:',
  );

const notesIn = (out: string) =>
  (JSON.parse(out) as Plan).notes.filter(({ code }) => code === "used-by-others");

test("a plan that takes away what others use says who, from their documents and locks", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "sales/agentform.yaml": manifestOf(
      "sales",
      "URL",
      "environments: {default: {variables: {}}, staging: {variables: {}}}",
      "uses: {rules: {workspace: ../guard, environments: {staging: other}}}",
    ),
    "sales/agents/support.yaml": guarded("${policy:strict@rules}"),
    "alone/agentform.yaml": manifestOf("alone", "URL"),
    "alone/agents/support.yaml": guarded("${policy:strict@guard}"),
  });
  await platform.apply("guard");
  await platform.apply("care");
  expect(notesIn((await platform.run("guard", "plan", "--format", "json")).out)).toEqual([]);
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  const replaced = await platform.run("guard", "plan", "--format", "json");
  expect(notesIn(replaced.out)).toMatchObject([
    {
      address: "policy:strict",
      effect: "weakens",
      parts: {
        replaced: true,
        users: [
          { where: "care", addresses: ["agent:support"] },
          { where: "sales", addresses: ["agent:support"] },
        ],
      },
    },
  ]);
  const stricter = JSON.parse(policy("strict")) as { spec: { banned_topics: { topics: string[] } } };
  stricter.spec.banned_topics.topics.push("tobacco");
  platform.workspace.write({ "guard/policies/strict.yaml": JSON.stringify(stricter) });
  const strict = await platform.run("guard", "plan", "--format", "json");
  expect(notesIn(strict.out)).toMatchObject([{ address: "policy:strict", effect: "review" }]);
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  const { digest } = JSON.parse(replaced.out) as Plan;
  symlinkSync("guard", join(platform.workspace.directory, "link"));
  const linked = await platform.run(".", "plan", "-C", "link", "--format", "json");
  expect((JSON.parse(linked.out) as Plan).digest).toBe(digest);
  platform.workspace.write({
    "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const applied = JSON.parse((await platform.run("guard", "plan", "--format", "json")).out) as Plan;
  expect(applied.digest).toBe(digest);
  platform.workspace.remove("guard/policies/strict.yaml");
  const forgotten = await platform.run("guard", "plan");
  expect(forgotten.out).toContain(
    "care (agent:support), sales (agent:support) refer to what is not there any more",
  );
  platform.workspace.write({
    "guard/policies/strict.yaml": documentText(
      "Policy",
      "firm",
      { name: "strict", banned_topics: { enabled: true, topics: ["weapons"] } },
      { moved_from: "policy:strict" },
    ),
  });
  const moved = await platform.run("guard", "plan", "--format", "json");
  expect(notesIn(moved.out)).toMatchObject([{ address: "policy:firm", parts: { replaced: false } }]);
});

test("who refers to an operation that a new tool set lacks cannot be applied, and keeps nothing", async () => {
  const desk = (name: string) =>
    documentText("ToolSet", "desk", {
      tool_set_name: "desk",
      openapi_schema: {
        openapi: "3.1.0",
        info: { title: "Desk", version: "1" },
        paths: { "/tickets": { get: { operationId: name, responses: {} } } },
      },
    });
  const agent = (name: string, tool: string) =>
    documentText("Agent", name, { name, tools: [`\${toolset:desk@guard${tool}}`] });
  const platform = await openPlatform(
    {
      "guard/agentform.yaml": manifestOf("guard", "URL"),
      "guard/toolsets/desk.yaml": desk("listTickets"),
      "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../guard}}"),
      "care/agents/name.yaml": agent("name", "/listTickets"),
      "care/agents/route.yaml": agent("route", "/GET /tickets"),
      "care/agents/whole.yaml": agent("whole", ""),
    },
    { answers: "names" },
  );
  await platform.apply("guard");
  await platform.apply("care");
  platform.workspace.write({ "guard/toolsets/desk.yaml": desk("findTickets") });
  expect(notesIn((await platform.run("guard", "plan", "--format", "json")).out)).toMatchObject([
    {
      effect: "weakens",
      parts: {
        users: [{ where: "care", addresses: ["agent:name"] }],
        replaced: false,
        gone: ["listTickets"],
      },
      message:
        "care (agent:name) refers to `listTickets`, which is not there any more under this name, and cannot be applied while its documents do",
    },
    {
      effect: "review",
      parts: { users: [{ where: "care", addresses: ["agent:route", "agent:whole"] }], replaced: true },
    },
  ]);
  const wrong = platform.workspace.read("care/agents/name.yaml");
  platform.workspace.write({ "care/agents/name.yaml": agent("name", "/GET /tickets") });
  expect(notesIn((await platform.run("guard", "plan", "--format", "json")).out)).toMatchObject([
    { parts: { users: [{ addresses: ["agent:name", "agent:route", "agent:whole"] }], replaced: true } },
  ]);
  platform.workspace.write({ "care/agents/name.yaml": wrong });
  await platform.apply("guard");
  expect((await platform.run("care", "plan")).err).toContain("has no operation `listTickets`");
});

wholeTest(
  "who uses an address gets another object where two exchange their addresses, and is told in both plans",
  async () => {
    const rename = (name: string, from: string, topic: string) => {
      const document = JSON.parse(policy(name, topic)) as { spec: object };
      const spec = { ...document.spec, name: from };
      return JSON.stringify({ ...document, spec, lifecycle: { moved_from: `policy:${from}` } });
    };
    const platform = await openPlatform({ ...twoTeams, "guard/policies/lax.yaml": policy("lax", "none") });
    await platform.apply("guard");
    await platform.apply("care");
    platform.workspace.write({
      "guard/policies/strict.yaml": rename("lax", "strict", "weapons"),
      "guard/policies/lax.yaml": rename("strict", "lax", "none"),
    });
    for (const narrowed of [[], ["--target", "policy:strict"], ["--target", "policy:lax"]]) {
      const there = await platform.run("guard", "plan", "--format", "json", ...narrowed);
      expect(notesIn(there.out), narrowed[1]).toMatchObject([
        {
          address: "policy:lax",
          effect: "weakens",
          message: "care (agent:support) gets another object for `policy:strict` with the next apply there",
        },
      ]);
    }
    // Also where its user is applied in the same command.
    expect((await platform.run(".", "plan", "--all")).out).toContain(
      "gets another object for `policy:strict`",
    );
    await platform.apply("guard");
    const { notes } = JSON.parse((await platform.run("care", "plan", "--format", "json")).out) as Plan;
    expect(notes).toMatchObject([
      { code: "used-id-changed", effect: "weakens", parts: { moved: "policy:lax@guard" } },
    ]);
  },
);

test("a prune keeps what the lock of another workspace refers to, until that is applied", async () => {
  const platform = await openPlatform({ ...twoTeams, "guard/agentform.yaml": pruning("guard") });
  await platform.apply("guard");
  await platform.apply("care");
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  await platform.apply("guard");
  const kept = await platform.run("guard", "prune");
  expect(kept.out + kept.err).toContain("agent:support refers to it in care");
  const lock = platform.workspace.read("care/agentform.lock");
  platform.workspace.write({ "care/agentform.lock": "{" });
  const unread = await platform.run("guard", "prune");
  expect(unread.out + unread.err).toContain("what uses it is not known");
  const onServer = "  lock: {store: http, address: 'https://state.example.com/care'}\n";
  const manifest = platform.workspace.read("care/agentform.yaml");
  platform.workspace.write({ "care/agentform.yaml": `${manifest}${onServer}` });
  expect((await platform.run("guard", "prune")).out).toContain(
    "takes a network to read; once it was applied again, delete the object in the service by hand",
  );
  platform.workspace.write({ "care/agentform.yaml": manifest, "care/agentform.lock": lock });
  await platform.apply("care");
  // A file of another tool with that name.
  platform.workspace.write({ "tools/agentform.lock": '{"from": "https://git.example.com/agentform/tools"}' });
  const pruned = await platform.run("guard", "prune", "--yes");
  expect(pruned.code, pruned.out + pruned.err).toBe(0);
  expect(pruned.out + pruned.err).not.toMatch(/refers to it in care|is not known/);
});

test("a prune keeps what an agent refers to that another workspace has left behind", async () => {
  const platform = await openPlatform({ ...twoTeams, "guard/agentform.yaml": pruning("guard") });
  await platform.apply("guard");
  await platform.apply("care");
  platform.workspace.remove("care/agents/support.yaml");
  await platform.apply("care");
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  await platform.apply("guard");
  const kept = await platform.run("guard", "prune", "--yes");
  expect(kept.out).toContain("agent:support, which is left behind too, refers to it in care");
});

test("what is deleted with its document, and another workspace is to have, is handed over as the refusal says", async () => {
  const platform = await openPlatform(
    { ...twoTeams, "guard/agentform.yaml": pruning("guard") },
    { operations: "full" },
  );
  const document = (lifecycle?: object) => documentText("Policy", "desk", { name: "desk" }, { ...lifecycle });
  const apply = async (folder: string) => await platform.run(folder, "apply", "--yes");
  platform.workspace.write({ "guard/policies/desk.yaml": document({ on_removal: "delete" }) });
  await platform.apply("guard");
  const id = String(platform.emulator.objects().policies.find(({ body }) => body["name"] === "desk")?.id);
  platform.workspace.remove("guard/policies/desk.yaml");
  platform.workspace.write({ "care/policies/desk.yaml": document({ adopt: id }) });
  const kept = await apply("guard");
  expect(kept.out + kept.err).toMatch(/apply its document with `on_removal: forget`, and remove it again/);
  platform.workspace.write({ "guard/policies/desk.yaml": document({ on_removal: "forget" }) });
  await platform.apply("guard");
  platform.workspace.remove("guard/policies/desk.yaml");
  await platform.apply("guard");
  await platform.apply("care");
  expect(platform.workspace.read("care/agentform.lock")).toContain(id);
  expect(platform.emulator.objects().policies.map((each) => each.id)).toContain(id);
});

wholeTest(
  "a prune keeps what a document of another workspace or environment is to take over, until it has",
  async () => {
    const both = "environments: {default: {variables: {}}, staging: {variables: {}}}";
    const platform = await openPlatform(
      { ...twoTeams, "guard/agentform.yaml": `${pruning("guard")}  ${both}\n` },
      { operations: "full" },
    );
    const text = platform.workspace.read("guard/policies/strict.yaml");
    await platform.apply("guard", "-e", "default");
    const id = String(platform.emulator.objects().policies[0]?.id);
    platform.workspace.remove("guard/policies/strict.yaml");
    await platform.apply("guard", "-e", "default");
    const prune = async () => (await platform.run("guard", "prune", "--yes", "-e", "default")).out;
    const taking = { ...(JSON.parse(text) as object), lifecycle: { adopt: id } };
    platform.workspace.write({ "care/policies/own.yaml": JSON.stringify(taking) });
    expect(await prune()).toContain("stays: `lifecycle.adopt` of policy:strict in care names it");
    platform.workspace.remove("care/policies/own.yaml");
    platform.workspace.write({ "care/agents/late.yaml": guarded(id).replaceAll("support", "late") });
    expect(await prune()).toContain("stays: the document of agent:late in care contains its ID");
    // Another address may be the same service.
    const manifest = platform.workspace.read("care/agentform.yaml");
    const aliased = manifest.replaceAll(platform.emulator.url, "https://alias.example.com");
    platform.workspace.write({ "care/agentform.yaml": aliased });
    expect(aliased).not.toBe(manifest);
    expect(await prune()).toContain("stays: the document of agent:late in care contains its ID");
    platform.workspace.write({ "care/agentform.yaml": manifest });
    platform.workspace.write({ "care/agents/late.yaml": "kind: [" });
    expect(await prune()).toContain(
      "stays: what uses it is not known: the documents of care have errors, which `agentform validate -C care` shows",
    );
    platform.workspace.remove("care/agents/late.yaml");
    const lifecycle = { environments: ["staging"], adopt: { staging: id } };
    platform.workspace.write({ "guard/policies/strict.yaml": JSON.stringify({ ...taking, lifecycle }) });
    const takenInStaging = "stays: `lifecycle.adopt` of policy:strict in the environment `staging` names it";
    expect(await prune()).toContain(takenInStaging);
    rmSync(join(platform.workspace.directory, ".git"), { recursive: true });
    expect(await prune()).toContain(takenInStaging);
    git(platform.workspace.directory, "init", "-q", "-b", "main");
    await platform.apply("guard", "-e", "staging");
    expect(await prune()).toContain("stays: it is managed as policy:strict in agentform.staging.lock");
    const later = JSON.parse(policy("strict", "tobacco")) as object;
    platform.workspace.write({ "guard/policies/strict.yaml": JSON.stringify({ ...later, lifecycle }) });
    await platform.apply("guard", "-e", "staging");
    await prune();
    expect(platform.emulator.objects().policies.map((each) => each.id)).not.toContain(id);
  },
);

wholeTest(
  "who has a file with the IDs is a user as well, of the workspace and environment that the file names",
  async () => {
    const both = "environments: {default: {variables: {}}, live: {variables: {}}}";
    const platform = await openPlatform({
      "guard/agentform.yaml": manifestOf("guard", "URL", both).replace(
        "api_key:",
        'operations: {policy: {delete: "DELETE /v1/rai/policies/{id}"}}, api_key:',
      ),
      "guard/policies/strict.yaml": policy("strict"),
      "far/agentform.yaml": manifestOf(
        "far",
        "URL",
        both,
        "uses: {rules: {file: {default: ids/guard.json, live: ids/other.json}}}",
      ),
      "far/agents/support.yaml": guarded("${policy:strict@rules}"),
    });
    for (const environment of ["default", "live"]) await platform.apply("guard", "-e", environment);
    for (const [environment, name] of [
      ["default", "guard"],
      ["live", "other"],
    ] as const) {
      const { out } = await platform.run("guard", "output", "--format", "json", "-e", environment);
      platform.workspace.write({ [`far/ids/${name}.json`]: out.replace('"guard"', `"${name}"`) });
    }
    await platform.apply("far", "-e", "default");
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    const noted = async (environment: string) =>
      notesIn((await platform.run("guard", "plan", "--format", "json", "-e", environment)).out);
    expect(await noted("default")).toMatchObject([
      { parts: { users: [{ where: "far", addresses: ["agent:support"] }] } },
    ]);
    // That file is of a workspace with another name.
    expect(await noted("live")).toEqual([]);
    await platform.apply("guard", "-e", "default");
    const kept = await platform.run("guard", "prune", "-e", "default");
    expect(kept.out + kept.err).toContain("agent:support refers to it in far");
  },
);

test("a workspace that goes while those of the repository are looked at is passed over", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "sales/agentform.yaml": manifestOf("sales", "URL"),
  });
  const { directory } = platform.workspace;
  git(directory, "add", ".");
  // Git still lists it.
  rmSync(join(directory, "sales"), { recursive: true });
  const found = findWorkspaces(directory, {});
  expect(found.unread).toEqual([]);
  expect(found.found.map(({ workspace }) => workspace)).toEqual(["care", "guard"]);
  const gone = join(directory, "sales");
  expect(usesGraph([gone]).order).toHaveLength(1);
  expect(readNeighbours(found, {}).unread).toEqual([]);
  rmSync(join(directory, "care"), { recursive: true });
  expect(readNeighbours(found, {}).states.map(({ workspace }) => workspace)).toEqual(["care", "guard"]);
});

wholeTest(
  "in a round all is read once, but what others write meanwhile, and what the round has written",
  async () => {
    const platform = await openPlatform({
      ...twoTeams,
      "guard/agentform.yaml": manifestOf("guard", "URL", "lock: {store: git}"),
    });
    const { directory } = platform.workspace;
    git(directory, "remote", "add", "origin", ".");
    const round = {};
    const managed = (access: { round?: object }) => {
      const { states } = readNeighbours(findWorkspaces(directory, access), access);
      return states.map(({ workspace, lock }) => [workspace, Object.keys(lock.resources).length].join());
    };
    expect(managed({ round })).toEqual(["care,0", "guard,0"]);
    await platform.apply("guard");
    platform.workspace.write({ "sales/agentform.yaml": manifestOf("sales", "URL") });
    expect(managed({ round })).toEqual(["care,0", "guard,0", "sales,0"]);
    await platform.apply("care");
    expect(managed({ round })).toEqual(["care,1", "guard,0", "sales,0"]);
    // A remote is asked each time.
    const { neighbours } = await readNewestNeighbours({ directory: join(directory, "care"), round });
    expect(neighbours.states.map(({ lock }) => Object.keys(lock.resources))).toEqual([["policy:strict"], []]);
    forgetState(round, workspaceKey(join(realFolder(directory), "guard"), null));
    expect(managed({ round })).toEqual(["care,1", "guard,1", "sales,0"]);
    platform.workspace.write({
      "sales/agentform.yaml": manifestOf("sales", "URL", "environments: {default: {}, live: {}}"),
    });
    expect(managed({})).toHaveLength(4);
  },
);

test("in a round, what a state had before git set it back is seen as well", async () => {
  const platform = await openPlatform(twoTeams);
  const { directory } = platform.workspace;
  await platform.apply("guard");
  await platform.apply("care");
  const commit = () => git(directory, "add", ".") + git(directory, "commit", "-q", "-m", "applied");
  commit();
  const [lock, round] = ["care/agentform.lock", {}];
  const before = platform.workspace.read(lock);
  platform.workspace.write({
    "care/agents/second.yaml": documentText("Agent", "second", { name: "Second" }),
  });
  await platform.apply("care");
  commit();
  const most = async () => {
    const { neighbours } = await readNewestNeighbours({ directory: join(directory, "guard"), round });
    return Math.max(...neighbours.states.map((state) => Object.keys(state.lock.resources).length));
  };
  expect(await most()).toBe(2);
  platform.workspace.write({ [lock]: before });
  expect(await most()).toBe(2);
});

wholeTest(
  "an apply sends no ID that a used lock file has no longer on the branch that this one follows, or the default one",
  async () => {
    const platform = await openPlatform(twoTeams);
    const { directory } = platform.workspace;
    const commit = (message: string) => {
      git(directory, "add", "-A");
      git(directory, "commit", "-q", "-m", message);
    };
    await platform.apply("guard");
    await platform.apply("care");
    commit("both");
    git(directory, "init", "-q", "--bare", ".agentform/remote");
    git(directory, "remote", "add", "origin", ".agentform/remote");
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    await platform.apply("guard");
    commit("replaced");
    git(directory, "push", "-q", "-u", "origin", "main");
    git(directory, "reset", "-q", "--hard", "HEAD~1");
    // As on another machine.
    rmSync(join(directory, ".git/agentform"), { recursive: true });
    platform.workspace.write({
      "care/agents/late.yaml": guarded("${policy:strict@guard}").replaceAll("support", "late"),
    });
    const refusal = {
      code: 1,
      err: expect.stringMatching(/lock-behind.*`policy:strict@guard` has another ID in origin\/main/),
    };
    expect(await platform.run("care", "apply", "--yes")).toMatchObject(refusal);
    // Nor on the default branch, where this one follows none.
    git(directory, "remote", "set-head", "origin", "main");
    git(directory, "checkout", "-q", "--no-track", "-b", "topic");
    expect(await platform.run("care", "apply", "--yes")).toMatchObject(refusal);
    git(directory, "merge", "-q", "origin/main");
    await platform.apply("care");
  },
);
