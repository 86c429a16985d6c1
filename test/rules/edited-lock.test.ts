import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { agentText, documents, openDesk, type Desk } from "../cli/desk.js";
import { needProgram } from "../harness/need.js";
import { ofSpec, ruleText } from "./rule-text.js";
import { wholeTest } from "../harness/tier.js";

const agent = (
  name: string,
  labels: Readonly<Record<string, string>>,
  { lifecycle, ...spec }: { readonly lifecycle?: object; readonly model?: string } = {},
) => {
  const document = JSON.parse(agentText({ model: "small-1", ...spec })) as object;
  return JSON.stringify({ ...document, metadata: { name, labels }, ...(lifecycle && { lifecycle }) });
};

const customer = { audience: "customer" };
const rule = {
  "rules/models.yaml": ruleText("known-models", {
    for: { kind: "Agent", selector: customer },
    effect: "error",
    message: "Customers talk to a model that we have tried.",
    document: ofSpec({ properties: { model: { enum: ["small-1"] } } }),
  }),
};
const support = "agents/support.yaml";

type Entries = Record<string, Record<string, unknown>>;

/** A desk that was applied and committed, and a way to edit its lock by hand. */
async function committedDesk(files: Readonly<Record<string, string>>) {
  needProgram("git");
  const desk = await openDesk({ ...documents, ...rule, ...files });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: desk.workspace.directory,
      stdio: "pipe",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "before");
  const edit = (change: (entries: Entries, lock: Record<string, unknown>) => void) => {
    const text = desk.workspace.read("agentform.lock");
    const lock = JSON.parse(text) as Record<string, unknown> & { readonly resources: Entries };
    change(lock.resources, lock);
    desk.workspace.write({ "agentform.lock": `${JSON.stringify(lock, null, 2)}\n` });
  };
  return { ...desk, edit, git };
}

const bases = ["--lock-from", "--rules-from"] as const;

async function refusals(desk: Desk, code: string) {
  const ran = [];
  for (const command of [["plan"], ["apply", "--yes"]]) {
    for (const base of bases) ran.push(await desk.run(...command, base, "HEAD"));
  }
  for (const each of ran) expect(each).toMatchObject({ code: 1 });
  for (const { err } of ran) expect(err).toContain(`error[${code}]`);
}

wholeTest("a change takes no document out of a rule by an edit of the labels in the lock", async () => {
  const desk = await committedDesk({ [support]: agent("support", customer) });
  desk.workspace.write({ [support]: agent("support", {}, { model: "huge-9" }) });
  desk.edit((entries) => delete entries["agent:support"]?.labels);
  await refusals(desk, "known-models");
  desk.edit((entries) => {
    entries["agent:desk"] = { ...entries["agent:support"] };
    delete entries["agent:support"];
  });
  desk.workspace.remove(support);
  desk.workspace.write({ "agents/desk.yaml": agent("desk", {}, { model: "huge-9" }) });
  await refusals(desk, "known-models");
});

test("a change with another name of the workspace in the lock is judged by the labels, too", async () => {
  const desk = await committedDesk({ [support]: agent("support", customer) });
  desk.workspace.write({
    [support]: agent("support", {}, { model: "huge-9" }),
    "agentform.yaml": desk.workspace.read("agentform.yaml").replace("name: desk", "name: table"),
  });
  desk.edit((entries, lock) => {
    delete entries["agent:support"]?.labels;
    Object.assign(lock, { workspace: "table", lineage: "another" });
  });
  const { code, err } = await desk.run("plan", "--rules-from", "HEAD");
  expect([code, err]).toEqual([1, expect.stringContaining("error[known-models]")]);
});

test("a change takes no protection away by an edit of the lock", async () => {
  const desk = await committedDesk({ [support]: agent("support", {}, { lifecycle: { protect: true } }) });
  desk.workspace.remove(support);
  desk.edit((entries) => delete entries["agent:support"]?.protect);
  await refusals(desk, "protected");
  desk.edit((entries) => {
    entries["agent:desk"] = { ...entries["agent:support"] };
    delete entries["agent:support"];
  });
  await refusals(desk, "protected");
});

