/** Adds an item to the list of a key. */
export function addTo<Key, Each>(groups: Map<Key, Each[]>, key: Key, item: Each): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** Gives items by their keys, both in the order of the items; no group is empty. */
export function groupBy<Key, Each>(
  items: Iterable<Each>,
  keyOf: (item: Each) => Key,
): Map<Key, [Each, ...Each[]]> {
  const groups = new Map<Key, [Each, ...Each[]]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Counts how often each item is there, in the order of the items. */
export function countEach<Each>(items: Iterable<Each>): Map<Each, number> {
  const counts = new Map<Each, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Gives items in groups: those that share a key, be it through others; groups and items in the order of the items. */
export function connected<Each, Key>(items: Iterable<Each>, keysOf: (item: Each) => Iterable<Key>): Each[][] {
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
