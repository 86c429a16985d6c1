import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Document,
  type YAMLMap,
  type Alias,
  type Node,
} from "yaml";
import { oncePer } from "../../json/once.js";
import type { Path } from "../../json/path.js";

/** Gives a key's text, so that `1.0` is not the key `1`; undefined if the key is a list or mapping. */
export function keyText(key: unknown): string | undefined {
  if (key === null || key === undefined) return "";
  if (!isScalar(key)) return undefined;
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value ?? ""));
}

/** Makes a function that gives the node at a path of a document, through aliases; undefined if there is none. */
export function nodesOf(document: Document): (path: Path) => unknown {
  const follow = (node: unknown) => (isAlias(node) ? resolveAlias(node, document) : node);
  // A mapping may have many members that are asked for.
  const members = oncePer(
    ({ items }: YAMLMap) => new Map(items.map(({ key, value }) => [keyText(follow(key)), value])),
  );
  return (path) =>
    path.reduce((parent, segment) => {
      if (isMap(parent)) return follow(members(parent).get(String(segment)));
      return isSeq(parent) ? follow(parent.items[Number(segment)]) : undefined;
    }, follow(document.contents));
}

/** Gives the offset of each duplicate key with that of the first one of its mapping, in time linear in the document. */
export function repeatedKeys(document: Document): [offset: number, first: number][] {
  const offsets: [number, number][] = [];
  visit(document, {
    Map(_, { items, range }) {
      const names = new Map<string, number>();
      for (const { key } of items) {
        const name = keyText(key);
        const offset = (isScalar(key) ? key.range : range)?.[0] ?? 0;
        const first = name === undefined ? undefined : names.get(name);
        if (first !== undefined) offsets.push([offset, first]);
        else if (name !== undefined) names.set(name, offset);
      }
    },
  });
  return offsets;
}

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
