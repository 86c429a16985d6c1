import type { Action, GuardrailNote } from "../../generated/plan.js";
import { once } from "../../json/once.js";
import { byRank, guardrailNotes } from "../guardrails/guardrail.js";
import type { PlannedBodies } from "../guardrails/judged-change.js";
import { sentEntry, usedAddress, usedEntry } from "../resources/used.js";
import type { LockEntry } from "../state/lock.js";
import { replacedEarlier, takenOver, type FormerEntries } from "./former-objects.js";
import type { Planning } from "./planning.js";
import { notesOnStaying } from "./staying.js";

/** Gives what other workspaces had when it was last sent, and have. */
export function bodiesElsewhere({ fleet: { used }, lock }: Pick<Planning, "fleet" | "lock">): PlannedBodies {
  return {
    // Each look goes through the whole lock, and thousands of agents may have one tool set.
    before: once(
      (address) => usedAddress(address) && sentEntry(used, address, Object.values(lock.resources))?.body,
    ),
    after: (address) => usedEntry(used, address)?.body,
  };
}

/** Gives the notes on the actions of a plan, by rank. */
export function notesOn(actions: readonly Action[], planning: Planning): GuardrailNote[] {
  const { fleet, lock, found } = planning;
  const elsewhere = bodiesElsewhere(planning);
  // What undoes somebody's change is compared with that change, too, and what takes over an object that was left behind
  // with what that was last sent: it may take away a guard. So may what another object was replaced with, where an
  // earlier apply did not get as far as what refers to it.
  const undoing = actions.filter(({ changes }) => changes.some(({ undoes }) => undoes));
  const undone = undoing.flatMap(({ address }): FormerEntries => {
    const { entry, body, added } = found.get(address) ?? {};
    return entry && body ? [[address, { ...entry, body: { ...body, ...added } }]] : [];
  });
  const replaced = replacedEarlier(actions, planning);
  const notes = [
    ...guardrailNotes({ actions, fleet, elsewhere, lock }),
    ...notesOnStaying(actions, { found, lock }),
    ...replaced.notes,
  ];
  const sides = [[...takenOver(actions, lock), ...undone], replaced.entries].flatMap(inTables);
  const known = new Set(sides.length > 0 ? notes.map((note) => JSON.stringify(note)) : []);
  for (const before of sides) {
    const after = new Map(fleet.resources);
    const compared = [...before.keys()].map((address) => {
      const resource = fleet.resources.get(address);
      const { body } = lock.resources[address] ?? {};
      // What is left out of the plan stays as it is.
      if (resource && body && !planning.isIn(address)) after.set(address, { ...resource, body });
      return planning.actions.get(address) ?? { address, action: "record" as const, changes: [] };
    });
    const resources = { ...lock.resources, ...Object.fromEntries(before) };
    const input = { fleet: { ...fleet, resources: after }, elsewhere, lock: { resources } };
    for (const note of guardrailNotes({ actions: compared, ...input })) {
      const text = JSON.stringify(note);
      if (!known.has(text)) notes.push(note);
      known.add(text);
    }
  }
  return notes.toSorted(byRank);
}

// As few as have each address once.
function inTables(entries: FormerEntries): Map<string, LockEntry>[] {
  const tables: Map<string, LockEntry>[] = [];
  for (const [address, entry] of entries) {
    const free = tables.find((table) => !table.has(address)) ?? tables[tables.push(new Map()) - 1];
    free?.set(address, entry);
  }
  return tables;
}
