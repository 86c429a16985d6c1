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
  { fleet: { resources }, lock }: Pick<Planning, "fleet" | "lock">,
): FormerObjects {
  const idsNow = once((address) => new Set(idsOf(lock.resources[address] ?? {})));
  const entries: Map<string, LockEntry>[] = [];
  const seen = new Set<string>();
  const notes: GuardrailNote[] = [];
  for (const { address, action } of actions) {
    const sent = sending.has(action) ? lock.resources[address]?.references : undefined;
    if (!sent) continue;
    const kept = new Set(resources.get(address)?.references.map((each) => each.address));
    for (const [reference, before] of Object.entries(sent)) {
      const { address: of } = readReference(reference);
      const entry = lock.resources[of];
      const id = [before].flat().find((each) => !idsNow(of).has(each));
      if (id === undefined || !entry || !kept.has(of)) continue;
      const body = retiredAt(lock, of, id)?.body;
      if (!body) notes.push(noteOf("used-id-changed", { reference }, { effect: "weakens", address }));
      else if (!seen.has(`${of} ${id}`)) {
        const free = entries.find((map) => !map.has(of)) ?? entries[entries.push(new Map()) - 1];
        free?.set(of, { ...entry, id, body, digest: bodyDigest(body) });
        seen.add(`${of} ${id}`);
      }
    }
  }
  return { entries, notes };
}
