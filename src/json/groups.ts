/** Adds an item to the list of a key. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** Gives items by their keys, both in the order of the items; no group is empty. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Counts how often each item is there, in the order of the items. */
export function countEach<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Gives items in groups: those that share a key, be it through others; groups and items in the order of the items. */
export function connected<Item, Key>(items: Iterable<Item>, keysOf: (item: Item) => Iterable<Key>): Item[][] {
  const all = [...items];
  const parents = [...all.keys()];
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  const known = new Map<Key, number>();
  for (const [at, item] of all.entries()) {
    for (const key of keysOf(item)) {
      const [one, other] = [rootOf(at), rootOf(known.get(key) ?? at)];
      parents[Math.max(one, other)] = Math.min(one, other);
      known.set(key, at);
    }
  }
  return [...groupBy(all.entries(), ([at]) => rootOf(at)).values()].map((own) => own.map(([, item]) => item));
}
