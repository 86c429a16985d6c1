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

/** Finds that what a plan makes of a lock of so many characters, or its journal, or the plan itself, would be too large to be kept. */
export function checkSize(
  { actions, documents = {} }: Pick<Plan, "actions" | "documents">,
  lockLength: number,
): Finding[] {
  const bodies = actions.reduce((sum, { body }) => sum + (body ? measure(body).size : 0), 0);
  const changes = actions.reduce((sum, action) => sum + measure(action.changes).size, 0);
  const whole = measure(documents).size;
  const sizes = [
    ["lock", lockLength + lockFactor * bodies],
    ["journal", journalFactor * bodies],
    ["saved plan", lockFactor * (bodies + changes + whole)],
  ] as const;
  const [noun, size] = sizes.toSorted(([, one], [, other]) => other - one)[0] ?? ["", 0];
  if (size <= mostCharacters) return [];
  const shown = (each: number) => `${Math.ceil(each / 1_000_000)} MB`;
  const message = say`this plan would make a ${noun} of about ${bare({ size }, shown(size))}, and the most is ${bare({ limit: mostCharacters }, shown(mostCharacters))}`;
  return [error("lock-too-large", undefined, message, "make several workspaces of this one")];
}
