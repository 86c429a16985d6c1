import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { noteUnfinished, readUnfinished } from "../../src/sync/unfinished-import.js";
import { sample, wholeTest } from "../harness/tier.js";
import { manifestAt, secretValue } from "./desk.js";
import { askingManifest, desk, makeSixty, openAsked, type Filled } from "./sixty.js";
import { hold } from "./store-state.js";

const all = ["import", "--all", "--yes"] as const;

function filesIn(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && !each.parentPath.includes(".agentform"))
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((file) => [file.slice(directory.length + 1), readFileSync(file, "utf8")]),
  );
}

function lockOf({ workspace }: Pick<Filled, "workspace">) {
  return JSON.parse(workspace.read("agentform.lock"));
}

function entriesIn(lock: string): unknown {
  return JSON.parse(lock, (key, value) => (key === "write" ? undefined : value)).resources;
}

async function hasNoChanges({ run }: Filled): Promise<void> {
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
}

describe("a second import", () => {
  test("adds what is new, and keeps the documents that are there to the byte", async () => {
    const filled = await openAsked();
    const { run, post, workspace } = filled;
    await post("/v3/agents/", { name: "Support", model: "m" });
    await run(...all);
    const edited = workspace
      .read("agents/support.yaml")
      .replace("model: m", "model: ${var:model} # as everywhere");
    workspace.write({
      "agents/support.yaml": edited,
      "agentform.yaml": askingManifest(filled.emulator.url, "array", "  variables: {model: m}\n"),
    });
    await post("/v3/agents/", { name: "Support", model: "other" });
    const before = filesIn(workspace.directory);
    expect(await run(...all)).toMatchObject({ code: 0, err: "" });
    const after = filesIn(workspace.directory);
    expect(Object.keys(after).filter((file) => !Object.hasOwn(before, file))).toEqual([
      "agents/support-2.yaml",
    ]);
    expect(after).toMatchObject({ "agents/support.yaml": edited });
    await hasNoChanges(filled);
  });

  test("goes on where one died, and an apply in between makes nothing a second time", async () => {
    const filled = await openAsked();
    const { run, post, workspace } = filled;
    for (const name of ["Support", "Sales"]) await post("/v3/agents/", { name });
    await run(...all);
    const ids = Object.entries(lockOf(filled).resources as Record<string, { id: string }>);
    workspace.remove("agentform.lock");
    rmSync(join(workspace.directory, ".agentform"), { recursive: true });
    noteUnfinished(
      { directory: workspace.directory },
      new Map(ids.map(([address, { id }]) => [address, id])),
    );
    const early = await run("apply", "--yes");
    expect(early).toMatchObject({ code: 1, err: expect.stringContaining("[import-unfinished]") });
    expect(await run("apply", "--emulator", "--yes")).toMatchObject({ code: 0 });
    expect(await run(...all)).toMatchObject({ code: 0, err: "" });
    await hasNoChanges(filled);
    // One that died once the lock had its objects, and one whose document was removed.
    const [[ended = ""] = []] = ids;
    noteUnfinished(
      { directory: workspace.directory },
      new Map([ended, "agent:gone"].map((each) => [each, "id"])),
    );
    await hasNoChanges(filled);
    expect(filled.emulator.objects().agents).toHaveLength(2);
  });

  wholeTest("repairs an import that died after any of its files, and gives the same files", async () => {
    const filled = await openAsked("pages");
    // Each file is a run: with sixty objects they take five times as long, and meet nothing else.
    await makeSixty(filled, true);
    const imported = await filled.run(...all);
    const whole = filesIn(filled.workspace.directory);
    const order = [
      ...imported.out.matchAll(/^ {4}((?:agents|policies|toolsets|credentials|prompts|openapi)\/\S+)$/gm),
    ].map(([, file = ""]) => file);
    expect(order).toHaveLength(31);
    const { resources } = lockOf(filled);
    const begun = new Map(
      Object.keys(resources).map((address) => [address, resources[address].id ?? resources[address].ids[0]]),
    );
    const half = Math.floor(order.length / 2);
    const counts = [half, ...[...order.keys(), order.length].filter((count) => count !== half)];
    for (const count of sample("files written before the end", counts, 1)) {
      for (const file of [...order, "agentform.lock"])
        rmSync(join(filled.workspace.directory, file), { force: true });
      rmSync(join(filled.workspace.directory, ".agentform"), { recursive: true, force: true });
      noteUnfinished({ directory: filled.workspace.directory }, begun);
      filled.workspace.write(
        Object.fromEntries(order.slice(0, count).map((file) => [file, whole[file] ?? ""])),
      );
      expect(await filled.run(...all)).toMatchObject({ code: 0, err: "" });
      const { "agentform.lock": lock = "", ...files } = filesIn(filled.workspace.directory);
      const { "agentform.lock": first = "", ...expected } = whole;
      expect(files).toEqual(expected);
      expect(entriesIn(lock)).toEqual(entriesIn(first));
      await hasNoChanges(filled);
      expect(readUnfinished({ directory: filled.workspace.directory })).toEqual(new Map());
    }
  });
});

