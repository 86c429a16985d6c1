import type { Action, GuardrailNote } from "../../generated/plan.js";
import { once } from "../../json/once.js";
import { sending } from "../guardrails/calls.js";
import { guardrailNotes, type GuardrailInput } from "../guardrails/guardrail.js";
import type { PlannedBodies } from "../guardrails/judged-change.js";
import { lasting } from "../kind/body.js";
import type { Fleet } from "../resources/fleet.js";
import { sentEntry, usedAddress, usedEntry } from "../resources/used.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { act } from "./action.js";
import { because } from "./cause.js";
import { difference } from "./difference.js";
import { attemptedBefore, takenOver, type FormerEntries } from "./former-objects.js";
import { lookups, type Planning } from "./planning.js";
import { notesOnStaying } from "./staying.js";

/** Gives what other workspaces had when it was last sent, and have. */
export function bodiesElsewhere({ used }: Fleet, lock: Lock): PlannedBodies {
  return {
    // Each look goes through the whole lock, and thousands of agents may have one tool set.
    before: once(
      (address) => usedAddress(address) && sentEntry(used, address, Object.values(lock.resources))?.body,
    ),
    after: (address) => usedEntry(used, address)?.body,
  };
}

/** What a plan compares beside what was last applied: entries with other values, and what comes at their addresses. */
export interface OtherComparison extends Omit<GuardrailInput, "actions"> {
  /** The entries alone. */
  readonly before: ReadonlyMap<string, LockEntry>;
  /** What is left out of the plan stays as it is. */
  readonly fleet: Fleet;
}

/** Gives what a plan compares beside what was last applied: what it undoes or takes over may have been a guard. */
export function otherComparisons(
  actions: readonly Action[],
  replaced: FormerEntries,
  planning: Planning,
): OtherComparison[] {
  const { fleet, lock, elsewhere, found, isIn } = planning;
  const undoing = actions.filter(({ changes }) => changes.some(({ undoes }) => undoes));
  const undone = undoing.flatMap(({ address }): FormerEntries => {
    const { entry, body, added } = found.get(address) ?? {};
    return entry && body ? [[address, { ...entry, body: { ...body, ...added } }]] : [];
  });
  const inDoubt = attemptedBefore(actions, planning);
  return [[...takenOver(actions, planning), ...undone, ...inDoubt], replaced]
    .flatMap(inTables)
    .map((before) => {
      const resources = new Map(fleet.resources);
      for (const address of before.keys()) {
        const resource = fleet.resources.get(address);
        const { body } = lock.resources[address] ?? {};
        if (resource && body && !isIn(address)) resources.set(address, { ...resource, body });
      }
      const entries = { ...lock.resources, ...Object.fromEntries(before) };
      return { before, elsewhere, lock: { resources: entries }, fleet: { ...fleet, resources } };
    });
}

/** Gives what rules judge of a comparison: each change as if this plan made it. */
export function comparedActions({ before, fleet }: OtherComparison, planning: Planning): Action[] {
  return [...before].flatMap(([address, entry]) => {
    const resource = fleet.resources.get(address);
    if (!resource) return [];
    const planned = planning.actions.get(address);
    const action =
      planned && sending.has(planned.action) ? planned : act("replace", resource, planning, because([]));
    const [was, is] = [entry, resource].map(({ body }) => lasting(body, resource.kind));
    const changes = difference(was ?? {}, is ?? {}, lookups(entry, planning), resource.kind.outlined);
    return [{ ...action, changes }];
  });
}

/** Gives the notes on the actions of a plan, by rank. */
export function notesOn(
  actions: readonly Action[],
  others: readonly OtherComparison[],
  planning: Planning,
): GuardrailNote[] {
  const { fleet, lock, elsewhere, found, nearby } = planning;
  const notes = [
    ...guardrailNotes({ actions, fleet, elsewhere, lock, nearby }),
    ...notesOnStaying(actions, { found, lock }),
  ];
  const known = new Set(others.length > 0 ? notes.map((note) => JSON.stringify(note)) : []);
  for (const { before, ...input } of others) {
    const compared = [...before.keys()].map(
      (address) => planning.actions.get(address) ?? { address, action: "record" as const, changes: [] },
    );
    for (const note of guardrailNotes({ actions: compared, ...input })) {
      const text = JSON.stringify(note);
      const { path: _path, ...apart } = note;
      // What an update in doubt sent is in no change of this plan.
      const isInDoubt = lock.resources[note.address]?.attempted && !found.get(note.address)?.body;
      if (!known.has(text)) notes.push(isInDoubt ? apart : note);
      known.add(text);
    }
  }
  return notes;
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
