import type { Change, GuardrailNote } from "../../generated/plan.js";
import { addTo } from "../../json/groups.js";
import { Budget } from "../../json/budget.js";
import { oncePer } from "../../json/once.js";
import { changedLines } from "./edit-key.js";
import { unitsOf } from "./edit-units.js";

/** Gives the edits that a note is about: a text's hunks that it quotes, or all if none; a list as one. */
export function unitsAbout(note: Pick<GuardrailNote, "parts">, change: Change): readonly Change[] {
  return aboutIn(change)(note);
}

// Each edit of a text asks anew, and holds all of the text.
const aboutIn = oncePer((change: Change) =>
  oncePer(({ parts }: Pick<GuardrailNote, "parts">): readonly Change[] => {
    const units = unitsOf(change);
    if (units.length === 1 || typeof change.after !== "string") return units;
    const quotes = quotesIn(parts);
    const isQuoted = holdingAny(quotes, units.length);
    const about = units.filter((unit) => changedTexts(unit).some(isQuoted));
    return about.length > 0 ? about : units;
  }),
);

/** Gives the changes below its path that a note quotes, all if none; none once too much was compared for a resource. */
export function partsAbout(
  { parts }: Pick<GuardrailNote, "parts">,
  changesBelow: () => readonly Change[],
  work = comparisons(),
): ReadonlySet<Change> {
  if (work.isSpent) return new Set();
  const quotes = quotesIn(parts);
  const changes = changesBelow();
  work.spend(Math.min(quotes.length * changes.length, mostCompared));
  const isQuoted = holdingAny(quotes, changes.length);
  const about = changes.filter((change) => textsOf(change).some(isQuoted));
  return new Set(about.length > 0 ? about : changes);
}

/** Gives those of some notes that quote the path of a change, its value before or its value after as a whole. */
export function quotedBy(
  notes: readonly GuardrailNote[],
  change: Change,
): readonly (readonly GuardrailNote[])[] {
  const quoting = quotingIn(notes);
  return textsOf(change).map((text) => quoting.get(text) ?? []);
}

const quotingIn = oncePer((notes: readonly GuardrailNote[]) => {
  const quoting = new Map<string, GuardrailNote[]>();
  for (const note of notes) for (const quote of new Set(quotesIn(note.parts))) addTo(quoting, quote, note);
  return quoting;
});

// Each note on a field asks for all of its changes.
const textsOf = oncePer(({ path, before, after }: Change): readonly string[] => [
  path,
  textOf(before),
  textOf(after),
]);

function textOf(value: unknown): string {
  return typeof value === "string" ? squeezed(value) : (JSON.stringify(value) ?? "");
}

// A note may quote thousands of values, and there may be as many changes: then only whole values count.
const mostCompared = 2_000_000;

/** The comparisons of what notes quote with changes that one resource may take. */
export function comparisons(): Budget {
  return new Budget(2 * mostCompared);
}

function holdingAny(quotes: readonly string[], count: number): (text: string) => boolean {
  if (quotes.length * count <= mostCompared) return (text) => holds(text, quotes);
  const known = new Set(quotes);
  return (text) => known.has(text);
}

function holds(text: string, quotes: readonly string[]): boolean {
  return quotes.some((quote) => text.includes(quote) || (isSentence(text) && quote.includes(text)));
}

// Names, which a text may have by chance.
const names: ReadonlySet<string> = new Set([
  "field",
  "check",
  "section",
  "label",
  "feature",
  "name",
  "titles",
]);

function quotesIn(value: unknown): string[] {
  if (typeof value === "string") return [squeezed(value)].filter((text) => text !== "");
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (names.has(key) ? [] : quotesIn(each)));
}

const changedTexts = oncePer(({ before, after }: Change): readonly string[] => {
  if (typeof before !== "string" || typeof after !== "string") return [];
  const { removed, added } = changedLines(before, after);
  return [removed, added].map((lines) => squeezed(lines.join(" ")));
});

// A sentence may go over several lines, of which one changes.
function isSentence(text: string): boolean {
  return text.length >= 12 && text.includes(" ");
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
