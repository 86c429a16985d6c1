import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { apply } from "../../src/index.js";
import { documentText } from "../harness/disk-workspace.js";
import { git, guarded, manifestOf, openPlatform, policy, twoTeams, type Platform } from "./platform.js";
import { wholeTest } from "../harness/tier.js";

interface LockText {
  readonly resources: Record<
    string,
    { id: string; references?: Record<string, string | string[]>; body: object }
  >;
}

const lockOf = ({ workspace }: Platform, folder: string, file = "agentform.lock") =>
  JSON.parse(workspace.read(`${folder}/${file}`)) as LockText;

async function planOf(platform: Platform, folder: string, ...args: readonly string[]): Promise<Plan> {
  const ran = await platform.run(folder, "plan", "--format", "json", ...args);
  expect(ran.code, ran.err).toBe(0);
  return JSON.parse(ran.out) as Plan;
}

const toolset = documentText("ToolSet", "desk", {
  tool_set_name: "desk",
  openapi_schema: {
    openapi: "3.1.0",
    info: { title: "Desk", version: "1" },
    paths: { "/tickets": { get: { operationId: "listTickets" }, post: { operationId: "createTicket" } } },
  },
});

test("an agent has the policy of another workspace, and waits while there is none", async () => {
  const platform = await openPlatform(twoTeams);
  expect((await platform.run("care", "validate")).code).toBe(0);
  const early = await planOf(platform, "care");
  expect(early.actions).toMatchObject([
    {
      address: "agent:support",
      action: "blocked",
      reasons: ["policy:strict of guard is not applied there yet"],
    },
  ]);
  await platform.apply("guard");
  await platform.apply("care");
  const { id = "" } = lockOf(platform, "guard").resources["policy:strict"] ?? {};
  const agent = lockOf(platform, "care").resources["agent:support"];
  expect(agent?.references).toEqual({ "policy:strict@guard": id });
  expect((await planOf(platform, "care")).actions).toEqual([]);
});

wholeTest(
  "a new ID in the other workspace is a consequence here, in the digest and in saved plans",
  async () => {
    const platform = await openPlatform(twoTeams);
    await platform.apply("guard");
    await platform.apply("care");
    const old = lockOf(platform, "guard").resources["policy:strict"]?.id;
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    await platform.apply("guard");
    const plan = await planOf(platform, "care");
    expect(plan.actions).toMatchObject([
      { address: "agent:support", action: "update", reasons: ["policy:strict of guard has a new ID"] },
    ]);
    const newest = lockOf(platform, "guard").resources["policy:strict"]?.id;
    expect(plan.notes).toMatchObject([
      { code: "banned-topic-gone", effect: "weakens", address: "policy:strict@guard" },
      {
        code: "used-id-changed",
        effect: "review",
        address: "agent:support",
        message: `\`policy:strict@guard\` stands for another object: \`${old}\` → \`${newest}\``,
      },
    ]);
    const text = await platform.run("care", "plan", "--out", "care.plan");
    expect(text.out).toContain("policy:strict of guard has a new ID");
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "alcohol") });
    await platform.apply("guard");
    const saved = await platform.run("care", "apply", "--yes", "care.plan");
    expect(saved.code).toBe(4);
    expect(saved.err).toContain("policy:strict@guard");
    expect((await platform.run("care", "apply", "--expect", plan.digest)).code).toBe(4);
    await platform.apply("care");
    const now = lockOf(platform, "guard").resources["policy:strict"]?.id;
    expect(now).not.toBe(old);
    expect(lockOf(platform, "care").resources["agent:support"]?.references).toEqual({
      "policy:strict@guard": now,
    });
  },
);

test("a reference that nothing had before shows its ID in every form, and one that others have does not", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const lock = platform.workspace.read("guard/agentform.lock");
  const id = lockOf(platform, "guard").resources["policy:strict"]?.id ?? "";
  // A machine that applied it would refuse the forged one.
  platform.workspace.remove(".git/agentform/files/guard/agentform.lock");
  const forged = "f".repeat(24);
  platform.workspace.write({ "guard/agentform.lock": lock.replaceAll(id, forged) });
  const said = `\`policy:strict@guard\` stands for \`${forged}\`, and nothing here was sent an ID for it before`;
  for (const format of ["text", "markdown", "html"]) {
    expect((await platform.run("care", "plan", "--format", format)).out).toContain(said);
  }
  platform.workspace.write({ "guard/agentform.lock": lock });
  await platform.apply("care");
  platform.workspace.write({
    "care/agents/second.yaml": guarded("${policy:strict@guard}").replace(
      `"name":"support"`,
      `"name":"second"`,
    ),
  });
  expect((await planOf(platform, "care")).notes).toEqual([]);
  platform.workspace.write({ "guard/agentform.lock": lock.replaceAll(id, forged) });
  expect((await planOf(platform, "care")).notes).toMatchObject(
    ["agent:second", "agent:support"].map((address) => ({
      address,
      effect: "weakens",
      message: `\`policy:strict@guard\` stands for another object: \`${id}\` → \`${forged}\`; the content of the earlier one is not known, so nothing is compared`,
    })),
  );
});

