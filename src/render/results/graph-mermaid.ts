import { actionColors, labelOf, type GraphNode, type GraphView } from "./graph-view.js";

/** Renders a graph as a Mermaid flowchart, a line end at the end. */
export function renderGraphMermaid({ groups, edges }: GraphView): string {
  const nodes = groups.flatMap((group) => group.nodes);
  // Names of its own cannot be words of the language, whatever an address holds.
  const names = new Map(nodes.map(({ address }, index) => [address, `n${index}`]));
  const nameOf = (address: string) => names.get(address) ?? "";
  const lines = [
    "flowchart LR",
    ...groups.flatMap(({ name, title, nodes: own }) => [
      `  subgraph ${name}[${quoted(title)}]`,
      ...own.map((node) => `    ${nameOf(node.address)}[${quoted(labelOf(node))}]`),
      "  end",
    ]),
    ...edges.map(({ from, to }) => `  ${nameOf(from)} --> ${nameOf(to)}`),
    ...classLines(nodes, nameOf),
  ];
  return `${lines.join("\n")}\n`;
}

function classLines(nodes: readonly GraphNode[], nameOf: (address: string) => string): string[] {
  return Object.entries(actionColors).flatMap(([action, color]) => {
    const marked = nodes.filter((node) => node.action === action).map(({ address }) => nameOf(address));
    if (marked.length === 0) return [];
    return [`  classDef ${action} fill:${color},color:#000`, `  class ${marked.join(",")} ${action}`];
  });
}

// Mermaid knows no escapes but its own entities, which are numbers of characters.
function quoted(text: string): string {
  const safe = text.replaceAll(/[^\w .:/()-]/gu, (char) => `#${char.codePointAt(0)};`);
  return `"${safe}"`;
}
