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
  for (let round = 0; round < 4; round++) {
    await scene.resolveUnknown();
    const { status, diagnostics } = await scene.applyHere();
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    await scene.check();
    if (status === "unchanged") break;
  }
  const { plan } = await scene.planHere();
  expect(plan?.actions).toEqual([]);
  const counts = Object.fromEntries([...scene.objects()].map(([address, ids]) => [address, ids.length]));
  expect(counts).toEqual(expected[edition]);
}

/** Kills at one point, and with `again` once more at the same point of the next apply; gives whether it died. */
async function sweepPoint(edition: 0 | 1, point: Point, again: boolean, place: SweptPlace): Promise<boolean> {
  const scene = await openScene(edition, place);
  try {
    const died = await applyAndDie(scene, edition, point, place);
    if (!died) return false;
    points++;
    await scene.check();
    if (again) {
      await scene.resolveUnknown();
      await applyAndDie(scene, edition, point, place);
    }
    await finish(scene, edition);
    return true;
  } finally {
    await scene.close();
  }
}

const most = runs("points of each sweep", 1, 10_000);
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
  const width = 3;
  for (let n = 1; n <= most; n += width) {
    const batch = Array.from({ length: width }, (_, index) => pointAt(n + index));
    const died = await Promise.all(batch.map((point) => sweepPoint(edition, point, again, place)));
    if (!died.includes(false)) continue;
    expect(n + died.indexOf(false) - 1).toBeGreaterThanOrEqual(least);
    return;
  }
}
