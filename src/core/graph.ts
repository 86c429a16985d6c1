/** One reference between resources. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Which resource refers to which. */
export interface Graph {
  /** Every address, each after all that it refers to; addresses in a circle come somewhere. */
  readonly order: readonly string[];
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** For each knot of circular references, the shortest way round from one address back to itself. */
  readonly cycles: readonly (readonly string[])[];
}

/** Builds the graph of references; edges to addresses that are no nodes are left out. */
export function buildGraph(addresses: Iterable<string>, edges: Iterable<Edge>): Graph {
  const nodes = [...addresses].toSorted();
  const dependencies = new Map<string, string[]>(nodes.map((address) => [address, []]));
  const dependents = new Map<string, string[]>(nodes.map((address) => [address, []]));
  const seen = new Set<string>();
  for (const { from, to } of edges) {
    const key = `${from}\n${to}`;
    if (seen.has(key) || !dependencies.has(from) || !dependencies.has(to)) continue;
    seen.add(key);
    dependencies.get(from)?.push(to);
    dependents.get(to)?.push(from);
  }
  for (const list of [...dependencies.values(), ...dependents.values()]) list.sort();
  const components = stronglyConnected(nodes, dependencies);
  const cycles = components.flatMap((component) => {
    const cycle = cycleIn(component, dependencies);
    return cycle ? [cycle] : [];
  });
  return { order: components.flat(), dependencies, dependents, cycles };
}

/** Gives all that can be reached from some addresses along the edges, without the addresses themselves. */
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

// Tarjan's algorithm with a list in the place of recursion; components come out dependencies first.
function stronglyConnected(
  nodes: readonly string[],
  edges: ReadonlyMap<string, readonly string[]>,
): string[][] {
  const components: string[][] = [];
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  for (const root of nodes) {
    if (indexes.has(root)) continue;
    const way: { address: string; next: number }[] = [];
    const enter = (address: string) => {
      indexes.set(address, indexes.size);
      lows.set(address, indexes.size - 1);
      stack.push(address);
      onStack.add(address);
      way.push({ address, next: 0 });
    };
    enter(root);
    for (let visit = way.at(-1); visit; visit = way.at(-1)) {
      const { address } = visit;
      const next = edges.get(address)?.[visit.next++];
      const low = lows.get(address) ?? 0;
      if (next === undefined) {
        way.pop();
        const parent = way.at(-1);
        if (parent) lows.set(parent.address, Math.min(lows.get(parent.address) ?? 0, low));
        if (low !== indexes.get(address)) continue;
        const component = stack.splice(stack.lastIndexOf(address));
        for (const member of component) onStack.delete(member);
        components.push(component.toSorted());
      } else if (!indexes.has(next)) enter(next);
      else if (onStack.has(next)) lows.set(address, Math.min(low, indexes.get(next) ?? 0));
    }
  }
  return components;
}

// Breadth first from the first member, so that the way round is as short as it can be.
function cycleIn(
  component: readonly string[],
  edges: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const [start] = component;
  if (start === undefined) return undefined;
  const inside = new Set(component);
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const address of queue) {
    for (const next of edges.get(address) ?? []) {
      if (next === start) {
        const way = [address];
        for (let at = address; at !== start; way.unshift(at)) at = cameFrom.get(at) ?? start;
        return [...way, start];
      }
      if (!inside.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, address);
      queue.push(next);
    }
  }
  return undefined;
}