test.each([
  ["lock-conflict", (text: string) => `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`],
  ["lock-format", (text: string) => text.replace("lock/v1", "lock/v9")],
  ["lock-damaged", (text: string) => text.slice(1)],
])("that the lock of the base cannot guard anything (%s) is told", async (code, broken) => {
  const desk = await committedDesk({ [support]: agent("support", {}, { lifecycle: { protect: true } }) });
  const text = desk.workspace.read("agentform.lock");
  desk.workspace.write({ "agentform.lock": broken(text) });
  desk.git("commit", "-qam", "broken");
  desk.workspace.write({ "agentform.lock": text });
  for (const format of ["text", "json", "markdown", "html"]) {
    const { out } = await desk.run("plan", "--rules-from", "HEAD", "--format", format);
    expect(out, format).toContain("base-unread");
    expect(out, format).toContain(code);
  }
  expect((await desk.run("plan", "--rules-from", "HEAD~1")).out).not.toContain("base-unread");
});

wholeTest(
  "a change takes no protection away by another name of the environment, or of folder and workspace",
  async () => {
    const desk = await committedDesk({ [support]: agent("support", {}, { lifecycle: { protect: true } }) });
    const { workspace, edit, git } = desk;
    const manifest = workspace.read("agentform.yaml");
    workspace.remove(support);
    const rename = (names: object, text: string) => {
      edit((entries, lock) => {
        delete entries["agent:support"]?.protect;
        Object.assign(lock, names);
      });
      workspace.write({ "agentform.yaml": text });
    };
    const refused = { code: 1, err: expect.stringContaining("error[protected]") };
    rename({ environment: "production" }, `${manifest}  environments: {production: {}}\n`);
    git("mv", "agentform.lock", "agentform.production.lock");
    expect(await desk.run("plan", "-e", "production", "--rules-from", "HEAD")).toMatchObject(refused);
    git("mv", "agentform.production.lock", "agentform.lock");
    rename({ environment: null, workspace: "table" }, manifest.replace("name: desk", "name: table"));
    workspace.write({ "moved/note.txt": "" });
    git("mv", "agentform.yaml", "agentform.lock", "policies", "toolsets", "credentials", "rules", "moved");
    const moved = ["plan", "-C", "moved", "--rules-from", "HEAD"];
    expect(await desk.run(...moved)).toMatchObject(refused);
    expect(await desk.run(...moved, "--lock-from", "HEAD")).toMatchObject(refused);
    expect(await desk.run("plan", "-C", "moved", "--lock-from", "HEAD")).toMatchObject(refused);
  },
);

test.each([
  ["by another name in its place", "", "table"],
  ["by another name as a copy elsewhere", "copied/", "table"],
  ["by another name as a copy in the place of another one", "stand/", "table"],
  ["by its own name as a copy elsewhere", "copied/", "desk"],
])("a change takes no protection away %s, beside an older backup", async (_where, folder, name) => {
  const desk = await committedDesk({ [support]: agent("support", {}, { lifecycle: { protect: true } }) });
  const { workspace, git } = desk;
  const [manifest, lock] = [workspace.read("agentform.yaml"), workspace.read("agentform.lock")];
  const [unprotected, another] = [
    lock.replace(/\n *"protect": true,?/, ""),
    JSON.stringify({ ...(JSON.parse(lock) as object), workspace: "stand", lineage: "stand", resources: {} }),
  ];
  workspace.write({
    "a/agentform.lock": unprotected.replace(/"serial": \d+/, '"serial": 0'),
    "stand/agentform.yaml": manifest.replace("name: desk", "name: stand"),
    "stand/agentform.lock": another,
  });
  git("add", "--all");
  git("commit", "-qm", "with a backup");
  workspace.write({
    [`${folder}agentform.yaml`]: manifest.replace("name: desk", `name: ${name}`),
    [`${folder}agentform.lock`]: unprotected.replace('"workspace": "desk"', `"workspace": "${name}"`),
  });
  if (folder === "") workspace.remove(support);
  git("add", "--all");
  const ran = await desk.run("plan", "-C", folder || ".", "--rules-from", "HEAD");
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("error[protected]") });
});

