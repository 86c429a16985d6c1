import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { buildPlans } from "../../src/core/review/plans.js";
import { parseAnySaved, renderSavedPlans } from "../../src/core/review/saved-plan.js";
import { expectOutput } from "../cli/json-schemas.js";
import { emptyLock } from "../../src/core/state/lock.js";
import { documentText } from "../harness/disk-workspace.js";
import { lockText } from "../harness/lock-text.js";
import { git, guarded, manifestOf, openPlatform, policy, twoTeams, type Platform } from "./platform.js";
import { wholeTest } from "../harness/tier.js";

interface ShownPlans {
  readonly format: string;
  readonly digest: string;
  readonly summary: Record<string, number>;
  readonly plans: readonly { readonly folder: string; readonly plan: Plan }[];
  readonly leftOut: readonly { readonly folder: string; readonly why: string }[];
}

interface Line {
  readonly type: string;
  readonly folder?: string;
  readonly address?: string;
  readonly workspaces?: readonly { folder: string; status: string; because?: string }[];
}

/** Two teams, and one beside them that uses nobody. */
const threeTeams = {
  ...twoTeams,
  "tools/agentform.yaml": manifestOf("tools", "URL"),
  "tools/policies/own.yaml": policy("own"),
};

async function plansOf(platform: Platform, ...args: readonly string[]): Promise<ShownPlans> {
  const ran = await platform.run(".", "plan", "--all", "--format", "json", ...args);
  expect(ran.code, ran.err).toBe(0);
  const [plans] = expectOutput("plans", ran.out);
  return plans as ShownPlans;
}

const actionsOf = ({ plans }: ShownPlans) =>
  Object.fromEntries(
    plans.map(({ folder, plan }) => [
      folder,
      plan.actions.map(({ address, action }) => `${action} ${address}`),
    ]),
  );

const idOf = ({ workspace }: Platform, folder: string, address: string) =>
  (
    JSON.parse(workspace.read(`${folder}/agentform.lock`)) as {
      resources: Record<string, { id: string; references?: Record<string, string> }>;
    }
  ).resources[address];

