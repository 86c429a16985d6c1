import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { moveState } from "../../src/sync/lock/move.js";
import { repairLock } from "../../src/sync/lock/edits.js";
import { mergeLock, restoreLock } from "../../src/sync/lock/restore.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { Secret } from "../../src/service/secret.js";
import { apply } from "../../src/sync/apply.js";
import { plan } from "../../src/sync/plan.js";
import type { ApplyRequest } from "../../src/sync/request.js";
import { sample, wholeTest } from "../harness/tier.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";

const identity = [
  "-c",
  "user.name=author",
  "-c",
  "user.email=author@example.com",
  "-c",
  "core.autocrlf=false",
];

function git({ directory }: DiskWorkspace, ...args: readonly string[]): string {
  needProgram("git");
  return execFileSync("git", ["-C", directory, ...identity, ...args], { encoding: "utf8", stdio: "pipe" });
}

function tryGit(workspace: DiskWorkspace, ...args: readonly string[]): boolean {
  try {
    git(workspace, ...args);
    return true;
  } catch {
    return false;
  }
}

const agent = (name: string, prompt: string) => ({
  [`agents/${name}.yaml`]: documentText("Agent", name, { name, system_prompt: prompt }),
});

const policy = (topic: string) => ({
  "policies/strict.yaml": documentText("Policy", "strict", {
    name: "Strict",
    banned_topics: { enabled: true, topics: [topic] },
  }),
});

/** Makes the machine one that has not applied: that of somebody else with the same clone. */
function forget(directory: string): void {
  for (const folder of [".agentform", ".git/agentform"])
    rmSync(join(directory, folder), { recursive: true, force: true });
}

async function emulate(): Promise<Emulator> {
  const emulator = await startEmulator({});
  onTestFinished(() => emulator.close());
  return emulator;
}

async function begin(
  files: Readonly<Record<string, string>>,
): Promise<{ workspace: DiskWorkspace; emulator: Emulator }> {
  const workspace = makeWorkspace({ ".gitignore": ".agentform/\n", ...files });
  git(workspace, "init", "-q", "-b", "main");
  const emulator = await emulate();
  await applyAndCommit(workspace, emulator, "begin");
  return { workspace, emulator };
}

async function applyTo(
  { directory }: DiskWorkspace,
  { url }: Emulator,
  onEvent: NonNullable<ApplyRequest["onEvent"]> = () => {},
  identity = { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
  confirm = async () => true,
) {
  return await apply({
    directory,
    onEvent,
    userAgent: "agentform/test",
    confirm,
    target: () => ({
      identity,
      baseUrl: url,
      raiBaseUrl: url,
      apiKey: "${env:AGENT_API_KEY}",
      secrets: (name) => new Secret(`value of ${name}`),
    }),
  });
}

async function applyAndCommit(workspace: DiskWorkspace, emulator: Emulator, message: string): Promise<void> {
  const { status, diagnostics } = await applyTo(workspace, emulator);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(["applied", "unchanged"]).toContain(status);
  commit(workspace, message);
}

function commit(workspace: DiskWorkspace, message: string): void {
  git(workspace, "add", "--all");
  git(workspace, "commit", "-q", "--allow-empty", "-m", message);
}

async function codesOf({ directory }: DiskWorkspace): Promise<string[]> {
  const { diagnostics } = await plan({ directory });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

async function restore({ directory }: DiskWorkspace): Promise<void> {
  const { status, diagnostics } = await restoreLock({ directory });
  expect(diagnostics).toEqual([]);
  expect(status).toBe("done");
}

wholeTest(
  "a prompt that was applied and reverted is put right, and a replaced policy's ID is kept",
  async () => {
    const { workspace, emulator } = await begin({ ...agent("support", "good"), ...policy("weapons") });
    workspace.write({ ...agent("support", "bad"), ...policy("tax") });
    await applyAndCommit(workspace, emulator, "bad");
    const policies = emulator.objects().policies.map(({ id }) => id);
    git(workspace, "revert", "--no-edit", "HEAD");
    expect(await codesOf(workspace)).toEqual(["lock-behind"]);
    expect((await applyTo(workspace, emulator)).status).toBe("refused");
    await restore(workspace);
    const lock = JSON.parse(workspace.read("agentform.lock"));
    expect([lock.resources["policy:strict"].id, ...Object.keys(lock.retired)].toSorted()).toEqual(
      policies.toSorted(),
    );
    const { plan: made } = await plan({ directory: workspace.directory });
    expect(made?.actions).toMatchObject([
      { address: "agent:support", action: "update" },
      { address: "policy:strict", action: "replace" },
    ]);
    await applyAndCommit(workspace, emulator, "repaired");
    expect(emulator.objects().agents).toMatchObject([{ body: { system_prompt: "good" } }]);
  },
);

const takeBacks = [
  ["a reset", (workspace: DiskWorkspace) => git(workspace, "reset", "-q", "--hard", "HEAD~1")],
  [
    "an old file",
    (workspace: DiskWorkspace) => git(workspace, "checkout", "-q", "HEAD~1", "--", "agentform.lock"),
  ],
  ["a lock that was removed", (workspace: DiskWorkspace) => workspace.remove("agentform.lock")],
] as const;
test.each(sample("ways to take back", takeBacks, 1))(
  "%s is seen, and nothing is created twice",
  async (_name, takeBack) => {
    const { workspace, emulator } = await begin(agent("support", "one"));
    workspace.write(agent("second", "one"));
    await applyAndCommit(workspace, emulator, "second");
    takeBack(workspace);
    expect(await codesOf(workspace)).toEqual(["lock-behind"]);
    await restore(workspace);
    expect(await codesOf(workspace)).toEqual([]);
    workspace.write(agent("second", "two"));
    await applyTo(workspace, emulator);
    expect(emulator.objects().agents).toHaveLength(2);
  },
);

test.each<[string, number, string[]]>([
  ["what it has made", 0, []],
  ["what it may have made", 1, ["unknown"]],
])("a journal of an apply that died is missed once git has cleaned it away: %s", async (_, torn, actions) => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  workspace.write(agent("second", "one"));
  commit(workspace, "second");
  const died = makeWorkspace({});
  const { directory } = died;
  await applyTo(workspace, emulator, ({ type }) => {
    if (type === "done") cpSync(workspace.directory, directory, { recursive: true });
  });
  const kept = ".git/agentform/files/agentform.lock.journal";
  const lines = died.read(kept).trimEnd().split("\n");
  died.write({ [kept]: `${lines.slice(0, lines.length - torn).join("\n")}\n` });
  expect(await codesOf(workspace)).toEqual([]);
  git(died, "clean", "-fdxq");
  expect(await codesOf(died)).toEqual(["lock-behind"]);
  expect((await applyTo(died, emulator)).status).toBe("refused");
  await restore(died);
  expect((await plan({ directory })).plan?.actions.map(({ action }) => action)).toEqual(actions);
  expect([existsSync(join(workspace.directory, kept)), existsSync(join(directory, kept))]).toEqual([
    false,
    false,
  ]);
});

test("a journal that git has cleaned away during its apply is not missed once the lock has what it did", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  workspace.write(agent("second", "one"));
  commit(workspace, "second");
  await applyTo(workspace, emulator, ({ type }) => {
    if (type === "done") git(workspace, "clean", "-fdq");
  });
  expect(existsSync(join(workspace.directory, ".git/agentform/files/agentform.lock.journal"))).toBe(false);
  expect((await plan({ directory: workspace.directory })).plan?.actions).toEqual([]);
});

