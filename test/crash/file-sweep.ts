import { afterAll, expect, onTestFinished, vi } from "vitest";
import { runs } from "../harness/tier.js";
import { openGate, type Stage } from "./gate.js";
import { editions, Scene } from "./scene.js";

let points = 0;
afterAll(() => console.log(`crash sweep: ${points} points`));

/** Where the state of a sweep is, and what an apply needs for it. */
export interface SweptPlace {
  readonly lock?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** Where the process is killed: after a change of a file, by a power cut before a sync, or at a stage of a request. */
export type Point =
  | { readonly change: number }
  | { readonly sync: number; readonly loses: Loss }
  | { readonly request: number; readonly stage: Stage };

/** What of the unsynced a power cut takes: the content of files, or their names as well. */
type Loss = "data" | "all";

export const stages: readonly Stage[] = ["before the answer", "before the service", "after the answer"];

/** The objects that each address has in the end, when every replacement happened once. */
const expected = [
  { "policy:strict": 1, "credential:provider": 1, "agent:support": 1, "agent:lead": 1, "toolset:desk": 2 },
  {
    "policy:strict": 2,
    "credential:provider": 1,
    "agent:support": 1,
    "agent:lead": 1,
    "agent:new": 1,
    "toolset:desk": 2,
  },
];

/** Brings a scene to the edition before the one that is applied and killed. */
async function openScene(edition: 0 | 1, { lock }: SweptPlace): Promise<Scene> {
  const scene = await Scene.open({}, lock);
  if (edition === 1) {
    scene.write(editions[0] ?? {});
    expect((await scene.applyHere()).status).toBe("applied");
  }
  scene.write(editions[edition] ?? {});
  return scene;
}

/** Applies and is killed at a point; gives whether the process died there. */
async function applyAndDie(
  scene: Scene,
  edition: 0 | 1,
  point: Point,
  { env: given = {} }: SweptPlace,
): Promise<boolean> {
  if (!("request" in point)) {
    const kill =
      "sync" in point
        ? { KILL_AT: String(point.sync), KILL_LOSES: point.loses }
        : { KILL_AT: String(point.change) };
    return (await scene.applyInProcess({ ...given, ...kill })).code === null;
  }
  let kill = () => undefined as void;
  let reached = false;
  const gate = await openGate(scene.emulator.url, (request, stage) => {
    if (request !== point.request || stage !== point.stage) return false;
    reached = true;
    kill();
    // An answer that was passed on stays passed on.
    return stage !== "after the answer";
  });
  scene.write(editions[edition] ?? {}, gate.url);
  await scene.applyInProcess(given, (killProcess) => (kill = killProcess));
  await gate.close();
  scene.write(editions[edition] ?? {});
  return reached;
}

async function finish(scene: Scene, edition: 0 | 1): Promise<void> {
  await scene.check();
  await scene.goOn();
  const counts = Object.fromEntries([...scene.objects()].map(([address, ids]) => [address, ids.length]));
  expect(counts).toEqual(expected[edition]);
}

/** Kills at one point, and with `again` once more at the same point of the next apply; gives whether it died. */
async function sweepPoint(edition: 0 | 1, point: Point, again: boolean, place: SweptPlace): Promise<boolean> {
  const scene = await openScene(edition, place);
  try {
    if (!(await applyAndDie(scene, edition, point, place))) return false;
    await goOn(scene, edition, point, again, place);
    return true;
  } finally {
    await scene.close();
  }
}

const most = runs("points of each sweep", 1, 10_000);

/** Goes on after a death at a point. */
async function goOn(scene: Scene, edition: 0 | 1, point: Point, again: boolean, place: SweptPlace) {
  points++;
  await scene.check();
  if (again) {
    await scene.resolveUnknown();
    await applyAndDie(scene, edition, point, place);
  }
  await finish(scene, edition);
}

let sweeps = 0;

/** Goes through the points one after another, some at a time, until one is beyond the end; there must be so many. */
export async function sweep(
  least: number,
  pointAt: (n: number) => Point,
  again: boolean,
  edition: 0 | 1,
  place: SweptPlace = {},
): Promise<void> {
  for (const [name, value] of Object.entries(place.env ?? {})) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  if (most === 1) {
    // No two sweeps of a sample go through the same point.
    const point = pointAt(1 + (sweeps++ % least));
    expect(await sweepPoint(edition, point, again, place)).toBe(true);
    return;
  }
  const sweepAt = await openSweep(pointAt, again, edition, place);
  for (let last = 0; ;) {
    const died = await Promise.all([1, 2, 3].map((ahead) => sweepAt(last + ahead)));
    last += died.filter(Boolean).length;
    if (!died.includes(false)) continue;
    expect(last).toBeGreaterThanOrEqual(least);
    return;
  }
}

/** Gives what goes through one point, and says whether there is one; those of files are all kept of one run. */
async function openSweep(
  pointAt: (n: number) => Point,
  again: boolean,
  edition: 0 | 1,
  place: SweptPlace,
): Promise<(n: number) => Promise<boolean>> {
  const first = pointAt(1);
  if ("request" in first) return async (n) => await sweepPoint(edition, pointAt(n), again, place);
  const whole = await openScene(edition, place);
  onTestFinished(() => whole.close());
  const moments = await whole.moments({ ...place.env, ...("sync" in first && { KILL_LOSES: first.loses }) });
  return async (n) => {
    const moment = moments[n - 1];
    if (!moment) return false;
    const scene = await whole.at(moment);
    scene.write(editions[edition] ?? {});
    await goOn(scene, edition, pointAt(n), again, place);
    await scene.close();
    return true;
  };
}
