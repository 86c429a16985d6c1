import type { Action, Change, GuardrailNote, Plan } from "../../generated/plan.js";
import { effects } from "../../core/guardrails/guardrail.js";
import { rareNotes } from "./plan-notes.js";

/** An action with how much a reviewer has to look at it. */
export interface RankedAction {
  readonly action: Action;
  /** What the guardrail notes say of it, the graver effect first. */
  readonly effects: readonly string[];
  readonly weight: Weight;
}

/** Whether a reviewer must see an action, whether somebody wrote the change, or it only follows from another one. */
export type Weight = "grave" | "written" | "following";

const ranks: Record<Action["action"], number> = {
  unknown: 1,
  blocked: 1,
  replace: 2,
  forget: 3,
  adopt: 5,
  update: 6,
  create: 7,
  record: 8,
};

// A weakened guardrail comes before everything, other effects before everything that destroys nothing.
const noteworthy = 4;
const follows = 9;

/** Gives the actions of a plan in the order in which a reviewer should read them, the gravest first. */
export function byRisk({ actions, notes }: Plan): RankedAction[] {
  const rare = rareNotes(notes);
  const notesOf = new Map<string, GuardrailNote[]>();
  for (const note of notes) {
    const own = notesOf.get(note.address);
    if (own) own.push(note);
    else notesOf.set(note.address, [note]);
  }
  const ranked = actions.map((action) => {
    const own = notesOf.get(action.address) ?? [];
    const noted = effects.filter((effect) => own.some((note) => note.effect === effect));
    const rank = rankOf(action, noted);
    // Of two that are noted alike, the one of which nobody else is noted so.
    const isCommon = own.length > 0 && !own.some((note) => note.effect === noted[0] && rare.has(note));
    return { order: isCommon ? rank + 0.5 : rank, item: { action, effects: noted, weight: weightOf(rank) } };
  });
  return ranked.toSorted((left, right) => left.order - right.order).map(({ item }) => item);
}

function weightOf(rank: number): Weight {
  if (rank <= noteworthy) return "grave";
  return rank < follows ? "written" : "following";
}

function rankOf({ action, changes }: Action, effects: readonly string[]): number {
  if (effects.includes("weakens")) return 0;
  const isFollowing = action === "update" && changes.length > 0 && changes.every(isOnlyMoved);
  const rank = isFollowing ? follows : ranks[action];
  return effects.length > 0 ? Math.min(noteworthy, rank) : rank;
}

// Nobody wrote this change: what a reference stands for is another.
function isOnlyMoved({ references = [], before, after }: Change): boolean {
  return references.length > 0 && JSON.stringify(before) === JSON.stringify(after);
}