test("a lock that is damaged is put together again by the command that its error names", async () => {
  const { workspace } = await begin(agent("support", "good"));
  workspace.write({ "agentform.lock": workspace.read("agentform.lock").slice(0, -20) });
  const { directory } = workspace;
  const { diagnostics } = await plan({ directory });
  expect(diagnostics).toMatchObject([
    { code: "lock-damaged", hint: expect.stringContaining("run `agentform lock restore`") },
  ]);
  await restore(workspace);
  expect((await plan({ directory })).plan?.actions).toEqual([]);
});

test.each([
  ["of a newer format", (text: string) => text.replace("lock/v1", "lock/v2")],
  ["with a resource of a newer kind", (text: string) => text.replace('"agent:support"', '"memory:support"')],
])("a lock %s is not replaced by an older version that can be read", async (_what, change) => {
  const { workspace } = await begin(agent("support", "good"));
  const lock = change(workspace.read("agentform.lock"));
  workspace.write({ "agentform.lock": lock });
  const { directory } = workspace;
  const { diagnostics } = await restoreLock({ directory });
  expect(diagnostics).toMatchObject([{ code: "lock-format" }]);
  expect(workspace.read("agentform.lock")).toBe(lock);
});

wholeTest("a lock that was never committed is remembered by the machine that wrote it", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  workspace.write(agent("support", "two"));
  await applyTo(workspace, emulator);
  git(workspace, "checkout", "-q", "--", "agentform.lock");
  expect(await codesOf(workspace)).toEqual(["lock-behind"]);
  await restore(workspace);
  expect((await plan({ directory: workspace.directory })).plan?.actions).toEqual([]);
});

test.each(sample("sides of a merge", ["ours", "theirs"] as const, 1))(
  "a merge that kept %s alone is seen, also where no ID is missing",
  async (side) => {
    const { workspace, emulator } = await begin(agent("support", "one"));
    git(workspace, "checkout", "-q", "-b", "side");
    workspace.write(agent("support", "side"));
    await applyAndCommit(workspace, emulator, "side");
    git(workspace, "checkout", "-q", "main");
    await restore(workspace);
    git(workspace, "checkout", "-q", "--", ".");
    for (const text of ["main 1", "main 2"]) {
      workspace.write(agent("support", text));
      // As another machine, which knows nothing of the branch.
      forget(workspace.directory);
      await applyAndCommit(workspace, emulator, text);
    }
    forget(workspace.directory);
    tryGit(workspace, "merge", "-q", "side");
    git(workspace, "checkout", "-q", `--${side}`, "--", ".");
    commit(workspace, "merged");
    expect(await codesOf(workspace)).toEqual(["lock-behind"]);
    await restore(workspace);
    const { plan: made } = await plan({ directory: workspace.directory });
    expect(made?.actions).toMatchObject([{ address: "agent:support", action: "update" }]);
  },
);

