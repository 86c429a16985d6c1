import { planDeletions, type Candidate, type Deletion, type Surroundings } from "../apply/deletions.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { didYouMean } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";
import type { Deployment } from "../kind/deployment.js";
import { idsOf } from "../kind/identity.js";
import { kindNames, kindOfAddress, kinds } from "../kind/kinds.js";
import type { Lock, RetiredObject } from "../state/lock.js";

/** One object of the ledger, and what becomes of it. */
export interface PruneRow extends Omit<RetiredObject, "body"> {
  /** Null if the service never answered one. */
  readonly id: string | null;
  /** Why it stays; it is deleted if nothing is given. */
  readonly kept?: string;
}

/** How many objects of a kind stay, because the deployment has no delete for it. */
export interface Undeletable {
  /** The setting that would allow it. */
  readonly setting: string;
  readonly count: number;
}

/** What a prune deletes, and what it leaves. */
export interface Pruning {
  /** By address and ID. */
  readonly rows: readonly PruneRow[];
  readonly undeletable: readonly Undeletable[];
  /** The objects to delete, what may refer to others before those. */
  readonly deletions: readonly Deletion[];
  /** The settings of the lists that the deployment does not have: what may use the objects there is not seen. */
  readonly unseen: readonly string[];
}

/** What a prune is decided from. */
export interface PruneInput extends Surroundings {
  readonly deployment: Deployment;
  /** The IDs that a person named, or all of the ledger. */
  readonly ids: readonly string[] | "all";
}

/** Decides what is deleted of the ledger: what was named or all, as far as it can be and nothing may use it. */
export function choosePruning(input: PruneInput): Pruning {
  const { lock, deployment, ids } = input;
  const named = ids === "all" ? undefined : new Set(ids);
  const rows: PruneRow[] = [];
  const candidates: Candidate[] = [];
  const counts = new Map<string, number>();
  for (const [key, object] of Object.entries(lock.retired)) {
    if (named && !named.has(key)) continue;
    const { body: _body, ...row } = object;
    const { address } = object;
    const kind = kindOfAddress(address)?.name ?? "";
    const setting = `service.operations.${kind}.delete`;
    if (key.startsWith(`${address}#`)) rows.push({ ...row, id: null, kept: "its ID is not known" });
    else if (deployment[kind as keyof Deployment]?.delete) {
      candidates.push({ key, objects: [{ id: key, address }] });
    } else if (named) rows.push({ ...row, id: key, kept: `\`${setting}\` is not set` });
    else counts.set(setting, (counts.get(setting) ?? 0) + 1);
  }
  const { deletions, kept } = planDeletions(candidates, input);
  for (const { key } of candidates) {
    const { body: _body, ...row } = lock.retired[key] as RetiredObject;
    const why = kept.get(key);
    rows.push({ ...row, id: key, ...(why !== undefined && { kept: why }) });
  }
  const undeletable = [...counts].map(([setting, count]) => ({ setting, count }));
  const unseen = deletions.length === 0 ? [] : kindNames.filter((name) => !deployment[name]?.list);
  return {
    rows: rows.toSorted(inOrder),
    undeletable,
    deletions,
    unseen: unseen.map((name) => `service.operations.${name}.list`),
  };
}

/** Finds that an ID to prune is not in the ledger. */
export function checkPruned(ids: readonly string[], { resources, retired }: Lock): Finding[] {
  return ids
    .filter((id) => !Object.hasOwn(retired, id))
    .map((id) => {
      const owner = Object.entries(resources).find(([, entry]) => idsOf(entry).includes(id));
      const hint = owner
        ? `it is managed as ${owner[0]}: remove its document, with \`lifecycle: {on_removal: delete}\` applied before`
        : (didYouMean(id, Object.keys(retired)) ?? "`agentform lock retired` lists what can be pruned");
      return error("prune-unknown-id", undefined, `${quote(id)} is not in the ledger`, hint);
    });
}

/** Gives the kinds of what would be deleted. */
export function kindsOf({ deletions }: Pruning): (keyof typeof kinds)[] {
  const names = deletions.flatMap(({ objects }) =>
    objects.flatMap(({ address }) => kindOfAddress(address)?.name ?? []),
  );
  return [...new Set(names)];
}

function inOrder(one: PruneRow, other: PruneRow): number {
  return compare(one.address, other.address) || compare(one.id ?? "", other.id ?? "");
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