wholeTest(
  "who did not get a new policy of another workspace is told what it lacks of the one that was sent",
  async () => {
    const faults = [{ method: "PUT", path: "/v3/agents/*", status: 400, count: 1 }];
    const platform = await openPlatform(twoTeams, { faults });
    expect((await platform.run(".", "apply", "--all", "--yes")).code).toBe(0);
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    expect((await platform.run(".", "apply", "--all", "--yes")).code).toBe(1);
    const rest = await planOf(platform, "care");
    expect(rest.notes).toMatchObject([
      { code: "banned-topic-gone", effect: "weakens", address: "policy:strict@guard" },
      { code: "used-id-changed", effect: "review", address: "agent:support" },
    ]);
    expect((await platform.run(".", "plan", "--all", "--fail-on", "weakens")).code).toBe(1);
    for (const format of ["text", "markdown", "html"]) {
      const { out } = await platform.run("care", "plan", "--format", format);
      expect(out).toContain("policy:strict@guard");
      expect(out).toContain("no longer bans");
    }
    // What is replaced there once more, in the same command, is compared with what was sent from here.
    const again = policy("strict", "tobacco").replace(
      '"name":"strict","',
      '"name":"strict","description":"Again.","',
    );
    platform.workspace.write({ "guard/policies/strict.yaml": again });
    const all = await platform.run(".", "plan", "--all", "--fail-on", "weakens");
    expect(all.code).toBe(1);
    expect(all.out).toMatch(/policy:strict@guard +`banned_topics` no longer bans/);
    expect(all.out).toMatch(/`policy:strict@guard` stands for another object: `\w+` → a new object/);
    // One that guards as much is compared in silence.
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict") });
    await platform.apply("guard");
    expect((await planOf(platform, "care")).notes).toMatchObject([
      { code: "used-id-changed", effect: "review" },
    ]);
    expect((await platform.run(".", "plan", "--all", "--fail-on", "weakens")).code).toBe(0);
  },
);

test("an agent that another one took the place of is judged by what that reaches there", async () => {
  const agent = (tools: readonly string[]) => documentText("Agent", "helper", { name: "Helper", tools });
  const platform = await openPlatform({
    "guard/agentform.yaml": manifestOf("guard", "URL"),
    "guard/toolsets/desk.yaml": toolset,
    "guard/agents/helper.yaml": agent([]),
    "care/agentform.yaml": manifestOf(
      "care",
      "URL",
      "uses: {guard: {workspace: ../guard}}",
      "extra_fields: {agent: [managed_agents]}",
    ),
    "care/agents/lead.yaml": documentText("Agent", "lead", {
      name: "Lead",
      managed_agents: ["${agent:helper@guard}"],
    }),
  });
  await platform.apply("guard");
  await platform.apply("care");
  platform.workspace.write({ "guard/agents/helper.yaml": agent(["${toolset:desk}"]) });
  await platform.apply("guard", "--replace", "agent:helper");
  expect((await planOf(platform, "care")).notes).toMatchObject([
    { code: "writing-tool-gained", effect: "widens", address: "agent:helper@guard" },
    { code: "tool-gained", effect: "widens", address: "agent:helper@guard" },
    { code: "used-id-changed", effect: "review" },
  ]);
});

test("an ID of which nothing is known may be that of a weaker policy, or of something else", async () => {
  const ids = (more: object) =>
    JSON.stringify({ format: "agentform/output/v1", environment: null, ids: more });
  const before = { "policy:strict": "66aa01", "credential:provider": "66aa02" };
  const platform = await openPlatform({
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {file: guard.json}}"),
    "care/agents/support.yaml": guarded("${policy:strict@guard}", {
      llm_credential_id: "${credential:provider@guard}",
    }),
    "care/guard.json": ids(before),
  });
  await platform.apply("care");
  platform.workspace.write({ "care/guard.json": ids({ ...before, "credential:provider": "66bb02" }) });
  const found = { code: "used-id-changed", parts: { compared: false } };
  expect((await planOf(platform, "care")).notes).toMatchObject([{ ...found, effect: "widens" }]);
  platform.workspace.write({ "care/guard.json": ids({ ...before, "policy:strict": "66bb01" }) });
  expect((await planOf(platform, "care")).notes).toMatchObject([{ ...found, effect: "weakens" }]);
});

