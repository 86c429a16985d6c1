/** A place during the search, with the numbers of Tarjan's algorithm. */
interface Visit<Each> {
  readonly place: Each;
  readonly others: readonly Each[];
  next: number;
  readonly index: number;
  low: number;
}

/** Groups reachable places in circles, each after all it leads to; without recursion, for chains may be long. */
export function closeCircles<Each>(
  start: Each,
  othersOf: (place: Each) => readonly Each[],
  isClosed: (place: Each) => boolean,
  close: (members: readonly Each[]) => void,
): void {
  const first = othersOf(start);
  if (first.every(isClosed)) return close([start]);
  const open = new Map<Each, Visit<Each>>();
  const unclosed: Each[] = [];
  const way: Visit<Each>[] = [];
  let count = 0;
  const enter = (place: Each, others: readonly Each[]): void => {
    const visit = { place, others, next: 0, index: count, low: count };
    count += 1;
    open.set(place, visit);
    unclosed.push(place);
    way.push(visit);
  };
  const leave = (visit: Visit<Each>): void => {
    way.pop();
    const parent = way.at(-1);
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low < visit.index) return;
    const members = unclosed.splice(unclosed.lastIndexOf(visit.place));
    for (const member of members) open.delete(member);
    close(members);
  };
  enter(start, first);
  for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
    const other = visit.others[visit.next];
    visit.next += 1;
    if (other === undefined) leave(visit);
    else if (open.has(other)) visit.low = Math.min(visit.low, open.get(other)?.index ?? visit.low);
    else if (!isClosed(other)) {
      const others = othersOf(other);
      // Most lead to nothing open, and need no place on the way.
      if (others.every(isClosed)) close([other]);
      else enter(other, others);
    }
  }
}
