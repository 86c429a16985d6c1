import type { Plan } from "../../generated/plan.js";
import { measure } from "../../json/extent.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";

// Each of them is one text in memory, and no text of V8 has more than 536 million characters.
const mostCharacters = 400_000_000;
// A lock has its bodies on many lines, with what is around them.
const lockFactor = 1.5;
// A journal has a body in the claim and in the record that begins its action.
const journalFactor = 2.5;

// A plan has the bodies, and what changes in them, on many lines.
const planFactor = 1.5;

type SizedPlan = Pick<Plan, "actions" | "documents">;

/** Finds that what a plan makes of a lock of so many characters, or its journal, would be too large to be kept. */
export function checkSize({ actions }: SizedPlan, lockLength: number): Finding[] {
  const bodies = bodiesOf(actions);
  const lock = lockLength + lockFactor * bodies;
  const journal = journalFactor * bodies;
  return journal > lock ? refuse("journal", journal) : refuse("lock", lock);
}

/** Finds that a plan would be too large to be saved or printed. */
export function checkPlanSize({ actions, documents = {} }: SizedPlan): Finding[] {
  const changes = actions.reduce((sum, action) => sum + measure(action.changes).size, 0);
  return refuse("saved plan", planFactor * (bodiesOf(actions) + changes + measure(documents).size));
}

function bodiesOf(actions: Plan["actions"]): number {
  return actions.reduce((sum, { body }) => sum + (body ? measure(body).size : 0), 0);
}

function refuse(noun: string, size: number): Finding[] {
  if (size <= mostCharacters) return [];
  const shown = (each: number) => `${Math.ceil(each / 1_000_000)} MB`;
  const message = say`this plan would make a ${noun} of about ${bare({ size }, shown(size))}, and the most is ${bare({ limit: mostCharacters }, shown(mostCharacters))}`;
  return [error("lock-too-large", undefined, message, "make several workspaces of this one")];
}