test.each([
  ["merge", mergeLock],
  ["restore, where our side was taken", restoreLock],
])("two branches that both applied are one after lock %s, and no object is lost", async (_, repair) => {
  const { workspace, emulator } = await diverge(({ directory }) => forget(directory));
  const { diagnostics } = await plan({ directory: workspace.directory });
  expect(diagnostics).toMatchObject([
    { code: "lock-conflict", hint: expect.stringContaining("agentform lock merge") },
  ]);
  const { directory } = workspace;
  const options = { ...noOptions, emulator: true };
  expect(await restoreLock({ directory, options })).toMatchObject({
    changes: [{ type: "nothing-to-restore" }],
  });
  expect(await mergeLock({ directory, options })).toMatchObject({ status: "refused" });
  if (repair === restoreLock) git(workspace, "checkout", "-q", "--ours", "--", "agentform.lock");
  expect(await repair({ directory })).toMatchObject({ status: "done", diagnostics: [] });
  commit(workspace, "merged");
  const { plan: made, diagnostics: after } = await plan({ directory: workspace.directory });
  expect(after).toEqual([]);
  expect(made?.actions).toEqual([]);
  expect(emulator.objects().agents).toHaveLength(3);
});

// Of a commit that was picked or rebased, no branch has the side of the other any more.
test.each(
  sample(
    "ways back from a conflict that was committed",
    [
      { style: "merge", repair: mergeLock },
      { style: "zdiff3", repair: restoreLock },
      { style: "diff3", repair: mergeLock },
    ],
    2,
  ),
)("marks of git that were committed with the lock lose no ID ($style)", async ({ style, repair }) => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const { directory } = workspace;
  git(workspace, "config", "merge.conflictStyle", style);
  git(workspace, "checkout", "-q", "-b", "side");
  workspace.write(agent("second", "side"));
  await applyAndCommit(workspace, emulator, "side");
  git(workspace, "checkout", "-q", "main");
  forget(directory);
  workspace.write(agent("third", "main"));
  await applyAndCommit(workspace, emulator, "main");
  forget(directory);
  expect(tryGit(workspace, "cherry-pick", "side")).toBe(false);
  commit(workspace, "picked");
  git(workspace, "branch", "-D", "side");
  expect(workspace.read("agentform.lock")).toContain("<<<<<<<");
  expect(await codesOf(workspace)).toEqual(["lock-conflict"]);
  expect(await repair({ directory })).toMatchObject({ status: "done" });
  const { plan: made, diagnostics } = await plan({ directory });
  expect({ actions: made?.actions, diagnostics }).toEqual({ actions: [], diagnostics: [] });
  expect(emulator.objects().agents).toHaveLength(3);
});

test.each(["adopt", "moved_from"] as const)(
  "an object that two branches have at two addresses by `%s` is not created a second time",
  async (mark) => {
    const { workspace, emulator } = await begin(agent("support", "one"));
    const { directory } = workspace;
    const [{ id } = { id: "" }] = emulator.objects().agents;
    const document = (name: string, lifecycle?: object) => ({
      [`agents/${name}.yaml`]: documentText("Agent", name, { name, system_prompt: "one" }, lifecycle),
    });
    if (mark === "adopt") {
      workspace.remove("agents/support.yaml");
      await applyAndCommit(workspace, emulator, "forgotten");
    }
    git(workspace, "branch", "side");
    for (const [branch, name] of [
      ["side", "bureau"],
      ["main", "desk"],
    ] as const) {
      git(workspace, "checkout", "-q", branch);
      forget(directory);
      rmSync(join(directory, "agents/support.yaml"), { force: true });
      workspace.write(document(name, { [mark]: mark === "adopt" ? id : "agent:support" }));
      await applyAndCommit(workspace, emulator, name);
    }
    tryGit(workspace, "merge", "-q", "side");
    expect(await mergeLock({ directory })).toMatchObject({ status: "done" });
    expect(await codesOf(workspace)).toEqual(["adopt-taken"]);
    // A mark that was carried out is of no more use.
    workspace.write({ ...document("desk"), ...document("bureau") });
    commit(workspace, "merged");
    const { diagnostics } = await plan({ directory });
    expect(diagnostics).toMatchObject([
      {
        code: "adopt-taken",
        severity: "error",
        address: "agent:bureau",
        message: expect.stringMatching(new RegExp(`\\b${id}\\b.*\\bagent:desk\\b`)) as string,
        hint: expect.stringContaining("moved_from: agent:desk") as string,
      },
    ]);
    const options = { ...noOptions, replace: new Set(["agent:bureau"]) };
    expect(await plan({ directory, options })).toMatchObject({ diagnostics: [] });
    const { status } = await applyTo(workspace, emulator);
    expect({ status, agents: emulator.objects().agents }).toMatchObject({
      status: "refused",
      agents: [{ id }],
    });
    // Either document may stay.
    rmSync(join(directory, "agents/desk.yaml"));
    workspace.write(document("bureau", { moved_from: "agent:desk" }));
    await applyAndCommit(workspace, emulator, "one stays");
    expect(emulator.objects().agents).toMatchObject([{ id, body: { name: "bureau" } }]);
    // An address that the object has left by a rename is free.
    rmSync(join(directory, "agents/bureau.yaml"));
    workspace.write(document("office", { moved_from: "agent:bureau" }));
    await applyAndCommit(workspace, emulator, "renamed");
    workspace.write(document("bureau"));
    await applyAndCommit(workspace, emulator, "another one");
    expect(emulator.objects().agents).toHaveLength(2);
  },
);