const padding = { retired: Object.fromEntries(Array.from({ length: 400 }, left)) };
const padded = { workspace: "kiosk", environment: null, lineage: "kiosk", serial: 1, ...padding };

test.each<readonly [how: string, isCopied: boolean, also: object, beside: Readonly<Record<string, string>>]>([
  ["moved and is not alike", false, padding, {}],
  [
    "moved and is like another's",
    false,
    padding,
    { "kiosk/agentform.lock": JSON.stringify(padded, null, 2) },
  ],
  ["copied", true, {}, {}],
])("a change takes no protection away by a lock that is %s", async (_how, isCopied, also, beside) => {
  const desk = await committedDesk({
    [support]: agent("support", {}, { lifecycle: { protect: true } }),
    ...beside,
  });
  const { workspace, edit, git } = desk;
  const text = workspace.read("agentform.lock");
  workspace.remove(support);
  workspace.write({ "moved/note.txt": "" });
  edit((entries, lock) => {
    delete entries["agent:support"]?.protect;
    Object.assign(lock, also);
  });
  git("mv", "agentform.yaml", "agentform.lock", "policies", "toolsets", "credentials", "rules", "moved");
  if (isCopied) workspace.write({ "agentform.lock": text });
  for (const file of Object.keys(beside)) workspace.remove(file);
  git("add", "--all");
  for (const base of [["--rules-from"], ["--lock-from"]])
    expect(await desk.run("plan", "-C", "moved", ...base, "HEAD")).toMatchObject({
      code: 1,
      err: expect.stringContaining("error[protected]"),
    });
});

function left(_: unknown, at: number) {
  return [`left-${at}`, { address: `policy:left-${at}`, reason: "replaced", body: {} }] as const;
}

wholeTest("a change takes nothing that was left behind out of a rule by an edit of the lock", async () => {
  const desk = await committedDesk({ [support]: agent("support", customer) });
  const id = String(desk.lock().resources["agent:support"]?.id);
  desk.workspace.remove(support);
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  desk.git("commit", "-qam", "forgotten");
  desk.workspace.write({
    "agents/desk.yaml": agent("desk", {}, { model: "huge-9", lifecycle: { adopt: id } }),
  });
  desk.edit((_entries, lock) => delete (lock.retired as Entries)[id]?.labels);
  await refusals(desk, "known-models");
  // The entry as an import in the same change would write it.
  desk.edit((entries, lock) => {
    const { [id]: left, ...retired } = lock.retired as Entries;
    lock.retired = retired;
    entries["agent:desk"] = { id, body: left?.body, digest: "sha256:0", adopted: id };
  });
  await refusals(desk, "known-models");
  desk.workspace.write({ "agents/desk.yaml": agent("desk", {}, { model: "huge-9" }) });
  await refusals(desk, "known-models");
});

test("what changes places since the base is judged by its own labels", async () => {
  const desk = await committedDesk({
    [support]: agent("support", customer),
    "agents/desk.yaml": agent("desk", {}),
  });
  const moved = (name: string, from: string, labels: Readonly<Record<string, string>>, model = "small-1") =>
    agent(name, labels, { model, lifecycle: { moved_from: from } });
  const swap = (model: string) =>
    desk.workspace.write({
      [support]: moved("support", "agent:desk", {}, model),
      "agents/desk.yaml": moved("desk", "agent:support", customer),
    });
  swap("small-1");
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  swap("huge-9");
  for (const base of bases) expect(await desk.run("plan", base, "HEAD")).toMatchObject({ code: 0 });
});

test("an emulated plan is judged by the labels of its own lock", async () => {
  const desk = await committedDesk({ [support]: agent("support", customer) });
  desk.workspace.write({ [support]: agent("support", {}, { model: "huge-9" }) });
  const { code } = await desk.run("plan", "--emulator", "--rules-from", "HEAD");
  expect(code).toBe(0);
});
