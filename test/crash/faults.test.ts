import { expect, onTestFinished, test } from "vitest";
import type { EmulatedFault, FaultEffect } from "../../src/emulator/fault.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { startApply } from "./apply-process.js";
import { editions, Scene } from "./scene.js";

/** What a fault comes to: the exit code, and words of what is said. */
interface Consequence {
  readonly code: 0 | 1 | 3;
  readonly says?: readonly string[];
}

interface Row {
  readonly name: string;
  readonly effect: FaultEffect;
  /** How many requests in a row it befalls; 1 unless given. */
  readonly count?: number;
  readonly create: Consequence;
  readonly update: Consequence;
}

const agent = (edition: number) => `apiVersion: agentform/v1
kind: Agent
metadata:
  name: solo
spec:
  name: solo
  system_prompt: Edition ${edition}
`;

const look = "look for it in the service, then run `agentform lock resolve agent:solo --adopt ID`";
const again = "the next apply sends it again";
const detail = [{ loc: ["body", "system_prompt"], msg: "is too short", type: "value_error" }];

const unknownCreate = (...says: string[]): Consequence => ({
  code: 3,
  says: ["agent:solo: not known whether it was created: POST /v3/agents/", ...says, look],
});
const failed = (method: string, ...says: string[]): Consequence => ({
  code: 1,
  says: [`agent:solo: failed: ${method} /v3/agents/`, ...says],
});
const uncertain = (...says: string[]): Consequence => ({
  code: 3,
  says: ["agent:solo: not known whether it was updated: PUT /v3/agents/", ...says, again],
});
const refused = (status: number, ...says: string[]) => ({
  create: failed("POST", `answered ${status}`),
  update: failed("PUT", `answered ${status}`, ...says),
});

const rows: readonly Row[] = [
  ...[500, 502, 503].map((status) => ({
    name: `a ${status}`,
    effect: { status },
    create: unknownCreate(`answered ${status}`),
    update: { code: 0 } as const,
  })),
  {
    name: "a 500 every time",
    effect: { status: 500 },
    count: 100,
    create: unknownCreate("answered 500"),
    update: uncertain("answered 500", "after 5 tries"),
  },
  { name: "a 400", effect: { status: 400 }, ...refused(400) },
  { name: "a 401", effect: { status: 401 }, ...refused(401) },
  { name: "a 403", effect: { status: 403 }, ...refused(403) },
  { name: "a 404", effect: { status: 404 }, ...refused(404, "create a new one with `--replace agent:solo`") },
  {
    name: "a 422",
    effect: { status: 422, body: { detail } },
    ...refused(422, "error[service-rejected]", "agents/solo.yaml:7:"),
  },
  {
    name: "a redirect that may follow what was done",
    effect: { redirect: "http://127.0.0.1:1/done" },
    create: unknownCreate(
      "answered 302",
      "does not follow",
      "redirects to a different address: http://127.0.0.1:1/done",
    ),
    update: uncertain("answered 302", "does not follow"),
  },
  {
    name: "a redirect of a request that was not done",
    effect: { status: 307, headers: { location: "/v3/agents" } },
    ...refused(307, "does not follow"),
  },
  {
    name: "a 429",
    effect: { status: 429, headers: { "retry-after": "1" } },
    create: { code: 0 },
    update: { code: 0 },
  },
  {
    name: "429s without Retry-After",
    effect: { status: 429 },
    count: 5,
    create: { code: 0 },
    update: { code: 0 },
  },
  {
    name: "a connection that closes before the service has done it",
    effect: { drop: "before" },
    create: unknownCreate("closed before an answer"),
    update: { code: 0 },
  },
  {
    name: "a connection that closes when the service has done it",
    effect: { drop: "after" },
    create: unknownCreate("closed before an answer"),
    update: { code: 0 },
  },
  {
    name: "half an answer",
    effect: { half: true },
    create: unknownCreate("answered 200", "only part of the answer"),
    update: { code: 0 },
  },
  {
    name: "an answer that is not JSON",
    effect: { garbage: true },
    create: unknownCreate("answered 200", "not JSON"),
    update: uncertain("answered 200", "not JSON"),
  },
  {
    name: "an answer without the ID",
    effect: { garbage: "{}" },
    create: unknownCreate("without the ID"),
    update: { code: 0 },
  },
  {
    name: "an answer that tells of an error",
    effect: { garbage: '{"error":"quota"}' },
    create: unknownCreate("without the ID, but with error"),
    update: uncertain("tells of an error", "quota"),
  },
  { name: "a slow answer", effect: { delay: 300 }, create: { code: 0 }, update: { code: 0 } },
];

const cases = rows.flatMap((row) => [
  { ...row, doing: "a create", method: "POST", expected: row.create },
  { ...row, doing: "an update", method: "PUT", expected: row.update },
]);

