import type { StateTexts } from "./lock-store.js";

/** The texts of a lock and its journal on both sides of a merge, and where they forked. */
export type ConflictSides = Readonly<Record<"base" | "ours" | "theirs", StateTexts>>;

type MergeSide = "ours" | "theirs";

// What a line of git's says about those after it; the second is of `merge.conflictStyle`.
const takersAfter: Readonly<Record<string, readonly MergeSide[]>> = {
  "<<<<<<<": ["ours"],
  "|||||||": [],
  "=======": ["theirs"],
  ">>>>>>>": ["ours", "theirs"],
};

/** Gives the sides of a conflict that git has marked in a lock or its journal, also where that was committed; undefined if there is none. */
export function markedSides({ lock, journal }: StateTexts): ConflictSides | undefined {
  const [ofLock, ofJournal] = [sidesIn(lock ?? ""), sidesIn(journal ?? "")];
  if (!ofLock && !ofJournal) return undefined;
  const textsOf = (side: MergeSide): StateTexts => ({
    lock: ofLock ? ofLock[side] : lock,
    // One without a conflict is read with what is in the place of the lock.
    journal: ofJournal?.[side] || null,
  });
  return { base: { lock: null, journal: null }, ours: textsOf("ours"), theirs: textsOf("theirs") };
}

function sidesIn(text: string): Readonly<Record<MergeSide, string>> | undefined {
  if (!/^<{7} /m.test(text)) return undefined;
  const sides = { ours: "", theirs: "" };
  let takers: readonly MergeSide[] = ["ours", "theirs"];
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark = ""] = /^([<|=>]{7})(?: |\r?\n|$)/.exec(line) ?? [];
    const after = takersAfter[mark];
    if (after) takers = after;
    else for (const side of takers) sides[side] += line;
  }
  return sides;
}
