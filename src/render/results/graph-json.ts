import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { GraphAnswer } from "../../generated/graph.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";
import { jsonText } from "../words/json-text.js";
import type { GraphView } from "./graph-view.js";

/** Renders a graph as indented JSON (`agentform/graph/v1`), with the problems of its workspace, a line end at the end. */
export function renderGraphJson({ groups, edges }: GraphView, diagnostics: readonly Diagnostic[]): string {
  const nodes = groups.flatMap(({ name, nodes: own }) =>
    own.map(({ address, action }) => ({ address, kind: name, ...(action && { action }) })),
  );
  const answer: GraphAnswer = {
    format: "agentform/graph/v1",
    nodes,
    edges: [...edges],
    diagnostics: withoutFrames(diagnostics),
  };
  return jsonText(answer);
}
