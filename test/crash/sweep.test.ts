import { afterAll, expect, test } from "vitest";
import { runs, sample } from "../harness/tier.js";
import { openGate, type Stage } from "./gate.js";
import { editions, Scene } from "./scene.js";

let points = 0;
afterAll(() => console.log(`crash sweep: ${points} points`));

/** Where the process is killed: at a change of a file, or at a stage of a request. */
type Point =
  | { readonly change: number; readonly when: "before" | "after"; readonly loses?: Loss }
  | { readonly request: number; readonly stage: Stage };

/** What of the unsynced a power cut takes: the content of files, or their names as well. */
type Loss = "data" | "all";

const stages: readonly Stage[] = ["before the answer", "before the service", "after the answer"];

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
async function openScene(edition: 0 | 1): Promise<Scene> {
  const scene = await Scene.open();
  if (edition === 1) {
    scene.write(editions[0] ?? {});
    expect((await scene.applyHere()).status).toBe("applied");
  }
  scene.write(editions[edition] ?? {});
  return scene;
}

/** Applies and is killed at a point; gives whether the process died there. */
async function applyAndDie(scene: Scene, edition: 0 | 1, point: Point): Promise<boolean> {
  if ("change" in point) {
    const { change, when, loses } = point;
    const env = { KILL_AT: String(change), KILL_WHEN: when, ...(loses && { KILL_LOSES: loses }) };
    return (await scene.applyInProcess(env)).code === null;
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
  await scene.applyInProcess({}, (killProcess) => (kill = killProcess));
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
async function sweepPoint(edition: 0 | 1, point: Point, again: boolean): Promise<boolean> {
  const scene = await openScene(edition);
  try {
    const died = await applyAndDie(scene, edition, point);
    if (!died) return false;
    points++;
    await scene.check();
    if (again) {
      await scene.resolveUnknown();
      await applyAndDie(scene, edition, point);
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
async function sweep(
  least: number,
  pointAt: (n: number) => Point,
  again: boolean,
  edition: 0 | 1,
): Promise<void> {
  if (most === 1) {
    // No two sweeps of a sample go through the same point.
    const point = pointAt(1 + (sweeps++ % least));
    expect(await sweepPoint(edition, point, again)).toBe(true);
    return;
  }
  const width = 3;
  for (let n = 1; n <= most; n += width) {
    const batch = Array.from({ length: width }, (_, index) => pointAt(n + index));
    const died = await Promise.all(batch.map((point) => sweepPoint(edition, point, again)));
    if (!died.includes(false)) continue;
    expect(n + died.indexOf(false) - 1).toBeGreaterThanOrEqual(least);
    return;
  }
}

const both = [
  { edition: 0, name: "creates" },
  { edition: 1, name: "updates and replacements" },
] as const;

test.each(sample("editions killed at changes", both, 1))(
  "killed at every change of a file: $name",
  async ({ edition }) => {
    await sweep(21, (change) => ({ change, when: "before" }), false, edition);
    await sweep(21, (change) => ({ change, when: "after" }), true, edition);
  },
);

test.each(sample("editions killed at requests", both.toReversed(), 1))(
  "killed around every request: $name",
  async ({ edition }) => {
    for (const stage of sample("stages of a request", stages, 1)) {
      for (const again of sample("second kills", [true, false], 1)) {
        await sweep(5, (request) => ({ request, stage }), again, edition);
      }
    }
  },
);

test.each(sample("editions of a power cut", both, 1))(
  "the power cut at every change of a file: $name",
  async ({ edition }) => {
    for (const loses of sample("losses", ["all", "data"] as const, 1)) {
      await sweep(21, (change) => ({ change, when: "after", loses }), false, edition);
    }
  },
);