test("tools, credentials and agents of another workspace are used, and what an agent gains by it is noted", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "guard/toolsets/desk.yaml": toolset,
    "guard/agentform.yaml": manifestOf("guard", "URL").replace(
      "api_key",
      "tool_ids: document_order, api_key",
    ),
    "guard/credentials/provider.yaml": documentText("Credential", "provider", { name: "P", credentials: {} }),
    "care/agents/support.yaml": guarded("${policy:strict@guard}", {
      tools: ["${toolset:desk@guard/createTicket}"],
      llm_credential_id: "${credential:provider@guard}",
    }),
  });
  await platform.apply("guard");
  const files = platform.workspace.read("care/agents/support.yaml");
  platform.workspace.write({ "care/agents/support.yaml": guarded("${policy:strict@guard}") });
  await platform.apply("care");
  platform.workspace.write({ "care/agents/support.yaml": files });
  const { notes } = await planOf(platform, "care");
  expect(notes.find(({ code }) => code === "writing-tool-gained")?.parts).toMatchObject({
    toolset: "toolset:desk@guard",
    operations: [{ name: "createTicket" }],
  });
  await platform.apply("care");
  const { references = {} } = lockOf(platform, "care").resources["agent:support"] ?? {};
  expect(Object.keys(references).toSorted()).toEqual([
    "credential:provider@guard",
    "policy:strict@guard",
    "toolset:desk@guard/createTicket",
  ]);
  platform.workspace.write({
    "care/agents/support.yaml": guarded("${policy:strict@guard}", { tools: ["${toolset:desk@guard}"] }),
  });
  const wider = await planOf(platform, "care");
  expect(wider.notes.map(({ code }) => code)).toContain("tool-gained");
  platform.workspace.write({
    "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const bare = await planOf(platform, "care");
  expect(bare.notes.find(({ code }) => code === "policy-detached")?.message).toContain("policy:strict@guard");
});

test("a reference in the place of its ID is recorded, and the other workspace knows who uses it", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const { id = "" } = lockOf(platform, "guard").resources["policy:strict"] ?? {};
  platform.workspace.write({ "care/agents/support.yaml": guarded(id) });
  await platform.apply("care");
  platform.workspace.write({ "care/agents/support.yaml": guarded("${policy:strict@guard}") });
  expect((await planOf(platform, "care")).actions).toMatchObject([
    { address: "agent:support", action: "record", used: { "policy:strict@guard": id } },
  ]);
  const sent = platform.emulator.requests.length;
  await platform.apply("care");
  expect(platform.emulator.requests.length).toBe(sent);
  expect(lockOf(platform, "care").resources["agent:support"]?.references).toEqual({
    "policy:strict@guard": id,
  });
  expect((await planOf(platform, "care")).actions).toEqual([]);
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  expect((await planOf(platform, "guard")).notes.map(({ code }) => code)).toContain("used-by-others");
});

test.each([
  ["${policy:strct@guard}", "there is no `policy:strct` in `guard`", "policy:strict@guard"],
  ["${policy:strict@gaurd}", "has no `gaurd`", "did you mean `guard`?"],
  ["${agent:strict@guard}", "takes a policy", "write `${policy:strict@guard}`"],
  ["policy:strict@guard", "is not a reference", "write `${policy:strict@guard}`"],
])("%s is refused with what was meant", async (reference, message, hint) => {
  const platform = await openPlatform({ ...twoTeams, "care/agents/support.yaml": guarded(reference) });
  await platform.apply("guard");
  const ran = await platform.run("care", "validate");
  expect(ran.code).toBe(1);
  expect(ran.out).toContain(message);
  expect(ran.out).toContain(hint);
});

