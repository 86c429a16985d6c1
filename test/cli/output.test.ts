import { mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { applicationIds } from "../../src/core/resources/application-ids.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { agentText, documents, openDesk, type Desk } from "./desk.js";
import { leaveJournal } from "./store-state.js";

const labelled = {
  ...documents,
  "agents/triage.yaml": JSON.stringify({
    apiVersion: "agentform/v1",
    kind: "Agent",
    metadata: { name: "triage", labels: { team: "care" } },
    spec: { name: "Triage" },
  }),
};

async function appliedDesk(files: Readonly<Record<string, string>> = documents): Promise<Desk> {
  const desk = await openDesk(files, { seed: "output", answers: "names" });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  return desk;
}

function idsIn({ lock }: Desk): Record<string, string> {
  const entries = Object.entries(lock().resources).flatMap(([address, { id, tools = {} }]) => {
    if (id !== undefined) return [[address, id]];
    return Object.entries(tools as object).map(([name, tool]) => [`${address}/${name}`, tool as string]);
  });
  return Object.fromEntries(entries.toSorted()) as Record<string, string>;
}

test("JSON has the IDs of a lock by address, tools by operation", async () => {
  const desk = await appliedDesk();
  const { code, out, err } = await desk.run("output");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const ids = idsIn(desk);
  expect(Object.keys(ids)).toEqual([
    "agent:support",
    "credential:provider",
    "policy:strict",
    "toolset:desk/createTicket",
    "toolset:desk/listTickets",
  ]);
  expect(JSON.parse(out)).toEqual({
    format: "agentform/output/v1",
    workspace: "desk",
    environment: null,
    ids,
  });
  expect(out).toBe((await desk.run("output", "--format", "json")).out);
});

test("an operation has the name that the service knows, also where it looks like an expression", () => {
  const lock: Lock = {
    ...emptyLock({ workspace: "desk", environment: null }, "l"),
    resources: {
      "toolset:desk": { body: {}, digest: "", ids: ["1"], tools: { "get$${word:x}": "1" } },
    },
  };
  const { ids } = applicationIds(lock, new Map(), () => true, []);
  expect([...ids]).toEqual([["toolset:desk/get${word:x}", "1"]]);
});

test("where nothing was applied, and nothing is to be, it says that there are no IDs", async () => {
  const desk = await openDesk({});
  const { code, out, err } = await desk.run("output");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ ids: {} });
  expect(err).toContain("note[output-incomplete]: there are no IDs: nothing was applied");
});

test("tools that are not told are named with every way out", async () => {
  const desk = await openDesk(documents, { answers: "opaque" });
  await desk.run("apply", "--yes");
  const { err } = await desk.run("output");
  expect(err).toContain("tools of a set are left out: it is not known which operation they are");
  expect(err).toContain(
    "--adopt OPERATION=ID,…`; if the service answers the IDs in the order of the operations",
  );
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({
    "agentform.yaml": manifest.replace("api_key:", "tool_ids: document_order, api_key:"),
  });
  const told = await desk.run("output");
  expect(told.err).toContain("OPERATION=ID,…`");
  expect(told.err).not.toContain("in the order of the operations");
  desk.workspace.write({ "agents/support.yaml": agentText({ tools: ["${toolset:desk/listTickets}"] }) });
  const plan = await desk.run("plan");
  expect(plan.err).toContain("or refer to the whole set\n");
});

test("dotenv names each ID after its address", async () => {
  const desk = await appliedDesk();
  const ids = idsIn(desk);
  expect((await desk.run("output", "--format", "dotenv")).out).toBe(`\
# The IDs of workspace desk, written by \`agentform output --format dotenv\`.
# Do not edit: the next run overwrites it.
AGENT_SUPPORT_ID=${ids["agent:support"]}
CREDENTIAL_PROVIDER_ID=${ids["credential:provider"]}
POLICY_STRICT_ID=${ids["policy:strict"]}
TOOLSET_DESK_CREATE_TICKET_ID=${ids["toolset:desk/createTicket"]}
TOOLSET_DESK_LIST_TICKETS_ID=${ids["toolset:desk/listTickets"]}
`);
});

