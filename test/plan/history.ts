import { fc } from "../harness/property.js";
import { applyPlan } from "../../src/core/apply/apply.js";
import { hasErrors, type Finding } from "../../src/core/finding/diagnostic.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { buildPlan, type Plan, type Planned } from "../../src/core/plan/plan.js";
import { noOptions, type PlanOptions } from "../../src/core/plan/plan-options.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { createFakeService, type Fate, type FakeService } from "./fake-service.js";
import { createMemoryStore } from "./memory-store.js";
import { addresses, pieces, workspaceOf, type Piece } from "./world.js";

/** One edit of a workspace that is planned with some options and applied with some luck. */
export interface Step {
  readonly pieces: readonly Piece[];
  readonly options: PlanOptions;
  readonly fates: readonly Fate[];
}

/** What an apply left. */
export interface Applied {
  readonly plan: Plan;
  readonly before: Lock;
  readonly after: Lock;
  /** The journal that it wrote. */
  readonly journal: string;
  readonly service: FakeService;
}

const fates: fc.Arbitrary<Fate[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>("success") },
    fc.constantFrom<Fate>("without-id", "rejected", "not-sent", "unknown"),
  ),
  { minLength: 3, maxLength: 12 },
);

const few: fc.Arbitrary<ReadonlySet<string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(new Set<string>()) },
  { weight: 1, arbitrary: fc.subarray([...addresses], { maxLength: 3 }).map((chosen) => new Set(chosen)) },
);

/** Options of a plan, most of them none. */
export const planOptions: fc.Arbitrary<PlanOptions> = fc
  .record({ replace: few, resend: few, target: few, exclude: few })
  .map((chosen) => ({ ...noOptions, ...chosen }));

/** What happened to a workspace until now. */
export const history: fc.Arbitrary<Step[]> = fc.array(fc.record({ pieces, options: planOptions, fates }), {
  maxLength: 4,
});

/** The lock of a workspace of which nothing was ever applied. */
export const noLock: Lock = emptyLock({ workspace: "test", environment: null }, "lineage");

/** Plans, with the addresses named that returned, so that few plans are refused. */
export function planOf(fleet: Fleet, lock: Lock, options: PlanOptions = noOptions): Planned {
  const input = { fleet, lock, source: "agentform.lock" };
  const first = buildPlan({ ...input, options });
  const returned = first.findings.flatMap(({ code, address }) =>
    code === "retired-address" && address ? [address] : [],
  );
  if (returned.length === 0) return first;
  return buildPlan({
    ...input,
    options: { ...options, replace: new Set([...options.replace, ...returned]) },
  });
}

/** Whether a plan may be applied. */
export function isSound(fleet: Fleet, findings: readonly Finding[]): boolean {
  return !hasErrors([...fleet.findings, ...findings]);
}

/** Applies a plan; the fates are those of its requests in turn, and then successes. */
export async function applyTo(
  lock: Lock,
  plan: Plan,
  { fates: left = [], counts = {}, needsClaim = false, documentOrder = true }: Surroundings = {},
): Promise<Applied> {
  const store = createMemoryStore(null, needsClaim);
  const queue = [...left];
  const service = createFakeService(() => queue.shift() ?? "success", counts);
  const after = await applyPlan({
    plan,
    lock,
    version: null,
    write: "write",
    store,
    service,
    serviceIdentity: { base_url: "http://127.0.0.1:1" },
    deployment: {},
    updateChecks: { before: true, overwrite: new Set(), after: false, fieldNames: {} },
    answers: () => ({ documentOrder }),
    concurrency: 3,
    now: () => "2026-01-05T09:00:00.000Z",
    drain: new AbortController().signal,
    onEvent: () => undefined,
  });
  return { plan, before: lock, after, journal: store.written(), service };
}

/** What an apply runs among. */
export interface Surroundings {
  readonly fates?: readonly Fate[];
  /** How many objects of a sort the service has made until now. */
  readonly counts?: Record<string, number>;
  readonly needsClaim?: boolean;
  readonly documentOrder?: boolean;
}

/** Plays a history from nothing; steps whose plans are refused change nothing. */
export async function play(
  steps: readonly Step[],
  surroundings: Surroundings = {},
): Promise<{ readonly lock: Lock; readonly applies: readonly Applied[] }> {
  let lock = noLock;
  const applies: Applied[] = [];
  const counts = surroundings.counts ?? {};
  for (const step of steps) {
    const fleet = workspaceOf(step.pieces);
    const { plan, findings } = planOf(fleet, lock, step.options);
    if (!isSound(fleet, findings)) continue;
    const applied = await applyTo(lock, plan, { ...surroundings, counts, fates: step.fates });
    applies.push(applied);
    lock = applied.after;
  }
  return { lock, applies };
}
