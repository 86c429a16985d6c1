import { describe, expect, test } from "vitest";
import { sample } from "../harness/tier.js";
import { JournalWriter } from "../../src/core/state/journal.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { hash } from "../../src/digest.js";
import { makeWorkspace, documentText } from "../harness/disk-workspace.js";
import { runCommand } from "./run-command.js";
import { savedPlanText } from "../harness/plan-text.js";

const document = JSON.stringify({
  openapi: "3.1.0",
  paths: { "/a": { get: { operationId: "read", responses: {} } } },
});
const toolset = documentText("ToolSet", "t", {
  tool_set_name: "t",
  openapi_schema: "${file:../a.json}",
});
const agent = documentText("Agent", "a", { name: "A", tools: ["${toolset:t/read}"] });
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const lock = (resources: unknown) =>
  JSON.stringify({
    format: "agentform/lock/v1",
    workspace: "test",
    environment: null,
    lineage: "l",
    serial: 1,
    writes: "w1",
    service: { base_url: "http://127.0.0.1:1" },
    resources,
    retired: {},
    unknown: {},
  });
const entry = (openapi_schema: unknown) => ({
  "toolset:t": {
    ids: ["i"],
    tools: { read: "i" },
    digest: "d",
    body: { tool_set_name: "t", openapi_schema },
  },
});

async function expectRefused(files: Readonly<Record<string, string>>, code: string): Promise<void> {
  const { directory } = makeWorkspace({
    "toolsets/t.yaml": toolset,
    "agents/a.yaml": agent,
    "a.json": document,
    ...files,
  });
  const commands = [["plan"], ["lock", "list"], ["apply", "--yes"]];
  for (const args of commands) {
    const ended = await runCommand([...args, "-C", directory], { cwd: directory });
    expect(ended.stdout + ended.stderr).toContain(code);
    expect(ended.code).toBe(1);
  }
}

// In the path of a request, an empty ID would be all objects: `DELETE /v1/rai/policies/`.
test.each([
  ["of an agent", lock({ "agent:a": { id: "a\nb", digest: "d", body: { name: "A" } } })],
  ["of a tool", lock({ "toolset:t": { ids: [""], digest: "d", body: { tool_set_name: "t" } } })],
  [
    "that is left behind",
    lock({}).replace('"retired":{}', '"retired":{"":{"address":"policy:p","reason":"replaced"}}'),
  ],
])("a lock is refused with an ID that cannot be one: %s", async (_what, text) => {
  await expectRefused({ "agentform.lock": text }, "cannot be an ID");
});

describe("a lock is refused, and is no bug of agentform's,", () => {
  const operation = { method: "GET", path: "/a", operationId: "read" };
  test.each(
    sample(
      "formats",
      [
        ["null among its operations", lock(entry({ operations: [null] }))],
        ["operations of another kind", lock(entry({ operations: { a: 1 } }))],
        ["an operation without a path", lock(entry({ operations: [{ method: "GET" }] }))],
        ["parameters of another kind", lock(entry({ operations: [{ ...operation, parameters: [null] }] }))],
        ["a digest that is a list", lock(entry({ operations: [{ ...operation, responses: [] }] }))],
        [
          "thousands of addresses for each of thousands of operations",
          lock(
            entry({
              servers: Array.from({ length: 5000 }, (_, index) => ({ url: `https://a${index}.example` })),
              operations: Array.from({ length: 5000 }, (_, index) => ({ ...operation, path: `/${index}` })),
            }),
          ),
        ],
        ["a whole document in place of its outline", lock(entry(JSON.parse(document)))],
        [
          "a body nested without end",
          lock({ "agent:a": "X" }).replace('"X"', `{"digest":"d","body":${deep(200_000)}}`),
        ],
        ["a serial beyond counting", lock({}).replace('"serial":1', '"serial":1e300')],
      ],
      2,
    ),
  )("with %s", async (_, text) => {
    await expectRefused({ "agentform.lock": text }, "lock-damaged");
  });
});

