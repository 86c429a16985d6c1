import { referencesIn } from "../../core/expression/reference.js";
import type { Action, Plan } from "../../generated/plan.js";

import { safeLine } from "../words/terminal-text.js";

/** What refers to what, by index: actions first, in their order, then the others. */
export interface PageGraph {
  /** Addresses of neighbours that the plan does not act on. */
  readonly others: readonly string[];
  /** From each dependent to what it depends on. */
  readonly edges: readonly (readonly [from: number, to: number])[];
}

const mostEdges = 20_000;

/** Finds what refers to what among a plan's actions and their direct neighbours, as far as the plan tells. */
export function pageGraph({ actions }: Plan): PageGraph {
  const indexes = new Map(actions.map(({ address }, index) => [address, index]));
  const others: string[] = [];
  const indexOf = (address: string): number => {
    const known = indexes.get(address);
    if (known !== undefined) return known;
    indexes.set(address, indexes.size);
    others.push(safeLine(address));
    return indexes.size - 1;
  };
  const edges = new Map<string, readonly [number, number]>();
  const add = (from: string, to: string): void => {
    if (from === to || edges.size >= mostEdges) return;
    const edge = [indexOf(from), indexOf(to)] as const;
    edges.set(edge.join(), edge);
  };
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  for (const { address, body } of actions) {
    for (const reference of referencesIn(body ?? null)) add(address, reference.address);
  }
  for (const action of actions) {
    for (const dependent of directlyAffected(action, byAddress)) add(dependent, action.address);
  }
  const areJoined = (one: string, other: string): boolean =>
    [`${indexOf(one)},${indexOf(other)}`, `${indexOf(other)},${indexOf(one)}`].some((key) => edges.has(key));
  for (const { address, waits_for: waits } of actions) {
    for (const other of waits) if (byAddress.has(other) && !areJoined(address, other)) add(address, other);
  }
  return { others, edges: [...edges.values()] };
}

// What is affected may depend on the action through others; a body tells, and else what those affect themselves.
function directlyAffected(
  { address, affects, body }: Action,
  actions: ReadonlyMap<string, Action>,
): readonly string[] {
  const untold = affects.filter((other) => body === undefined || actions.get(other)?.body === undefined);
  if (untold.length === 0) return [];
  const through = new Set(
    affects.flatMap((other) => (other === address ? [] : (actions.get(other)?.affects ?? []))),
  );
  return untold.filter((other) => !through.has(other));
}