/** The workspaces that warnings in an output say were removed. */
const removedIn = (output: string) =>
  [...output.matchAll(/workspaces were removed since .*?, which stay in the service: (.*?)(?:"|\n|$)/g)].map(
    ([, names]) => names,
  );

async function applyAll(platform: Platform, ...args: readonly string[]) {
  const ran = await platform.run(".", "apply", "--all", ...(args.length > 0 ? args : ["--yes"]));
  expect(ran.code, ran.out + ran.err).toBe(0);
  return ran;
}

test("what is new in one workspace, and what is replaced there, is planned and applied with one digest", async () => {
  const platform = await openPlatform(threeTeams);
  const first = await plansOf(platform);
  expect(first.format).toBe("agentform/plans/v1");
  expect(first.plans.map(({ folder }) => folder)).toEqual(["guard", "care", "tools"]);
  expect(first.summary).toMatchObject({ create: 3, blocked: 0 });
  expect(first.plans[1]?.plan.actions[0]?.used).toEqual({ "policy:strict@guard": null });
  expect((await plansOf(platform, "-e", "default")).digest).toBe(first.digest);
  await applyAll(platform, "--expect", first.digest);
  const old = idOf(platform, "guard", "policy:strict")?.id;
  expect(idOf(platform, "care", "agent:support")?.references).toEqual({ "policy:strict@guard": old });

  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  const second = await plansOf(platform);
  expect(actionsOf(second)).toEqual({
    guard: ["replace policy:strict"],
    care: ["update agent:support"],
    tools: [],
  });
  expect(second.plans[1]?.plan.actions[0]).toMatchObject({
    reasons: ["policy:strict of guard gets a new ID"],
    used: { "policy:strict@guard": null },
  });
  const codesOf = (plan: Plan | undefined) => plan?.notes.map(({ code }) => code);
  expect(codesOf(second.plans[0]?.plan)).not.toContain("used-by-others");
  const alone = await platform.run("guard", "plan", "--format", "json");
  expect(codesOf(JSON.parse(alone.out) as Plan)).toContain("used-by-others");
  const shown = await platform.run(".", "plan", "--all");
  expect(shown.out).toContain("agent:support, because policy:strict of guard gets a new ID");
  expect(shown.out).toContain("No changes in tools.");
  await applyAll(platform, "--expect", second.digest);
  const now = idOf(platform, "guard", "policy:strict")?.id;
  expect(now).not.toBe(old);
  expect(idOf(platform, "care", "agent:support")?.references).toEqual({ "policy:strict@guard": now });

  const third = await plansOf(platform);
  expect(third.summary).toMatchObject({ create: 0, update: 0, replace: 0, unchanged: 3 });
  const before = platform.emulator.requests.length;
  await applyAll(platform, "--expect", third.digest);
  expect(platform.emulator.requests).toHaveLength(before);

  const tools = platform.workspace.read("tools/agentform.yaml");
  platform.workspace.write({
    "tools/agentform.yaml": tools.replace("api_key", "rejected_statuses: [503], api_key"),
  });
  expect((await applyAll(platform)).out).toContain("Apply complete: 1 setting recorded.");
});

wholeTest(
  "a tool set that is new there, and an operation that is new in it, are used in the same change",
  async () => {
    const operations = (...names: readonly string[]) => ({
      "guard/toolsets/desk.yaml": documentText("ToolSet", "desk", {
        tool_set_name: `desk-${names.length}`,
        openapi_schema: {
          openapi: "3.1.0",
          info: { title: "Desk", version: "1" },
          paths: Object.fromEntries(names.map((name) => [`/${name}`, { post: { operationId: name } }])),
        },
      }),
    });
    const agent = (...tools: readonly string[]) => ({
      "care/agents/support.yaml": guarded("${policy:strict@guard}", { tools }),
    });
    const platform = await openPlatform({
      ...twoTeams,
      "guard/agentform.yaml": manifestOf("guard", "URL").replace(
        "api_key",
        "tool_ids: document_order, api_key",
      ),
      ...operations("open"),
      ...agent("${toolset:desk@guard/open}"),
    });
    await applyAll(platform, "--expect", (await plansOf(platform)).digest);
    platform.workspace.write({
      ...operations("open", "close"),
      ...agent("${toolset:desk@guard/open}", "${toolset:desk@guard/close}"),
    });
    expect((await platform.run(".", "validate", "--all")).out).toBe("The 2 workspaces are valid.\n");
    const plans = await plansOf(platform);
    expect(actionsOf(plans)).toEqual({ guard: ["replace toolset:desk"], care: ["update agent:support"] });
    expect(plans.plans[1]?.plan.notes.map(({ code }) => code)).toContain("writing-tool-gained");
    await applyAll(platform, "--expect", plans.digest);
    expect((await plansOf(platform)).summary).toMatchObject({ update: 0, replace: 0 });
    platform.workspace.write(agent("${toolset:desk@guard/clsoe}"));
    const wrong = await platform.run(".", "validate", "--all", "--format", "json");
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.out)).toMatchObject({
      diagnostics: [{ code: "reference-operation", file: "care/agents/support.yaml" }],
    });
  },
);

wholeTest(
  "what moves there keeps its ID for who follows, and what goes there is missing here before anything is sent",
  async () => {
    const platform = await openPlatform(twoTeams);
    await applyAll(platform);
    platform.workspace.remove("guard/policies/strict.yaml");
    const { length } = platform.emulator.requests;
    const gone = await platform.run(".", "apply", "--all", "--yes");
    expect(gone.code).toBe(1);
    expect(gone.err).toContain("care/agents/support.yaml");
    expect(gone.err).toContain("there is no `policy:strict` in `guard`");
    expect(platform.emulator.requests).toHaveLength(length);
    const moved = documentText(
      "Policy",
      "stern",
      { name: "strict", banned_topics: { enabled: true, topics: ["weapons"] } },
      { moved_from: "policy:strict" },
    );
    platform.workspace.write({
      "guard/policies/stern.yaml": moved,
      "care/agents/support.yaml": guarded("${policy:stern@guard}"),
    });
    const { digest, ...plans } = await plansOf(platform);
    expect(actionsOf({ digest, ...plans })).toEqual({ guard: ["record policy:stern"], care: [] });
    expect(plans.plans.flatMap(({ plan }) => plan.notes)).toEqual([]);
    const id = idOf(platform, "guard", "policy:strict")?.id;
    await applyAll(platform, "--expect", digest);
    expect(idOf(platform, "guard", "policy:stern")?.id).toBe(id);
  },
);

