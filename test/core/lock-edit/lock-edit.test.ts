import { expect, test } from "vitest";
import { parseEditFile } from "../../../src/core/lock-edit/lock-edit-file.js";
import { editLock, type EditedLock, type LockEdit } from "../../../src/core/lock-edit/lock-edit.js";
import { emptyLock, type Lock } from "../../../src/core/state/lock.js";
import { buildSettings, parseManifest } from "../../../src/core/resources/manifest.js";
import { buildFleet } from "../../harness/build-fleet.js";
import { documentText, manifest } from "../../harness/disk-workspace.js";

const noIncludes = { read: () => ({ ok: false, code: "file-missing", message: "no file" }) as const };

const openapi_schema = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  paths: { "/a": { get: { operationId: "a", responses: {} }, post: { operationId: "b", responses: {} } } },
};

const resources = resourcesOf(
  documentText("Policy", "strict", { name: "Strict" }),
  documentText("ToolSet", "desk", { tool_set_name: "desk", openapi_schema }),
  documentText("Agent", "support", {
    name: "Support",
    tools: ["${toolset:desk/a}"],
    features: [{ config: { policy_id: "${policy:strict}" } }],
  }),
  documentText("Agent", "renamed", { name: "Renamed" }, { moved_from: "agent:old", protect: true }),
);

function resourcesOf(...texts: readonly string[]) {
  const parsed = parseManifest(manifest);
  if (!parsed.ok) throw new Error("no manifest");
  const built = buildSettings(parsed, null, new Map());
  if (!built.ok) throw new Error("no settings");
  const { settings } = built;
  const sources = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  const fleet = buildFleet(settings, sources, noIncludes);
  expect(fleet.findings).toEqual([]);
  return fleet.resources;
}

function lockWith(members: Partial<Lock>): Lock {
  return { ...emptyLock({ workspace: "test", environment: null }, "lineage"), ...members };
}

function edit(lock: Lock, ...edits: readonly LockEdit[]): EditedLock {
  const edited = editLock(lock, resources, edits);
  if (!edited.ok) throw new Error(edited.problems.map(({ message }) => message).join("\n"));
  return edited;
}

function refusals(lock: Lock, ...edits: readonly LockEdit[]): string[] {
  const edited = editLock(lock, resources, edits);
  if (edited.ok) throw new Error("nothing was refused");
  return edited.problems.map(({ message }) => message);
}

const sent = { operation: "create", since: "then", method: "POST", path: "/", digest: "d" } as const;
const desk = { ids: ["t-1", "t-2"], body: resources.get("toolset:desk")?.body ?? {}, digest: "d" };

test("the lock that is given stays as it is", () => {
  const lock = lockWith({ retired: { "id-1": { address: "policy:strict", reason: "forgotten" } } });
  const before = JSON.stringify(lock);
  const edited = edit(lock, { type: "resolve", address: "policy:strict", adoption: "id-1" });
  expect(JSON.stringify(lock)).toBe(before);
  expect(edited.isChanged).toBe(true);
});

test("a retired object that is adopted leaves the ledger", () => {
  const lock = lockWith({
    retired: {
      "id-1": { address: "policy:strict", reason: "forgotten" },
      "id-2": { address: "policy:strict", reason: "replaced" },
    },
  });
  const edited = edit(lock, { type: "resolve", address: "policy:strict", adoption: "id-1" });
  expect(Object.keys(edited.lock.retired)).toEqual(["id-2"]);
});

test("an adopted agent remembers what its references stand for", () => {
  const tools = { a: "t-1", b: "t-2" };
  const lock = lockWith({ resources: { "toolset:desk": { ...desk, tools } } });
  const edited = edit(lock, { type: "resolve", address: "agent:support", adoption: " id-1 " });
  expect(edited.lock.resources["agent:support"]).toMatchObject({
    id: "id-1",
    references: { "toolset:desk/a": "t-1" },
    uncertain: true,
  });
});

test("later edits see earlier ones", () => {
  const both = (adoption: string): LockEdit[] =>
    ["policy:strict", "agent:support"].map((address) => ({ type: "resolve", address, adoption }));
  expect(refusals(lockWith({}), ...both("66f1c0de00000000000000ab"))).toEqual([
    expect.stringContaining("it belongs to `policy:strict`"),
  ]);
  // A service may name the objects of each kind separately.
  expect(edit(lockWith({}), ...both("main")).lock.resources).toMatchObject({
    "policy:strict": { id: "main" },
    "agent:support": { id: "main" },
  });
  const [first, second] = both("id-1");
  if (!first || !second) throw new Error("two edits");
  expect(refusals(lockWith({}), first, first)).toEqual(["policy:strict: is given twice"]);
});

test.each(["constructor", "__proto__", "toString", "policy:", "Policy:strict", "policy:../x", ""])(
  "`%s` is not an address",
  (address) => {
    expect(refusals(lockWith({}), { type: "resolve", address, adoption: "id-1" })).toEqual([
      `${address}: is not an address`,
    ]);
  },
);