test.concurrent.for(sample("faults", cases, 0))(
  "$doing meets $name",
  async ({ effect, count = 1, method, expected }, { expect, onTestFinished }) => {
    const scene = await Scene.open({ faults: [{ method, count, ...effect }] });
    onTestFinished(() => scene.close());
    scene.write({ "agents/solo.yaml": agent(1) });
    if (method === "PUT") {
      expect((await scene.applyHere()).summary).toMatchObject({ done: 1 });
      scene.write({ "agents/solo.yaml": agent(2) });
    }
    const { code, stderr } = await startApply(scene.directory).ended;
    expect(code, stderr).toBe(expected.code);
    for (const words of expected.says ?? []) expect(stderr).toContain(words);
    const creates = scene.emulator.requests.filter((request) => request.method === "POST");
    const repeats = method === "POST" && "status" in effect && effect.status === 429 ? count : 0;
    expect(creates).toHaveLength(1 + repeats);
    await scene.check();

    const { plan } = await scene.planHere();
    expect(plan?.summary.unknown).toBe(method === "POST" && code === 3 ? 1 : 0);
    expect(plan?.actions.length).toBe(code === 0 ? 0 : 1);
    await scene.resolveUnknown();
    if (count === 1) expect((await startApply(scene.directory).ended).code).toBe(0);
    await scene.check();
    const objects = scene.objects().get("agent:solo") ?? [];
    expect(objects).toHaveLength(count > 1 && repeats === 0 && method === "POST" ? 0 : 1);
  },
);

/** A workspace of policies that nothing connects. */
function policies(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `policy-${index}`);
  return Object.fromEntries(
    names.map((name) => [`policies/${name}.yaml`, documentText("Policy", name, { name })]),
  );
}

/** Applies documents to a service with one fault. */
async function applyWith(fault: EmulatedFault, files: Record<string, string>, ...args: string[]) {
  const scene = await Scene.open({ faults: [fault] });
  onTestFinished(() => scene.close());
  scene.write(files);
  const process = startApply(scene.directory, { args: ["--yes", ...args] });
  return { scene, ...process };
}

test.each(sample("refusals of a key", [401, 403], 1))(
  "a key that is refused with %i starts nothing further",
  async (status) => {
    const { scene, ended } = await applyWith({ status }, policies(20));
    const { code, stderr, stdout } = await ended;
    expect(code).toBe(1);
    // What was under way at the same time finishes.
    expect(scene.emulator.requests.length).toBeLessThanOrEqual(8);
    expect(stderr).toMatch(/policy:policy-19: skipped, because the service refused the key/);
    expect(stdout).toMatch(/1 failed, \d+ skipped/);
    await scene.check();
  },
);

wholeTest("after three unknown creates in a row no further create starts", async () => {
  const { scene, ended } = await applyWith({ status: 502, count: 100 }, policies(6), "--concurrency", "1");
  const { code, stderr, stdout } = await ended;
  expect(code).toBe(3);
  expect(scene.emulator.requests).toHaveLength(3);
  const wait = "3 creates in a row had an unknown outcome; the remaining 3 creates wait for the next apply";
  expect(stderr.split(`skipped, because ${wait}`)).toHaveLength(4);
  expect(stdout).toContain("3 skipped, 3 unknown");
  expect((await scene.planHere()).plan?.summary).toMatchObject({ unknown: 3, create: 3 });
});

wholeTest("what depends on an unknown create waits for a person, and the rest is done", async () => {
  const { scene, ended } = await applyWith({ path: "/v1/rai/policies", drop: "after" }, editions[0] ?? {});
  const { code, stderr } = await ended;
  expect(code).toBe(3);
  expect(stderr).toContain("agent:support: skipped, because policy:strict has an unknown outcome");
  expect(stderr).toContain("credential:provider: created");
  await scene.check();
  const again = await startApply(scene.directory).ended;
  expect(again.code).toBe(3);
  expect(scene.emulator.requests).toHaveLength(3);
  expect(await scene.resolveUnknown()).toBe(1);
  expect((await startApply(scene.directory).ended).code).toBe(0);
  expect((await scene.planHere()).plan?.actions).toEqual([]);
});

wholeTest("a credential whose create is answered with an error is unknown", async () => {
  const fault = { path: "/v3/tools/credentials", garbage: '{"errors":["quota"]}' };
  const { scene, ended } = await applyWith(fault, editions[0] ?? {});
  const { code, stderr } = await ended;
  expect(code).toBe(3);
  expect(stderr).toMatch(/credential:provider: .*answered 200 without the ID, but with errors/);
  await scene.check();
});

wholeTest("a Retry-After of one request holds the whole run", async () => {
  const answered: number[] = [];
  const scene = await Scene.open({
    faults: [{ status: 429, headers: { "retry-after": "3" } }],
    log: () => answered.push(performance.now()),
  });
  onTestFinished(() => scene.close());
  scene.write(policies(40));
  expect((await startApply(scene.directory).ended).code).toBe(0);
  expect(scene.emulator.requests).toHaveLength(41);
  // The eight that were under way, however late, and nothing else before the time is over.
  const [refused = 0] = answered;
  expect(answered.filter((at) => at < refused + 2900).length).toBeLessThanOrEqual(8);
  await scene.check();
});