test("an operation that is not there is refused, and one with the workspace's name behind it", async () => {
  const tools = (...all: readonly string[]) => ({
    "care/agents/support.yaml": guarded("${policy:strict@guard}", { tools: all }),
  });
  const platform = await openPlatform({ ...twoTeams, "guard/toolsets/desk.yaml": toolset });
  await platform.apply("guard");
  platform.workspace.write(tools("${toolset:desk@guard/listTicket}"));
  const near = await platform.run("care", "validate");
  expect(near.out).toContain("`toolset:desk` of `guard` has no operation `listTicket`");
  expect(near.out).toContain("did you mean `listTickets`?");
  platform.workspace.write(tools("${toolset:desk/listTickets@guard}"));
  expect((await platform.run("care", "validate")).out).toContain("toolset:desk@guard/listTickets");
});

test("IDs come from a file that `output` wrote, for each environment its own", async () => {
  const environments = "environments: {staging: {variables: {}}, production: {variables: {}}}";
  const platform = await openPlatform({
    ...twoTeams,
    "guard/toolsets/desk.yaml": toolset,
    "guard/agentform.yaml": manifestOf(
      "guard",
      "URL",
      "environments: {prod: {variables: {}}, staging: {variables: {}}}",
    ).replace("api_key", "tool_ids: document_order, api_key"),
    "care/agentform.yaml": manifestOf(
      "care",
      "URL",
      environments,
      "uses: {guard: {file: {production: ids/prod.json, staging: ids/staging.json}, environments: {production: prod}}}",
    ),
    "care/agents/support.yaml": guarded("${policy:strict@guard}", {
      tools: ["${toolset:desk@guard/createTicket}"],
    }),
  });
  const missing = await platform.run("care", "validate", "-e", "production");
  expect(missing.out).toContain("error[file-missing]");
  await platform.apply("guard", "-e", "prod");
  platform.workspace.write({ "care/ids/.keep": "" });
  for (const file of ["../care/ids/prod.json", "../care/ids/staging.json"]) {
    await platform.run("guard", "output", "-e", "prod", "--format", "json", "--out", file);
  }
  await platform.apply("care", "-e", "production");
  const lock = lockOf(platform, "care", "agentform.production.lock");
  expect(Object.keys(lock.resources["agent:support"]?.references ?? {})).toHaveLength(2);
  const other = await platform.run("care", "validate", "-e", "staging");
  expect(other.out).toContain("has the IDs of environment `prod`, and `staging` is used here");
  platform.workspace.write({
    "care/agents/support.yaml": guarded("${policy:strikt@guard}", { tools: ["${toolset:desk@guard}"] }),
  });
  const wrong = await platform.run("care", "validate", "-e", "production");
  expect(wrong.out).toContain("there is no `policy:strikt`");
  expect(wrong.out).toContain("name the tools one by one");
  platform.workspace.write({
    "care/ids/prod.json":
      '{"format": "agentform/output/v1", "environment": "prod", "ids": {"policy:strict": 7}}',
  });
  expect((await platform.run("care", "validate", "-e", "production")).out).toContain(
    "error[uses-unreadable]",
  );
});

test("environments are those of the same name, or mapped; one that is not there is refused", async () => {
  const own = "environments: {production: {variables: {}}}";
  const uses = (more: string) =>
    manifestOf("care", "URL", own, `uses: {guard: {workspace: ../guard${more}}}`);
  const platform = await openPlatform({
    ...twoTeams,
    "guard/agentform.yaml": manifestOf("guard", "URL", "environments: {prod: {variables: {}}}"),
    "care/agentform.yaml": uses(""),
  });
  const unknown = await platform.run("care", "validate");
  expect(unknown.out).toContain("guard` has no environment `production`");
  expect(unknown.out).toContain("map it");
  platform.workspace.write({ "care/agentform.yaml": uses(", environments: {production: prod}") });
  await platform.apply("guard", "-e", "prod");
  await platform.apply("care", "-e", "production");
});

test("an environment with a name that every object has is mapped to none, and has no file", async () => {
  const own = "environments: {production: {}, toString: {}}";
  const uses = "uses: {guard: {workspace: ../guard, environments: {production: toString}}}";
  const platform = await openPlatform({
    ...twoTeams,
    "guard/agentform.yaml": manifestOf("guard", "URL", "environments: {toString: {}}"),
    "care/agentform.yaml": manifestOf("care", "URL", own, uses),
  });
  expect((await platform.run("care", "validate")).code).toBe(0);
  const file = "uses: {guard: {file: {production: ids.json}}}";
  platform.workspace.write({ "care/agentform.yaml": manifestOf("care", "URL", own, file) });
  expect((await platform.run("care", "validate", "-e", "toString")).out).toContain(
    "`guard` has no file for environment `toString`",
  );
  const taken = documentText("Agent", "support", { name: "Support" }, { adopt: { production: "agent-1" } });
  platform.workspace.write({
    "care/agentform.yaml": manifestOf("care", "URL", own),
    "care/agents/support.yaml": taken,
  });
  expect((await planOf(platform, "care", "-e", "toString")).actions).toMatchObject([{ action: "create" }]);
});

