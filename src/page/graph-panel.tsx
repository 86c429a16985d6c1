import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { signOf } from "./action-word.js";
import {
  type Drawing,
  type DrawnNode,
  chooseNodes,
  drawGraph,
  mostNodes,
  nodeHeight,
} from "./graph-layout.js";
import { usePage } from "./page-context.js";
import type { PageState } from "./page-state.js";
import { Unfold } from "./panel.js";

/** The `id` of the panel with the graph. */
export const graphId = "graph";

/** The foldable graph of the plan's actions and their neighbours; nothing if nothing is connected. */
export function GraphPanel({ state: { isGraphShown, around } }: { readonly state: PageState }) {
  const { plan, dispatch } = usePage();
  if (plan.graph.edges.length === 0) return null;
  return (
    <section class="panel graph" id={graphId} aria-labelledby="graph-title">
      <h2 id="graph-title">
        <Unfold isOpen={isGraphShown} toggle={() => dispatch({ isGraphShown: !isGraphShown })}>
          Dependency graph
        </Unfold>
      </h2>
      {isGraphShown && <DrawnGraph around={around} />}
    </section>
  );
}

function DrawnGraph({ around }: Pick<PageState, "around">) {
  const { plan, dispatch } = usePage();
  const choice = useMemo(() => chooseNodes(plan, around), [plan, around]);
  const drawing = useMemo(() => drawGraph(plan, choice.nodes), [plan, choice]);
  const center = around === undefined ? undefined : plan.addressOf(around);
  return (
    <>
      <p class="caption">
        {center === undefined
          ? "The resources that the plan changes, and their neighbours."
          : `The surroundings of ${center}.`}{" "}
        An arrow leads from a resource to what uses it.
        {choice.left > 0 && (
          <strong>
            {` ${mostNodes} of ${(choice.nodes.length + choice.left).toLocaleString("en")} are drawn`}
            {center === undefined && "; unfold an action and choose “Show in graph” to see its surroundings"}.
          </strong>
        )}
        {center !== undefined && (
          <button type="button" class="quiet" onClick={() => dispatch({ around: undefined })}>
            Whole plan
          </button>
        )}
      </p>
      <Picture drawing={drawing} around={around} />
    </>
  );
}

function Picture({ drawing, around }: Pick<PageState, "around"> & { readonly drawing: Drawing }) {
  const { nodes, ways, width, height } = drawing;
  const [pointed, setPointed] = useState<number>();
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const middle = nodes.find(({ index }) => index === around) ?? nodes[0];
    if (middle) frame.current?.scrollTo({ top: middle.top - frame.current.clientHeight / 2 });
  }, [nodes, around]);
  const tone = (from: number, to: number): string =>
    pointed === undefined ? "" : from === pointed || to === pointed ? " near" : " far";
  return (
    <div ref={frame} class="picture" role="group" aria-label="Dependency graph" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <defs>
          <marker
            id="tip"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0.8 7 4 0 7.2z" />
          </marker>
        </defs>
        {ways.map(({ from, to, way }) => (
          <path key={`${from}-${to}`} class={`way${tone(from, to)}`} d={way} marker-end="url(#tip)" />
        ))}
        {nodes.map((node) => (
          <Node key={node.index} node={node} isCenter={node.index === around} point={setPointed} />
        ))}
      </svg>
    </div>
  );
}

interface NodeProps {
  readonly node: DrawnNode;
  readonly isCenter: boolean;
  readonly point: (index: number | undefined) => void;
}

function Node({ node, isCenter, point }: NodeProps) {
  const { dispatch } = usePage();
  const { index, address, label, action, left, top, width } = node;
  const shape = (
    <>
      <title>{action === undefined ? address : `${address} (${action})`}</title>
      <rect width={width} height={nodeHeight} rx="8" />
      <text x="12" y={nodeHeight / 2} dominant-baseline="central">
        {action !== undefined && <tspan class="sign">{`${signOf(action)} `}</tspan>}
        {label}
      </text>
    </>
  );
  const common = {
    transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})`,
    class: `node ${action ?? "neighbour"}${isCenter ? " center" : ""}`,
    onMouseEnter: () => point(index),
    onMouseLeave: () => point(undefined),
  };
  if (action === undefined) return <g {...common}>{shape}</g>;
  const reveal = (): void => dispatch({ type: "reveal", index });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    reveal();
  };
  return (
    <g
      {...common}
      role="button"
      tabIndex={0}
      aria-label={`${address}, ${action}`}
      onClick={reveal}
      onKeyDown={onKeyDown}
      onFocus={() => point(index)}
      onBlur={() => point(undefined)}
    >
      {shape}
    </g>
  );
}
