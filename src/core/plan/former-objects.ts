import type { Action, GuardrailNote } from "../../generated/plan.js";
import { readReference } from "../expression/reference.js";
import { sending } from "../guardrails/calls.js";
import type { PlanOfChange } from "../guardrails/judged-change.js";
import { withNames } from "../guardrails/mention.js";
import { noteOf } from "../guardrails/note-words.js";
import { idsOf } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import { once } from "../../json/once.js";
import { usedAddress, type UsedWorkspaces } from "../resources/used.js";
import { retiredAt } from "../state/known-ids.js";
import { bodyDigest, type Lock, type LockEntry } from "../state/lock.js";
import type { Planning } from "./planning.js";

/** Entries with what was last sent for objects that were left behind, by the address for which each is looked at. */
export type FormerEntries = (readonly [address: string, entry: LockEntry])[];

/** Gives those of objects that are taken over, by new address. */
export function takenOver(
  actions: readonly Action[],
  planning: Pick<Planning, "fleet" | "lock" | "ownersOf" | "sentElsewhere">,
): FormerEntries {
  const { lock, sentElsewhere } = planning;
  return actions.flatMap(({ address, action, ids: [id = ""] = [] }): FormerEntries => {
    if (action !== "adopt" || lock.resources[address]) return [];
    const own = lastSent(address, id, lock);
    const there = own.length > 0 ? undefined : sentElsewhere?.(address, id);
    return there ? [[address, withNamesHere(there, planning)]] : own;
  });
}

// A name there may be that of another object here. What has none here gets one that nothing has.
function withNamesHere(
  entry: LockEntry,
  { fleet: { used }, ownersOf }: Pick<Planning, "fleet" | "ownersOf">,
): LockEntry {
  const names = new Map<string, string>();
  for (const [text, ids] of Object.entries(entry.references ?? {})) {
    const { address } = readReference(text);
    const [id = ""] = [ids].flat();
    const of = usedAddress(address)?.address ?? address;
    const [name = `${of}@?`] = [...ownersOf(of, id), ...usedOwners(used, of, id)];
    names.set(address, name);
  }
  return withNames(entry, names);
}

function usedOwners(used: UsedWorkspaces, of: string, id: string): string[] {
  return [...used].flatMap(([name, { entries }]) =>
    Object.entries(entries).flatMap(([address, entry]) =>
      kindOfAddress(address) === kindOfAddress(of) && idsOf(entry).includes(id) ? [`${address}@${name}`] : [],
    ),
  );
}

/** Gives former objects of references: an apply that replaced them did not get as far as what refers to them. */
export function replacedEarlier(
  actions: readonly Action[],
  { fleet: { resources }, lock, moves, ownersOf }: Pick<Planning, "fleet" | "lock" | "moves" | "ownersOf">,
): {
  readonly entries: FormerEntries;
  readonly notes: readonly GuardrailNote[];
  readonly hadAnother: PlanOfChange["hadAnother"];
} {
  const idsNow = once((address) => new Set(idsOf(lock.resources[address] ?? {})));
  const movedTo = new Map([...moves].map(([to, from]) => [from, to]));
  // What is only at another address now, the notes on who refers to it judge.
  const isGone = (of: string, id: string) => !idsNow(of).has(id) && ownersOf(of, id).length === 0;
  const entries = new Map<string, FormerEntries>();
  const notes: GuardrailNote[] = [];
  const unknownOf = new Map<string, ReadonlySet<string>>();
  for (const { address, action } of actions) {
    const sent = sending.has(action) ? lock.resources[address]?.references : undefined;
    if (!sent) continue;
    const kept = new Set(resources.get(address)?.references.map((each) => each.address));
    // Single tools of a set are one thing to say.
    const unknown = new Set<string>();
    for (const [reference, before] of Object.entries(sent)) {
      const { address: was } = readReference(reference);
      const of = [movedTo.get(was) ?? was, was].find((each) => kept.has(each)) ?? "";
      const id = [before].flat().find((each) => isGone(of, each));
      if (id === undefined || !lock.resources[of]) continue;
      const found = entries.get(`${of} ${id}`) ?? lastSent(of, id, lock);
      entries.set(`${of} ${id}`, found);
      if (found.length === 0) unknown.add(of);
    }
    unknownOf.set(address, unknown);
    for (const reference of unknown)
      notes.push(noteOf("used-id-changed", { reference }, { effect: "weakens", address }));
  }
  const hadAnother = (address: string, of: string) => unknownOf.get(address)?.has(of) ?? false;
  return { entries: [...entries.values()].flat(), notes, hadAnother };
}

// Each takes a look at the whole plan.
const mostAttempts = 10;

/** Gives those of objects that may have what an update sent of which nobody knows whether it arrived, the newest ones. */
export function attemptedBefore(
  actions: readonly Action[],
  { lock, found }: Pick<Planning, "lock" | "found">,
): FormerEntries {
  return actions.flatMap(({ address, action }): FormerEntries => {
    const entry = lock.resources[address];
    if (!entry?.attempted || !sending.has(action) || found.get(address)?.body) return [];
    return entry.attempted
      .slice(-mostAttempts)
      .map((attempt) => [address, { ...entry, ...attempt, digest: bodyDigest(attempt.body) }]);
  });
}

/** Gives the entry with what was last sent for an object that was left behind, none where that is not known. */
export function lastSent(
  address: string,
  id: string,
  lock: Pick<Lock, "resources" | "retired">,
): FormerEntries {
  const { address: was = address, body } = retiredAt(lock, address, id) ?? {};
  if (!body || kindOfAddress(was) !== kindOfAddress(address)) return [];
  return [[address, { ...lock.resources[address], id, body, digest: bodyDigest(body) }]];
}
