import type { Action, Plan } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { groupBy } from "../../json/groups.js";
import type { Json } from "../../json/json.js";
import { kindOf } from "../kind/address-pattern.js";
import { byAddress, type ChangeEdit } from "./edit.js";
import { isChanging, isTurn, peerKey } from "../plan/plan-summary.js";

/** Resources of the same kinds as those with a shared edit that were there before and do not have it. */
export interface Others {
  /** The value that was changed, where they are those that had the same one. */
  readonly value?: Json;
  /** Undefined where the plan does not say how many there are. */
  readonly count?: number;
  /** The first of them: those that change otherwise, then those without a change, each sorted. */
  readonly addresses: readonly string[];
}

const mostOthers = 20;

/** Finds the resources without an edit: those with the same old value where it is one value, else all of the kinds. */
export function othersIn(
  plan: Plan,
  edits: readonly ChangeEdit[],
): (members: readonly ChangeEdit[]) => Others {
  const ofKindsOf = kindredIn(plan);
  const keep = new Map(
    (plan.peers ?? []).map((each) => {
      const { kind, path, value: before } = each;
      return [peerKey({ address: `${kind}:`, change: { path, before } }), each] as const;
    }),
  );
  const turnsAt = groupBy(
    plan.peers ? edits.filter(({ change }) => isTurn(change)) : [],
    ({ action: { address }, change }) => peerKey({ address, change }),
  );
  return (members) => {
    const [first] = members;
    if (!first || !plan.peers || !isTurn(first.change)) return ofKindsOf(members.map(({ action }) => action));
    const key = peerKey({ address: first.action.address, change: first.change });
    const own = new Set(members.map(({ action }) => action));
    const changed = (turnsAt.get(key) ?? []).filter(({ action }) => !own.has(action));
    const { count = 0, addresses = [] } = keep.get(key) ?? {};
    const named = [...changed.map(({ action }) => action.address).toSorted(compareText), ...addresses];
    return {
      value: first.change.before as Json,
      count: count + changed.length,
      addresses: named.slice(0, mostOthers),
    };
  };
}

/** Finds the resources of the same kinds; looks at no more of them than have the edit, and twenty more. */
export function kindredIn({
  actions,
  summary,
  unchanged = {},
}: Plan): (actions: readonly Action[]) => Others {
  const byKind = groupBy(actions.filter(isChanging), ({ address }) => kindOf(address));
  for (const each of byKind.values()) each.sort(byAddress);
  return (members) => {
    const own = new Set(members);
    const kinds = [...new Set(members.map(({ address }) => kindOf(address)))];
    const resting = kinds.flatMap((kind) => (Object.hasOwn(unchanged, kind) ? (unchanged[kind] ?? []) : []));
    const all =
      sum(kinds.map((kind) => byKind.get(kind)?.length ?? 0)) + sum(resting.map(({ count }) => count));
    const addresses: string[] = [];
    for (const action of kinds.flatMap((kind) => byKind.get(kind) ?? [])) {
      if (addresses.length === mostOthers) break;
      if (!own.has(action)) addresses.push(action.address);
    }
    // A saved plan may name any number.
    addresses.push(...resting.flatMap((each) => each.addresses.slice(0, mostOthers)));
    const isCounted = summary.unchanged === 0 || kinds.every((kind) => Object.hasOwn(unchanged, kind));
    return { ...(isCounted && { count: all - members.length }), addresses: addresses.slice(0, mostOthers) };
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
