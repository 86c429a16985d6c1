import { describe, expect, it, test } from "vitest";
import { observe } from "../../src/core/observation/observe.js";
import { deploymentOf } from "../../src/core/kind/written-operations.js";
import type { Deployment } from "../../src/core/kind/deployment.js";
import type { ServiceRequest } from "../../src/core/kind/kind.js";
import type { Outcome, Service } from "../../src/core/observation/service.js";
import { buildDrift } from "../../src/core/plan/drift.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { onTestFinished } from "vitest";
import { sample } from "../harness/tier.js";
import { operationsOf } from "../cli/applied-desk.js";
import { calling } from "./calling.js";

const observing = { fieldNames: {}, concurrency: 8 };

async function scene(ways: "read" | "list", faults: readonly EmulatedFault[], count = 3) {
  const emulator = await startEmulator({ operations: "full", faults });
  onTestFinished(() => emulator.close());
  const ids = Array.from({ length: count }, (_each, index) => {
    return emulator.edit({ kind: "agent", create: { name: `a${index}`, description: "sent" } })[0] ?? "";
  });
  const resources = Object.fromEntries(
    ids.map((id, index) => [
      `agent:a${index}`,
      { id, body: { name: `a${index}`, description: "sent" }, digest: "d" },
    ]),
  );
  const lock: Lock = { ...emptyLock({ workspace: "test", environment: null }, "lineage"), resources };
  const { service, slept } = await calling(emulator.url, {
    timeouts: { connect: 2000, send: 2000, response: 500, total: 3000 },
  });
  const deployment = deploymentOf({ operations: operationsOf("array", ways) });
  const look = () => observe(lock, { ...observing, service, deployment });
  return { emulator, lock, deployment, look, slept };
}

function driftOf(lock: Lock, deployment: Deployment, objects: Awaited<ReturnType<typeof observe>>) {
  const { lineage, serial } = lock;
  return buildDrift({
    lock,
    source: "agentform.lock",
    observation: {
      format: "agentform/observation/v1",
      at: "now",
      workspace: "test",
      environment: null,
      service: { base_url: "" },
      lock: { lineage, serial },
      objects,
    },
    settings: { name: "test", environment: null, deployment },
    isChosen: () => true,
  });
}

const always = 1000;
const faults: readonly (readonly [what: string, fault: EmulatedFault])[] = [
  ["is refused", { status: 400 }],
  ["is forbidden", { status: 403 }],
  ["is answered with a 500", { status: 500 }],
  ["never ends", { hang: true }],
  ["is reset before it is read", { drop: "before" }],
  ["is reset after it was answered", { drop: "after" }],
  ["breaks off", { half: true }],
  ["is answered with garbage", { garbage: true }],
  ["is answered with another shape", { garbage: "[1]" }],
  ["is answered with too much", { giant: 80_000_000 }],
  ["leads elsewhere", { redirect: "https://example.com/" }],
];

describe.each(["read", "list"] as const)("by %s, an object whose answer", (ways) => {
  it.each(sample("answers", faults, 3))("%s is unreadable, and never gone", async (_what, fault) => {
    const { lock, deployment, look, emulator } = await scene(ways, [
      { ...fault, method: "GET", count: always },
    ]);
    const { plan, findings } = driftOf(lock, deployment, await look());
    expect(plan.actions).toEqual([]);
    const errors = findings.filter(({ severity }) => severity === "error");
    expect(errors).not.toEqual([]);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["object-unreadable"]));
    expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  });
});

test("a rate limit is waited for", async () => {
  const limited: EmulatedFault = { status: 429, method: "GET", count: 4 };
  const { look, slept } = await scene("read", [limited]);
  expect(
    Object.values(await look())
      .flat()
      .map(({ state }) => state),
  ).toEqual(["found", "found", "found"]);
  expect(slept.length).toBeGreaterThan(0);
});

test("an object that cannot be read hides nothing of the others", async () => {
  const { lock, deployment, look, emulator } = await scene("read", []);
  const [first, second] = Object.values(lock.resources);
  emulator.edit({ kind: "agent", id: first?.id ?? "", changes: { description: "edited" } });
  emulator.edit({ kind: "agent", id: second?.id ?? "", delete: true });
  const objects = await look();
  objects["agent:a2"] = [{ id: lock.resources["agent:a2"]?.id ?? "", state: "unreadable", why: "HTTP 500" }];
  const { plan, findings } = driftOf(lock, deployment, objects);
  expect(plan.actions.map(({ address, action }) => `${address} ${action}`)).toEqual([
    "agent:a0 changed",
    "agent:a1 gone",
  ]);
  const unread = findings.filter(({ code }) => code === "object-unreadable");
  expect(unread.map(({ message }) => message)).toEqual(["`agent:a2` could not be read: HTTP 500"]);
});

test("a list is read once, whatever it has", async () => {
  const { look, emulator } = await scene("list", [], 20);
  await look();
  expect(emulator.requests).toHaveLength(1);
});

test("nobody is asked about what the deployment cannot show", async () => {
  const { lock, look, emulator } = await scene("read", []);
  expect(await look()).not.toEqual({});
  const { findings } = driftOf(lock, {}, {});
  expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    "note: 3 agents cannot be read: `service.operations` has neither `read` nor `list` for `agent`",
  ]);
  expect(emulator.requests).toHaveLength(3);
});

test("objects that are read one by one have a bound in all, as a text that is saved", async () => {
  const { lock, deployment } = await scene("read", [], 20);
  // Each of these is six in JSON.
  const text = "\u0001".repeat(3_000_000);
  const { service } = await calling("http://127.0.0.1:9");
  const fat: Service = Object.assign(Object.create(service) as Service, {
    ask: async ({ path }: ServiceRequest<"GET">) => {
      const answer = { agent_id: path.split("/").at(-1), notes: text };
      return { type: "success", status: 200, answer } as unknown as Outcome;
    },
  });
  const objects = await observe(lock, { ...observing, service: fat, deployment });
  const all = Object.values(objects).flat();
  const left = all.filter(({ state }) => state !== "found");
  expect(left).toHaveLength(6);
  expect(left.every(({ code, why }) => code === "too-long" && why?.includes("256 million"))).toBe(true);
});
