import { foldedKey } from "../kind/id.js";
import { addTo } from "../../json/groups.js";
import { buildGraph } from "../resources/graph.js";
import { cause, type Cause } from "./cause.js";
import { findUses, type Surroundings, type ObjectUse } from "./object-uses.js";
import type { ServiceObject } from "../state/object-users.js";

/** Objects to delete together: that of an address, the tools of a set, or one of the ledger. */
export interface Candidate {
  readonly key: string;
  readonly objects: readonly ServiceObject[];
  /** The address at which the lock still manages it. */
  readonly managed?: string;
}

/** Objects to delete, once the others that may refer to them are deleted. */
export interface Deletion extends Candidate {
  readonly address: string;
  readonly waits_for: readonly string[];
}

/** Decides what can be deleted: only what nothing may use, but for what is deleted before it; and why not, by key. */
export function planDeletions<Each extends Candidate>(
  candidates: readonly Each[],
  surroundings: Surroundings,
): { readonly deletions: readonly (Each & Deletion)[]; readonly kept: ReadonlyMap<string, Cause> } {
  const unreadable = surroundings.listed?.unreadable ?? [];
  if (unreadable.length > 0) {
    const why = cause("users-unread", { reasons: [...unreadable] });
    return { deletions: [], kept: new Map(candidates.map(({ key }) => [key, why])) };
  }
  const uses = usesAmong(candidates, surroundings);
  const kept = keptOf(candidates, uses);
  const left = candidates.filter(({ key }) => !kept.has(key));
  // What uses an object is deleted before it; in a circle, something has to be first.
  const usersOf = (key: string): string[] => [...(uses.get(key)?.among.keys() ?? [])];
  const { order } = buildGraph(
    left.map(({ key }) => key),
    usersOf,
  );
  const places = new Map(order.map((key, place) => [key, place]));
  const placeOf = (key: string): number => places.get(key) ?? 0;
  const deletions = left
    .toSorted((one, other) => placeOf(one.key) - placeOf(other.key))
    .map((candidate) => {
      const before = usersOf(candidate.key).filter((user) => placeOf(user) < placeOf(candidate.key));
      return { ...candidate, address: candidate.key, waits_for: before };
    });
  return { deletions, kept };
}

interface Uses {
  /** What keeps it in any case. */
  outside?: Cause;
  /** The candidates that use it, each with how. */
  readonly among: Map<string, Cause>;
}

function usesAmong(candidates: readonly Candidate[], surroundings: Surroundings): ReadonlyMap<string, Uses> {
  const objects = candidates.flatMap((candidate) => candidate.objects);
  const usesOf = findUses(objects, surroundings);
  const byId = new Map<string, string>();
  const byAddress = new Map<string, string>();
  for (const { key, objects: own, managed } of candidates) {
    for (const { id, address } of own) byId.set(foldedKey(address, id), key);
    if (managed !== undefined) byAddress.set(managed, key);
  }
  const candidateOf = ({ user, listed }: ObjectUse): string | undefined => {
    if (listed !== undefined) return byId.get(listed);
    if (user?.retired === undefined) return byAddress.get(user?.address ?? "");
    return byId.get(foldedKey(user.address, user.retired));
  };
  return new Map(
    candidates.map(({ key, objects: own }) => {
      const uses: Uses = { among: new Map() };
      for (const use of own.flatMap(usesOf)) {
        const other = candidateOf(use);
        if (other === undefined) uses.outside ??= use.why;
        else if (other !== key) uses.among.set(other, use.why);
      }
      return [key, uses];
    }),
  );
}

function keptOf(candidates: readonly Candidate[], uses: ReadonlyMap<string, Uses>): Map<string, Cause> {
  const kept = new Map<string, Cause>();
  const users = new Map<string, string[]>();
  for (const [key, { among }] of uses) {
    for (const user of among.keys()) addTo(users, user, key);
  }
  const pending: string[] = [];
  const keep = (key: string, why: Cause | undefined): void => {
    if (why === undefined || kept.has(key)) return;
    kept.set(key, why);
    pending.push(key);
  };
  for (const { key } of candidates) keep(key, uses.get(key)?.outside);
  for (let user = pending.pop(); user !== undefined; user = pending.pop()) {
    for (const used of users.get(user) ?? []) keep(used, uses.get(used)?.among.get(user));
  }
  return kept;
}