test("a journal that was left behind counts", async () => {
  const desk = await appliedDesk();
  leaveJournal(desk, "66f1c0");
  const { out, err } = await desk.run("output");
  expect(JSON.parse(out)).toMatchObject({ ids: { ...idsIn(desk), "agent:triage": "66f1c0" } });
  expect(err).toBe("");
  leaveJournal(desk);
  const unanswered = await desk.run("output");
  expect(JSON.parse(unanswered.out)).toMatchObject({ ids: idsIn(desk) });
  expect(unanswered.err).toContain("the outcome of its create is unknown");
  expect(unanswered.err).toContain("--> agent:triage");
});

test("--out writes only what has changed, and --check says what to run", async () => {
  const desk = await appliedDesk();
  const options = ["output", "--format", "typescript", "--out", "ids.ts"];
  const missing = await desk.run(...options, "--check");
  expect(missing).toMatchObject({ code: 1, out: "" });
  expect(missing.err).toContain("error[output-stale]: ids.ts is missing");
  expect(missing.err).toContain("run `agentform output --format typescript --out ids.ts`");
  expect(() => desk.workspace.read("ids.ts")).toThrow("ENOENT");

  expect(await desk.run(...options)).toEqual({ code: 0, out: "ids.ts: 5 IDs, written\n", err: "" });
  const text = desk.workspace.read("ids.ts");
  expect(text).toBe((await desk.run("output", "--format", "typescript")).out);
  const path = join(desk.workspace.directory, "ids.ts");
  const { ino, mtimeMs } = statSync(path);
  expect(await desk.run(...options)).toEqual({ code: 0, out: "ids.ts: 5 IDs, unchanged\n", err: "" });
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  expect(await desk.run(...options, "--check")).toMatchObject({ code: 0, err: "" });

  // As git checks it out on Windows.
  desk.workspace.write({ "ids.ts": text.replaceAll("\n", "\r\n") });
  expect(await desk.run(...options, "--check")).toMatchObject({ code: 0 });

  desk.workspace.write({ "ids.ts": text.replace("agent:support", "agent:other") });
  const stale = await desk.run(...options, "--check");
  expect(stale).toMatchObject({ code: 1, out: "" });
  expect(stale.err).toContain("ids.ts is stale");
  expect(desk.workspace.read("ids.ts")).toContain("agent:other");
  await desk.run(...options);
  expect(desk.workspace.read("ids.ts")).toBe(text);
});

test.each(["output", "plan"])("%s --out in a file instead of a folder is an error", async (command) => {
  const { run, workspace } = await openDesk();
  workspace.write({ file: "" });
  const { code, err } = await run(command, "--out", "file/ids.json");
  expect(code).not.toBe(70);
  expect(err).toContain("file/ids.json cannot be");
});

test("--out follows no link and replaces nothing but a file", async () => {
  const desk = await appliedDesk();
  const { directory } = desk.workspace;
  desk.workspace.write({ "other.txt": "mine" });
  symlinkSync("other.txt", join(directory, "ids.json"));
  mkdirSync(join(directory, "folder"));
  for (const [file, reason] of [
    ["ids.json", "symbolic link"],
    ["folder", "it is not a file"],
    ["missing/ids.json", "its folder does not exist"],
  ] as const) {
    const { code, err } = await desk.run("output", "--format", "dotenv", "--out", file);
    expect(code).toBe(1);
    expect(err).toContain("error[output-unwritten]");
    expect(err).toContain(reason);
  }
  expect(readFileSync(join(directory, "other.txt"), "utf8")).toBe("mine");
});

