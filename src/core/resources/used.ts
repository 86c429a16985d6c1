import type { Lookup } from "../expression/resolution.js";
import type { Reference } from "../expression/reference.js";
import { idsOf, isSameIdentity } from "../kind/identity.js";
import { idInEntry } from "../state/entry-ids.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { buildGraph, type Graph } from "./graph.js";
import type { Resource } from "./resource.js";

/** Another workspace whose IDs this one refers to, in the environment that goes with this one. */
export interface UsedWorkspace {
  /** The name by which references lead to it. */
  readonly name: string;
  /** Where its IDs were read, as messages name it. */
  readonly source: string;
  /** The folder of its manifest; undefined where only its IDs are here. */
  readonly directory?: string;
  readonly environment: string | null;
  /** What is applied there, by address; where an apply there comes first, what will be then. */
  readonly entries: Readonly<Record<string, LockEntry>>;
  /** What is left behind there; undefined where only its IDs are here. */
  readonly retired?: Lock["retired"];
  /** The addresses that get a new ID there before anything is sent here, each with what it had; none unless given. */
  readonly pending?: ReadonlyMap<string, LockEntry | undefined>;
  /** The addresses of its documents; undefined where nobody can tell all of them. */
  readonly documents: () => ReadonlySet<string> | undefined;
}

/** The workspaces whose IDs a workspace refers to, by the names that they have there. */
export type UsedWorkspaces = ReadonlyMap<string, UsedWorkspace>;

/** Splits `policy:strict@guard` into address and use; undefined without `@`, which no key has. */
export function usedAddress(address: string): { address: string; use: string } | undefined {
  const at = address.indexOf("@");
  return at === -1 ? undefined : { address: address.slice(0, at), use: address.slice(at + 1) };
}

/** Gives what another workspace has applied at an address of it. */
export function usedEntry(used: UsedWorkspaces, text: string): LockEntry | undefined {
  const of = usedAddress(text);
  const entries = of && used.get(of.use)?.entries;
  return entries && Object.hasOwn(entries, of.address) ? entries[of.address] : undefined;
}

/** Whether what another workspace has at an address gets a new ID before anything is sent here. */
export function isPending(used: UsedWorkspaces, text: string): boolean {
  const of = usedAddress(text);
  return of !== undefined && used.get(of.use)?.pending?.has(of.address) === true;
}

/** Gives what another workspace had at an address before it gets a new ID. */
export function beforePending(used: UsedWorkspaces, text: string): LockEntry | undefined {
  const of = usedAddress(text);
  return of && used.get(of.use)?.pending?.get(of.address);
}

/** Gives what another workspace had when its IDs were last sent; undefined if an apply there has replaced it since. */
export function sentEntry(
  used: UsedWorkspaces,
  text: string,
  entries: Iterable<LockEntry>,
): LockEntry | undefined {
  const sent: string[][] = [];
  const single: string[][] = [];
  for (const { references = {} } of entries)
    for (const [reference, ids] of Object.entries(references)) {
      if (reference === text) sent.push([ids].flat());
      else if (reference.startsWith(`${text}/`)) single.push([ids].flat());
    }
  return [beforePending(used, text), usedEntry(used, text)].find((entry) => {
    if (!entry || !sent.every((ids) => isSameIdentity({ ids }, entry))) return false;
    const known = new Set(idsOf(entry));
    return single.flat().every((id) => known.has(id));
  });
}

/** Gives the IDs of other workspaces, as far as they stay. */
export function usedLookup(used: UsedWorkspaces): Lookup {
  return (reference) => {
    if (isPending(used, reference.address)) return undefined;
    const entry = usedEntry(used, reference.address);
    return entry && idInEntry(entry, reference);
  };
}

/** Whether what another workspace has at an address was to get a new ID, and has not got it. */
export function hasOldId(used: UsedWorkspaces, text: string): boolean {
  const [entry, before] = [usedEntry(used, text), beforePending(used, text)];
  return entry !== undefined && before !== undefined && isSameIdentity(entry, before);
}

/** Gives the IDs that other workspaces were to get, once they have them; what still has the old one has none. */
export function newIdLookup(used: UsedWorkspaces): Lookup {
  return (reference) => {
    const entry = usedEntry(used, reference.address);
    return entry && !hasOldId(used, reference.address) ? idInEntry(entry, reference) : undefined;
  };
}

/** Whether a reference leads to another workspace. */
export function leadsElsewhere({ address }: Reference): boolean {
  return address.includes("@");
}

/** Gives all addresses that references to other workspaces can have, as far as they are applied there. */
export function usedAddresses(used: UsedWorkspaces): string[] {
  return [...used.values()].flatMap(({ name, entries }) =>
    Object.keys(entries).map((address) => `${address}@${name}`),
  );
}

/** Gives the graph of a workspace with what it refers to in others. */
export function graphWithUsed(resources: ReadonlyMap<string, Pick<Resource, "targets">>): Graph {
  const othersOf = (address: string) => resources.get(address)?.targets ?? [];
  const elsewhere = [...resources.keys()].flatMap(othersOf).filter((address) => usedAddress(address));
  return buildGraph([...resources.keys(), ...elsewhere], othersOf);
}