test("an object that two branches took over at one address, and that one has renamed since, is not created again", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const { directory } = workspace;
  const [{ id } = { id: "" }] = emulator.objects().agents;
  const document = (name: string, lifecycle?: object) => ({
    [`agents/${name}.yaml`]: documentText("Agent", name, { name, system_prompt: "one" }, lifecycle),
  });
  workspace.remove("agents/support.yaml");
  await applyAndCommit(workspace, emulator, "forgotten");
  git(workspace, "branch", "side");
  for (const branch of ["side", "main"]) {
    git(workspace, "checkout", "-q", branch);
    forget(directory);
    workspace.write(document("desk", { adopt: id }));
    await applyAndCommit(workspace, emulator, "taken over");
    workspace.write(document("desk"));
    commit(workspace, "the mark is of no more use");
  }
  workspace.remove("agents/desk.yaml");
  workspace.write(document("bureau", { moved_from: "agent:desk" }));
  await applyAndCommit(workspace, emulator, "renamed");
  tryGit(workspace, "merge", "-q", "side");
  expect(await mergeLock({ directory })).toMatchObject({ status: "done" });
  workspace.write(document("desk"));
  commit(workspace, "merged");
  expect(await codesOf(workspace)).toEqual(["adopt-taken"]);
  expect((await applyTo(workspace, emulator)).status).toBe("refused");
  workspace.remove("agents/desk.yaml");
  await applyAndCommit(workspace, emulator, "one stays");
  expect(emulator.objects().agents).toMatchObject([{ id, body: { name: "bureau" } }]);
});

test("what was accepted of both sides, and cannot be read, is not passed over for what git has", async () => {
  const { workspace, emulator } = await diverge(({ directory }) => forget(directory));
  const { directory } = workspace;
  git(workspace, "merge", "--abort");
  tryGit(workspace, "merge", "--squash", "side");
  // As editors offer it.
  const both = workspace.read("agentform.lock").replace(/^(<{7}|={7}|>{7}).*\n/gm, "");
  workspace.write({ "agentform.lock": both });
  commit(workspace, "squashed");
  git(workspace, "branch", "-m", "side", "kept");
  expect(await codesOf(workspace)).toEqual(["lock-damaged"]);
  expect(await restoreLock({ directory })).toMatchObject({
    status: "refused",
    diagnostics: [{ code: "lock-damaged", hint: expect.stringContaining("merge the commit") }],
  });
  expect(workspace.read("agentform.lock")).toBe(both);
  tryGit(workspace, "merge", "kept");
  await restore(workspace);
  expect((await plan({ directory })).plan?.actions).toEqual([]);
  expect(emulator.objects().agents).toHaveLength(3);
});

