import type { Action, Change, Plan, PlanPeers } from "../../generated/plan.js";
import { groupBy } from "../../json/groups.js";
import { valueAt } from "../../json/path.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Resource } from "../resources/resource.js";
import { isChanging } from "./plan-summary.js";

const mostNamed = 20;
const longestValue = 200;

/**
 * Gives the resources that keep a value which several others change, so that the odd one out is named; undefined if no
 * value is changed in several.
 */
export function peersOf(
  actions: readonly Action[],
  resources: readonly Pick<Resource, "address" | "body">[],
): Pick<Plan, "peers"> {
  const turns = actions
    .filter(isChanging)
    .flatMap(({ address, changes }) =>
      changes.flatMap((change) => (isTurn(change) ? [{ address, change }] : [])),
    );
  const shared = [...groupBy(turns, (turn) => `${peerKey(turn)} ${String(turn.change.after)}`).values()];
  const asked = new Map(
    shared.flatMap(([first, second]) => (second ? [[peerKey(first), first] as const] : [])),
  );
  const byKind = groupBy(resources, ({ address }) => kindOfAddress(address).name);
  const peers = [...asked.values()].flatMap(({ address, change: { path, before } }): PlanPeers[] => {
    const kind = kindOfAddress(address).name;
    const keys = path.split(".");
    const keep = (byKind.get(kind) ?? []).filter(({ body }) => valueAt(body, keys) === before);
    if (before === undefined || keep.length === 0) return [];
    const addresses = keep.map((each) => each.address).toSorted();
    return [{ kind, path, value: before, count: keep.length, addresses: addresses.slice(0, mostNamed) }];
  });
  return asked.size > 0 ? { peers } : {};
}

/** Gives a text that is the same for changes of the same value at the same path in resources of one kind. */
export function peerKey({ address, change }: { readonly address: string; readonly change: Change }): string {
  const { path, before } = change;
  return `${address.slice(0, address.indexOf(":"))} ${path} ${typeof before} ${String(before)}`;
}

/** Whether a change is of one short value at a path of names alone to another. */
export function isTurn({ path, before, after }: Change): boolean {
  return isShort(before) && isShort(after) && !/["[{]/.test(path);
}

function isShort(value: unknown): boolean {
  return typeof value === "string"
    ? value.length <= longestValue && !value.includes("\n")
    : typeof value === "number" || typeof value === "boolean";
}
