import type { Action, GuardrailNote } from "../generated/plan.js";
import { mentionsIn, rename } from "./guardrails/mention.js";
import { once, readOperations, sortNames, type OperationsOf } from "./guardrails/operations.js";
import type { Remark, Rule, Side, Subject } from "./guardrails/rule.js";
import { rules } from "./guardrails/rules.js";
import { idsOf } from "./identity.js";
import type { JsonObject } from "./json.js";
import { kindOfAddress } from "./kinds.js";
import type { Lock, LockEntry } from "./lock.js";
import type { Resource } from "./resource.js";

export type { GuardrailNote };
export { rules as guardrailRules } from "./guardrails/rules.js";

/** What notes are made of: a plan's actions, what the workspace says, and what was last applied. */
export interface GuardrailInput {
  readonly actions: readonly Pick<Action, "address" | "action">[];
  readonly workspace: { readonly resources: ReadonlyMap<string, Pick<Resource, "body" | "lifecycle">> };
  /** The lock in which the moves of the plan have happened. */
  readonly lock: Pick<Lock, "resources">;
}

/**
 * Says what the actions of a plan weaken or widen, against what was last applied; what is created has no before,
 * and so no notes. Weakening comes first, then by address and code.
 */
export function guardrailNotes(input: GuardrailInput): GuardrailNote[] {
  const comparison = compare(input);
  return input.actions
    .flatMap(({ address, action }) => {
      const on = occasions[action];
      const subject = on && comparison.subjectOf(address);
      return subject ? notesOn(address, on, subject) : [];
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

function notesOn(address: string, on: "change" | "forget", subject: Subject): GuardrailNote[] {
  const kind = kindOfAddress(address);
  return rules
    .filter((rule) => rule.on === on && kind !== undefined && rule.kinds.includes(kind.name))
    .flatMap((rule) => rule.find(subject).map((remark) => noteOf(rule, address, remark)));
}

function noteOf({ code, effect }: Rule, address: string, remark: Remark): GuardrailNote {
  return { code, effect, address, ...remark };
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

function compare({ workspace: { resources }, lock }: GuardrailInput): Comparison {
  const ownerOf = indexIds(lock);
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
      const names = renames(entry, ownerOf);
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
  ownerOf: (id: string) => string | undefined,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [text, ids] of Object.entries(references)) {
    const [address = text] = text.split("/", 1);
    const [id] = typeof ids === "string" ? [ids] : ids;
    const owner = id === undefined ? undefined : ownerOf(id);
    if (owner !== undefined && owner !== address) names.set(address, owner);
  }
  return names;
}

function indexIds({ resources }: Pick<Lock, "resources">): (id: string) => string | undefined {
  const owners = new Map<string, string>();
  for (const [address, entry] of Object.entries(resources)) {
    for (const id of idsOf(entry)) owners.set(id, address);
  }
  return (id) => owners.get(id);
}