test("an ID must be one, and fit the kind", () => {
  const adopt = (address: string, adoption: string | string[]): LockEdit => ({
    type: "resolve",
    address,
    adoption,
  });
  expect(refusals(lockWith({}), adopt("policy:strict", " "))).toHaveLength(1);
  // A spreadsheet writes the first letter as a capital.
  for (const word of ["not-created", "Not-created", " not_created", "NOT CREATED"])
    expect(refusals(lockWith({}), adopt("policy:strict", word))).toHaveLength(1);
  expect(refusals(lockWith({}), adopt("policy:strict", ["a=id-1"]))).toHaveLength(1);
  expect(refusals(lockWith({}), adopt("toolset:desk", "id-1"))).toHaveLength(1);
  expect(refusals(lockWith({}), adopt("toolset:desk", []))).toHaveLength(1);
  expect(refusals(lockWith({}), adopt("toolset:desk", ["a=id-1", "b=id-1"]))).toHaveLength(1);
  expect(refusals(lockWith({}), adopt("toolset:desk", ["a=id-1", "GET /a=id-2"]))).toHaveLength(1);
});

test("a set that is managed with other tools is not adopted over", () => {
  const lock = lockWith({ resources: { "toolset:desk": { ...desk, tools: { a: "t-1", b: "t-2" } } } });
  const adopt = (...adoption: string[]): LockEdit => ({ type: "resolve", address: "toolset:desk", adoption });
  expect(edit(lock, adopt("a=t-1", "b=t-2")).isChanged).toBe(false);
  expect(refusals(lock, adopt("a=t-3"))[0]).toContain("already managed, with IDs a=t-1, b=t-2");
});

test("an unknown create is resolved with what was sent, at the address that it moves from", () => {
  const body = { name: "As sent" };
  const references = { "policy:strict": "p-1" };
  const lock = lockWith({
    unknown: { "agent:old": { ...sent, body, references, file: "old.yaml", protect: true, message: "lost" } },
  });
  const edited = edit(lock, { type: "resolve", address: "agent:renamed", adoption: "id-1" });
  expect(edited.lock.unknown).toEqual({});
  expect(edited.lock.resources).toEqual({
    "agent:old": { id: "id-1", body, references, digest: "d", file: "old.yaml", protect: true },
  });
  expect(edit(lock, { type: "not-created", address: "agent:renamed" }).lock.unknown).toEqual({});
});

test("an unknown create of a tool set takes the operations that were sent", () => {
  const lock = lockWith({ unknown: { "toolset:gone": { ...sent, body: desk.body } } });
  const resolve = (...adoption: string[]): LockEdit => ({
    type: "resolve",
    address: "toolset:gone",
    adoption,
  });
  expect(edit(lock, resolve("b=t-2", "a=t-1")).lock.resources["toolset:gone"]).toMatchObject({
    ids: ["t-1", "t-2"],
    tools: { a: "t-1", b: "t-2" },
  });
  expect(refusals(lock, resolve("c=t-1"))[0]).toContain("names no operation");
});

test("what an unknown replacement made is neither the old object nor one that was left behind", () => {
  const lock = lockWith({
    resources: { "policy:strict": { id: "old", body: {}, digest: "d" } },
    retired: { older: { address: "policy:strict", reason: "replaced" } },
    unknown: { "policy:strict": { ...sent, operation: "replace", body: {} } },
  });
  for (const adoption of ["old", "older"]) {
    const [message] = refusals(lock, { type: "resolve", address: "policy:strict", adoption });
    expect(message).toContain(`already had the ID ${adoption} before`);
  }
  const [capitals, small] = ["66F1C0DE00000000000000AB", "66f1c0de00000000000000ab"];
  const inCapitals = { ...lock, resources: { "policy:strict": { id: capitals, body: {}, digest: "d" } } };
  expect(refusals(inCapitals, { type: "resolve", address: "policy:strict", adoption: small })[0]).toContain(
    `already had the ID ${small} before`,
  );
  const edited = edit(lock, { type: "resolve", address: "policy:strict", adoption: "new" });
  expect(Object.keys(edited.lock.retired)).toEqual(["older", "old"]);
  expect(edited.lock.resources["policy:strict"]?.id).toBe("new");
  const kept = edit(lock, { type: "not-created", address: "policy:strict" });
  expect(kept.lock).toMatchObject({ unknown: {}, resources: { "policy:strict": { id: "old" } } });
});

test("what another address left behind is not what an unknown create made, and is said to be that address's", () => {
  const [older, id] = ["older", "66f1c0de00000000000000ab"];
  const lock = lockWith({
    retired: {
      [older]: { address: "agent:old", reason: "replaced" },
      [id]: { address: "policy:strict", reason: "replaced" },
    },
    unknown: { "agent:gone": { ...sent, body: {} } },
  });
  const messageOf = (adoption: string) =>
    refusals(lock, { type: "resolve", address: "agent:gone", adoption })[0];
  expect(messageOf(older)).toContain("cannot have the ID older: it was left behind by `agent:old`");
  expect(messageOf(id)).toContain(`cannot have the ID ${id}: it was left behind by \`policy:strict\``);
});

