import { idKey } from "../kind/id.js";
import { idsIn, retiredAt, retiredByName, retiredIn, retiredNames } from "../state/known-ids.js";
import { choiceOf, stateOptions } from "../state/state-choice.js";
import type { Action, GuardrailNote } from "../../generated/plan.js";
import { error, note, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import { noteOf } from "../guardrails/note-words.js";
import { compareText } from "../../json/compare-text.js";
import type { LeftObject } from "../observation/left-object.js";
import { requestFor, type Deployment } from "../kind/deployment.js";
import { kindNames, kindOfAddress } from "../kind/kinds.js";
import type { Settings } from "../resources/manifest.js";
import { entryDigest, type Lock, type RetiredObject } from "../state/lock.js";
import { actionOf, requestText } from "./action.js";
import { because, causeText, listed, unlikeText, cause, type Cause } from "./cause.js";
import { appliedSettings, type SettingsInUse } from "./applied-settings.js";
import { planDeletions, type Candidate } from "./deletions.js";
import type { Surroundings } from "./object-uses.js";
import { planOf } from "./plan-digest.js";
import type { Planned } from "./plan.js";
import { summarizeActions } from "./plan-summary.js";
import { groupBy } from "../../json/groups.js";

/** Everything that a plan to prune is a function of. */
export interface PruneInput extends Surroundings {
  readonly settings: Pick<Settings, "name" | "environment" | "deployment"> & SettingsInUse;
  /** What the lock is called; null if nothing was ever applied. */
  readonly source: string | null;
  /** What a person named, as `ID` or `KIND:ID`; all of the ledger if that is nothing. */
  readonly ids: readonly string[];
  readonly isEmulated: boolean;
  /** What the service shows of objects of the ledger, by ID; nothing unless it was asked. */
  readonly left?: ReadonlyMap<string, LeftObject>;
}

/** Plans to delete what is left behind, all or what was named, if nothing may use it; notes say why the rest stays. */
export function buildPrunePlan(input: PruneInput): Planned {
  const { ids, settings } = input;
  const { candidates, kept, undeletable } = choose(input);
  const { deletions, kept: used } = planDeletions(candidates, input);
  for (const { key, objects } of candidates) {
    const [object] = objects;
    const why = used.get(key);
    if (object && why) kept.push({ ...object, why: causeText(why) });
  }
  const addressOf = new Map(deletions.map(({ key, objects }) => [key, objects[0]?.address ?? ""]));
  const deleted = deletions.flatMap(({ objects, waits_for: users }) =>
    objects.map((object) => ({ ...object, users })),
  );
  const before = new Set<string>();
  const actions = [...groupBy(deleted, ({ address }) => address)].map(([address, all]) => {
    const users = new Set(all.flatMap((each) => each.users.map((user) => addressOf.get(user) ?? "")));
    const waits_for = [...users].filter((user) => before.has(user)).toSorted();
    before.add(address);
    return deleteOf(
      address,
      all.map(({ id }) => id),
      waits_for,
      input,
    );
  });
  const plan = planOf(settings, input, {
    options: { prune: ids.length > 0 ? [...ids] : true, ...(input.isEmulated && { emulator: true }) },
    partial: false,
    settings: appliedSettings(settings, input.isEmulated),
    notes: actions.map(noteOn),
    actions,
    summary: summarizeActions(actions, []),
  });
  const findings = [
    ...kept.toSorted((one, other) => compareText(one.address, other.address)).map(explainKept),
    ...[...undeletable].map(explainUndeletable),
    ...explainUnseen(actions, settings.deployment),
    ...explainUntold(actions, input.left),
  ];
  return { plan, findings };
}

interface Kept {
  readonly address: string;
  /** Missing if the service never answered one. */
  readonly id?: string;
  readonly why: string;
}

interface Choice {
  readonly candidates: Candidate[];
  readonly kept: Kept[];
  /** How many objects the deployment cannot delete, by the setting that would allow it. */
  readonly undeletable: ReadonlyMap<string, number>;
}

function choose({ lock, ids, left, settings: { deployment } }: PruneInput): Choice {
  const byName = retiredByName(lock);
  const chosen = ids.flatMap((name) => byName.get(name) ?? []).map(([, object]) => object);
  const named = ids.length > 0 ? new Set(chosen) : undefined;
  const candidates: Candidate[] = [];
  const kept: Kept[] = [];
  const undeletable = new Map<string, number>();
  for (const [id, object] of retiredIn(lock)) {
    if (named && !named.has(object)) continue;
    const { address, untold } = object;
    const seen = left?.get(idKey(address, id));
    const unlike = seen && unlikeText(seen);
    const name = kindOfAddress(address).name;
    const setting = `service.operations.${name}.delete`;
    if (id.startsWith(`${address}#`)) kept.push({ address, why: "its ID is not known" });
    else if (untold && !named && seen?.state !== "gone") kept.push({ id, address, why: unsure });
    else if (unlike !== undefined) kept.push({ id, address, why: unlike });
    else if (deployment[name]?.delete) {
      candidates.push({ key: `${address} ${id}`, objects: [{ id, address }] });
    } else if (named) kept.push({ id, address, why: `\`${setting}\` is not set` });
    else undeletable.set(setting, (undeletable.get(setting) ?? 0) + 1);
  }
  return { candidates, kept, undeletable };
}

const unsure = "its ID may be that of another object; if it is to be deleted, name it";

function deleteOf(
  address: string,
  ids: readonly string[],
  waits_for: string[],
  { lock, settings }: PruneInput,
): Action {
  const operation = settings.deployment[kindOfAddress(address).name]?.delete;
  const causes = ids.flatMap((id) => causesOf(id, retiredAt(lock, address, id), ids.length > 1));
  return actionOf({ address }, "delete", {
    retired: true,
    ...because(causes),
    waits_for,
    reads: { [address]: entryDigest(lock, address) },
    ids: [...ids],
    deletes: ids.length,
    requests: operation ? ids.map((id) => requestText(requestFor(operation, id))) : [],
  });
}

function causesOf(id: string, object: RetiredObject | undefined, areSeveral: boolean): Cause[] {
  if (!object) return [];
  const { reason, operation, delete_sent: sent } = object;
  const which = areSeveral ? { id } : {};
  return [
    cause("left-behind", { ...which, reason, ...(operation !== undefined && { operation }) }),
    ...(sent === undefined ? [] : [cause("delete-uncertain", { ...which, sent })]),
  ];
}

function noteOn({ address, ids = [] }: Action): GuardrailNote {
  return noteOf("retired-deleted", { ids }, { effect: "review", address });
}

function explainKept({ address, id, why }: Kept): Finding {
  const which = id === undefined ? "" : say` (${bare({ id })})`;
  return {
    ...note("prune-kept", undefined, say`${bare({ address })}${which} stays: ${bare({ reason: why })}`),
    address,
  };
}

function explainUndeletable([setting, count]: readonly [string, number]): Finding {
  const what = count === 1 ? "1 object stays" : say`${{ count }} objects stay`;
  const hint = "if your deployment can delete, say how: docs/reference/deployments.md has examples";
  return note("operation-missing", undefined, say`${what}, because ${{ field: setting }} is not set`, hint);
}

function explainUnseen(actions: readonly Action[], deployment: Deployment): Finding[] {
  const unseen = actions.length === 0 ? [] : kindNames.filter((name) => !deployment[name]?.list);
  if (unseen.length === 0) return [];
  const fields = unseen.map((name) => `service.operations.${name}.list`);
  const verb = unseen.length === 1 ? "is" : "are";
  const message = say`objects made by hand may use these and are not seen, because ${{ fields }} ${verb} not set`;
  return [note("operation-missing", undefined, message)];
}

function explainUntold(actions: readonly Action[], left: PruneInput["left"]): Finding[] {
  const untold = actions.flatMap(({ address, ids = [] }) =>
    ids.flatMap((id) => {
      const seen = left?.get(idKey(address, id)) ?? { state: "untold" as const };
      return seen.state === "untold" ? [{ address, id, name: seen.name }] : [];
    }),
  );
  const unseen = new Set(untold.flatMap(({ address, name }) => (name === undefined ? address : [])));
  const cannot = "whether it is still what was left behind cannot be told";
  const named = untold.flatMap(({ address, id, name }): Finding[] => {
    if (name === undefined) return [];
    const message = say`${bare({ address })} (${bare({ id })}): ${cannot}; the service calls it ${{ name }}`;
    return [{ ...note("prune-untold", undefined, message), address }];
  });
  if (unseen.size === 0) return named;
  const message = say`${bare({ addresses: [...unseen] }, listed([...unseen]))}: ${cannot}`;
  return [...named, note("prune-untold", undefined, message)];
}

/** Finds that an ID to prune is not in the ledger, or is there for several kinds. */
export function checkPruned(ids: readonly string[], lock: Lock): Finding[] {
  const meant = didYouMeanAmong(retiredNames(lock));
  const byName = retiredByName(lock);
  const owners = new Map(idsIn(lock.resources).map(({ id, address }) => [id, address]));
  return ids.flatMap((id) => {
    const addresses = (byName.get(id) ?? []).map(([, { address }]) => address);
    if (addresses.length === 1) return [];
    if (addresses.length > 1) return [severalOf(id, addresses)];
    const address = owners.get(id);
    const hint = address
      ? say`it is managed as ${bare({ address })}: remove its document, with \`lifecycle: {on_removal: delete}\` applied before`
      : (meant(id) ?? `\`agentform lock retired${stateOptions(choiceOf(lock))}\` lists what can be pruned`);
    return [error("prune-unknown-id", undefined, say`${{ id }} is not among what is left behind`, hint)];
  });
}

function severalOf(id: string, addresses: string[]): Finding {
  const message = say`${{ id }} is the ID of several objects that are left behind: ${bare({ addresses }, listed(addresses))}`;
  const names = addresses.map((address) => `\`${kindOfAddress(address).name}:${id}\``);
  return error("prune-unknown-id", undefined, message, `say of which kind: ${names.join(" or ")}`);
}