test("no use leads out of the repository, to a store that takes a network, or to a lock that is damaged", async () => {
  const uses = (use: string) => ({
    "care/agentform.yaml": manifestOf("care", "URL", `uses: {guard: {${use}}}`),
  });
  const platform = await openPlatform(twoTeams);
  const outside = await openPlatform(twoTeams);
  await outside.apply("guard");
  const refused: readonly (readonly [Record<string, string>, string])[] = [
    [uses(`workspace: ${join(outside.workspace.directory, "guard")}`), "leads out of this repository"],
    [uses("workspace: ../../guard"), "leads out of this repository"],
    [uses("workspace: ../gard"), "did you mean `../guard`?"],
    [uses("file: ../guard/ids.json"), "leads out of the workspace"],
    [uses("workspace: ../guard, file: ids.json"), "either `workspace` or `file`"],
    [
      { ...uses("workspace: ../guard"), "guard/agentform.lock": '{"format": "agentform/lock/v1"}' },
      "cannot be used",
    ],
    [
      { "guard/agentform.yaml": manifestOf("guard", "URL", 'lock: {store: postgres, url: "${env:X}"}') },
      "takes a network to read",
    ],
    [{ "guard/agentform.yaml": "kind: [" }, "has errors"],
  ];
  for (const [files, message] of refused) {
    platform.workspace.write(files);
    const ran = await platform.run("care", "validate");
    expect(ran.code, message).toBe(1);
    expect(ran.out).toContain(message);
  }
});

test("a cycle of uses prints its way round", async () => {
  const uses = (name: string, other: string) =>
    manifestOf(name, "URL", `uses: {${other}: {workspace: ../${other}}}`);
  const platform = await openPlatform({
    "a/agentform.yaml": uses("a", "b"),
    "b/agentform.yaml": uses("b", "c"),
    "c/agentform.yaml": uses("c", "a"),
  });
  for (const [folder, way] of [
    ["a", "a → b → c → a"],
    ["b", "a → b → c → a"],
  ] as const) {
    const ran = await platform.run(folder, "validate");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(`error[uses-cycle]: workspaces use each other in a cycle: ${way}`);
  }
});

wholeTest("the state of a workspace on a git ref is read in the clone, without its remote", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "guard/agentform.yaml": manifestOf("guard", "URL", "lock: {store: git}"),
  });
  const { directory } = platform.workspace;
  git(directory, "init", "-q", "--bare", "remote.git");
  git(directory, "remote", "add", "origin", join(directory, "remote.git"));
  const early = await platform.run("care", "plan");
  expect(early.out + early.err).toContain("git fetch origin");
  await platform.apply("guard");
  git(directory, "remote", "set-url", "origin", join(directory, "gone.git"));
  await platform.apply("care");
  expect(lockOf(platform, "care").resources["agent:support"]?.references).toBeDefined();
});

test("with --lock-from, the locks of others are those of that commit", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  await platform.apply("care");
  git(platform.workspace.directory, "add", "-A");
  git(platform.workspace.directory, "commit", "-qm", "applied");
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  await platform.apply("guard");
  expect((await planOf(platform, "care")).actions).toHaveLength(1);
  expect((await planOf(platform, "care", "--lock-from", "HEAD")).actions).toEqual([]);
  for (const folder of ["care", "guard"]) {
    platform.workspace.write({ [`teams/${folder}/.keep`]: "" });
    git(platform.workspace.directory, "mv", "-k", ...movedFiles(folder), `teams/${folder}`);
  }
  git(platform.workspace.directory, "add", "-A");
  expect((await planOf(platform, "teams/care")).actions).toHaveLength(1);
  expect((await planOf(platform, "teams/care", "--lock-from", "HEAD")).actions).toEqual([]);
});

