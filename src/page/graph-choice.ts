import { addTo } from "../json/groups.js";
import { rankOf } from "./action-word.js";
import type { PlanIndex } from "./plan-index.js";

/** The nodes of a drawing, and how many more there are. */
export interface GraphChoice {
  /** By index: actions first, then the others. */
  readonly nodes: readonly number[];
  readonly left: number;
}

/** The maximum number of nodes in a drawing. */
export const mostNodes = 80;

/** Chooses what to draw: everything if it is not too much, else the most important part; or the surroundings of one action. */
export function chooseNodes(plan: PlanIndex, around: number | undefined): GraphChoice {
  const all = plan.plan.actions.length + plan.graph.others.length;
  const near = neighbours(plan);
  if (around !== undefined) {
    const reached = outward([around], near);
    return { nodes: reached.slice(0, mostNodes), left: Math.max(0, reached.length - mostNodes) };
  }
  if (all <= mostNodes) return { nodes: [...Array(all).keys()], left: 0 };
  return { nodes: outward(gravest(plan), near).slice(0, mostNodes), left: all - mostNodes };
}

function neighbours({ graph }: PlanIndex): ReadonlyMap<number, readonly number[]> {
  const near = new Map<number, number[]>();
  for (const [from, to] of graph.edges) {
    addTo(near, from, to);
    addTo(near, to, from);
  }
  return near;
}

// Breadth first, so that the nearest nodes come first.
function outward(starts: readonly number[], near: ReadonlyMap<number, readonly number[]>): number[] {
  const found = new Set<number>();
  for (const start of starts) {
    const queue = found.has(start) ? [] : [start];
    for (const node of queue) {
      if (found.has(node)) continue;
      found.add(node);
      for (const next of near.get(node) ?? []) queue.push(next);
    }
  }
  return [...found];
}

function gravest({ plan: { actions } }: PlanIndex): number[] {
  const weight = (index: number): number => {
    const action = actions[index];
    return action ? rankOf(action.action) * 1e6 - action.affects.length : 0;
  };
  return [...actions.keys()].toSorted((a, b) => weight(a) - weight(b) || a - b);
}