wholeTest(
  "who takes another object in the same change is not said to refer to one that is forgotten",
  async () => {
    const platform = await openPlatform(twoTeams);
    await applyAll(platform);
    platform.workspace.remove("guard/policies/strict.yaml");
    platform.workspace.write({
      "guard/policies/mild.yaml": policy("mild", "tobacco"),
      "care/agents/support.yaml": guarded("${policy:mild@guard}"),
    });
    const codes = (await plansOf(platform)).plans.flatMap(({ plan }) => plan.notes.map(({ code }) => code));
    expect(codes).toContain("policy-detached");
    expect(codes).not.toContain("used-by-others");
    const alone = await platform.run("guard", "plan");
    expect(alone.out).toContain(
      "care (agent:support) refers to what is not there any more under this name, and",
    );
    await applyAll(platform);
  },
);

wholeTest("whoever uses what was not applied whole is not begun, and the others go on", async () => {
  const platform = await openPlatform(
    {
      ...threeTeams,
      "desk/agentform.yaml": manifestOf("desk", "URL", "uses: {care: {workspace: ../care}}"),
      "desk/agents/lead.yaml": documentText("Agent", "lead", {
        name: "Lead",
        description: "${agent:support@care}",
      }),
    },
    { faults: [{ path: "/v1/rai/policies", status: 422 }] },
  );
  const ran = await platform.run(".", "apply", "--all", "--yes", "--format", "json");
  expect(ran.code).toBe(1);
  const lines = expectOutput("apply", ran.out) as Line[];
  expect(lines.flatMap(({ type, folder }) => (type === "workspace" ? folder : []))).toEqual([
    "guard",
    "tools",
  ]);
  expect(lines.at(-1)?.workspaces).toEqual([
    { folder: "guard", status: "incomplete" },
    { folder: "care", status: "not-begun", because: "guard was not applied whole" },
    { folder: "desk", status: "not-begun", because: "guard was not applied whole" },
    { folder: "tools", status: "applied" },
  ]);
  await applyAll(platform);
  expect((await plansOf(platform)).summary).toMatchObject({ create: 0, unchanged: 4 });
});

test("cycles of uses are told once, with their way, and nothing is planned or applied", async () => {
  const platform = await openPlatform({
    ...threeTeams,
    "guard/agentform.yaml": manifestOf("guard", "URL", "uses: {care: {workspace: ../care}}"),
  });
  for (const command of ["validate", "plan", "apply"]) {
    const ran = await platform.run(".", command, "--all");
    expect(ran.code).toBe(1);
    const said = ran.out + ran.err;
    expect(said.match(/workspaces use each other in a cycle: care → guard → care/g)).toHaveLength(1);
  }
  expect(platform.emulator.requests).toEqual([]);
});

wholeTest(
  "an environment that a workspace does not declare leaves it out with --all, and is its error with -C",
  async () => {
    const platform = await openPlatform({
      ...threeTeams,
      "guard/agentform.yaml": manifestOf("guard", "URL", "environments: {staging: {}}"),
      "care/agentform.yaml": manifestOf(
        "care",
        "URL",
        "uses: {guard: {workspace: ../guard}}",
        "environments: {staging: {}}",
      ),
    });
    const plans = await plansOf(platform, "-e", "staging");
    expect(plans.plans.map(({ folder }) => folder)).toEqual(["guard", "care"]);
    expect(plans.leftOut).toEqual([{ folder: "tools", why: "environment" }]);
    const text = await platform.run(".", "plan", "--all", "-e", "staging");
    expect(text.out).toContain("Left out, without environment staging: tools.");
    const named = await platform.run(".", "plan", "-C", "guard", "-C", "tools", "-e", "staging");
    expect(named.code).toBe(1);
    expect(named.err).toContain("tools/agentform.yaml");
    const nowhere = await platform.run(".", "plan", "--all", "-e", "nowhere");
    expect(nowhere.code).toBe(1);
    await applyAll(platform, "--yes", "-e", "staging");
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    await applyAll(platform, "--expect", (await plansOf(platform, "-e", "staging")).digest, "-e", "staging");
    expect((await plansOf(platform, "-e", "staging")).summary).toMatchObject({ create: 0, unchanged: 2 });
  },
);

