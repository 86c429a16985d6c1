import { actionColors, labelOf, type GraphNode, type GraphView } from "./graph-view.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders a graph in the DOT language of Graphviz, a line end at the end. */
export function renderGraphDot({ groups, edges }: GraphView): string {
  const lines = [
    "digraph {",
    "  rankdir=LR;",
    "  node [shape=box];",
    ...groups.flatMap(({ name, title, nodes }) => [
      `  subgraph ${quoted(`cluster_${name}`)} {`,
      `    label=${quoted(title)};`,
      ...nodes.map((node) => `    ${quoted(node.address)}${attributes(node)};`),
      "  }",
    ]),
    ...edges.map(({ from, to }) => `  ${quoted(from)} -> ${quoted(to)};`),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function attributes(node: GraphNode): string {
  const { action } = node;
  if (action === undefined) return "";
  return ` [label=${quoted(labelOf(node))}, style=filled, fillcolor=${quoted(actionColors[action])}]`;
}

// Labels read a backslash as the start of an escape.
function quoted(text: string): string {
  return `"${safeLine(text).replaceAll(/[\\"]/g, "\\$&")}"`;
}
