import { isCollection, isMap, isPair, isScalar, type Document } from "yaml";

/** Gives the name of a key in JSON; undefined if it is a list or mapping. */
export function keyText(key: unknown): string | undefined {
  if (key === null || key === undefined) return "";
  return isScalar(key) ? String(key.value ?? "") : undefined;
}

/** Gives the offsets of duplicate keys, each after the first of its mapping, in time linear in the document. */
export function repeatedKeys(document: Document): number[] {
  const offsets: number[] = [];
  const visit = (node: unknown): void => {
    if (!isCollection(node)) return;
    const names = isMap(node) ? new Set<string>() : undefined;
    for (const item of node.items) {
      if (!isPair(item)) {
        visit(item);
        continue;
      }
      const name = keyText(item.key);
      if (name !== undefined && names?.has(name)) {
        offsets.push((isScalar(item.key) ? item.key : node).range?.[0] ?? 0);
      }
      if (name !== undefined) names?.add(name);
      visit(item.key);
      visit(item.value);
    }
  };
  visit(document.contents);
  return offsets;
}