test("names with the syntax of references are matched as they are, and so is what refers to them", async () => {
  const filled = await openAsked();
  const { run, post, workspace } = filled;
  for (const name of ["${env:HOME}", "$${x}", "${policy:env-home}", "a ${ b", "${each:1}"]) {
    const id = String((await post("/v1/rai/policies", { name, description: "No" }))["_id"]);
    const features = [{ type: "RAI", config: { policy_id: id } }];
    await post("/v3/agents/", { name: `of ${name}`, features });
  }
  expect(await run(...all)).toMatchObject({ code: 0, err: "" });
  const { "agentform.lock": first = "", ...files } = filesIn(workspace.directory);
  workspace.remove("agentform.lock");
  rmSync(join(workspace.directory, ".agentform"), { recursive: true, force: true });
  expect(await run(...all)).toMatchObject({ code: 0, err: "" });
  const { "agentform.lock": lock = "", ...again } = filesIn(workspace.directory);
  expect(again).toEqual(files);
  expect(entriesIn(lock)).toEqual(entriesIn(first));
  await hasNoChanges(filled);
});

describe("import beside documents that exist", () => {
  test("a document that says what an object has gets it; it is not written anew", async () => {
    const filled = await openAsked();
    const policy = String(
      (await filled.post("/v1/rai/policies", { name: "Strict", description: "No" }))["_id"],
    );
    await filled.post("/v3/agents/", {
      name: "Support",
      features: [{ type: "RAI", config: { policy_id: policy } }],
    });
    const files = {
      "policies/strict.yaml":
        "# ours\n" +
        documentText("Policy", "careful", { description: "No", name: "Strict" }, { protect: true }),
      "agents/support.yaml": documentText("Agent", "help", {
        name: "Support",
        features: [{ type: "RAI", config: { policy_id: "${policy:careful}" } }],
      }),
    };
    filled.workspace.write(files);
    const imported = await filled.run(...all);
    expect(imported).toMatchObject({ code: 0, err: "" });
    expect(imported.out).toContain("= policy:careful in policies/strict.yaml describes ID");
    expect(imported.out).toContain("which has also: top_p, version");
    expect(filesIn(filled.workspace.directory)).toMatchObject(files);
    expect(lockOf(filled).resources["agent:help"].references).toEqual({ "policy:careful": policy });
    await hasNoChanges(filled);
  });

  test.each([
    ["says something else", { name: "Support", description: "Other" }, "they differ in `description`"],
    ["has only its name", { name: "Support" }, "`description`"],
  ])("a document with the same name that %s is not taken", async (_, spec, why) => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support", description: "Ours" });
    filled.workspace.write({ "agents/support.yaml": documentText("Agent", "support", spec) });
    const before = filesIn(filled.workspace.directory);
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(imported.err).toContain(why);
    expect(imported.err).toContain("agentform lock resolve agent:support --adopt ");
    expect(filesIn(filled.workspace.directory)).toEqual(before);
  });

  test("of several equal objects none is taken for a document", async () => {
    const filled = await openAsked();
    await filled.post("/v1/rai/policies", { name: "Strict", description: "No" });
    await filled.post("/v1/rai/policies", { name: "Strict", description: "No" });
    filled.workspace.write({
      "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict", description: "No" }),
    });
    const before = filesIn(filled.workspace.directory);
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(imported.err).toContain("which is which is not clear");
    expect(filesIn(filled.workspace.directory)).toEqual(before);
  });

  test("a workspace with errors is not added to", async () => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support" });
    filled.workspace.write({ "agents/broken.yaml": "kind: [" });
    const before = filesIn(filled.workspace.directory);
    expect((await filled.run(...all)).code).toBe(1);
    expect(filesIn(filled.workspace.directory)).toEqual(before);
  });

  test("files that are there keep their names, and links of the workspace are not followed", async () => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support", system_prompt: "a\nb\nc\nd" });
    filled.workspace.write({
      "agents/support.yaml": documentText("Agent", "elsewhere", { name: "Other" }),
      "prompts/support-2.md": "somebody's",
    });
    expect(await filled.run(...all)).toMatchObject({ code: 0, err: "" });
    expect(filled.workspace.read("agents/support-2.yaml")).toContain("${file:../prompts/support-2-2.md}");
    expect(filled.workspace.read("prompts/support-2.md")).toBe("somebody's");
    const outside = mkdtempSync(join(tmpdir(), "agentform-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    symlinkSync(outside, join(filled.workspace.directory, "policies"));
    await filled.post("/v1/rai/policies", { name: "Strict" });
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("what import refuses", () => {
  const faults = [
    { what: "refuses", fault: { status: 403 } },
    { what: "fails", fault: { status: 500, count: 100 } },
    { what: "breaks off", fault: { half: true as const, count: 100 } },
    { what: "is reset", fault: { drop: "before" as const, count: 100 } },
    { what: "is garbage", fault: { garbage: true as const, count: 100 } },
  ];
  test.each(sample("faults of the second page", faults, 2))(
    "if the second page $what, nothing is written",
    async ({ fault }) => {
      const filled = await openAsked("pages", {
        faults: [{ method: "GET", path: "/v3/agents/", skip: 1, ...fault }],
      });
      for (let at = 0; at < 15; at++) await filled.post("/v3/agents/", { name: `Agent ${at}` });
      const before = filesIn(filled.workspace.directory);
      const imported = await filled.run(...all);
      expect(imported).toMatchObject({ code: 1, out: "" });
      expect(imported.err).toContain("service-unread");
      expect(filesIn(filled.workspace.directory)).toEqual(before);
    },
  );

  test("while a different runner holds the lock, nothing is written", async () => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support" });
    await hold({ ...filled, lock: () => lockOf(filled) });
    const imported = await filled.run(...all);
    expect(imported.code).toBe(4);
    expect(existsSync(join(filled.workspace.directory, "agents"))).toBe(false);
  });

  test("without operations in the manifest, it says which are missing", async () => {
    const filled = await openAsked();
    filled.workspace.write({ "agentform.yaml": manifestAt(filled.emulator.url) });
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(imported.err).toContain("service.operations.policy.list");
    expect(imported.err).toContain("docs/reference/deployments.md");
  });

  test("a folder whose documents are not read", async () => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support" });
    const refused = await filled.run(...all, "--into", "found");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("`spec.include` does not name `found/");
    expect(refused.err).toContain("add `found` to `spec.include`");
    expect((await filled.run(...all, "--into", "..")).code).toBe(64);
    filled.workspace.write({
      "agentform.yaml": askingManifest(filled.emulator.url, "array", "  include: [agents, found]\n"),
    });
    mkdirSync(join(filled.workspace.directory, "agents"));
    mkdirSync(join(filled.workspace.directory, "found"));
    expect(await filled.run(...all, "--into", "found")).toMatchObject({ code: 0, err: "" });
    expect(lockOf(filled).resources["agent:support"].file).toBe("found/agents/support.yaml");
    await hasNoChanges(filled);
  });

  test.each(["found", "found/deep/er", "found/all.yaml"])(
    "nothing of a place that does not exist yet: %s is made when it is written",
    async (into) => {
      const filled = await openAsked();
      await filled.post("/v3/agents/", { name: "Support", system_prompt: "a\nb\nc\nd\n" });
      const include = (more: string) => ({
        "agentform.yaml": askingManifest(filled.emulator.url, "array", `  include: [${more}]\n`),
      });
      filled.workspace.write(include("found"));
      expect((await filled.run("validate")).out).toContain("file-missing");
      expect((await filled.run("import", "--all", "--into", into)).code).toBe(2);
      expect(existsSync(join(filled.workspace.directory, "found"))).toBe(false);
      expect(await filled.run(...all, "--into", into)).toMatchObject({ code: 0, err: "" });
      await hasNoChanges(filled);
      filled.workspace.write(include("found, fuond"));
      expect((await filled.run(...all, "--into", into)).err).toContain("`fuond` does not exist");
    },
  );

  test.each([
    ["a file in the place of its folder", "agents/x", "agents/x", "file"],
    ["a file above it", "agents/x/y", "agents/x", "file"],
    ["a file above its file", "agents/x/y.yaml", "agents/x", "file"],
    ["a file in the place of its texts", "agents", "agents/prompts", "file"],
    ["a link inside the workspace", "agents/x", "agents/x", "link"],
    ["a link that leads nowhere", "agents/x", "agents/x", "nowhere"],
  ])("%s, in one refusal before anything is asked", async (_what, into, place, what) => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support", system_prompt: "a\nb\nc\nd\n" });
    const at = (name: string) => join(filled.workspace.directory, name);
    mkdirSync(at("agents/real"), { recursive: true });
    if (what === "file") filled.workspace.write({ [place]: "" });
    else symlinkSync(what === "link" ? "real" : "nowhere", at(place));
    const before = filesIn(filled.workspace.directory);
    for (const more of [["--yes"], []]) {
      const ran = await filled.run("import", "--all", "--into", into, ...more, "--format", "json");
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.out).diagnostics).toMatchObject([
        { code: "import-unwritten", parts: { source: place } },
      ]);
    }
    expect(filesIn(filled.workspace.directory)).toEqual(before);
  });

  test("a folder in the place of its file, and a link out of the workspace", async () => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Support" });
    mkdirSync(join(filled.workspace.directory, "agents/all.yaml"), { recursive: true });
    const folder = await filled.run(...all, "--into", "agents/all.yaml");
    expect(folder).toMatchObject({ code: 1, out: "" });
    expect(folder.err).toContain("`agents/all.yaml` is a folder");
    const outside = mkdtempSync(join(tmpdir(), "agentform-out-"));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    symlinkSync(outside, join(filled.workspace.directory, "agents/out"));
    const link = await filled.run(...all, "--into", "agents/out");
    expect(link).toMatchObject({ code: 1, out: "" });
    expect(link.err).toContain("leads out of the workspace");
    expect(readdirSync(outside)).toEqual([]);
  });

  test("what is not clear on the command line", async () => {
    const { run } = await openAsked();
    for (const args of [[], ["--all", "agent:1", "--yes"], ["thing:1", "--yes"]]) {
      expect((await run("import", ...args)).code).toBe(64);
    }
  });
});