test.each([
  [
    "as UTF-16, as a shell writes it",
    (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
    "applies that it names",
  ],
  [
    "encrypted",
    (text: string) => Buffer.from(`\0GITCRYPT\0${Buffer.from(text).toString("base64")}`),
    "is not the text of a lock",
  ],
])(
  "a lock from elsewhere that cannot be read is not passed over for what git has: %s",
  async (_what, write, message) => {
    const { workspace, emulator } = await diverge(({ directory }) => forget(directory));
    const { directory } = workspace;
    git(workspace, "merge", "--abort");
    const theirs = git(workspace, "show", "side:agentform.lock");
    writeFileSync(join(directory, "agentform.lock"), write(theirs));
    commit(workspace, "squashed");
    git(workspace, "branch", "-m", "side", "kept");
    expect(await codesOf(workspace)).toEqual(["lock-damaged"]);
    const refused = {
      status: "refused",
      diagnostics: [{ code: "lock-damaged", message: expect.stringContaining(message) }],
    };
    expect(await restoreLock({ directory })).toMatchObject(refused);
    workspace.write({ "agentform.lock": theirs });
    await restore(workspace);
    expect(await codesOf(workspace)).toEqual([]);
    expect(emulator.objects().agents).toHaveLength(3);
  },
);

test.each(sample("ways to merge", ["--squash", "--no-ff"], 2))(
  "a journal that one side alone has goes on from that side, also where the marks were committed (%s)",
  async (way) => {
    const { workspace, emulator } = await begin(agent("support", "one"));
    const { directory } = workspace;
    git(workspace, "checkout", "-q", "-b", "side");
    workspace.write(agent("second", "side"));
    await applyAndCommit(workspace, emulator, "side");
    const before = workspace.read("agentform.lock");
    workspace.write(agent("killed", "side"));
    let journal = "";
    await applyTo(workspace, emulator, ({ type }) => {
      if (type === "done") journal = workspace.read("agentform.lock.journal");
    });
    workspace.write({ "agentform.lock": before, "agentform.lock.journal": journal });
    commit(workspace, "killed");
    git(workspace, "checkout", "-q", "main");
    forget(directory);
    workspace.write(agent("third", "main"));
    await applyAndCommit(workspace, emulator, "main");
    forget(directory);
    tryGit(workspace, "merge", way, "side");
    for (const isCommitted of [false, true]) {
      if (isCommitted) commit(workspace, "merged");
      const marked = workspace.read("agentform.lock");
      expect(await mergeLock({ directory })).toMatchObject({ status: "done" });
      expect((await plan({ directory })).plan?.actions).toEqual([]);
      expect(JSON.parse(workspace.read("agentform.lock"))).toMatchObject({ retired: {} });
      forget(directory);
      workspace.write({ "agentform.lock": marked, "agentform.lock.journal": journal });
    }
    expect(emulator.objects().agents).toHaveLength(4);
  },
);

interface EditedLock {
  resources: Record<string, Record<string, unknown>>;
  retired: Record<string, Record<string, unknown>>;
  unknown: Record<string, unknown>;
}

function editLock(workspace: DiskWorkspace, edit: (lock: EditedLock) => void): EditedLock {
  const lock = JSON.parse(workspace.read("agentform.lock")) as EditedLock;
  const before = structuredClone(lock);
  edit(lock);
  workspace.write({ "agentform.lock": JSON.stringify(lock) });
  return before;
}

// As after a conflict of which somebody has taken out a line too much, or a search that replaced an ID.
test.each<[string, (entry: Record<string, unknown>) => void, string[]]>([
  ["taken out", (entry) => void delete entry["id"], []],
  ["written over", (entry) => void (entry["id"] = "another-1"), ["another-1"]],
  [
    "written over with another state's",
    (entry) => Object.assign(entry, { id: "another-1", write: "0123456789abcdef" }),
    ["another-1"],
  ],
])(
  "an ID that was %s by hand comes back to its address, and its object is not left behind",
  async (_what, edit, left) => {
    const { workspace } = await begin(agent("support", "one"));
    const { resources } = editLock(workspace, (lock) => edit(lock.resources["agent:support"] ?? {}));
    expect(await codesOf(workspace)).toEqual(["lock-behind"]);
    await restore(workspace);
    const lock = JSON.parse(workspace.read("agentform.lock")) as EditedLock;
    expect(lock.resources).toEqual(resources);
    // What was written there may be anybody's: only who names it deletes it.
    expect(Object.keys(lock.retired)).toEqual(left);
    expect(Object.values(lock.retired)).toEqual(left.map(() => expect.objectContaining({ untold: true })));
    expect((await plan({ directory: workspace.directory })).plan?.actions).toEqual([]);
  },
);

test("a create with an unknown outcome that was taken out by hand is not sent again", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  workspace.write(agent("second", "one"));
  const failing = await startEmulator({ faults: [{ method: "POST", path: "/v3/agents/", status: 502 }] });
  onTestFinished(() => failing.close());
  await applyTo(workspace, failing);
  commit(workspace, "lost");
  const { unknown } = editLock(workspace, (lock) => (lock.unknown = {}));
  const { directory } = workspace;
  expect((await plan({ directory })).diagnostics).toMatchObject([
    {
      code: "lock-behind",
      message: expect.stringMatching(/lacks creates with an unknown outcome: `?agent:second/),
    },
  ]);
  expect((await applyTo(workspace, emulator)).status).toBe("refused");
  await restore(workspace);
  expect(JSON.parse(workspace.read("agentform.lock"))).toMatchObject({ unknown });
  const resolved = await repairLock({ directory }, [{ type: "not-created", address: "agent:second" }]);
  expect(resolved.status).toBe("done");
  expect(await codesOf(workspace)).toEqual([]);
});

test("an entry that was copied with its document does not have one object written over by both", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const { directory } = workspace;
  const lock = JSON.parse(workspace.read("agentform.lock")) as { resources: Record<string, object> };
  workspace.write({
    ...agent("copy", "two"),
    "agentform.lock": JSON.stringify({
      ...lock,
      resources: { ...lock.resources, "agent:copy": lock.resources["agent:support"] },
    }),
  });
  expect((await plan({ directory })).diagnostics).toMatchObject([
    {
      code: "adopt-taken",
      severity: "error",
      address: "agent:copy",
      message: expect.stringContaining("agent:support"),
    },
  ]);
  expect((await applyTo(workspace, emulator)).status).toBe("refused");
  expect(emulator.objects().agents).toMatchObject([{ body: { system_prompt: "one" } }]);
  rmSync(join(directory, "agents/copy.yaml"));
  await applyAndCommit(workspace, emulator, "without it");
  workspace.write(agent("copy", "two"));
  await applyAndCommit(workspace, emulator, "with it");
  expect(emulator.objects().agents.map(({ body }) => body["system_prompt"])).toEqual(["one", "two"]);
});

test("a workspace whose files were moved to another folder without the lock does not begin anew", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const moved = { ...workspace, directory: join(workspace.directory, "two") };
  mkdirSync(moved.directory);
  git(workspace, "mv", "agentform.yaml", "agents", "two");
  commit(workspace, "moved");
  expect(await codesOf(moved)).toEqual(["lock-left-behind"]);
  expect((await applyTo(moved, emulator)).status).toBe("refused");
  git(workspace, "mv", "agentform.lock", "two");
  expect(await codesOf(moved)).toEqual([]);
  expect((await plan(moved)).plan?.actions).toEqual([]);
  // What is to be created anew has no lock any more.
  git(workspace, "rm", "-q", "-f", "two/agentform.lock");
  expect(await codesOf(moved)).not.toContain("lock-left-behind");
});

test("what was applied in a folder that git has taken back, as an apply died there too, is not created again", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const moved = { ...workspace, directory: join(workspace.directory, "two") };
  const dead = makeWorkspace({});
  mkdirSync(moved.directory);
  git(workspace, "mv", "agentform.yaml", "agentform.lock", "agents", "two");
  commit(workspace, "moved");
  writeFileSync(join(moved.directory, "agents/sales.yaml"), agent("sales", "two")["agents/sales.yaml"] ?? "");
  const { status } = await applyTo(moved, emulator, ({ type }) => {
    if (type === "done") cpSync(workspace.directory, dead.directory, { recursive: true });
  });
  expect(status).toBe("applied");
  commit(workspace, "applied");
  for (const [each, commits] of [
    [workspace, 2],
    [dead, 1],
  ] as const) {
    git(each, "reset", "-q", "--hard", `HEAD~${commits}`);
    each.write(agent("sales", "two"));
    expect(await codesOf(each)).toEqual(["lock-behind"]);
    await restore(each);
    const { plan: made } = await plan(each);
    expect(made?.actions.filter(({ action }) => action === "create")).toEqual([]);
  }
});

test("a folder that has come back without its lock does not begin anew beside the one that it was moved to", async () => {
  const emulator = await emulate();
  const root = makeWorkspace({ ".gitignore": ".agentform/\n", ...agent("support", "one") });
  const { directory } = root;
  const [one, two] = ["one", "two"].map((name) => ({ ...root, directory: join(directory, name) })) as [
    DiskWorkspace,
    DiskWorkspace,
  ];
  mkdirSync(one.directory);
  for (const name of ["agentform.yaml", "agents"])
    renameSync(join(directory, name), join(one.directory, name));
  git(root, "init", "-q", "-b", "main");
  commit(root, "begin");
  await applyAndCommit(one, emulator, "applied");
  git(root, "mv", "one", "two");
  git(root, "reset", "-q", "--soft", "HEAD~1");
  git(root, "checkout", "-q", "HEAD", "--", "one");
  // As a trial with the emulator leaves it, or an apply to another environment.
  mkdirSync(join(one.directory, ".agentform/emulator"), { recursive: true });
  expect(await codesOf(one)).toEqual(["lock-behind"]);
  expect((await applyTo(one, emulator)).status).toBe("refused");
  expect(await codesOf(two)).toEqual([]);
});

test("a lock that git has taken back, in a folder that was made anew since, comes from the copy in git's folder", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const { directory } = workspace;
  workspace.write(agent("sales", "two"));
  expect((await applyTo(workspace, emulator)).status).toBe("applied");
  git(workspace, "checkout", "-q", "--", "agentform.lock");
  rmSync(join(directory, ".agentform"), { recursive: true });
  expect(await codesOf(workspace)).toEqual(["lock-behind"]);
  await restore(workspace);
  const { plan: made } = await plan(workspace);
  expect(made?.actions.filter(({ action }) => action === "create")).toEqual([]);
});

/** Adds a linked work tree of a branch, beside one. */
function addWorkTree(workspace: DiskWorkspace, branch: string): DiskWorkspace {
  const beside = makeWorkspace({});
  rmSync(beside.directory, { recursive: true });
  git(workspace, "worktree", "add", "-q", beside.directory, "-b", branch);
  return beside;
}

const createdIn = async ({ directory }: DiskWorkspace) =>
  (await plan({ directory })).plan?.actions.filter(({ action }) => action === "create");

test("what another work tree has applied and not committed is not created again, also once its folder is gone", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const [beside, gone] = [addWorkTree(workspace, "beside"), addWorkTree(workspace, "gone")];
  beside.write(agent("sales", "two"));
  expect((await applyTo(beside, emulator)).status).toBe("applied");
  workspace.write(agent("sales", "two"));
  const refused = await applyTo(workspace, emulator);
  expect(refused.status).toBe("refused");
  expect(refused.diagnostics).toMatchObject([
    { code: "lock-behind", message: expect.stringContaining("lacks an apply that the work tree ../") },
  ]);
  commit(beside, "applied");
  git(workspace, "clean", "-qfd", "agents");
  git(workspace, "merge", "-q", "--ff-only", "beside");
  expect(await createdIn(workspace)).toEqual([]);
  await applyAndCommit(workspace, emulator, "merged");
  git(gone, "merge", "-q", "--ff-only", "main");

  gone.write(agent("billing", "three"));
  expect((await applyTo(gone, emulator)).status).toBe("applied");
  rmSync(gone.directory, { recursive: true });
  workspace.write(agent("billing", "three"));
  const { diagnostics } = await plan({ directory: workspace.directory });
  expect(diagnostics).toMatchObject([
    { code: "lock-behind", message: expect.stringContaining("of this machine in ../") },
  ]);
  await restore(workspace);
  expect(await createdIn(workspace)).toEqual([]);
  expect(emulator.objects().agents).toHaveLength(3);
});

test("a first apply is refused while another work tree has applied there, and a state of its own elsewhere is not", async () => {
  const workspace = makeWorkspace({ ".gitignore": ".agentform/\n", ...agent("support", "one") });
  git(workspace, "init", "-q", "-b", "main");
  commit(workspace, "begin");
  const [beside, other] = [addWorkTree(workspace, "beside"), addWorkTree(workspace, "other")];
  const emulator = await emulate();
  expect((await applyTo(beside, emulator)).status).toBe("applied");
  expect((await applyTo(workspace, emulator)).status).toBe("refused");
  other.write({ "agentform.yaml": other.read("agentform.yaml").replaceAll("127.0.0.1:1", "localhost:2") });
  const elsewhere = "http://localhost:2";
  const identity = { base_url: elsewhere, rai_base_url: elsewhere };
  for (const prompt of ["one", "two"]) {
    other.write(agent("support", prompt));
    expect((await applyTo(other, emulator, () => {}, identity)).status).toBe("applied");
  }
});

test("what another work tree applies while a plan is read is not created again", async () => {
  const workspace = makeWorkspace({ ".gitignore": ".agentform/\n", ...agent("support", "one") });
  git(workspace, "init", "-q", "-b", "main");
  commit(workspace, "begin");
  // Whoever shares the folder of git may also hold the state.
  chmodSync(join(workspace.directory, ".git"), 0o2775);
  const beside = addWorkTree(workspace, "beside");
  const emulator = await emulate();
  const meanwhile = async () => (await applyTo(beside, emulator)).status === "applied";
  const { status, diagnostics } = await applyTo(workspace, emulator, undefined, undefined, meanwhile);
  expect(status).toBe("refused");
  expect(diagnostics).toMatchObject([{ code: "lock-behind" }]);
  expect(emulator.objects().agents).toHaveLength(1);
  expect(statSync(join(workspace.directory, ".git/agentform/holders")).mode & 0o7777).toBe(0o2775);
});

test("what another work tree has applied is not created again from the folder that its state had before a move", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const beside = addWorkTree(workspace, "beside");
  const moved = { ...beside, directory: join(beside.directory, "two") };
  mkdirSync(moved.directory);
  git(beside, "mv", "agentform.yaml", "agentform.lock", "agents", "two");
  writeFileSync(join(moved.directory, "agents/sales.yaml"), agent("sales", "two")["agents/sales.yaml"] ?? "");
  expect((await applyTo(moved, emulator)).status).toBe("applied");
  workspace.write(agent("sales", "two"));
  expect((await applyTo(workspace, emulator)).diagnostics).toMatchObject([{ code: "lock-behind" }]);
  expect(emulator.objects().agents).toHaveLength(2);
});

test("a journal that was picked without the apply before it is not joined while nothing has what that one made", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const { directory } = workspace;
  const begun = workspace.read("agentform.lock");
  workspace.write(agent("second", "side"));
  await applyAndCommit(workspace, emulator, "side");
  const before = workspace.read("agentform.lock");
  const [write = ""] = String(JSON.parse(before).writes).split(" ");
  workspace.write(agent("killed", "side"));
  let journal = "";
  await applyTo(workspace, emulator, ({ type }) => {
    if (type === "done") journal = workspace.read("agentform.lock.journal");
  });
  forget(directory);
  rmSync(`${directory}/.git`, { recursive: true, force: true });
  git(workspace, "init", "-q", "-b", "main");
  for (const [lock, hint] of [
    [begun, `write \`${write}\` before the others into \`writes\``],
    [undefined, "write down its IDs, remove the journal"],
  ] as const) {
    if (lock === undefined) rmSync(`${directory}/agentform.lock`);
    else workspace.write({ "agentform.lock": lock });
    workspace.write({ "agentform.lock.journal": journal });
    expect(await restoreLock({ directory })).toMatchObject({
      status: "refused",
      diagnostics: [
        {
          code: "journal-foreign",
          message: expect.stringContaining(write),
          hint: expect.stringContaining(hint),
        },
      ],
    });
  }
  // As the hint says where the state is lost for good.
  const named = begun.replace('"writes": "', `"writes": "${write} `);
  workspace.write({ "agentform.lock": named });
  await restore(workspace);
  const { plan: made } = await plan({ directory });
  expect(made?.actions.map(({ address }) => address)).toEqual(["agent:second"]);
  // And where it is found.
  forget(directory);
  workspace.write({ "agentform.lock": before, "agentform.lock.journal": journal });
  await restore(workspace);
  expect((await plan({ directory })).plan?.actions).toEqual([]);
});

test("an entry that was copied with `on_removal: delete` leaves the lock, and not its object", async () => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  const { directory } = workspace;
  const lock = JSON.parse(workspace.read("agentform.lock")) as { resources: Record<string, object> };
  const copy = { ...lock.resources["agent:support"], on_removal: "delete" };
  const both = JSON.stringify({ ...lock, resources: { ...lock.resources, "agent:copy": copy } });
  const operations = "    operations: {agent: {delete: 'DELETE /v3/agents/{id}'}}\n";
  const manifest = workspace.read("agentform.yaml").replace("  service:\n", `  service:\n${operations}`);
  // Also where the other one is sent something new.
  for (const prompt of ["one", "two"]) {
    workspace.write({ ...agent("support", prompt), "agentform.yaml": manifest, "agentform.lock": both });
    const actions = (await plan({ directory })).plan?.actions;
    expect(actions?.find(({ address }) => address === "agent:copy")).toMatchObject({ action: "forget" });
  }
  await applyAndCommit(workspace, emulator, "without the copy");
  expect(emulator.objects().agents).toMatchObject([{ body: { system_prompt: "two" } }]);
  expect((await plan({ directory })).plan?.actions).toEqual([]);
});