wholeTest(
  "--changed-since leaves out what is untouched, and takes in what refers to a workspace that is not",
  async () => {
    const platform = await openPlatform({
      ...threeTeams,
      "care/agents/other.yaml": documentText("Agent", "other", { name: "Other" }),
      "tools/agentform.yaml": manifestOf("tools", "URL", "variables: {own: Own}"),
      "tools/agents/own.yaml": documentText("Agent", "own", { name: "${var:own}" }),
    });
    await applyAll(platform);
    const root = platform.workspace.directory;
    git(root, "add", "-A");
    git(root, "commit", "-qm", "all");
    expect((await plansOf(platform, "--changed-since", "HEAD")).plans).toEqual([]);
    const given = await plansOf(platform, "--changed-since", "HEAD", "--var", "own=New");
    expect(actionsOf(given)).toEqual({ tools: ["update agent:own"] });
    const described = { for: { kind: "Agent" }, effect: "error", message: "Agents say what they are for." };
    const document = { properties: { spec: { required: ["description"] } } };
    platform.workspace.write({
      "rules/described.yaml": documentText("Rule", "described", { ...described, document }),
    });
    const judged = await platform.run(".", "plan", "--all", "--changed-since", "HEAD", "--rules", "rules");
    expect(judged).toMatchObject({ code: 1, err: expect.stringContaining("error[described]") });
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    const plans = await plansOf(platform, "--changed-since", "HEAD");
    expect(actionsOf(plans)).toEqual({ guard: ["replace policy:strict"], care: ["update agent:support"] });
    expect(plans.leftOut).toEqual([{ folder: "tools", why: "untouched" }]);
    await platform.apply("guard");
    const own = await platform.run("care", "plan", "--changed-since", "HEAD", "--format", "json");
    expect((JSON.parse(own.out) as Plan).actions.map(({ address }) => address)).toEqual(["agent:support"]);
  },
);

wholeTest(
  "a change by somebody else in between is another plan, and so is an ID that did not change",
  async () => {
    const platform = await openPlatform(threeTeams);
    const { digest } = await plansOf(platform);
    platform.workspace.write({ "tools/policies/own.yaml": policy("own", "tobacco") });
    const other = await platform.run(".", "apply", "--all", "--expect", digest);
    expect(other.code).toBe(4);
    expect(platform.emulator.requests).toEqual([]);
    const now = await plansOf(platform);
    await platform.apply("guard");
    expect((await platform.run(".", "apply", "--all", "--expect", now.digest)).code).toBe(4);
    expect(other.err).toContain("is not what was agreed to");
  },
);

test("without an agreement it shows all, does nothing and names the command that agrees", async () => {
  const platform = await openPlatform(twoTeams);
  const text = await platform.run(".", "apply", "-C", "care", "-C", "guard");
  expect(text.code).toBe(2);
  expect(text.out.indexOf("== guard ==")).toBeLessThan(text.out.indexOf("== care =="));
  const { digest } = await plansOf(platform);
  expect(text.err).toContain(`agentform apply --workspace care --workspace guard --expect ${digest}`);
  const json = await platform.run(".", "apply", "--all", "--format", "json");
  expect(json.code).toBe(2);
  expect((expectOutput("apply", json.out) as Line[]).map(({ type }) => type)).toEqual([
    "version",
    "plans",
    "confirm",
  ]);
  expect(platform.emulator.requests).toEqual([]);
});

test("what names one workspace's addresses is refused, and variables are of who declares them", async () => {
  const platform = await openPlatform({
    ...threeTeams,
    "tools/agentform.yaml": manifestOf("tools", "URL", "variables: {topic: weapons}"),
    "tools/policies/own.yaml": policy("own", "${var:topic}"),
  });
  for (const args of [
    ["--target", "agent:support"],
    ["--replace", "policy:strict"],
    ["--observed", "x.json"],
  ]) {
    for (const command of ["plan", "apply"]) {
      const ran = await platform.run(".", command, "--all", ...args);
      expect(ran.code).toBe(64);
      expect(ran.err).toContain(`${args[0]} is of one workspace`);
    }
  }
  expect((await platform.run(".", "apply", "--all", "plans.json")).code).toBe(64);
  const plans = await plansOf(platform, "--var", "topic=tobacco");
  expect(plans.plans).toHaveLength(3);
  const unknown = await platform.run(".", "plan", "--all", "--var", "tpoic=tobacco");
  expect(unknown.code).toBe(1);
});