test("--out replaces no file that it did not write", async () => {
  const desk = await appliedDesk();
  const { workspace } = desk;
  workspace.write({ ".env": "PASSWORD=mine\n", "empty.json": "" });
  for (const [file, format] of [
    ["agentform.lock", "json"],
    ["agentform.yaml", "json"],
    [".env", "dotenv"],
  ] as const) {
    const before = workspace.read(file);
    const { code, err } = await desk.run("output", "--format", format, "--out", file);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("this command did not write it") as string,
    });
    expect(workspace.read(file)).toBe(before);
  }
  expect((await desk.run("output", "--out", "empty.json")).code).toBe(0);
});

test("the selected resources are those of their documents' labels, or what was applied where these are gone", async () => {
  const desk = await appliedDesk(labelled);
  const { out } = await desk.run("output", "--selector", "team=care", "--selector", "team=none");
  expect(Object.keys((JSON.parse(out) as { ids: object }).ids)).toEqual(["agent:triage"]);
  const none = await desk.run("output", "--selector", "team=car");
  expect(none.code).toBe(1);
  expect(none.err).toContain("error[selector-empty]: `--selector team=car` selects no resource");
  expect(none.err).toContain("did you mean `team=care`?");
  expect(none.out).toContain("agentform/diagnostics/v1");
  desk.workspace.remove("agents/triage.yaml");
  expect(await desk.run("output", "--selector", "team=care")).toMatchObject({ code: 0, out });
  desk.workspace.write({ "agents/broken.yaml": "kind: Agent\n" });
  const broken = await desk.run("output", "--selector", "team=care", "--format", "dotenv");
  expect(broken).toMatchObject({ code: 1, out: "" });
  const whole = await desk.run("output");
  expect(whole.code).toBe(0);
  expect(whole.err).toContain("the workspace has errors");
});

test("what has no ID is left out, and each is named", async () => {
  const desk = await openDesk(documents, { answers: "opaque", faults: [] });
  const nothing = await desk.run("output");
  expect(JSON.parse(nothing.out)).toMatchObject({ ids: {} });
  for (const address of ["agent:support", "credential:provider", "policy:strict", "toolset:desk"]) {
    expect(nothing.err).toContain(`--> ${address}`);
  }
  expect(nothing.err).toContain("it was not applied");

  await desk.run("apply", "--yes");
  const unmapped = await desk.run("output");
  expect(unmapped.code).toBe(0);
  expect(unmapped.err).toContain("tools of a set are left out");
  expect(unmapped.err).toContain("--> toolset:desk");
  expect(unmapped.out).not.toContain("toolset:desk");
});

test("a credential without an ID and a create of unknown outcome are named", async () => {
  const desk = await openDesk(
    { ...documents, "agents/lost.yaml": documentText("Agent", "lost", { name: "Lost" }) },
    { answers: "minimal", faults: [{ path: "/v3/agents/", drop: "after" }] },
  );
  await desk.run("apply", "--yes", "--concurrency", "1");
  const { err } = await desk.run("output");
  expect(err).toContain("the service's answer did not contain it");
  expect(err).toContain("--> credential:provider");
  expect(err).toContain("the outcome of its create is unknown");
  expect(err).toContain("--> agent:lost");
});

test("names that are the same are an error that names both", async () => {
  const desk = await appliedDesk({
    "agents/a.yaml": documentText("Agent", "a-b", { name: "A" }),
    "agents/b.yaml": documentText("Agent", "a.b", { name: "B" }),
  });
  for (const format of ["dotenv", "python"]) {
    const { code, out, err } = await desk.run("output", "--format", format);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("error[output-name-taken]: `agent:a-b` and `agent:a.b` both become AGENT_A_B_ID");
  }
  expect(await desk.run("output")).toMatchObject({ code: 0, err: "" });
});

test("a check needs a file, and a selector a value", async () => {
  const { run } = await openDesk({});
  expect(await run("output", "--check")).toMatchObject({ code: 64 });
  expect(await run("output", "--selector", "team")).toMatchObject({ code: 64 });
});

test("the help has examples", async () => {
  const desk = await openDesk({});
  expect((await desk.run("output", "--help")).out).toContain("--format typescript --out src/ids.ts --check");
});