/** Two branches that both applied, of which git finds a conflict in the lock. */
async function diverge(beforeMerge: (workspace: DiskWorkspace, emulator: Emulator) => Promise<void> | void) {
  const { workspace, emulator } = await begin(agent("support", "one"));
  git(workspace, "checkout", "-q", "-b", "side");
  workspace.write(agent("second", "side"));
  await applyAndCommit(workspace, emulator, "side");
  git(workspace, "checkout", "-q", "main");
  forget(workspace.directory);
  workspace.write(agent("third", "main"));
  await applyAndCommit(workspace, emulator, "main");
  await beforeMerge(workspace, emulator);
  expect(tryGit(workspace, "merge", "-q", "side")).toBe(false);
  return { workspace, emulator };
}

/** Does the same, and merges them once. */
async function openConflict(beforeMerge: (workspace: DiskWorkspace, emulator: Emulator) => Promise<void>) {
  const { workspace, emulator } = await diverge(beforeMerge);
  const merge = async () => await mergeLock({ directory: workspace.directory });
  expect(await merge()).toMatchObject({ status: "done" });
  return { workspace, emulator, merge };
}

wholeTest(
  "what was applied since a merge stays in the lock when it is merged again, before git was told",
  async () => {
    const { workspace, emulator, merge } = await openConflict(async () => {});
    workspace.write(agent("fourth", "later"));
    await applyTo(workspace, emulator);
    const done = workspace.read("agentform.lock");
    expect(await merge()).toMatchObject({ status: "done" });
    const { plan: made, diagnostics } = await plan({ directory: workspace.directory });
    expect({ actions: made?.actions, diagnostics }).toEqual({ actions: [], diagnostics: [] });
    expect(workspace.read("agentform.lock")).toContain('"agent:fourth"');
    // Nor is it lost when one side was checked out again in between.
    git(workspace, "checkout", "-q", "--ours", "--", "agentform.lock");
    expect(await merge()).toMatchObject({ status: "done" });
    expect(await codesOf(workspace)).toEqual([]);
    const { resources } = JSON.parse(done) as { resources: object };
    const { resources: kept } = JSON.parse(workspace.read("agentform.lock")) as { resources: object };
    expect(Object.keys(kept)).toEqual(Object.keys(resources));
  },
);

