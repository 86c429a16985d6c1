import { lazy } from "../../json/once.js";

/** One reference between resources. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The references between resources. */
export interface Graph {
  /** Every address, each after the targets of its references; addresses in a circle have no fixed place. */
  readonly order: readonly string[];
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** For each group of circular references, the shortest cycle through one of its addresses. */
  readonly cycles: readonly (readonly string[])[];
}

/** Builds the graph of references; edges to unknown addresses are left out. */
export function buildGraph(addresses: Iterable<string>, edges: Iterable<Edge>): Graph {
  const nodes = [...addresses].toSorted().filter((address, index, all) => address !== all[index - 1]);
  const { dependencies, dependents } = link(nodes, edges);
  const { order, circles } = stronglyConnected(dependencies);
  // Most graphs are asked for one of these, or for neither.
  const named = (links: Links) =>
    lazy(() => new Map(nodes.map((address, node) => [address, namesOf(links[node] ?? none, nodes)])));
  const [to, from] = [named(dependencies), named(dependents)];
  return {
    order: namesOf(order, nodes),
    cycles: circles.map((circle) => namesOf(cycleIn(circle, dependencies), nodes)),
    get dependencies() {
      return to();
    },
    get dependents() {
      return from();
    },
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
    for (const next of edges.get(address) ?? none) {
      if (start.has(next) || found.has(next)) continue;
      found.add(next);
      stack.push(next);
    }
  }
  return found;
}

/** The edges, with each address as its index, which takes less time and memory than its text. */
type Links = readonly (readonly number[])[];

const none: readonly never[] = [];

function namesOf(indexes: readonly number[], nodes: readonly string[]): readonly string[] {
  return indexes.length === 0 ? none : indexes.map((node) => nodes[node] ?? "");
}

// Lists that are filled in the order of the nodes are sorted, so reversing all edges sorts them, and duplicates
// become neighbours.
function link(nodes: readonly string[], edges: Iterable<Edge>): { dependencies: Links; dependents: Links } {
  const indexes = new Map(nodes.map((address, node) => [address, node]));
  const unsorted = nodes.map((): number[] => []);
  for (const { from, to } of edges) {
    const source = indexes.get(from);
    const target = indexes.get(to);
    if (source !== undefined && target !== undefined) unsorted[target]?.push(source);
  }
  const dependencies = turned(unsorted);
  return { dependencies, dependents: turned(dependencies) };
}

function turned(links: Links): Links {
  const lists = links.map((): number[] => []);
  links.forEach((others, node) => {
    for (const other of others) {
      const list = lists[other];
      if (list?.at(-1) !== node) list?.push(node);
    }
  });
  // A list that has grown has room for 16 more, of which the copy has none.
  return lists.map((list) => (list.length === 0 ? none : list.slice()));
}

/** All nodes, dependencies first, and those that refer to each other in a circle, or to themselves. */
interface Connected {
  readonly order: readonly number[];
  readonly circles: Links;
}

// Tarjan's algorithm with a list instead of recursion.
function stronglyConnected(links: Links): Connected {
  const count = links.length;
  const order: number[] = [];
  const circles: number[][] = [];
  const indexes = new Int32Array(count).fill(-1);
  const lows = new Int32Array(count);
  const nexts = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  const way: number[] = [];
  let entered = 0;
  const indexOf = (node: number) => indexes[node] ?? -1;
  const lower = (node: number, low: number) => (lows[node] = Math.min(lows[node] ?? low, low));
  const enter = (node: number) => {
    indexes[node] = lows[node] = entered++;
    onStack[node] = 1;
    stack.push(node);
    way.push(node);
  };
  for (let root = 0; root < count; root++) {
    if (indexOf(root) < 0) enter(root);
    for (let node = way.at(-1); node !== undefined; node = way.at(-1)) {
      const at = nexts[node] ?? 0;
      const next = links[node]?.[at];
      nexts[node] = at + 1;
      if (next === undefined) {
        way.pop();
        const parent = way.at(-1);
        if (parent !== undefined) lower(parent, lows[node] ?? 0);
        if (lows[node] !== indexOf(node)) continue;
        const found = stack.splice(stack.lastIndexOf(node));
        const component = found.length > 1 ? found.toSorted((a, b) => a - b) : found;
        for (const member of component) {
          onStack[member] = 0;
          order.push(member);
        }
        if (component.length > 1 || links[node]?.includes(node)) circles.push(component);
      } else if (indexOf(next) < 0) enter(next);
      else if (onStack[next]) lower(node, indexOf(next));
    }
  }
  return { order, circles };
}

// Breadth first from the first member, so that the cycle is as short as possible.
function cycleIn(circle: readonly number[], links: Links): number[] {
  const [start = -1] = circle;
  const inside = new Set(circle);
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of links[node] ?? none) {
      if (next === start) {
        const back = [start];
        for (let at = node; at !== start; at = cameFrom.get(at) ?? start) back.push(at);
        return [...back, start].toReversed();
      }
      if (!inside.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [];
}
