import { lockChanges } from "../../src/core/plan/lock-changes.js";
import { buildPlan, type Plan } from "../../src/core/plan/plan.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { once } from "../../src/json/once.js";
import { applyTo } from "../plan/history.js";
import type { Danger, Sight, Targets } from "./danger.js";
import { buildDesk, type Desk } from "./desk.js";
import { diceOf } from "./dice.js";
import { copyOf, fleetOf, type Draft } from "./draft.js";
import { editHarmlessly, type MassSize } from "./harmless-mass.js";

interface SceneSize extends MassSize {
  /** Agents that only get new IDs. */
  readonly followers: number;
}

/** How large plans are, by about how many actions they have. */
const sizes = {
  55: { prompts: 40, policies: 6, toolsets: 7, followers: 2 },
  300: { prompts: 200, policies: 30, toolsets: 35, followers: 35 },
  2000: { prompts: 1200, policies: 180, toolsets: 210, followers: 410 },
} satisfies Record<number, SceneSize>;

/** A workspace that was applied, and all that is needed to edit and plan it. */
export interface Scene {
  readonly size: keyof typeof sizes;
  readonly seed: number;
}

/** Every size with every seed. */
export const scenes: readonly Scene[] = ([55, 300, 2000] as const).flatMap((size) =>
  [1, 2].map((seed) => ({ size, seed })),
);

/** A plan among whose harmless edits there may be a danger. */
export interface PlantedPlan {
  readonly plan: Plan;
  /** The lock that it was planned with. */
  readonly lock: Lock;
  /** What is to be seen of the danger; undefined where there is none. */
  readonly sight?: Sight;
}

interface Applied {
  readonly desk: Desk;
  readonly lock: Lock;
  readonly edited: Draft;
  readonly targets: Targets;
}

const appliedOf = once((name: string): Promise<Applied> => {
  const [size, seed] = name.split("/").map(Number);
  return applyScene({ size: size as Scene["size"], seed: seed ?? 0 });
});

/** Plans a scene with its harmless edits and at most one danger. */
export async function plantedPlan({ size, seed }: Scene, danger?: Danger): Promise<PlantedPlan> {
  const { lock, edited, targets } = await appliedOf(`${size}/${seed}`);
  const draft = copyOf(edited);
  const sight = danger?.plant(draft, targets);
  const own = draft.editLock?.(lock) ?? lock;
  const plan = planOf(draft, own, lock);
  return { plan, lock: own, ...(sight && { sight }) };
}

async function applyScene({ size, seed }: Scene): Promise<Applied> {
  const dice = diceOf(seed);
  const mass = sizes[size];
  // One more of each kind than is edited.
  const desk = buildDesk(
    {
      agents: mass.prompts + mass.followers,
      policies: mass.policies + 1,
      toolsets: mass.toolsets + 1,
    },
    dice,
  );
  const { after: lock } = await applyTo(noLock, planOf(desk.draft, noLock, noLock));
  const edited = copyOf(desk.draft);
  editHarmlessly(edited, desk, mass, dice);
  return { desk, lock, edited, targets: targetsOf(desk, mass, seed) };
}

const noLock = emptyLock({ workspace: "support-desk", environment: null }, "lineage");

// By the seed among what is edited harmlessly as well, or among what is not.
function targetsOf({ agents, policies, toolsets }: Desk, mass: MassSize, seed: number): Targets {
  const chosen = (addresses: readonly string[], edited: number) =>
    addresses[seed % 2 === 0 ? Math.floor(edited / 2) : edited] ?? "";
  return {
    agent: chosen(agents, mass.prompts),
    policy: chosen(policies, mass.policies),
    toolset: chosen(toolsets, mass.toolsets),
  };
}

function planOf(draft: Draft, lock: Lock, base: Lock): Plan {
  const fleet = fleetOf(draft);
  const { plan, findings } = buildPlan({
    fleet,
    lock,
    source: lock === noLock ? null : "agentform.lock",
    stateChanges: lockChanges(base, lock),
    options: noOptions,
  });
  const errors = [...fleet.findings, ...findings].filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return plan;
}
