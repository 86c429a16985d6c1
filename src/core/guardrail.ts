import type { Action, GuardrailNote } from "../generated/plan.js";
import { mentionsIn, rename } from "./guardrails/mention.js";
import { once, readOperations, type OperationsOf } from "./guardrails/operations.js";
import type { Side, Subject } from "./guardrails/rule.js";
import { rules } from "./guardrails/rules.js";
import { idsOf } from "./identity.js";
import type { JsonObject } from "./json.js";
import { kindOfAddress } from "./kinds.js";
import type { Lock, LockEntry } from "./lock.js";
import { referencesIn } from "./reference.js";
import type { Resource } from "./resource.js";

export type { GuardrailNote };
export { rules as guardrailRules } from "./guardrails/rules.js";

/** What notes are made of: a plan's actions, what the workspace says, and what was last applied. */
export interface GuardrailInput {
  readonly actions: readonly Pick<Action, "address" | "action" | "from">[];
  readonly workspace: { readonly resources: ReadonlyMap<string, Pick<Resource, "body" | "lifecycle">> };
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
    .flatMap(({ code, effect, find }) =>
      find(subject).map((remark) => ({ code, effect, address, ...remark })),
    );
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

function compare({ actions, workspace: { resources }, lock }: GuardrailInput): Comparison {
  const origins = new Map(actions.map(({ address, from }) => [address, from]));
  const entryOf = (address: string): LockEntry | undefined => lock.resources[origins.get(address) ?? address];
  const before = readOperations((address) => entryOf(address)?.body);
  const after = readOperations((address) => resources.get(address)?.body);
  const added = once((address) => {
    const had = before(address).all;
    return new Map([...after(address).all].filter(([route]) => !had.has(route)));
  });
  return {
    subjectOf(address) {
      const entry = entryOf(address);
      if (!entry) return undefined;
      const { body = {}, lifecycle } = resources.get(address) ?? {};
      const names = renames(entry, body, entryOf);
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
 * Finds what has another address now than when a body was applied, in this plan or in an earlier one that had no
 * reason to touch the body: a reference that was resolved to an ID which a newly named resource has.
 */
function renames(
  { body, references = {} }: LockEntry,
  after: JsonObject,
  entryOf: (address: string) => LockEntry | undefined,
): Map<string, string> {
  const names = new Map<string, string>();
  const were = referencesIn(body);
  const are = new Set(referencesIn(after).map(({ address }) => address));
  const fresh = [...are].filter((address) => !were.some((reference) => reference.address === address));
  for (const { address, text } of fresh.length > 0 ? were : []) {
    const id = [references[text]].flat()[0];
    if (id === undefined || are.has(address)) continue;
    const name = fresh.find((each) => idsOf(entryOf(each) ?? {}).includes(id));
    if (name !== undefined) names.set(address, name);
  }
  return names;
}
