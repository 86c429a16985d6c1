import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { Settings } from "../../src/core/resources/manifest.js";
import { StoreHeldError, type LockStore } from "../../src/core/state/lock-store.js";
import { openGate, type Stage } from "./gate.js";
import type { KeepingServer } from "./moments.js";
import { editions, Scene } from "./scene.js";

/** A server that keeps the state, and how applies reach it. */
export interface CrashServer {
  readonly server: KeepingServer;
  readonly lock: Settings["lock"];
  /** The environment variables that an apply needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens the store beside the applies, if a lock of which only the server knows must be unlocked as by a person. */
  readonly open?: (directory: string) => LockStore;
}

/** What the points are called, and what goes through all of them and gives how many there were. */
type Sweep = readonly [string, (start: () => Promise<CrashServer>) => Promise<number>];

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
  const ofStore: readonly Sweep[] = [
    ["after every request of the store", async (start) => await sweepMoments(await start(), true)],
  ];
  const others: readonly Sweep[] = [
    ["after every change of a file", async (start) => await sweepMoments(await start(), false)],
    ...stages.map((stage): Sweep => [
      `${stage}, at every request`,
      async (start) => await sweepStage(start, stage),
    ]),
  ];
  const cases = Object.keys(servers).flatMap((server) =>
    [...ofStore, ...(server === whole ? others : [])].map((sweep) => [server, ...sweep] as const),
  );

  test.each(cases)("on a %s server, killed %s", async (server, _what, sweep) => {
    const start = servers[server];
    if (!start) throw new Error(server);
    const reached = await sweep(start);
    expect(reached).toBeGreaterThan(0);
    points += reached;
  });
}

async function openScene({ lock, env }: CrashServer): Promise<Scene> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const scene = await Scene.open({}, lock);
  scene.write(files);
  return scene;
}

/** Goes on from all moments of one apply, and gives how many there were. */
async function sweepMoments(at: CrashServer, isByRequest: boolean): Promise<number> {
  const whole = await openScene(at);
  const moments = await whole.moments(at.env, at.server, isByRequest);
  for (const [index, moment] of moments.entries()) {
    const scene = await whole.at(moment);
    scene.write(files);
    await scene.check();
    if (at.open && isByRequest) await unlock(at.open(scene.directory));
    await goOn(scene, `moment ${index + 1}`);
    await scene.close();
  }
  await whole.close();
  await at.server.close();
  return moments.length;
}

/** Kills an apply at a stage of each request to the service, and gives how many there were. */
async function sweepStage(start: () => Promise<CrashServer>, stage: Stage): Promise<number> {
  for (let request = 1; ; request++) {
    const at = await start();
    const scene = await openScene(at);
    const isReached = await applyAndDie(scene, at, { request, stage });
    if (isReached) {
      await scene.check();
      await goOn(scene, `request ${request}`);
    }
    await scene.close();
    await at.server.close();
    if (!isReached) return request - 1;
  }
}

/** Applies in a process that is killed at a stage of a request; gives whether it was reached. */
async function applyAndDie(
  scene: Scene,
  { env }: CrashServer,
  point: { readonly request: number; readonly stage: Stage },
): Promise<boolean> {
  let kill = () => undefined as void;
  let isReached = false;
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

async function goOn(scene: Scene, at: string): Promise<void> {
  await scene.goOn(at);
  const counts = Object.fromEntries([...scene.objects()].map(([address, ids]) => [address, ids.length]));
  expect(counts, at).toEqual(expected);
}
