import { countEach } from "../../json/groups.js";
import { pathSegment } from "../../json/path.js";
import { addedTexts, textsBefore } from "./added-text.js";
import { hiddenRuns, type HiddenRun } from "./hidden-characters.js";
import { mixedWords } from "./letters.js";
import type { HiddenPart, PartsOfNotes } from "./note-parts.js";
import type { Remark, RemarkOf, Subject } from "./rule.js";

/** Finds words with letters of several scripts in text that is added. */
export function mixedScripts(subject: Subject): RemarkOf<"mixed-scripts">[] {
  const found = addedTexts(subject).flatMap(({ field, texts }) => {
    const words = new Map(texts.flatMap(mixedWords).map((each) => [each.word, each]));
    return words.size > 0 ? [{ field, words }] : [];
  });
  if (found.length === 0) return [];
  const known = new Set(
    textsBefore(subject)
      .flatMap(mixedWords)
      .map(({ word }) => word),
  );
  return found.flatMap(({ field, words }) => {
    const added = [...words.values()].filter(({ word }) => !known.has(word));
    return added.length > 0 ? [{ path: pathSegment(field), parts: { field, words: added } }] : [];
  });
}

/** Finds tags, and characters that change the order of what is shown, in text that is added. */
export function hiddenText(subject: Subject): RemarkOf<"hidden-text">[] {
  return hiddenIn(subject, ({ isGrave }) => isGrave);
}

/** Finds other characters that are shown as nothing, in text that is added. */
export function invisibleCharacters(subject: Subject): RemarkOf<"invisible-characters">[] {
  return hiddenIn(subject, ({ isGrave }) => !isGrave);
}

function hiddenIn(
  subject: Subject,
  isWanted: (run: HiddenRun) => boolean,
): Remark<PartsOfNotes["hidden-text"]>[] {
  const found = addedTexts(subject).flatMap(({ field, texts }) => {
    const runs = texts.flatMap(hiddenRuns).filter(isWanted);
    return runs.length > 0 ? [{ field, runs }] : [];
  });
  if (found.length === 0) return [];
  const old = textsBefore(subject).flatMap(hiddenRuns);
  const lines = new Set(old.map(({ line }) => line));
  // What only went to another line was there before.
  const left = countEach(old.map(({ text }) => text));
  const all = found.flatMap(({ runs }) => runs);
  for (const { text, line } of all) if (lines.has(line)) left.set(text, (left.get(text) ?? 0) - 1);
  return found.flatMap(({ field, runs }) => {
    const added = runs.filter(({ text, line }) => {
      if (lines.has(line)) return false;
      const before = left.get(text) ?? 0;
      left.set(text, before - 1);
      return before <= 0;
    });
    if (added.length === 0) return [];
    return [{ path: pathSegment(field), parts: { field, runs: added.map(partOf) } }];
  });
}

// Never what stands beside a secret.
function partOf({ characters, count, after, spells, line }: HiddenRun): HiddenPart {
  return {
    characters: [...characters],
    count,
    after: line.includes("${env:") ? "" : after,
    ...(spells !== undefined && { spells }),
  };
}
