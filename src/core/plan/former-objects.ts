import type { Action, GuardrailNote } from "../../generated/plan.js";
import { readReference } from "../expression/reference.js";
import { sending } from "../guardrails/calls.js";
import { noteOf } from "../guardrails/note-words.js";
import { idsOf } from "../kind/identity.js";
import { once } from "../../json/once.js";
import { retiredAt } from "../state/known-ids.js";
import { bodyDigest, type LockEntry } from "../state/lock.js";
import type { Planning } from "./planning.js";

/** Of objects that an earlier apply replaced, without getting as far as all that refers to them. */
export interface FormerObjects {
  /** What they were last sent, by address; more than one map where several of one address are referred to. */
  readonly entries: readonly ReadonlyMap<string, LockEntry>[];
  /** Notes on what refers to those of which the state does not have that. */
  readonly notes: readonly GuardrailNote[];
}

/** Finds what the references of what is sent stood for before, where that is not what has their address now. */
export function formerObjects(
  actions: readonly Action[],
  { fleet: { resources }, lock, moves, ownersOf }: Pick<Planning, "fleet" | "lock" | "moves" | "ownersOf">,
): FormerObjects {
  const idsNow = once((address) => new Set(idsOf(lock.resources[address] ?? {})));
  const movedTo = new Map([...moves].map(([to, from]) => [from, to]));
  // What is only at another address now, the notes on who refers to it judge.
  const isGone = (of: string, id: string) => !idsNow(of).has(id) && ownersOf(of, id).length === 0;
  const entries: Map<string, LockEntry>[] = [];
  const seen = new Set<string>();
  const notes: GuardrailNote[] = [];
  for (const { address, action } of actions) {
    const sent = sending.has(action) ? lock.resources[address]?.references : undefined;
    if (!sent) continue;
    const kept = new Set(resources.get(address)?.references.map((each) => each.address));
    for (const [reference, before] of Object.entries(sent)) {
      const { address: was } = readReference(reference);
      const of = [movedTo.get(was) ?? was, was].find((each) => kept.has(each)) ?? "";
      const entry = lock.resources[of];
      const id = [before].flat().find((each) => isGone(of, each));
      if (id === undefined || !entry) continue;
      const body = retiredAt(lock, of, id)?.body;
      // Single tools of a set are one thing to say.
      const key = `${of} ${body ? id : address}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (body) {
        const free = entries.find((map) => !map.has(of)) ?? entries[entries.push(new Map()) - 1];
        free?.set(of, { ...entry, id, body, digest: bodyDigest(body) });
      } else notes.push(noteOf("used-id-changed", { reference: of }, { effect: "weakens", address }));
    }
  }
  return { entries, notes };
}
