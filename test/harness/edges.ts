import { addTo } from "../../src/json/groups.js";

/** One reference, from a resource to what it refers to. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Gives what each refers to by a list of edges. */
export function othersBy(edges: readonly Edge[]): (address: string) => readonly string[] {
  const others = new Map<string, string[]>();
  for (const { from, to } of edges) addTo(others, from, to);
  return (address) => others.get(address) ?? [];
}
