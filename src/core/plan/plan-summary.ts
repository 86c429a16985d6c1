import { oncePer } from "../../json/once.js";
import { compareText } from "../../json/compare-text.js";
import { countEach, groupBy } from "../../json/groups.js";
import type { Action, Plan, PlanSummary, PlanUnchanged, Change, PlanPeers } from "../../generated/plan.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Resource } from "../resources/resource.js";
import { valueAt } from "../../json/path.js";

/** Whether a plan has anything to review: edits of the state, actions, or settings to record in a lock that there is. */
export function hasChanges(
  plan: Pick<Plan, "lock" | "actions" | "setting_changes" | "state_changes">,
): boolean {
  const { actions, state_changes: edits = [] } = plan;
  return edits.length + actions.length + recordedSettings(plan) > 0;
}

/** Counts the settings that an apply records; a first apply, of which all are new, for the sake of its actions alone. */
export function recordedSettings({
  lock,
  setting_changes = [],
}: Pick<Plan, "lock" | "setting_changes">): number {
  return lock === null ? 0 : setting_changes.length;
}

/** Counts the actions of each sort, and the resources of a plan that have none. */
export function summarizeActions(
  actions: readonly Action[],
  resources: readonly Pick<Resource, "address">[],
): PlanSummary {
  const summary: PlanSummary = {
    create: 0,
    update: 0,
    replace: 0,
    adopt: 0,
    forget: 0,
    record: 0,
    unknown: 0,
    blocked: 0,
    unchanged: 0,
  };
  for (const { action } of actions) summary[action] = (summary[action] ?? 0) + 1;
  const touched = new Set(actions.map(({ address }) => address));
  return { ...summary, unchanged: resources.filter(({ address }) => !touched.has(address)).length };
}

/** Whether an apply does anything for an action: not for one that waits for a person, nor for what was only found. */
export function isRun(action: Pick<Action, "action">): boolean {
  return action.action !== "unknown" && action.action !== "blocked" && !isFound(action);
}

/** Whether an action only says what was found in the service. */
export function isFound({ action }: Pick<Action, "action">): boolean {
  return action === "changed" || action === "gone";
}

// Enough for most workspaces, so that a pattern of addresses can leave out all that it is not about.
const mostNamed = 1000;

/** The actions that change an object which was there before, so that several of them may have the same edit. */
const changing: ReadonlySet<Action["action"]> = new Set(["update", "replace", "record", "changed"]);

/** Whether an action changes an object that was there before. */
export function isChanging({ action }: Pick<Action, "action">): boolean {
  return changing.has(action);
}

/** Gives the resources without an action of each kind of which several have one; nothing if there is no such kind. */
export function unchangedOf(
  actions: readonly Action[],
  resources: readonly Pick<Resource, "address">[],
): Pick<Plan, "unchanged"> {
  const changes = countEach(actions.map(({ address }) => kindOfAddress(address).name));
  const several = [...changes].filter(([, count]) => count > 1);
  if (several.length === 0) return {};
  const left = new Map(several.map(([kind]): [string, string[]] => [kind, []]));
  const touched = new Set(actions.map(({ address }) => address));
  for (const { address } of resources) {
    if (!touched.has(address)) left.get(kindOfAddress(address).name)?.push(address);
  }
  const unchanged = [...left].map(([kind, addresses]): [string, PlanUnchanged] => [
    kind,
    { count: addresses.length, addresses: addresses.toSorted().slice(0, mostNamed) },
  ]);
  return { unchanged: Object.fromEntries(unchanged) };
}

/** Gives the addresses that a plan knows, sorted; if it does not list them all, with one for the rest of a kind. */
export const knownAddresses = oncePer(
  ({ actions, summary, unchanged = {} }: Pick<Plan, "actions" | "summary" | "unchanged">): string[] => {
    const own = actions.map(({ address }) => address);
    const listed = Object.values(unchanged).flatMap(({ addresses }) => addresses);
    const kinds = new Set(own.map((address) => kindOfAddress(address).name));
    const others = listed.length < summary.unchanged ? [...kinds].map((kind) => `${kind}:?`) : [];
    return [...own, ...listed, ...others].toSorted(compareText);
  },
);

/** Gives the settings that an apply of a plan records; none of a prune, which sends no bodies that they shape. */
export function keptSettings(plan: Pick<Plan, "settings" | "options">): Pick<Plan, "settings"> {
  return plan.settings && prunedIds(plan) === undefined ? { settings: plan.settings } : {};
}

/** Gives the IDs that a plan to prune was made for, none for the whole ledger; undefined for any other plan. */
export function prunedIds({ options: { prune } }: Pick<Plan, "options">): readonly string[] | undefined {
  if (prune === undefined) return undefined;
  return Array.isArray(prune) ? prune.filter((id) => typeof id === "string") : [];
}

const mostPeers = 20;
const longestValue = 200;

/** Gives as `peers` the resources that keep a value which several others change; none of it if no value is. */
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
    return [{ kind, path, value: before, count: keep.length, addresses: addresses.slice(0, mostPeers) }];
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
