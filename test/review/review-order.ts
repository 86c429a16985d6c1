import { reviewOf } from "../../src/core/review/review.js";
import type { Plan } from "../../src/core/plan/plan.js";
import type { Sight } from "./danger.js";
import { harmlessCodes, harmlessEdits } from "./harmless-mass.js";

const firstThings = 3;

/** Says why a danger is not among the first three things of a review, whole; nothing if it is. */
export function missedAmong(things: readonly Thing[], { addresses, shows }: Sight): string[] {
  const at = things.findIndex(({ of, text }) => {
    return of.some((address) => addresses.includes(address)) && shows.every((words) => has(text, words));
  });
  if (at !== -1 && at < firstThings) return [];
  if (at !== -1) return [`it is number ${at + 1} (${things[at]?.sort})`];
  const named = things.findIndex(({ of }) => of.some((address) => addresses.includes(address)));
  const count = `${things.length} things that are notes, held or only here`;
  if (named === -1) return [`none of ${count} is of ${addresses[0]}`];
  const left = shows.filter((words) => !has(things[named]?.text ?? "", words));
  return [`number ${named + 1} of ${count} (${things[named]?.sort}) lacks ${left.join(", ")}`];
}

/** One thing that a review shows. */
export interface Thing {
  readonly sort: string;
  /** The addresses that it is of. */
  readonly of: readonly string[];
  /** All that it says. */
  readonly text: string;
}

/** What a plan shows unfolded after its counts, in the order of a review. */
export function thingsOf(plan: Plan): Thing[] {
  const { notes, held, onlyHere } = reviewOf(plan);
  return [
    ...(plan.state_changes ?? []).map((edit) => ({
      sort: "state",
      of: [edit.address ?? edit.part],
      text: JSON.stringify(edit),
    })),
    ...(plan.setting_changes ?? []).map((change) => ({
      sort: "setting",
      of: [change.path],
      text: JSON.stringify(change),
    })),
    ...notes.map((note) => ({ sort: `note ${note.code}`, of: note.addresses, text: JSON.stringify(note) })),
    ...held.map((action) => ({ sort: "held", of: [action.address], text: JSON.stringify(action) })),
    ...onlyHere.map(({ action, change }) => ({
      sort: "only here",
      of: [action.address],
      text: JSON.stringify(change ?? action),
    })),
  ];
}

function has(text: string, words: string | RegExp): boolean {
  return typeof words === "string" ? text.includes(words) : words.test(text);
}

/** What is wrong with how a review sorts the harmless mass, of which some resources may have a danger too. */
export function missorted(plan: Plan, sight?: Sight): string[] {
  const { onlyHere, groups, consequences, notes } = reviewOf(plan);
  const isDangerous = (address: string) => sight?.addresses.includes(address) === true;
  const alone = onlyHere.filter(({ action }) => !isDangerous(action.address));
  const edited = new Set([
    ...onlyHere.map(({ action }) => action),
    ...groups.flatMap(({ actions }) => actions),
  ]);
  const both = consequences.filter((action) => edited.has(action));
  const other = notes.filter(
    ({ code, addresses }) => !harmlessCodes.has(code) && !addresses.some(isDangerous),
  );
  return [
    ...(groups.length === harmlessEdits.length ? [] : [`${groups.length} groups`]),
    ...alone.map(({ action, change }) => `only here: ${action.address} ${change?.path ?? ""}`),
    ...both.map(({ address }) => `an edit and a consequence: ${address}`),
    ...other.map(({ code, addresses }) => `${code} of ${addresses.join(", ")}`),
  ];
}