describe("what import takes", () => {
  test("objects by their IDs; of a tool set one tool is enough", async () => {
    const filled = await openAsked();
    const { tool_ids } = await filled.post("/v3/tools/", {
      tool_set_name: "desk",
      openapi_schema: desk("Desk", ["a", "b"]),
    });
    const { agent_id } = await filled.post("/v3/agents/", { name: "Support", tools: tool_ids });
    await filled.post("/v3/agents/", { name: "Other" });
    const [, second = ""] = tool_ids as string[];
    expect(await filled.run("import", `toolset:${second}`, "agent", String(agent_id), "--yes")).toMatchObject(
      { code: 0, err: "" },
    );
    expect(Object.keys(lockOf(filled).resources)).toEqual(["agent:support", "toolset:desk"]);
    expect(filled.workspace.read("agents/support.yaml")).toContain("- ${toolset:desk}\n");
    await hasNoChanges(filled);
    // A set is one, however many tools it has.
    const list = await filled.run("import", "--list");
    expect(list.out).toContain("1 object that nobody manages; 2 managed already.");
    const none = await filled.run("import", "agent:nowhere", "--yes");
    expect(none.code).toBe(1);
    expect(none.err).toContain("the service has no agent with the ID `nowhere`");
  });

  test("of a set that lacks tools of its document, `operations` has the others", async () => {
    const filled = await openAsked();
    const { tool_ids } = await filled.post("/v3/tools/", {
      tool_set_name: "desk",
      openapi_schema: desk("Desk", ["a", "b", "c"]),
    });
    const [, second = ""] = tool_ids as string[];
    filled.emulator.edit({ kind: "tool", id: second, delete: true });
    expect(await filled.run(...all)).toMatchObject({ code: 0, err: "" });
    expect(filled.workspace.read("toolsets/desk.yaml")).toContain("operations:\n  - a\n  - c\n");
    expect(Object.keys(lockOf(filled).resources["toolset:desk"].tools)).toEqual(["a", "c"]);
    await hasNoChanges(filled);
    expect((await filled.run("drift", "--detailed-exitcode")).code).toBe(0);
  });

  test("agents that refer to each other, one of the two by its ID", async () => {
    const filled = await openAsked();
    filled.workspace.write({
      "agentform.yaml": askingManifest(
        filled.emulator.url,
        "array",
        "  extra_fields: {agent: [managed_agents]}\n",
      ),
    });
    const one = String((await filled.post("/v3/agents/", { name: "One" }))["agent_id"]);
    const two = String(
      (await filled.post("/v3/agents/", { name: "Two", managed_agents: [one] }))["agent_id"],
    );
    filled.emulator.edit({ kind: "agent", id: one, changes: { managed_agents: [two] } });
    const imported = await filled.run(...all);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain("`managed_agents.0` keeps the ID");
    await hasNoChanges(filled);
  });

  test("nothing that the ledger or a create of unknown outcome may have", async () => {
    const filled = await openAsked("array", {
      faults: [{ method: "POST", path: "/v3/agents/", drop: "after" }],
    });
    const agent = documentText("Agent", "triage", { name: "Triage", description: "x" });
    filled.workspace.write({
      "agents/triage.yaml": agent,
      "policies/p.yaml": documentText("Policy", "p", { name: "P" }),
    });
    expect((await filled.run("apply", "--yes")).code).toBe(3);
    rmSync(join(filled.workspace.directory, "policies/p.yaml"));
    await filled.run("apply", "--yes");
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(imported.err).toContain("agentform lock resolve agent:triage --search");
    expect(Object.keys(filesIn(filled.workspace.directory))).not.toContain("policies/p.yaml");
  });

  test("nothing that a create of unknown outcome in a different environment may have made", async () => {
    const filled = await openAsked("array", {
      faults: [{ method: "POST", path: "/v3/agents/", drop: "after" }],
    });
    const manifest = filled.workspace.read("agentform.yaml");
    filled.workspace.write({
      "agentform.yaml": `${manifest}\n  environments: {default: {}, staging: {}}\n`,
      "agents/triage.yaml": documentText(
        "Agent",
        "triage",
        { name: "Triage" },
        { environments: ["staging"] },
      ),
    });
    expect((await filled.run("apply", "--yes", "-e", "staging")).code).toBe(3);
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(imported.err).toContain("agentform lock resolve -e staging agent:triage --search");
  });

  test("no object that has the value of a known secret in a text, and nothing of it is shown", async () => {
    const filled = await openAsked();
    await filled.post("/v3/agents/", { name: "Leak", description: `the key is ${secretValue}` });
    await filled.post("/v3/agents/", { name: "Fine" });
    const imported = await filled.run(...all);
    expect(imported.code).toBe(1);
    expect(imported.err).toContain("has the value of a secret");
    expect(imported.out + imported.err + JSON.stringify(filesIn(filled.workspace.directory))).not.toContain(
      secretValue,
    );
    expect(Object.keys(lockOf(filled).resources)).toEqual(["agent:fine"]);
  });

  wholeTest("names that are meant to do harm become keys, and texts stay what they are", async () => {
    const filled = await openAsked();
    const names = [
      "../../x",
      "${env:AWS_SECRET}",
      "\u001b[2J\u202eevil",
      "con: [",
      "agentform",
      "日本語",
      "-",
      `${"a".repeat(3000)}`,
    ];
    for (const name of names)
      await filled.post("/v3/agents/", {
        name,
        description: name,
        system_prompt: `${name}\n\n\n\n`.repeat(3),
      });
    await filled.post("/v3/agents/", {
      name: "Large",
      system_prompt: "line of a long prompt\n".repeat(100_000),
    });
    const imported = await filled.run(...all);
    expect(imported).toMatchObject({ code: 0, err: "" });
    expect(imported.out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    const written = readdirSync(join(filled.workspace.directory, "agents"));
    expect(written).toHaveLength(names.length + 1);
    // A manifest in another folder would be that of a workspace.
    expect(written).not.toContain("agentform.yaml");
    expect(lstatSync(join(filled.workspace.directory, "prompts/large.md")).size).toBe(2_200_000);
    await hasNoChanges(filled);
  });
});
