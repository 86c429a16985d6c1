import { lockChanges } from "../../../src/core/plan/lock-changes.js";
import { buildPlan, type Plan } from "../../../src/core/plan/plan.js";
import { noOptions } from "../../../src/core/plan/plan-options.js";
import { emptyLock, type Lock } from "../../../src/core/state/lock.js";
import { once } from "../../../src/json/once.js";
import { applyTo } from "../../plan/history.js";
import { diceOf, shuffled, type Dice } from "../dice.js";
import { buildWorld, type Roster } from "./fleet.js";
import { hiddenDangers } from "./hidden-dangers.js";
import type { HiddenDanger, Pool, Trace } from "./hidden-danger.js";
import { smallEdits, wideEdits } from "./honest-edits.js";
import { copyOf, environment, fleetOf, type World } from "./world.js";

/** A plan of many honest edits and a few dangers. */
export interface Storm {
  readonly seed: number;
  readonly plan: Plan;
  /** The notes that the same plan without the dangers does not have. */
  readonly ownNotes: Plan["notes"];
  readonly honest: readonly string[];
  readonly planted: readonly Planted[];
}

/** A danger and what is to be seen of it. */
export interface Planted {
  readonly danger: HiddenDanger;
  readonly trace: Trace;
}

interface Applied {
  readonly world: World;
  readonly roster: Roster;
  readonly lock: Lock;
}

/** An applied fleet with honest edits, before any danger. */
interface Calm extends Applied {
  readonly honest: readonly string[];
  /** Its notes, as texts. */
  readonly notes: ReadonlySet<string>;
}

const noLock = emptyLock({ workspace: "shop", environment }, "lineage");

// Many storms are of one fleet, and some of one calm, because making these is half of the work.
const [fleets, calms] = [20, 40];

const appliedOf = once(async (number: string): Promise<Applied> => {
  const { world, roster } = buildWorld(diceOf(1000 + Number(number)));
  const { after: lock } = await applyTo(noLock, planOf(world, noLock, noLock));
  return { world, roster, lock };
});

const calmOf = once(async (number: string): Promise<Calm> => {
  const { world: before, roster, lock } = await appliedOf(String(Number(number) % fleets));
  const world = copyOf(before);
  const honest = editHonestly(world, roster, diceOf(2000 + Number(number)));
  const { notes } = planOf(world, lock, lock);
  return { world, roster, lock, honest, notes: new Set(notes.map((note) => JSON.stringify(note))) };
});

/** Plans a fleet after honest edits and dangers that the seed decides; `chosen` are planted instead of those. */
export async function stormOf(seed: number, chosen?: readonly HiddenDanger[]): Promise<Storm> {
  const { world: calm, roster, lock, honest, notes } = await calmOf(String(seed % calms));
  const world = copyOf(calm);
  const dice = diceOf(seed * 7919 + 17);
  const first = hiddenDangers[seed % hiddenDangers.length];
  const others = shuffled(hiddenDangers, dice).filter((danger) => danger !== first);
  const dangers = chosen ?? [...(first ? [first] : []), ...others].slice(0, 2 + dice(3));
  const site = { world, roster, dice, take: takerOf(roster, dice) };
  const planted = dangers.map((danger) => ({ danger, trace: danger.plant(site) }));
  const own = world.lockEdits.reduce((edited, edit) => edit(edited), lock);
  const plan = planOf(world, own, lock);
  const ownNotes = plan.notes.filter((note) => !notes.has(JSON.stringify(note)));
  return { seed, plan, ownNotes, honest, planted };
}

function editHonestly(world: World, roster: Roster, dice: Dice): string[] {
  const wide = shuffled(wideEdits, dice).slice(0, 2 + dice(5));
  const small = shuffled(smallEdits, dice).slice(0, 3 + dice(6));
  return [...wide, ...small].flatMap(({ name, most = 1, make }) => {
    const times = 1 + dice(most);
    for (let time = 0; time < times; time++) make({ world, roster, dice });
    return `${name}${times > 1 ? ` × ${times}` : ""}`;
  });
}

function takerOf(roster: Roster, dice: Dice): (pool: Pool) => string {
  const left = new Map<Pool, string[]>();
  return (pool) => {
    const items = left.get(pool) ?? shuffled(roster[pool], dice);
    left.set(pool, items);
    const item = items.pop();
    if (item === undefined) throw new Error(`no more ${pool}`);
    return item;
  };
}

function planOf(world: World, lock: Lock, base: Lock): Plan {
  const fleet = fleetOf(world);
  const { plan, findings } = buildPlan({
    fleet,
    lock,
    source: lock === noLock ? null : `agentform.${environment}.lock`,
    stateChanges: lockChanges(base, lock),
    options: noOptions,
  });
  const errors = [...fleet.findings, ...findings].filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return plan;
}
