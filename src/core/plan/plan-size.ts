import type { Action, Plan } from "../../generated/plan.js";
import { measure } from "../../json/extent.js";
import { once } from "../../json/once.js";
import { isWholeSet } from "../expression/reference.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import type { Planning } from "./planning.js";

/** The most characters of a lock, a journal or a saved plan: each is one text, and no text of V8 has more than 536 million. */
const mostCharacters = 400_000_000;
// A lock has its bodies on many lines, with what is around them.
const lockFactor = 1.5;
// A journal has a body in the claim and in the record that begins its action.
const journalFactor = 2.5;
// A plan has the bodies, and what changes in them, on many lines.
const planFactor = 1.5;

// An ID of a common length on a line of its own.
const idCost = 48;

/** Counts the IDs that references stand for in what is sent: those of all tools of a set, for each agent that has it. */
export function countIds(
  actions: Iterable<Pick<Action, "address" | "body">>,
  { fleet: { resources }, idsAfterPlan }: Pick<Planning, "fleet" | "idsAfterPlan">,
): number {
  const countOf = once((address) => {
    const after = idsAfterPlan.get(address);
    const resource = resources.get(address);
    if (after?.type === "kept") return idsOf(after.entry).length;
    return resource?.kind.operations?.(resource.body).length ?? 1;
  });
  let count = 0;
  for (const { address, body } of actions) {
    if (!body) continue;
    for (const reference of resources.get(address)?.references ?? [])
      count += isWholeSet(reference) ? countOf(reference.address) : 1;
  }
  return count;
}

/** Finds that what a plan makes of a lock of so many characters, or its journal, would be too large to be kept. */
export function checkSize(
  { actions }: Pick<Plan, "actions">,
  lockLength: number,
  most = mostCharacters,
  ids = 0,
): Finding[] {
  const bodies = sizeOf(actions.map(({ body }) => body)) + ids * idCost;
  const lock = lockLength + lockFactor * bodies;
  const journal = journalFactor * bodies;
  return journal > lock ? refuse("plan", "journal", journal, most) : refuse("plan", "lock", lock, most);
}

/** Finds that a plan would be too large to be saved or printed. */
export function checkPlanSize(
  { actions, documents = {}, notes }: Pick<Plan, "actions" | "documents" | "notes">,
  most = mostCharacters,
): Finding[] {
  const size = sizeOf(actions.map(({ body }) => body)) + sizeOf(actions.map(({ changes }) => changes));
  return refuse("plan", "saved plan", planFactor * (size + sizeOf([documents, notes])), most);
}

/** Finds that a lock of so many characters is too large to be moved, or with what an import adds to it. */
export function checkLockSize(
  subject: "import" | "move",
  lockLength: number,
  added: readonly unknown[],
  most = mostCharacters,
): Finding[] {
  return refuse(subject, "lock", lockLength + lockFactor * sizeOf(added), most);
}

function sizeOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (value === undefined ? 0 : measure(value).size), 0);
}

function refuse(subject: string, noun: string, size: number, limit: number): Finding[] {
  if (size <= limit) return [];
  const shown = (each: number) => `${Math.ceil(each / 1_000_000)} MB`;
  const message = say`this ${subject} would make a ${noun} of about ${bare({ size }, shown(size))}, and the limit is ${bare({ limit }, shown(limit))}`;
  return [error("lock-too-large", undefined, message, "make several workspaces of this one")];
}
