import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { Settings } from "../../src/core/resources/manifest.js";
import { StoreHeldError, type LockStore } from "../../src/core/state/lock-store.js";
import type { FaultyServer } from "../store/faulty-server.js";
import { openGate, type Stage } from "./gate.js";
import { editions, Scene } from "./scene.js";

/** A server that keeps the state, and how applies reach it. */
export interface CrashServer {
  readonly server: FaultyServer;
  readonly lock: Settings["lock"];
  /** The environment variables that an apply needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens the store beside the applies, if a lock of which only the server knows must be unlocked as by a person. */
  readonly open?: (directory: string) => LockStore;
}

/** Where the process is killed: at a change of a file, around a request to the service, or around one to the store. */
type Point =
  | { readonly change: number }
  | { readonly request: number; readonly stage: Stage }
  | { readonly ofStore: number };

/** What the points are called, and where the nth is. */
type Sweep = readonly [string, (n: number) => Point];

const files = editions[0] ?? {};
const expected = {
  "policy:strict": 1,
  "credential:provider": 1,
  "agent:support": 1,
  "agent:lead": 1,
  "toolset:desk": 2,
};

/**
 * Kills applies on stores of a kind; what each server is called is the key of how it is started. What differs from one
 * server to the next is what it is asked, so the other points are those of `whole` alone.
 */
export function sweepStore(
  name: string,
  servers: Readonly<Record<string, () => Promise<CrashServer>>>,
  whole?: string,
): void {
  let points = 0;
  afterAll(() => console.log(`crash sweep of ${name}: ${points} points`));

  const stages: readonly Stage[] = ["before the service", "before the answer", "after the answer"];
  // Before a request all is as after the one before, but for files and the service, which have points of their own.
  const ofStore: readonly Sweep[] = [["after every request of the store", (ofStore) => ({ ofStore })]];
  const others: readonly Sweep[] = [
    ["after every change of a file", (change) => ({ change })],
    ...stages.map((stage): Sweep => [`${stage}, at every request`, (request) => ({ request, stage })]),
  ];
  const cases = Object.keys(servers).flatMap((server) =>
    [...ofStore, ...(server === whole ? others : [])].map((sweep) => [server, ...sweep] as const),
  );

  test.each(cases)("on a %s server, killed %s", async (server, _what, pointAt) => {
    const start = servers[server];
    if (!start) throw new Error(server);
    onTestFinished(() => void vi.unstubAllEnvs());
    let last = 0;
    for (let n = 1; await sweepPoint(await start(), pointAt(n)); n++) {
      last = n;
      points++;
    }
    expect(last).toBeGreaterThan(0);
  });
}

/** Applies in a process that is killed at a point; gives whether it was reached. */
async function applyAndDie(scene: Scene, { server, env }: CrashServer, point: Point): Promise<boolean> {
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
      return { cut: "after" };
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
async function unlock(store: LockStore): Promise<void> {
  const refusal = await store.acquire().catch((thrown: unknown) => thrown);
  if (!(refusal instanceof StoreHeldError)) return await store.release();
  // A holder that left its record needs no unlock on its own machine.
  if (refusal.holder.life === "alive") expect(await store.unlock(refusal.holder.nonce)).toBe(true);
}

async function sweepPoint(at: CrashServer, point: Point): Promise<boolean> {
  const { server, lock, env, open } = at;
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const scene = await Scene.open({}, lock);
  try {
    scene.write(files);
    if (!(await applyAndDie(scene, at, point))) return false;
    await scene.check();
    if (open && "ofStore" in point) await unlock(open(scene.directory));
    for (let round = 0; round < 4; round++) {
      await scene.resolveUnknown();
      const { status, diagnostics } = await scene.applyHere();
      expect(
        diagnostics.filter(({ severity }) => severity === "error"),
        JSON.stringify(point),
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