test("saved plans of several are shown in each form, and what was changed in the file is refused", async () => {
  const platform = await openPlatform(threeTeams);
  expect((await platform.run(".", "plan", "--all", "--out", "all.json")).code).toBe(0);
  const { digest } = await plansOf(platform);
  const shown = await platform.run(".", "show", "all.json");
  expect(shown.out).toBe((await platform.run(".", "plan", "--all")).out);
  const json = await platform.run(".", "show", "all.json", "--format", "json");
  expect((JSON.parse(json.out) as ShownPlans).digest).toBe(digest);
  const markdown = await platform.run(".", "show", "all.json", "--format", "markdown");
  expect(markdown.out).toContain(`Digest: \`${digest}\``);
  expect((await platform.run(".", "show", "all.json", "--format", "html")).code).toBe(64);
  const one = await platform.run("care", "apply", "../all.json", "--yes");
  expect(one.code).toBe(1);
  expect(one.err).toContain("plans of several workspaces");
  const text = platform.workspace.read("all.json");
  for (const [from, to] of [
    ['"folder": "guard"', '"folder": "tools2"'],
    ['"weapons"', '"nothing"'],
    [digest, digest.replace(/.$/, "0").replace(/0$/, digest.endsWith("0") ? "1" : "0")],
  ] as const) {
    platform.workspace.write({ "forged.json": text.replace(from, to) });
    const forged = await platform.run(".", "show", "forged.json");
    expect(forged.code, from).toBe(1);
    expect(forged.err).toContain("plan-invalid");
  }
});

test("a folder of a forged file has no room of others: it is cut, and none is longer than a path can be", async () => {
  const platform = await openPlatform(threeTeams);
  await platform.run(".", "plan", "--all", "--out", "all.json");
  const read = parseAnySaved(platform.workspace.read("all.json"), "all.json");
  if (!read.ok || !("plans" in read.saved)) throw new Error("no plans");
  const { environment, plans } = read.saved;
  const show = async (length: number, isLeftOut: boolean) => {
    const folder = "a/b`".repeat(length / 4);
    const forged = isLeftOut
      ? buildPlans(environment, plans, [{ folder, why: "untouched" }])
      : buildPlans(
          environment,
          [...plans.slice(1), ...plans.slice(0, 1).map((each) => ({ ...each, folder }))],
          [],
        );
    platform.workspace.write({ "forged.json": renderSavedPlans(forged) });
    return await platform.run(".", "show", "forged.json", "--format", "markdown");
  };
  for (const isLeftOut of [true, false]) {
    const refused = await show(200_000, isLeftOut);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("plan-invalid")]);
    expect(refused.err.length).toBeLessThan(2000);
  }
  const { code, out } = await show(4096, false);
  expect(code).toBe(0);
  expect(out).toMatch(/^#### .{190,230}…/m);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThan(1000);
});

wholeTest(
  "an environment that is mapped to another name is of another command, which the plan names",
  async () => {
    const platform = await openPlatform({
      ...twoTeams,
      "guard/agentform.yaml": manifestOf("guard", "URL", "environments: {prod: {}}"),
      "care/agentform.yaml": manifestOf(
        "care",
        "URL",
        "environments: {production: {}}",
        "uses: {guard: {workspace: ../guard, environments: {production: prod}}}",
      ),
      "tools/agentform.yaml": manifestOf("tools", "URL", "environments: {test: {}}"),
    });
    const said = "guard in its environment prod: apply that first, with -e prod.";
    for (const format of ["text", "markdown"]) {
      const { out } = await platform.run(".", "plan", "--all", "-e", "production", "--format", format);
      expect(out.replaceAll("`", "")).toContain(`The others use ${said}`);
      expect(out).not.toContain("use tools");
    }
    const json = await platform.run(".", "plan", "--all", "-e", "production", "--format", "json");
    expectOutput("plans", json.out);
    expect((JSON.parse(json.out) as ShownPlans).leftOut).toEqual([
      { folder: "guard", why: "environment", environment: "prod" },
      { folder: "tools", why: "environment" },
    ]);
    expect((await platform.run(".", "apply", "-C", "guard", "-e", "prod", "--yes")).code).toBe(0);
    expect((await platform.run(".", "apply", "--all", "-e", "production", "--yes")).code).toBe(0);
  },
);

