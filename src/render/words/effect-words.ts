import type { GuardrailNote } from "../../generated/plan.js";
import { countText } from "./count-text.js";

/** Notes that are counted: each once, however many resources it is about. */
type CountedNote = Pick<GuardrailNote, "effect"> & { readonly addresses: readonly string[] };

/** How a count of notes with an effect is said, of one and of several, and what it is that they do. */
const effectWords: Readonly<
  Record<GuardrailNote["effect"], readonly [one: string, several: string, what: string]>
> = {
  weakens: ["weakens", "weaken", " a guardrail"],
  widens: ["widens", "widen", " an agent's reach"],
  review: ["needs a review", "need a review", ""],
};

/** Counts guardrail notes by their effects, the gravest first: `1 weakens, 2 widen`; nothing if there are none. */
export function effectCounts(notes: readonly CountedNote[]): string[] {
  return countsBy(notes, ([one, several], count) => countText(count, one, several));
}

/** Says in words what guardrail notes do: `1 weakens a guardrail`; that none does harm, where all need a review alone. */
export function effectClauses(notes: readonly CountedNote[]): string[] {
  const clauses = countsBy(
    notes,
    ([one, several, what], count) => `${countText(count, one, several)}${what}`,
  );
  const isHarmless = notes.length > 0 && notes.every(({ effect }) => effect === "review");
  return isHarmless ? [...clauses, "none weakens or widens"] : clauses;
}

function countsBy(
  notes: readonly CountedNote[],
  say: (words: readonly [string, string, string], count: number) => string,
): string[] {
  return (Object.keys(effectWords) as GuardrailNote["effect"][]).flatMap((wanted) => {
    const own = notes.filter(({ effect }) => effect === wanted);
    if (own.length === 0) return [];
    const resources = new Set(own.flatMap(({ addresses }) => addresses)).size;
    const said = say(effectWords[wanted], own.length);
    return [resources > own.length ? `${said} (${countText(resources, "resource")})` : said];
  });
}
