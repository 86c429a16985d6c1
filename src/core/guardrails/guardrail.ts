import type { Action, GuardrailNote } from "../../generated/plan.js";
import { ownersIn } from "../state/owners.js";
import { mentionsIn, rename } from "./mention.js";
import { readOperations, sortNames, type OperationsOf } from "./operations.js";
import type { Remark, Rule, Side, Subject } from "./rule.js";
import { rules } from "./rules.js";
import type { JsonObject } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { once } from "../../json/once.js";
import type { Resource } from "../resources/resource.js";

export type { GuardrailNote };
export { rules as guardrailRules } from "./rules.js";

/** What notes are made of: a plan's actions, what the workspace says, and what was last applied. */
export interface GuardrailInput {
  readonly actions: readonly Pick<Action, "address" | "action">[];
  readonly fleet: { readonly resources: ReadonlyMap<string, Pick<Resource, "body" | "lifecycle">> };
  /** The lock in which the moves of the plan have happened. */
  readonly lock: Pick<Lock, "resources">;
}

/**
 * Says what the actions of a plan weaken or widen, against what was last applied; what is created has no before,
 * and so no notes. Weakening comes first, then by address and code.
 */
export function guardrailNotes(input: GuardrailInput): GuardrailNote[] {
  if (input.actions.length === 0) return [];
  const comparison = compare(input);
  return input.actions
    .flatMap(({ address, action }) => {
      const own = rulesFor(address, occasions[action]);
      const subject = own.length > 0 ? comparison.subjectOf(address) : undefined;
      return subject ? own.flatMap((rule) => notesOn(address, rule, subject)) : [];
    })
    .toSorted(inOrder);
}

// What is unknown or blocked does nothing in this plan.
const occasions: Readonly<Record<Action["action"], "change" | "forget" | undefined>> = {
  create: "change",
  update: "change",
  replace: "change",
  adopt: "change",
  record: "change",
  forget: "forget",
  unknown: undefined,
  blocked: undefined,
};

function rulesFor(address: string, on: Rule["on"] | undefined): readonly Rule[] {
  const kind = kindOfAddress(address);
  if (on === undefined || !kind) return [];
  return rules.filter((rule) => rule.on === on && rule.kinds.includes(kind.name));
}

function notesOn(address: string, { code, effect, find }: Rule, subject: Subject): GuardrailNote[] {
  return find(subject).map((remark: Remark) => ({ code, effect, address, ...remark }));
}

function inOrder(a: GuardrailNote, b: GuardrailNote): number {
  return (
    compareText(a.effect, b.effect) ||
    compareText(a.address, b.address) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface Comparison {
  readonly subjectOf: (address: string) => Subject | undefined;
}

function compare({ fleet: { resources }, lock }: GuardrailInput): Comparison {
  const ownersOf = ownersIn(lock);
  const before = readOperations((address) => lock.resources[address]?.body);
  const after = readOperations((address) => resources.get(address)?.body);
  const added = once((address) => {
    const had = before(address).all;
    return sortNames(
      [...after(address).all].flatMap(([route, operation]) => (had.has(route) ? [] : [operation])),
    );
  });
  return {
    subjectOf(address) {
      const entry = lock.resources[address];
      if (!entry) return undefined;
      const { body = {}, lifecycle } = resources.get(address) ?? {};
      const names = renames(entry, ownersOf);
      const applied = names.size > 0 ? (rename(entry.body, names) as JsonObject) : entry.body;
      return {
        before: sideOf(applied, entry.protect === true, before),
        after: sideOf(body, lifecycle?.protect === true, after),
        added,
      };
    },
  };
}

function sideOf(body: JsonObject, protect: boolean, operations: OperationsOf): Side {
  return { body, protect, operations, mentions: mentionsIn(body) };
}

/**
 * Finds what has another address now than when a body was applied: a reference that was resolved to an ID which
 * another resource has, after a move of this plan or of an earlier one that had no reason to touch the body.
 */
function renames(
  { references = {} }: LockEntry,
  ownersOf: (id: string) => readonly string[],
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [text, ids] of Object.entries(references)) {
    const [address = text] = text.split("/", 1);
    const [id] = typeof ids === "string" ? [ids] : ids;
    const owner = id === undefined ? undefined : ownersOf(id).at(-1);
    if (owner !== undefined && owner !== address) names.set(address, owner);
  }
  return names;
}
