import { isAlias, visit, type Alias, type Document, type Node } from "yaml";
import { oncePer } from "../../json/once.js";

const targetsIn = oncePer(findTargets);

/** Gives the node of an alias: the last one before it with its anchor; one pass finds those of all aliases. */
export function resolveAlias(alias: Alias, document: Document): Node | undefined {
  return targetsIn(document).get(alias);
}

function findTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) found.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return found;
}
