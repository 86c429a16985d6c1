import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { makePostgresMedium, usePostgres, type PostgresMedium } from "../store/postgres-medium.js";
import { openGate, type Stage } from "./gate.js";
import { editions, Scene } from "./scene.js";

usePostgres();

const points = { killed: 0, restarted: 0 };
afterAll(() =>
  console.log(
    `crash sweep of the PostgreSQL store: ${points.killed} kills of an apply, ${points.restarted} of the server`,
  ),
);

/** Where something is killed: around a request to the service, or after one to the database. */
type Point = { readonly request: number; readonly stage: Stage } | { readonly ofStore: number };

const files = editions[0] ?? {};
const expected = {
  "policy:strict": 1,
  "credential:provider": 1,
  "agent:support": 1,
  "agent:lead": 1,
  "toolset:desk": 2,
};

/** Opens a scene whose state is in a database. */
async function makeScene(): Promise<{ scene: Scene; medium: PostgresMedium }> {
  const medium = await makePostgresMedium();
  for (const [name, value] of Object.entries(medium.env)) vi.stubEnv(name, value);
  const scene = await Scene.open({}, medium.lock);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await scene.close();
  });
  scene.write(files);
  return { scene, medium };
}

/** Does something at a request to the database, which is then cut; gives whether it was reached. */
async function atStoreRequest(
  { scene, medium }: { scene: Scene; medium: PostgresMedium },
  { ofStore }: { readonly ofStore: number },
  act: (kill: () => void) => void,
) {
  let isReached = false;
  let kill = () => undefined as void;
  medium.proxy.network.mend();
  medium.proxy.onRequest = (_request, at) => {
    if (isReached || at !== "after" || medium.proxy.network.requests !== ofStore) return false;
    isReached = true;
    act(kill);
    return true;
  };
  const { code, stderr } = await scene.applyInProcess(
    { ...medium.env },
    (killProcess) => (kill = killProcess),
  );
  medium.proxy.onRequest = () => false;
  return { isReached, code, stderr };
}

/** Applies in a process that is killed at a point; gives whether it was reached. */
async function applyAndDie(at: { scene: Scene; medium: PostgresMedium }, point: Point): Promise<boolean> {
  if ("ofStore" in point) return (await atStoreRequest(at, point, (kill) => kill())).isReached;
  const { scene, medium } = at;
  let [isReached, kill] = [false, () => undefined as void];
  const gate = await openGate(scene.emulator.url, (request, stage) => {
    if (request !== point.request || stage !== point.stage) return false;
    isReached = true;
    kill();
    return stage !== "after the answer";
  });
  scene.write(files, gate.url);
  await scene.applyInProcess({ ...medium.env }, (killProcess) => (kill = killProcess));
  await gate.close();
  scene.write(files);
  return isReached;
}

/** Goes on as a person would, until nothing is left to do. */
async function goOn(scene: Scene, at: string): Promise<void> {
  await scene.check();
  await scene.goOn(at);
  const counts = Object.fromEntries([...scene.objects()].map(([address, ids]) => [address, ids.length]));
  expect(counts, at).toEqual(expected);
}

const stages: readonly Stage[] = ["before the service", "before the answer", "after the answer"];
const kills: readonly (readonly [string, (n: number) => Point])[] = [
  ...stages.map((stage): (typeof kills)[number] => [
    `${stage}, at every request`,
    (request) => ({ request, stage }),
  ]),
  // Before a request all is as after the one before, but for the service, which has points of its own.
  ["after every request of the store", (ofStore) => ({ ofStore })],
];

test.each(kills)("killed %s", async (_what, pointAt) => {
  let last = 0;
  for (let n = 1; ; n++) {
    const at = await makeScene();
    if (!(await applyAndDie(at, pointAt(n)))) break;
    points.killed++;
    await goOn(at.scene, JSON.stringify(pointAt(n)));
    last = n;
  }
  expect(last).toBeGreaterThan(0);
});

// What a server does not do before it dies is a cut before a request, which `conformance-postgres` has.
test("a server that is killed after a request, and started again, does not stop an apply", async () => {
  let last = 0;
  for (let n = 1; ; n++) {
    const at = await makeScene();
    let restarted: Promise<number> | undefined;
    const { server } = at.medium;
    const { isReached, code, stderr } = await atStoreRequest(at, { ofStore: n }, () => {
      restarted = timeOf(async () => {
        await server.kill();
        await server.start();
      });
    });
    const away = await restarted;
    if (!isReached) break;
    points.restarted++;
    // Who holds nothing yet waits five seconds for it.
    if (Number(away) < 4000) expect(code, `request ${n}: ${stderr}`).toBe(0);
    expect(await at.scene.unaccounted()).toEqual([]);
    await goOn(at.scene, `request ${n}`);
    last = n;
  }
  expect(last).toBeGreaterThan(0);
});

/** How long something takes, in milliseconds. */
async function timeOf(run: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}
