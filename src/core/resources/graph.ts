import { closeCircles } from "../../json/circles.js";
import { addTo } from "../../json/groups.js";
import { lazy } from "../../json/once.js";
import type { Action } from "../../generated/plan.js";

/** The references between resources. */
export interface Graph {
  /** Every address, each after the targets of its references; addresses in a circle have no fixed place. */
  readonly order: readonly string[];
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
  /** Has those alone that something refers to; made when it is first asked for. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** For each group of circular references, the shortest cycle through one of its addresses. */
  readonly cycles: readonly (readonly string[])[];
}

/** Builds the graph of references, from a function that gives what each refers to; unknown addresses are left out. */
export function buildGraph(
  addresses: Iterable<string>,
  othersOf: (address: string) => readonly string[],
): Graph {
  const none: readonly string[] = [];
  const dependencies = new Map<string, readonly string[]>();
  for (const address of [...addresses].toSorted()) dependencies.set(address, none);
  const isKnown = (address: string) => dependencies.has(address);
  for (const address of dependencies.keys()) {
    const others = othersOf(address);
    if (others.length > 0)
      dependencies.set(address, inOrder(others.every(isKnown) ? others : others.filter(isKnown)));
  }
  const dependents = lazy(() => turned(dependencies));
  return {
    dependencies,
    get dependents() {
      return dependents();
    },
    ...stronglyConnected(dependencies),
  };
}

/** Gives every address that can be reached along the edges, without the starting addresses. */
export function reachable(
  from: Iterable<string>,
  edges: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const start = new Set(from);
  const found = new Set<string>();
  const stack = [...start];
  for (let address = stack.pop(); address !== undefined; address = stack.pop()) {
    for (const next of edges.get(address) ?? []) {
      if (start.has(next) || found.has(next)) continue;
      found.add(next);
      stack.push(next);
    }
  }
  return found;
}

/** Sorts texts, and leaves each in once; most are written in order. */
export function inOrder(list: readonly string[]): readonly string[] {
  const isSorted = list.every((each, index) => index === 0 || (list[index - 1] ?? "") < each);
  return isSorted ? list : [...new Set(list)].toSorted();
}

type Links = ReadonlyMap<string, readonly string[]>;

/** Turns links round; the lists are in the order of the links. */
export function turned(links: Links): Links {
  const lists = new Map<string, string[]>();
  for (const [address, others] of links) for (const other of others) addTo(lists, other, address);
  return lists;
}

function stronglyConnected(links: Links): Pick<Graph, "order" | "cycles"> {
  const closed = new Set<string>();
  const cycles: string[][] = [];
  const linksOf = (address: string) => links.get(address) ?? [];
  const close = (members: readonly string[]): void => {
    for (const member of members.length > 1 ? members.toSorted() : members) closed.add(member);
    const [only = ""] = members;
    if (members.length > 1 || linksOf(only).includes(only)) cycles.push(cycleIn(members.toSorted(), links));
  };
  for (const root of links.keys()) {
    // Most lead to what leads nowhere, and need no search.
    for (const other of linksOf(root)) {
      if (linksOf(other).length > 0) break;
      closed.add(other);
    }
    if (!closed.has(root)) closeCircles(root, linksOf, (address) => closed.has(address), close);
  }
  return { order: [...closed], cycles };
}

// Breadth first from the first member, so that the cycle is as short as possible.
function cycleIn(circle: readonly string[], links: Links): string[] {
  const [start = ""] = circle;
  const inside = new Set(circle);
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const address of queue) {
    for (const next of links.get(address) ?? []) {
      if (next === start) {
        const back = [start];
        for (let at = address; at !== start; at = cameFrom.get(at) ?? start) back.push(at);
        return [...back, start].toReversed();
      }
      if (!inside.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, address);
      queue.push(next);
    }
  }
  return [];
}

const mostAffected = 100;

/** Finds the nearest hundred that depend on an address, sorted: whole lists for all would grow with the square. */
export function affectedBy(
  address: string,
  next: (address: string) => readonly string[],
): Pick<Action, "affects" | "affects_more"> {
  const found = new Set<string>();
  const queue = [address];
  for (const at of queue) {
    for (const each of next(at)) {
      if (each === address || found.has(each)) continue;
      if (found.size === mostAffected) return { affects: [...found].toSorted(), affects_more: true };
      found.add(each);
      queue.push(each);
    }
  }
  return { affects: [...found].toSorted() };
}

/** Leaves out what is gone, given in order of dependence; of what a circle of it leads to, some may be overlooked. */
export function withoutGone(
  gone: readonly string[],
  dependents: ReadonlyMap<string, readonly string[]>,
): (address: string) => readonly string[] {
  const isGone = new Set(gone);
  const known = new Map<string, readonly string[]>();
  const find = (address: string): readonly string[] => {
    const found = new Set<string>();
    const direct = dependents.get(address) ?? [];
    for (const each of direct) if (!isGone.has(each) && found.size <= mostAffected) found.add(each);
    for (const each of direct) {
      if (!isGone.has(each)) continue;
      for (const other of known.get(each) ?? []) {
        if (found.size > mostAffected) break;
        if (other !== address) found.add(other);
      }
    }
    return [...found];
  };
  const next = (address: string): readonly string[] => {
    const list = known.get(address) ?? find(address);
    known.set(address, list);
    return list;
  };
  gone.forEach(next);
  return next;
}
