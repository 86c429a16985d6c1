import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { runCommand } from "./run-command.js";
import { manifestAt } from "../secrets/scene.js";
import { answer, rawServer, type Reaction } from "../service/raw-server.js";
import { wholeTest } from "../harness/tier.js";

const env = { AGENT_API_KEY: "key-for-examples" };
const names = ["a", "b", "c", "d"];

interface Lock {
  readonly resources: Record<string, { id?: string; ids?: string[] }>;
  readonly unknown: Record<string, { message?: string; ids?: string[] }>;
}

function answerFor(id: string): string {
  return answer(200, JSON.stringify({ agent_id: id }));
}

/** Applies four agents, one after the other, to a service that makes the ID `id-NAME` for each. */
async function applyTo(reactions: readonly Reaction[]) {
  const server = await rawServer(reactions);
  const agents = names.map((name) => [`agents/${name}.yaml`, documentText("Agent", name, { name })]);
  const workspace = makeWorkspace({
    "agentform.yaml": manifestAt(server.url),
    ...Object.fromEntries(agents),
  });
  const run = async (...args: string[]) => await runCommand(args, { cwd: workspace.directory, env });
  const { code, stdout } = await run("apply", "--yes", "--concurrency", "1");
  const lock = JSON.parse(workspace.read("agentform.lock")) as Lock;
  return { ...lock, code, stdout, server, run };
}

const ids = names.map((name) => answerFor(`id-${name}`));
const [a = "", b = "", c = "", d = ""] = ids;

/** Writes an answer, and another a little later. */
function thenLate(first: string, second: string): Reaction {
  const write = async (socket: Socket): Promise<void> => {
    socket.write(first);
    await setTimeout(1);
    socket.write(second);
  };
  return (socket) => void write(socket);
}

describe("one more answer on a kept connection", () => {
  it.each<[when: string, reactions: Reaction[], unknown: string[]]>([
    ["with the first", [a + a, b, c, d], ["agent:a"]],
    ["with the first, and of its own", [a + answerFor("id-x"), b, c, d], ["agent:a"]],
    ["with a later one", [a, b + b, c, d], ["agent:b"]],
    ["with the last", [a, b, c, d + d], ["agent:d"]],
    ["in the place of the last", [a, b, c, c], ["agent:c", "agent:d"]],
  ])("%s moves no ID to another address", async (_when, reactions, unknown) => {
    const applied = await applyTo(reactions);
    expect(applied.code, applied.stdout).toBe(3);
    expect(Object.keys(applied.unknown)).toEqual(unknown);
    expect(applied.stdout).not.toContain("Apply complete");
    for (const [address, { id }] of Object.entries(applied.resources)) {
      expect(id).toBe(`id-${address.slice("agent:".length)}`);
    }
    expect(Object.keys(applied.resources)).toHaveLength(names.length - unknown.length);
  });

  it("in the place of the next one on a connection moves no ID to another address", async () => {
    const { code, unknown, resources, server } = await applyTo(shifted(ids));
    // Which request is the second on a connection depends on when that had rested. None is, if all are a second apart.
    const isShifted = new Set(server.received.map(({ connection }) => connection)).size < names.length;
    expect(code).toBe(isShifted ? 3 : 0);
    expect(Object.keys(unknown)).toHaveLength(isShifted ? 2 : 0);
    expect(Object.keys(resources)).toHaveLength(isShifted ? 2 : names.length);
    for (const [address, { id }] of Object.entries(resources)) {
      expect(id).toBe(`id-${address.slice("agent:".length)}`);
    }
  });

  it("a little later leaves no address with the ID of another", async () => {
    const { code, resources } = await applyTo([thenLate(a, a), b, c, d]);
    expect([0, 3]).toContain(code);
    const known = Object.values(resources).map(({ id }) => id);
    expect(new Set(known).size).toBe(known.length);
  });
});

// On the first connection that is used again, a request is answered with what the one before it should have got.
function shifted(answers: readonly string[]): Reaction[] {
  const before = new Map<Socket, string>();
  let late: Socket | undefined;
  let asked = 0;
  return [
    (socket) => {
      const own = answers[asked++] ?? "";
      const last = before.get(socket);
      before.set(socket, own);
      if (last !== undefined) late ??= socket;
      socket.write(late === socket ? (last ?? own) : own);
    },
  ];
}

describe("an ID that two addresses were given", () => {
  wholeTest("is in doubt for both until a person says whose it is", async () => {
    const { code, unknown, run, stdout, server } = await applyTo([a, a, c, d]);
    expect(code).toBe(3);
    expect(unknown).toMatchObject({ "agent:a": { ids: ["id-a"] }, "agent:b": { ids: ["id-a"] } });
    expect(stdout).toContain("2 unknown");
    const plan = await run("plan", "--detailed-exitcode");
    expect(plan.code).toBe(3);
    expect(plan.stdout).toContain("the service answered the same ID for agent:b");
    expect((await run("lock", "show", "agent:a")).stdout).toContain("id-a");

    expect((await run("lock", "resolve", "agent:a", "--adopt", "id-a")).code).toBe(0);
    expect((await run("lock", "resolve", "agent:b", "--adopt", "id-a")).stderr).toContain(
      "belongs to `agent:a`",
    );
    expect((await run("lock", "resolve", "agent:b", "--not-created")).code).toBe(0);
    const before = server.received.length;
    expect((await run("plan")).stdout).toContain("Plan: 1 to create, 3 unchanged.");
    expect(server.received).toHaveLength(before);
  });

  it("is found in tool sets, too", async () => {
    const openapi_schema = {
      openapi: "3.1.0",
      info: { title: "Desk", version: "1" },
      paths: {
        "/x": { get: { operationId: "list", responses: {} }, post: { operationId: "add", responses: {} } },
      },
    };
    const server = await rawServer([
      answer(200, '{"tool_ids": ["one-list", "one-add"]}'),
      answer(200, '{"tool_ids": ["two-list", "one-add"]}'),
    ]);
    const sets = ["one", "two"].map((name) => [
      `toolsets/${name}.yaml`,
      documentText("ToolSet", name, { tool_set_name: name, openapi_schema }),
    ]);
    const workspace = makeWorkspace({
      "agentform.yaml": manifestAt(server.url),
      ...Object.fromEntries(sets),
    });
    const cwd = workspace.directory;
    expect((await runCommand(["apply", "--yes", "--concurrency", "1"], { cwd, env })).code).toBe(3);
    expect(JSON.parse(workspace.read("agentform.lock"))).toMatchObject({
      resources: {},
      unknown: {
        "toolset:one": { ids: ["one-list", "one-add"], tools: { list: "one-list", add: "one-add" } },
        "toolset:two": { ids: ["two-list", "one-add"], tools: { list: "two-list", add: "one-add" } },
      },
    });
    const adopt = ["lock", "resolve", "toolset:one", "--adopt", "list=one-list,add=one-add"];
    expect((await runCommand(adopt, { cwd, env })).code).toBe(0);
  });
});