test("what an apply did that was killed before a merge is in the merged lock", async () => {
  const { workspace, emulator } = await openConflict(async (desk, service) => {
    const before = desk.read("agentform.lock");
    desk.write(agent("fourth", "killed"));
    let journal = "";
    await applyTo(desk, service, ({ type }) => {
      if (type === "done") journal = desk.read("agentform.lock.journal");
    });
    desk.write({ "agentform.lock": before, "agentform.lock.journal": journal });
    forget(desk.directory);
  });
  expect(workspace.read("agentform.lock")).toContain('"agent:fourth"');
  await applyTo(workspace, emulator);
  expect(emulator.objects().agents).toHaveLength(4);
});

test("a lock that cannot be compared with its history, for git refuses, is neither planned nor applied", async (context) => {
  if (process.getuid?.() !== 0) return context.skip("only root can give a repository to somebody else");
  const { workspace, emulator } = await begin(agent("support", "one"));
  workspace.write(agent("second", "later"));
  await applyAndCommit(workspace, emulator, "later");
  git(workspace, "checkout", "-q", "HEAD~1", "--", "agentform.lock");
  forget(workspace.directory);
  const theirs = makeWorkspace({});
  cpSync(workspace.directory, theirs.directory, { recursive: true });
  for (const name of ["", ".git"]) chownSync(join(theirs.directory, name), 12345, 12345);
  const { diagnostics } = await plan({ directory: theirs.directory });
  expect(diagnostics).toMatchObject([
    { severity: "error", code: "lock-medium", message: expect.stringContaining("safe.directory") },
  ]);
  expect((await applyTo(theirs, emulator)).status).toBe("refused");
  expect(emulator.objects().agents).toHaveLength(2);
});

