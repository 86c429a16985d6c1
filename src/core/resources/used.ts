import type { Lookup } from "../expression/resolution.js";
import type { Reference } from "../expression/reference.js";
import { idInEntry } from "../state/entry-ids.js";
import type { LockEntry } from "../state/lock.js";
import { buildGraph, edgesOf, type Graph } from "./graph.js";
import type { Resource } from "./resource.js";

/** Another workspace whose IDs this one refers to, in the environment that goes with this one. */
export interface UsedWorkspace {
  /** The name by which references lead to it. */
  readonly name: string;
  /** Where its IDs were read, as messages name it. */
  readonly source: string;
  /** The folder of its manifest; undefined where only its IDs are here. */
  readonly directory?: string;
  /** The environment there. */
  readonly environment: string | null;
  /** What is applied there, by address. */
  readonly entries: Readonly<Record<string, LockEntry>>;
  /** The addresses of its documents; undefined where nobody can tell all of them. */
  readonly documents: () => ReadonlySet<string> | undefined;
}

/** The workspaces whose IDs a workspace refers to, by the names that they have there. */
export type UsedWorkspaces = ReadonlyMap<string, UsedWorkspace>;

/** An address of another workspace: `policy:strict@guard` is `policy:strict` of the one that is called `guard`. */
export interface UsedAddress {
  readonly address: string;
  readonly use: string;
}

/** Splits an address of another workspace; undefined for one of this workspace, whose keys have no `@`. */
export function usedAddress(address: string): UsedAddress | undefined {
  const at = address.indexOf("@");
  return at === -1 ? undefined : { address: address.slice(0, at), use: address.slice(at + 1) };
}

/** Gives what another workspace has applied at an address of it. */
export function usedEntry(used: UsedWorkspaces, text: string): LockEntry | undefined {
  const of = usedAddress(text);
  const entries = of && used.get(of.use)?.entries;
  return entries && Object.hasOwn(entries, of.address) ? entries[of.address] : undefined;
}

/** Gives the IDs of other workspaces. */
export function usedLookup(used: UsedWorkspaces): Lookup {
  return (reference) => {
    const entry = usedEntry(used, reference.address);
    return entry && idInEntry(entry, reference);
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
export function graphWithUsed(resources: ReadonlyMap<string, Pick<Resource, "references">>): Graph {
  const edges = edgesOf(resources);
  const elsewhere = edges.filter(({ to }) => usedAddress(to)).map(({ to }) => to);
  return buildGraph([...resources.keys(), ...elsewhere], edges);
}
