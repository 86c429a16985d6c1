import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { environmentSecrets } from "../../src/service/secret.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { openHttpStore } from "../../src/store/http/open-http-store.js";
import { StoreHeldError } from "../../src/core/state/lock-store.js";
import { StateServer } from "../store/state-server.js";
import { sample, stride } from "../harness/tier.js";
import { openGate, type Stage } from "./gate.js";
import { editions, Scene } from "./scene.js";

let points = 0;
afterAll(() => console.log(`crash sweep of the HTTP store: ${points} points`));

/** Where the process is killed: at a change of a file, around a request to the service, or around one to the store. */
type Point =
  | { readonly change: number }
  | { readonly request: number; readonly stage: Stage }
  | { readonly ofStore: number; readonly when: "before" | "after" };

const files = editions[0] ?? {};
const expected = {
  "policy:strict": 1,
  "credential:provider": 1,
  "agent:support": 1,
  "agent:lead": 1,
  "toolset:desk": 2,
};

/** Applies in a process that is killed at a point; gives whether it was reached. */
async function applyAndDie(scene: Scene, server: StateServer, point: Point): Promise<boolean> {
  const env = { CI_API_V4_URL: server.api };
  if ("change" in point) {
    return (await scene.applyInProcess({ ...env, KILL_AT: String(point.change) })).code === null;
  }
  let kill = () => undefined as void;
  let isReached = false;
  if ("ofStore" in point) {
    const from = server.received.length;
    server.fault = ({ number }) => {
      if (number - from !== point.ofStore) return undefined;
      isReached = true;
      kill();
      return { cut: point.when };
    };
    await scene.applyInProcess(env, (killProcess) => (kill = killProcess));
    server.fault = () => undefined;
    return isReached;
  }
  const gate = await openGate(scene.emulator.url, (request, stage) => {
    if (request !== point.request || stage !== point.stage) return false;
    isReached = true;
    kill();
    return stage !== "after the answer";
  });
  scene.write(files, gate.url);
  await scene.applyInProcess(env, (killProcess) => (kill = killProcess));
  await gate.close();
  scene.write(files);
  return isReached;
}

/** Unlocks a lock of which only the server's ID is known, as a person does. */
async function unlock(scene: Scene, lock: Settings["lock"]): Promise<void> {
  const settings = { name: "crash", environment: null, lock } as unknown as Settings;
  const secrets = environmentSecrets(process.env);
  const journalFile = `${scene.directory}/.agentform/none.journal`;
  const store = openHttpStore(settings, { journalFile, journalName: "none", secrets });
  const refusal = await store.acquire().catch((thrown: unknown) => thrown);
  if (!(refusal instanceof StoreHeldError)) return await store.release();
  // A holder that left its record needs no unlock on its own machine.
  if (refusal.holder.life === "alive") expect(await store.unlock(refusal.holder.nonce)).toBe(true);
}

async function sweepPoint(form: "plain" | "gitlab", point: Point): Promise<boolean> {
  const server = await StateServer.start({ form });
  vi.stubEnv("CI_API_V4_URL", server.api);
  const lock = {
    store: "http",
    ...(form === "gitlab"
      ? { gitlab: { project: 7, name: "crash" } }
      : { address: `${server.origin}/crash` }),
  } as Settings["lock"];
  const scene = await Scene.open({}, lock);
  try {
    scene.write(files);
    if (!(await applyAndDie(scene, server, point))) return false;
    points++;
    await scene.check();
    if (form === "gitlab" && "ofStore" in point) await unlock(scene, lock);
    for (let round = 0; round < 4; round++) {
      await scene.resolveUnknown();
      const { status, diagnostics } = await scene.applyHere();
      const at = JSON.stringify(point);
      expect(
        diagnostics.filter(({ severity }) => severity === "error"),
        at,
      ).toEqual([]);
      await scene.check();
      if (status === "unchanged") break;
    }
    expect((await scene.planHere()).plan?.actions).toEqual([]);
    const counts = Object.fromEntries([...scene.objects()].map(([address, ids]) => [address, ids.length]));
    expect(counts).toEqual(expected);
    return true;
  } finally {
    await scene.close();
    await server.close();
  }
}

const apart = {
  change: stride("changes of a file", 12),
  request: stride("requests", 4),
  store: stride("requests of the store", 7),
};
const stages: readonly Stage[] = ["before the service", "before the answer", "after the answer"];
const sweeps: readonly (readonly [string, number, (n: number) => Point])[] = [
  ["at every change of a file", apart.change, (change) => ({ change })],
  ...stages.map((stage): (typeof sweeps)[number] => [
    `${stage}, at every request`,
    apart.request,
    (request) => ({ request, stage }),
  ]),
  ["before every request of the store", apart.store, (ofStore) => ({ ofStore, when: "before" })],
  ["after every request of the store", apart.store, (ofStore) => ({ ofStore, when: "after" })],
];
const cases = (["plain", "gitlab"] as const).flatMap((form) =>
  sweeps.map((sweep) => [form, ...sweep] as const),
);

test.each(sample("sweeps of the HTTP store", cases, 3))(
  "on a %s server, killed %s",
  async (form, _what, step, pointAt) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    let last = 0;
    for (let n = step === 1 ? 1 : 2; await sweepPoint(form, pointAt(n)); n += step) last = n;
    expect(last).toBeGreaterThan(0);
  },
);