test("tools can be mapped one after another, and exchanged", () => {
  const map = (...pairs: string[]): LockEdit => ({
    type: "resolve",
    address: "toolset:desk",
    adoption: pairs,
  });
  const first = edit(lockWith({ resources: { "toolset:desk": desk } }), map("a=t-1")).lock;
  expect(first.resources["toolset:desk"]?.tools).toEqual({ a: "t-1" });
  expect(refusals(first, map("b=t-1"))[0]).toContain("two operations have the same ID");
  const second = edit(first, map("b=t-2")).lock;
  expect(edit(second, map("b=t-2")).isChanged).toBe(false);
  expect(edit(second, map("a=t-2", "b=t-1")).lock.resources["toolset:desk"]?.tools).toEqual({
    a: "t-2",
    b: "t-1",
  });
});

test("a CSV file is read with quotes, in any order of columns, a tool set over several lines", () => {
  const text = 'note,id,address\n"a ""b"",\nc",id-1,agent:x\n,"t,1",toolset:x/GET /a\n\n,t-2,toolset:x/b\n';
  expect(parseEditFile(text, "ids.csv")).toEqual({
    findings: [],
    entries: [
      { address: "agent:x", value: "id-1" },
      { address: "toolset:x", value: ["GET /a=t,1", "b=t-2"] },
    ],
  });
});

test("a JSON file takes IDs as texts and as whole numbers", () => {
  const text = JSON.stringify({
    "agent:x": "id-1",
    "agent:y": 12,
    "toolset:x": { a: 1 },
    "toolset:y": ["a=1"],
  });
  expect(parseEditFile(text, "ids.json").entries).toEqual([
    { address: "agent:x", value: "id-1" },
    { address: "agent:y", value: "12" },
    { address: "toolset:x", value: ["a=1"] },
    { address: "toolset:y", value: ["a=1"] },
  ]);
});

test.each([
  ["address,id\nagent:x,1\nagent:x,2\n", "duplicate address agent:x"],
  ["address,id\ntoolset:x/a,1\ntoolset:x,not-created\n", "duplicate address toolset:x"],
  ["address,id\ntoolset:x,not-created\ntoolset:x/a,1\n", "duplicate address toolset:x"],
  ["address,id\nagent:x,\n", "must have an address and an ID"],
  ["address,id\nagent:x,1.23457E+11\n", "a spreadsheet has rounded"],
  ["address;id\nagent:x;1\n", "must name the columns `address` and `id`"],
  ['address,id\n"agent:x,1\n', "invalid CSV: unclosed quote"],
  ["", "must name the columns `address` and `id`"],
  ["{", "not valid JSON"],
  ["[]", "must be an object with addresses as keys"],
  ['{"agent:x": "1", "agent:x": "2"}', "a duplicate key"],
  [`{"agent:x": ${"[".repeat(100)}${"]".repeat(100)}}`, "nested too deeply"],
  ['{"agent:x": null}', "agent:x must have an ID"],
  ['{"toolset:x": ["a=1", 2]}', "toolset:x must have an ID"],
  ['{"toolset:x": {"a": 1.5}}', "toolset:x must have an ID"],
])("%j is refused", (text, said) => {
  const { findings } = parseEditFile(text, "ids");
  expect(findings).toHaveLength(1);
  expect(findings[0]?.message).toContain(said);
  expect(findings[0]?.place).toMatchObject({ file: "ids", offset: expect.any(Number) });
});

test("a number is the ID of one object of each kind", () => {
  const left = { address: "policy:old", reason: "replaced" } as const;
  const lock = lockWith({
    resources: { "policy:strict": { id: "7", body: {}, digest: "d" } },
    retired: { "policy#8": left },
    unknown: { "agent:renamed": { ...sent, body: { name: "Renamed" } } },
  });
  const edited = edit(
    lock,
    { type: "resolve", address: "agent:support", adoption: "7" },
    { type: "resolve", address: "agent:renamed", adoption: "8" },
  );
  expect(edited.lock.resources["agent:support"]?.id).toBe("7");
  expect(edited.lock.resources["agent:renamed"]?.id).toBe("8");
  expect(edited.lock.retired).toEqual({ "policy#8": left });
  const again = { type: "resolve", address: "agent:renamed", adoption: "7" } as const;
  expect(refusals(edited.lock, again)).not.toEqual([]);
  const other = { type: "resolve", address: "policy:strict", adoption: "8" } as const;
  expect(refusals(edited.lock, other)).not.toEqual([]);
});

test("the old object of a replacement that is resolved stays known as gone", () => {
  const lock = lockWith({
    resources: { "policy:strict": { id: "id-1", body: {}, digest: "d" } },
    unknown: { "policy:strict": { ...sent, operation: "replace", body: { name: "Strict" }, gone: ["id-1"] } },
  });
  const edited = edit(lock, { type: "resolve", address: "policy:strict", adoption: "id-2" });
  expect(edited.lock.retired).toMatchObject({ "id-1": { reason: "gone" } });
});