describe("a journal is refused, and is no bug of agentform's,", () => {
  const begin = {
    type: "begin",
    n: 1,
    address: "agent:a",
    operation: "create",
    time: "t",
    method: "POST",
    path: "/",
    body: {},
    digest: "d",
  };
  const records: readonly (readonly [string, object])[] = [
    ["references to numbers", { ...begin, references: { "policy:x": 1 } }],
    ["references to null", { ...begin, references: { "policy:x": null } }],
    ["marks of moves that are none", { ...begin, moved_from: [null] }],
    ["an operation that nobody knows", { ...begin, operation: "destroy" }],
    [
      "an outline with null",
      { ...begin, address: "toolset:t", body: { openapi_schema: { operations: [null] } } },
    ],
    ["an empty ID", { type: "done", n: 1, id: "" }],
    ["tools without IDs", { type: "done", n: 1, tools: { read: null } }],
    [
      "an entry with bad marks",
      { type: "entry", address: "agent:a", entry: { body: {}, digest: "", moved_from: 1 } },
    ],
    ["a move to nowhere", { type: "move", moves: [{ from: "agent:a", to: null }] }],
    ["a claim of nothing", { type: "claim", creates: [null] }],
    ["a body nested without end", { ...begin, body: "X" }],
  ];

  test.each(sample("records", records, 2))("with %s", async (_, record) => {
    const writer = new JournalWriter();
    const header = writer.render({
      type: "header",
      format: "agentform/journal/v1",
      workspace: "test",
      environment: null,
      lineage: "l",
      serial: 1,
      write: "w1",
      service: { base_url: "http://127.0.0.1:1" },
    });
    const sum = header.slice(0, 16);
    const json = JSON.stringify(record).replace('"X"', deep(100_000));
    const line = `${hash(`${sum} ${json}`).slice(7, 23)} ${json}\n`;
    const files = { "agentform.lock": lock({}), "agentform.lock.journal": `${header}${line}more\n` };
    await expectRefused(files, "journal-damaged");
  });
});

describe("a saved plan is refused, and is no bug of agentform's,", () => {
  async function savedPlan(): Promise<Plan> {
    const { directory, read } = makeWorkspace({ "toolsets/t.yaml": toolset, "a.json": document });
    await runCommand(["plan", "-C", directory, "--out", "plan.json"], { cwd: directory });
    return JSON.parse(read("plan.json")) as Plan;
  }

  async function expectInvalid(text: string): Promise<void> {
    const { directory } = makeWorkspace({
      "toolsets/t.yaml": toolset,
      "a.json": document,
      "plan.json": text,
    });
    const { code, stdout, stderr } = await runCommand(["show", "plan.json"], { cwd: directory });
    expect(stdout + stderr).toContain("plan-invalid");
    expect(code).toBe(1);
  }

  test("with what is nested without end", async () => {
    const text = JSON.stringify(await savedPlan());
    await expectInvalid(text.replace('"options":{', `"options":{"x":${deep(100_000)},`));
  });

  test("with null among the operations of a body", async () => {
    const plan = await savedPlan();
    const body = { tool_set_name: "t", openapi_schema: { operations: [null] } };
    await expectInvalid(savedPlanText({ ...plan, actions: plan.actions.map((each) => ({ ...each, body })) }));
  });

  test("with an address that is there twice", async () => {
    const plan = await savedPlan();
    await expectInvalid(savedPlanText({ ...plan, actions: [...plan.actions, ...plan.actions] }));
  });
});

describe("the emulator's data is refused, and is no bug of agentform's,", () => {
  test.each(
    sample(
      "formats",
      [
        ["with a number that is none", "agents", '{"number": 1.5, "id": "x", "body": {}}'],
        ["with a tool that is null", "toolSets", '{"number": 1, "id": "x", "body": {}, "tools": [null]}'],
        ["without tools", "toolSets", '{"number": 1, "id": "x", "body": {}}'],
        ["nested without end", "agents", `{"number": 1, "id": "x", "body": ${deep(100_000)}}`],
      ],
      2,
    ),
  )("%s", async (_, kind, text) => {
    const file = `.agentform/emulator/default/data/${kind}/1.json`;
    const { directory } = makeWorkspace({
      "agents/b.yaml": documentText("Agent", "b", { name: "B" }),
      [file]: text,
    });
    const { code, stderr } = await runCommand(["apply", "--emulator", "--yes", "-C", directory], {
      cwd: directory,
    });
    expect(stderr).toContain("was not written by the emulator, or is damaged");
    expect(code).toBe(1);
  });

  test("and so are its faults", async () => {
    const { directory } = makeWorkspace({ "faults.json": `[{"status": 500, "body": ${deep(100_000)}}]` });
    const { code, stderr } = await runCommand(["emulator", "--faults", "faults.json"], { cwd: directory });
    expect(stderr).toContain("nested too deep");
    expect(code).toBe(64);
  });
});
