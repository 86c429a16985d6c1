import { kindOfAddress, kinds } from "../../core/kind/kinds.js";
import { reachable, type Graph } from "../../core/resources/graph.js";
import type { Action, Plan } from "../../generated/plan.js";

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** One resource in a drawing, with what a plan does to it. */
export interface GraphNode {
  readonly address: string;
  readonly action?: Action["action"];
}

interface GraphGroup {
  /** The kind's name, and what a person calls several of it. */
  readonly name: string;
  readonly title: string;
  readonly nodes: readonly GraphNode[];
}

/** A graph of references as it is drawn: groups by kind, nodes and edges in the order of their addresses. */
export interface GraphView {
  readonly groups: readonly GraphGroup[];
  /** From each dependent to what it depends on. */
  readonly edges: readonly Edge[];
}

/** What a drawing shows beside the graph. */
export interface GraphViewOptions {
  /** Keeps this resource, all that it depends on and all that depends on it. */
  readonly around?: string;
  /** Marks what this plan acts on, and adds what it forgets. */
  readonly plan?: Plan;
}

/** Makes of a workspace's references what a drawing shows of them. */
export function buildGraphView(graph: Graph, { around, plan }: GraphViewOptions): GraphView {
  const actions = new Map(plan?.actions.map(({ address, action }) => [address, action]));
  const all = new Set([...graph.dependencies.keys(), ...actions.keys()]);
  const kept = around === undefined ? all : surroundingsOf(around, graph);
  const addresses = [...kept].toSorted();
  const groups = Object.values(kinds).flatMap((kind) => {
    const own = addresses.filter((address) => kindOfAddress(address) === kind);
    const nodes = own.map((address) => {
      const action = actions.get(address);
      return { address, ...(action && { action }) };
    });
    return nodes.length > 0 ? [{ name: kind.name, title: kind.noun[1], nodes }] : [];
  });
  const edges = addresses.flatMap((from) =>
    (graph.dependencies.get(from) ?? []).filter((to) => kept.has(to)).map((to) => ({ from, to })),
  );
  return { groups, edges };
}

/** The colours of actions in drawings, as `#rrggbb`: those that the text of a plan has. */
export const actionColors: Readonly<Record<Action["action"], string>> = {
  create: "#c8e6c9",
  adopt: "#c8e6c9",
  update: "#fff3c4",
  record: "#fff3c4",
  replace: "#e1bee7",
  unknown: "#e1bee7",
  blocked: "#e1bee7",
  forget: "#ffcdd2",
  delete: "#ffcdd2",
  changed: "#fff3c4",
  gone: "#ffcdd2",
};

/** The text on a node: its address, and what a plan does to it. */
export function labelOf({ address, action }: GraphNode): string {
  return action === undefined ? address : `${address} (${action})`;
}

function surroundingsOf(address: string, { dependencies, dependents }: Graph): Set<string> {
  return new Set([address, ...reachable([address], dependencies), ...reachable([address], dependents)]);
}
