import type { Action, Change, Plan } from "../../generated/plan.js";

/** An action with how much a reviewer has to look at it. */
export interface RankedAction {
  readonly action: Action;
  /** What the guardrail notes say of it, the graver effect first. */
  readonly effects: readonly string[];
  readonly weight: Weight;
}

/** Whether a reviewer must see an action, whether somebody wrote the change, or it only follows from another one. */
export type Weight = "grave" | "written" | "following";

const ranks: Record<Action["action"], number> = {
  unknown: 1,
  blocked: 1,
  replace: 2,
  forget: 3,
  adopt: 5,
  update: 6,
  create: 7,
  record: 9,
};

// What weakens comes before everything, what widens before whatever destroys nothing.
const widens = 4;
const follows = 8;

/** Gives the actions of a plan in the order in which a reviewer should read them, the gravest first. */
export function byRisk({ actions, notes }: Plan): RankedAction[] {
  const effects = new Map<string, Set<string>>();
  for (const { address, effect } of notes) {
    effects.set(address, (effects.get(address) ?? new Set()).add(effect));
  }
  const ranked = actions.map((action) => {
    const own = [...(effects.get(action.address) ?? [])].toSorted();
    const rank = rankOf(action, own);
    return { rank, item: { action, effects: own, weight: weightOf(rank) } };
  });
  return ranked.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
}

function weightOf(rank: number): Weight {
  if (rank <= widens) return "grave";
  return rank < follows ? "written" : "following";
}

function rankOf({ action, changes }: Action, effects: readonly string[]): number {
  if (effects.includes("weakens")) return 0;
  const rank = action === "update" && changes.every(isOnlyMoved) ? follows : ranks[action];
  return effects.includes("widens") ? Math.min(widens, rank) : rank;
}

// Nobody wrote this change: what a reference stands for is another.
function isOnlyMoved({ references = [], before, after }: Change): boolean {
  return references.length > 0 && JSON.stringify(before) === JSON.stringify(after);
}