test("an environment that no workspace has is one error with their folders, for each command", async () => {
  const platform = await openPlatform(threeTeams);
  for (const command of [["validate"], ["plan"], ["apply", "--yes"]]) {
    for (const which of [["--all"], ["-C", "care", "-C", "guard", "-C", "tools"]]) {
      const { code, out, err } = await platform.run(".", ...command, ...which, "-e", "nope");
      expect(code).toBe(1);
      expect((out + err).match(/error\[/g)).toHaveLength(1);
      expect(out + err).toContain("no workspace has an environment `nope`: `care`, `guard`, `tools`");
    }
  }
});

test("workspaces with nothing but notes are said to be valid", async () => {
  const platform = await openPlatform({
    ...threeTeams,
    "care/agents/support.yaml": guarded("${policy:strict@guard}", { unheard_of: 1 }),
  });
  const { code, out } = await platform.run(".", "validate", "--all");
  expect(code).toBe(0);
  expect(out).toContain("warning[");
  expect(out.endsWith("\nThe 3 workspaces are valid.\n")).toBe(true);
  platform.workspace.write({ "care/agents/support.yaml": guarded("${policy:strct@guard}") });
  expect((await platform.run(".", "validate", "--all")).out).not.toContain("valid.");
});

test("a workspace in which a selector finds nothing is left out, unless that are all", async () => {
  const labelled = JSON.parse(policy("own")) as { metadata: object };
  const platform = await openPlatform({
    ...threeTeams,
    "tools/policies/own.yaml": JSON.stringify({
      ...labelled,
      metadata: { ...labelled.metadata, labels: { team: "tools" } },
    }),
  });
  const plans = await plansOf(platform, "--selector", "team=tools");
  expect(actionsOf(plans)).toEqual({ tools: ["create policy:own"] });
  expect(plans.leftOut.map(({ folder, why }) => `${folder} ${why}`)).toEqual([
    "guard selector",
    "care selector",
  ]);
  const none = await platform.run(".", "plan", "--all", "--selector", "team=care");
  expect(none.code).toBe(1);
  expect(none.err).toContain("selects no resource");
});

test("a workspace that takes another's name is refused, so that it cannot take over its state", async () => {
  const platform = await openPlatform(threeTeams);
  await applyAll(platform);
  platform.workspace.write({ "tools/agentform.yaml": manifestOf("guard", "URL") });
  for (const args of [
    ["validate", "--all"],
    ["plan", "--all"],
    ["apply", "-C", "tools", "-C", "guard", "--yes"],
  ]) {
    const ran = await platform.run(".", ...args);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain("are both called `guard`, so they could share a state");
  }
});

test("whoever has to resolve something is told from where", async () => {
  const platform = await openPlatform(threeTeams, { faults: [{ path: "/v1/rai/policies", status: 502 }] });
  const ran = await platform.run(".", "apply", "--all", "--yes");
  expect(ran.code).toBe(3);
  expect(ran.err).toContain("guard: the commands above that resolve it need `-C guard` here");
});

wholeTest(
  "a plan warns of an object that another workspace manages, unless that gives it away before in the same command",
  async () => {
    const platform = await openPlatform({
      "old/agentform.yaml": manifestOf("old", "URL"),
      "old/policies/strict.yaml": policy("strict"),
      "young/agentform.yaml": manifestOf("young", "URL"),
    });
    await platform.apply("old");
    const id = idOf(platform, "old", "policy:strict")?.id;
    const adopting = documentText("Policy", "strict", { name: "Strict" }, { adopt: id });
    platform.workspace.write({ "young/policies/strict.yaml": adopting });
    const alone = await platform.run("young", "plan");
    expect(alone.err).toContain(
      `warning[adopt-taken]: policy:strict cannot have the ID ${id}: the workspace in \`old\` has it`,
    );
    expect((await platform.run("young", "plan", "--emulator")).err).not.toContain("adopt-taken");
    // Of two that share the address of policies alone, too.
    const elsewhere = manifestOf("young", "URL").replace('base_url: "URL"', 'base_url: "http://127.0.0.1:1"');
    platform.workspace.write({ "young/agentform.yaml": elsewhere });
    expect((await platform.run("young", "plan")).err).toContain("warning[adopt-taken]");
    platform.workspace.write({ "young/agentform.yaml": manifestOf("young", "URL") });
    const kept = await platform.run(".", "plan", "--all");
    expect(kept.err).toContain("the workspace in `old` has it");
    git(platform.workspace.directory, "add", "-A");
    git(platform.workspace.directory, "commit", "-qm", "base");
    platform.workspace.remove("old/policies/strict.yaml");
    const both = await platform.run(".", "plan", "--all");
    expect([both.code, both.err]).toEqual([0, expect.not.stringContaining("adopt-taken")]);
    // The commit still has what the same command has just given away.
    await applyAll(platform, "--yes", "--lock-from", "HEAD");
    expect(idOf(platform, "young", "policy:strict")?.id).toBe(id);
    // What comes later still has it at the turn of the one before.
    platform.workspace.remove("young/policies/strict.yaml");
    const spec = { name: "strict", banned_topics: { enabled: true, topics: ["weapons"] } };
    const back = documentText("Policy", "strict", spec, { adopt: id });
    platform.workspace.write({ "old/policies/strict.yaml": back });
    const early = await platform.run(".", "plan", "--all");
    expect(early.err).toContain("the workspace in `young` has it");
    await platform.apply("young");
    await applyAll(platform);
    expect(idOf(platform, "old", "policy:strict")?.id).toBe(id);
  },
);

wholeTest("a workspace that a change removes is named with --all, and one that it moves is not", async () => {
  const platform = await openPlatform(threeTeams);
  await applyAll(platform);
  const { directory } = platform.workspace;
  platform.workspace.write({
    "empty/agentform.yaml": manifestOf("empty", "URL"),
    "empty/agentform.lock": lockText({
      ...emptyLock({ workspace: "empty", environment: null }, "l"),
      writes: "0123456789abcdef",
    }),
  });
  git(directory, "add", "--all");
  git(directory, "commit", "-q", "-m", "applied");
  git(directory, "rm", "-r", "-q", "tools", "empty");
  for (const base of ["--lock-from", "--rules-from"]) {
    const { leftOut } = await plansOf(platform, base, "HEAD");
    expect(leftOut).toEqual([{ folder: "tools", why: "removed" }]);
  }
  const shown = await platform.run(".", "plan", "--all", "--lock-from", "HEAD");
  expect(shown.out).toContain(
    "Left out, removed since the commit, so that nothing manages their objects, which stay in the service: tools.",
  );
  // As jobs name them, whose set the same change makes smaller.
  const named = await platform.run(".", "plan", "-C", "guard", "-C", "care", "--rules-from", "HEAD");
  expect([named.code, named.out]).toEqual([0, expect.stringContaining("stay in the service: tools.")]);
  const beside = await platform.run("guard", "plan", "--all", "--lock-from", "HEAD");
  expect([beside.code, beside.out]).toEqual([0, expect.not.stringContaining("Left out")]);
  for (const which of [["--all"], ["-C", "guard", "-C", "care"]]) {
    const valid = await platform.run(".", "validate", ...which, "--rules-from", "HEAD");
    expect([valid.code, removedIn(valid.out)]).toEqual([0, ["`tools`"]]);
    expect(valid.out).not.toContain("without the environment");
  }
  git(directory, "reset", "-q", "--hard");
  git(directory, "mv", "tools", "moved");
  expect((await plansOf(platform, "--lock-from", "HEAD")).leftOut).toEqual([]);
  git(directory, "reset", "-q", "--hard");
  git(directory, "rm", "-r", "-q", ".");
  const none = await platform.run(".", "plan", "--all", "--lock-from", "HEAD");
  expect(none.code).toBe(64);
  expect(none.err).toContain("removed since the commit: `care`, `guard`, `tools`");
  expect(none.err).toContain("which stay in the service");
  const nothing = await platform.run(".", "plan", "--all");
  expect([nothing.code, nothing.err]).toEqual([64, expect.not.stringContaining("removed")]);
});

test("a command of one workspace names one that the same change removes, in the same plan", async () => {
  const platform = await openPlatform(threeTeams);
  await applyAll(platform);
  const { directory } = platform.workspace;
  git(directory, "add", "--all");
  git(directory, "commit", "-q", "-m", "applied");
  const planned = async (...args: readonly string[]) => {
    const { code, out, err } = await platform.run("guard", "plan", "--format", "json", ...args);
    expect(code, err).toBe(0);
    return { digest: (JSON.parse(out) as Plan).digest, removed: [removedIn(out), removedIn(err)] };
  };
  const before = await planned("--rules-from", "HEAD");
  expect(before.removed).toEqual([[], []]);
  git(directory, "mv", "tools", "moved");
  expect(await planned("--rules-from", "HEAD")).toEqual(before);
  git(directory, "rm", "-r", "-q", "-f", "moved");
  for (const base of ["--rules-from", "--lock-from"]) {
    const { digest, removed } = await planned(base, "HEAD");
    expect([digest, removed]).toEqual([before.digest, [["`tools`"], ["`tools`"]]]);
    const applied = await platform.run("guard", "apply", "--yes", base, "HEAD");
    expect([applied.code, removedIn(applied.err)]).toEqual([0, ["`tools`"]]);
  }
  const valid = await platform.run(".", "validate", "-C", "guard", "--rules-from", "HEAD");
  expect([valid.code, removedIn(valid.out)]).toEqual([0, ["`tools`"]]);
  expect(await planned()).toEqual(before);
});

test.each<readonly [what: string, change: (directory: string) => void]>([
  [
    "another workspace is in its place by a link",
    (directory) => symlinkSync("guard", join(directory, "tools")),
  ],
  [
    "its lock goes to a folder without a manifest",
    (directory) => {
      mkdirSync(join(directory, "archive"));
      git(directory, "reset", "-q", "--", "tools/agentform.lock");
      git(directory, "checkout", "-q", "--", "tools/agentform.lock");
      git(directory, "mv", "tools/agentform.lock", "archive/agentform.lock");
    },
  ],
])("a workspace is removed although %s", async (_, change) => {
  const platform = await openPlatform(threeTeams);
  await applyAll(platform);
  const { directory } = platform.workspace;
  git(directory, "add", "--all");
  git(directory, "commit", "-q", "-m", "applied");
  git(directory, "rm", "-r", "-q", "tools");
  rmSync(join(directory, "tools"), { recursive: true, force: true });
  change(directory);
  git(directory, "add", "--all");
  const { code, err } = await platform.run("guard", "plan", "--rules-from", "HEAD");
  expect([code, removedIn(err)]).toEqual([0, ["`tools`"]]);
});

test("of a workspace that comes in the place of one that a change removes, the one that goes is named", async () => {
  const platform = await openPlatform({
    ...threeTeams,
    "desk/agentform.yaml": manifestOf("desk", "URL", "lock: {store: git}"),
    "shop/agentform.yaml": manifestOf("shop", "URL", "lock: {store: git}"),
  });
  for (const folder of ["guard", "care", "tools"]) await platform.apply(folder);
  const { directory } = platform.workspace;
  git(directory, "add", "--all");
  git(directory, "commit", "-q", "-m", "applied");
  for (const folder of ["tools", "desk"]) rmSync(join(directory, folder), { recursive: true });
  renameSync(join(directory, "guard"), join(directory, "tools"));
  renameSync(join(directory, "shop"), join(directory, "desk"));
  const care = platform.workspace.read("care/agentform.yaml");
  platform.workspace.write({ "care/agentform.yaml": care.replace("../guard", "../tools") });
  git(directory, "add", "--all");
  const { err } = await platform.run("tools", "plan", "--rules-from", "HEAD");
  expect(removedIn(err)).toEqual(["`tools`, `desk`"]);
});

wholeTest("a workspace with its state on a ref or a server that a change removes is named, too", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "desk/agentform.yaml": manifestOf("desk", "URL", "lock: {store: git}"),
    "shop/agentform.yaml": manifestOf("shop", "URL", "lock: {store: http, address: 'http://127.0.0.1:1/s'}"),
    "bare/agentform.yaml": manifestOf("bare", "URL"),
    "live/agentform.yaml": manifestOf("live", "URL", "lock: {store: git}", "environments: {live: {}}"),
    "old/agentform.yaml": manifestOf("kept", "URL", "lock: {store: git}"),
  });
  const { directory } = platform.workspace;
  git(directory, "add", "--all");
  git(directory, "commit", "-q", "-m", "all");
  git(directory, "remote", "add", "origin", ".");
  git(directory, "mv", "old", "new");
  git(directory, "rm", "-r", "-q", "desk", "shop", "bare", "live");
  // What is much like a manifest that is gone is another one, if it has another name.
  platform.workspace.write({ "other/agentform.yaml": manifestOf("other", "URL", "lock: {store: git}") });
  git(directory, "add", "--all");
  const { leftOut } = await plansOf(platform, "--rules-from", "HEAD");
  expect(leftOut).toEqual(["desk", "shop"].map((folder) => ({ folder, why: "removed" })));
});

wholeTest("an ID that an apply of several has answered twice is told, whichever of them has it", async () => {
  const answer = { method: "POST", path: "/v3/agents/", status: 200, body: { agent_id: "a-1" } };
  const stores = { first: "file", second: "git", third: "file" };
  const files = Object.entries(stores).flatMap(([name, store]) => [
    [`${name}/agentform.yaml`, manifestOf(name, "URL", `lock: {store: ${store}}`)],
    [`${name}/agents/support.yaml`, documentText("Agent", "support", { name })],
  ]);
  const platform = await openPlatform(Object.fromEntries(files), { faults: [answer, answer, answer] });
  git(platform.workspace.directory, "remote", "add", "origin", ".");
  const ran = await platform.run(".", "apply", "--all", "--yes");
  const told = [...ran.err.matchAll(/with the ID a-1, and the workspace in `(.*)` has it/g)];
  expect([ran.code, told.map(([, name]) => name)]).toEqual([1, ["first", "second"]]);
});