test("a copy of the lock that cannot be read is told like any other file of the store", async () => {
  const { workspace } = await begin(agent("support", "One"));
  const copy = join(workspace.directory, ".git/agentform/files/agentform.lock");
  rmSync(copy);
  mkdirSync(copy);
  const { diagnostics } = await plan({ directory: workspace.directory });
  expect(diagnostics).toMatchObject([
    { code: "lock-medium", message: expect.stringContaining("at the copy of the lock") },
  ]);
});

test.each<[string, (workspace: DiskWorkspace) => Promise<void>]>([
  [
    "in the conflict",
    async (workspace) => {
      const { status } = await mergeLock({ directory: workspace.directory });
      expect(status).toBe("done");
    },
  ],
  [
    "where the merge kept the other side",
    async (workspace) => {
      git(workspace, "checkout", "-q", "--theirs", "--", "agentform.lock");
      commit(workspace, "merged");
      expect(await codesOf(workspace)).toEqual(["lock-behind"]);
      await restore(workspace);
    },
  ],
])("what a branch applied before its workspace was renamed on another is kept, %s", async (_, mend) => {
  const { workspace, emulator } = await begin(agent("support", "one"));
  git(workspace, "branch", "old");
  const manifest = workspace.read("agentform.yaml");
  workspace.write({ "agentform.yaml": manifest.replace("name: test", "name: office") });
  const { directory } = workspace;
  expect(await moveState({ directory, moving: { fromWorkspace: "test" } })).toMatchObject({ status: "done" });
  commit(workspace, "renamed");
  git(workspace, "checkout", "-q", "old");
  forget(directory);
  workspace.write(agent("second", "one"));
  await applyAndCommit(workspace, emulator, "second");
  forget(directory);
  expect(tryGit(workspace, "merge", "--no-edit", "main")).toBe(false);
  await mend(workspace);
  expect(await codesOf(workspace)).toEqual([]);
  await applyTo(workspace, emulator);
  expect(emulator.objects().agents).toHaveLength(2);
});