wholeTest(
  "with --lock-from, a workspace that the change renames has the lock of that commit, and so has its environment",
  async () => {
    const live = "environments: {live: {}}";
    const using = (there: string) =>
      manifestOf("care", "URL", live, `uses: {guard: {workspace: ../guard, environments: {live: ${there}}}}`);
    const platform = await openPlatform({
      ...twoTeams,
      "guard/agentform.yaml": manifestOf("guard", "URL", live),
      "care/agentform.yaml": using("live"),
    });
    for (const folder of ["guard", "care"]) await platform.apply(folder, "-e", "live");
    git(platform.workspace.directory, "add", "-A");
    git(platform.workspace.directory, "commit", "-qm", "applied");
    const planned = async () => {
      const [before, now] = [["--lock-from", "HEAD"], []].map(async (from) =>
        platform.run("care", "plan", "-e", "live", "--format", "json", ...from),
      );
      const actions = [await before, await now].map((ran) => {
        expect(ran?.code, ran?.out).toBe(0);
        return (JSON.parse(ran?.out ?? "") as { actions: readonly unknown[] }).actions.length;
      });
      return actions;
    };
    const move = (...options: readonly string[]) => platform.run("guard", "lock", "move", ...options);

    platform.workspace.write({ "guard/agentform.yaml": manifestOf("watch", "URL", live) });
    expect((await move("--from-workspace", "guard")).code).toBe(0);
    expect(await planned()).toEqual([0, 0]);
    platform.workspace.write({
      "guard/agentform.yaml": manifestOf("watch", "URL", "environments: {night: {}}"),
      "care/agentform.yaml": using("night"),
    });
    expect((await move("--from-environment", "live", "-e", "night")).code).toBe(0);
    expect(await planned()).toEqual([0, 0]);
    // What is applied under the new name is none of the commit.
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    await platform.apply("guard", "-e", "night");
    expect(await planned()).toEqual([0, 1]);
  },
);

const movedFiles = (folder: string) =>
  ["agentform.yaml", "agentform.lock", "agents", "policies"].map((file) => `${folder}/${file}`);

test("another place for the IDs is a setting that the plan puts first", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "other/agentform.yaml": manifestOf("other", "URL"),
    "other/policies/strict.yaml": policy("strict", "nothing"),
  });
  for (const folder of ["guard", "other", "care"]) await platform.apply(folder);
  platform.workspace.write({
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../other}}"),
  });
  const { notes } = await planOf(platform, "care");
  expect(notes[0]).toMatchObject({
    code: "setting-changed",
    effect: "weakens",
    path: "uses.guard.workspace",
  });
});

test("the graph and a comparison of environments know what is used", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "guard/agentform.yaml": manifestOf(
      "guard",
      "URL",
      "environments: {a: {variables: {}}, b: {variables: {}}}",
    ),
    "care/agentform.yaml": manifestOf(
      "care",
      "URL",
      "environments: {a: {variables: {}}, b: {variables: {}}}",
      "uses: {guard: {workspace: ../guard}}",
    ),
  });
  const graph = await platform.run("care", "graph", "-e", "a", "--format", "json");
  expect(graph.out).toContain("policy:strict@guard");
  const around = await platform.run(
    "care",
    "graph",
    "-e",
    "a",
    "--around",
    "agent:support",
    "--format",
    "json",
  );
  expect(around.out).toContain("policy:strict@guard");
  const against = await platform.run("care", "plan", "-e", "a", "--against", "b", "--format", "json");
  expect((JSON.parse(against.out) as Plan).actions).toEqual([]);
});

test("IDs that were applied to another service are pointed out", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  platform.workspace.write({
    "care/agentform.yaml": manifestOf(
      "care",
      "https://other.example.com",
      "uses: {guard: {workspace: ../guard}}",
    ),
  });
  const ran = await platform.run("care", "validate");
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("warning[uses-other-service]");
});

test("a state with a seal is read like any other", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "guard/agentform.yaml": manifestOf("guard", "URL", 'lock: {store: file, seal: "${env:EXAMPLE_SEAL}"}'),
  });
  await platform.apply("guard");
  expect(platform.workspace.read("guard/agentform.lock")).toContain('"seal"');
  await platform.apply("care");
});

test("an ID that another workspace has replaced while the plan was read is not sent", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const directory = join(platform.workspace.directory, "care");
  const { length } = platform.emulator.requests;
  const confirm = async () => {
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "drugs") });
    await platform.apply("guard");
    return true;
  };
  const { status, diagnostics } = await apply({ directory, env: { AGENT_API_KEY: "key" }, confirm });
  expect(status).toBe("moved");
  expect(diagnostics.map(({ message }) => message)).toContain(
    "other workspaces were applied since the plan was made: `policy:strict@guard`",
  );
  expect(platform.emulator.requests).toHaveLength(length + 1);
  await platform.apply("care");
  expect(platform.emulator.objects().agents).toHaveLength(1);
});
