import type { GuardrailNote, Plan } from "../../generated/plan.js";
import { effects } from "../../core/guardrails/guardrail.js";
import { code, prose } from "./markdown-text.js";
import { isOfSetting } from "./plan-settings.js";
import { isOfState } from "./plan-state.js";

/** Gives the notes that say of few resources what they say; among many alike they would be overlooked. */
export function rareNotes(notes: readonly GuardrailNote[]): ReadonlySet<GuardrailNote> {
  return new Set(groupsOf(notes).filter(isFew).flat());
}

/** Gives the notes that are shown apart from the settings and edits of the state, each of which has its own beside it. */
export function resourceNotes({ notes }: Plan): GuardrailNote[] {
  return notes.filter((note) => !isOfState(note) && !isOfSetting(note));
}

/** Renders the guardrail notes on resources as lists by what they do, what concerns few first; nothing if there are none. */
export function renderNotes(plan: Plan): string[] {
  const notes = resourceNotes(plan);
  return effects.flatMap((effect) => {
    const groups = groupsOf(notes.filter((note) => note.effect === effect));
    const lines = [...groups.filter(isFew), ...groups.filter((group) => !isFew(group))].map(noteItem);
    return lines.length > 0 ? [[effectTitles[effect], "", ...lines].join("\n")] : [];
  });
}

const effectTitles = {
  weakens: "**Weakens a guardrail**",
  widens: "**Widens an agent's reach**",
  review: "**Needs a review**",
} as const;

/** Notes that say the same of several resources, so that what is said of one stands out. */
type NoteGroup = readonly [GuardrailNote, ...GuardrailNote[]];

function groupsOf(notes: readonly GuardrailNote[]): NoteGroup[] {
  const groups = new Map<string, [GuardrailNote, ...GuardrailNote[]]>();
  for (const note of notes) {
    const key = JSON.stringify([note.effect, note.code, note.message]);
    const group = groups.get(key);
    if (group) group.push(note);
    else groups.set(key, [note]);
  }
  return [...groups.values()];
}

function isFew({ length }: NoteGroup): boolean {
  return length <= 3;
}

function noteItem(group: NoteGroup): string {
  const [{ message, code: name }] = group;
  const addresses = group.map(({ address }) => code(address)).join(", ");
  if (isFew(group)) return `- ${addresses}: ${prose(message)} (${code(name)})`;
  return `- ${group.length} resources: ${prose(message)} (${code(name)}): ${addresses}`;
}
