import { Graph, layout } from "@dagrejs/dagre";
import { rankOf, signOf } from "./action-word.js";
import type { ActionName } from "../render/words/action-words.js";
import type { PlanIndex } from "./plan-index.js";
import { addTo } from "../json/groups.js";

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

/** One node of a drawing, in pixels from the upper left corner. */
export interface DrawnNode {
  readonly index: number;
  readonly address: string;
  readonly label: string;
  /** The action's name; undefined for a neighbour that the plan does not change. */
  readonly action: ActionName | undefined;
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** A drawing: nodes, the paths of its edges, and its size in pixels. */
export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly ways: readonly { readonly from: number; readonly to: number; readonly way: string }[];
  readonly width: number;
  readonly height: number;
}

/** The height of a node in pixels. */
export const nodeHeight = 30;

const characterWidth = 7;
const longestLabel = 30;
const margin = 12;

/** Lays out some nodes and the edges between them from left to right, dependencies first. */
export function drawGraph({ plan: { actions }, graph }: PlanIndex, indexes: readonly number[]): Drawing {
  const kept = new Set(indexes);
  const drawing = new Graph();
  drawing.setGraph({ rankdir: "LR", nodesep: 12, ranksep: 72, marginx: margin, marginy: margin });
  drawing.setDefaultEdgeLabel(() => ({}));
  const drawn = indexes.map((index) => {
    const address = actions[index]?.address ?? graph.others[index - actions.length] ?? "";
    const action = actions[index]?.action;
    const label = address.length > longestLabel ? `${address.slice(0, longestLabel - 1)}…` : address;
    const sign = action === undefined ? 0 : signOf(action).length * characterWidth + 8;
    const width = label.length * characterWidth + 24 + sign;
    drawing.setNode(String(index), { width, height: nodeHeight });
    return { index, address, label, action, width };
  });
  const edges = graph.edges.filter(([from, to]) => kept.has(from) && kept.has(to));
  for (const [from, to] of edges) drawing.setEdge(String(to), String(from));
  layout(drawing);
  const nodes = drawn.map((node) => {
    const { x = 0, y = 0 } = drawing.node(String(node.index));
    return { ...node, left: x - node.width / 2, top: y - nodeHeight / 2 };
  });
  const ways = edges.map(([from, to]) => {
    const { points = [] } = drawing.edge(String(to), String(from));
    return { from, to, way: smooth(points) };
  });
  const { width = 0, height = 0 } = drawing.graph();
  return { nodes, ways, width: Math.ceil(width), height: Math.ceil(height) };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

// Each bend becomes a curve between the midpoints of the lines that meet there.
function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return "";
  const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const curves = rest.map((point, index) => {
    const next = rest[index + 1] ?? last;
    const isEnd = index === rest.length - 1;
    const end = isEnd ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${curves.length > 0 ? curves.join("") : `L${at(last)}`}`;
}
