import type { Change } from "../../generated/plan.js";
import { countEach } from "../../json/groups.js";
import { lazy } from "../../json/once.js";
import { kindOfAddress } from "../kind/kinds.js";
import { changedLines } from "./edit-key.js";
import { topField } from "../plan/difference.js";

/** Gives an edit's place: 0 guards and reach, 1 texts and settings, 2 names and API details, 3 punctuation. */
export function weightOf(address: string, change: Change): 0 | 1 | 2 | 3 {
  const kind = kindOfAddress(address);
  const field = topField(change);
  if (isPunctuation(change)) return 3;
  if (change.outline || field === "description" || field === kind.title) return 2;
  const reaches = Object.entries(kind.places).some(
    ([place, taken]) => taken !== null && place.split(".", 1)[0] === field,
  );
  return reaches ? 0 : 1;
}

// Signs at a number are part of it.
const sign = /(?<!\p{N})[\p{P}\s]{1,1000}(?!\p{N})/gu;

/** Whether two texts have the same words and numbers in the same order. */
function isPunctuation({ before, after }: Change): boolean {
  if (typeof before !== "string" || typeof after !== "string") return false;
  const { removed, added } = changedLines(before, after);
  const [left, right] = [removed, added].map((lines) => lines.join(" ").replace(sign, ""));
  return left === right;
}

/** Gives how many of the words of an edit others change, too: 0 for hardly any of them, 2 for most. */
export function likenessIn(edits: readonly Change[]): (change: Change) => 0 | 1 | 2 {
  const counts = lazy(() => countEach(edits.flatMap((edit) => [...wordsOf(edit)])));
  return (change) => {
    const words = [...wordsOf(change)];
    const shared = words.filter((word) => (counts().get(word) ?? 0) > 1).length;
    return shared * 3 < words.length ? 0 : shared * 3 < words.length * 2 ? 1 : 2;
  };
}

const mostWords = 2000;

// The words that are only on one side, each with the field.
function wordsOf({ path, before, after }: Change): Set<string> {
  const [left, right] =
    typeof before === "string" && typeof after === "string"
      ? Object.values(changedLines(before, after)).map((lines: readonly string[]) => lines.join("\n"))
      : [before, after].map((value) => (value === undefined ? "" : JSON.stringify(value)));
  const [was, now] = [left, right].map(
    (text = "") => new Set(text.match(/[\p{L}\p{M}\p{N}_]{1,1000}/gu)?.slice(0, mostWords)),
  );
  const turned = [
    ...[...(was ?? [])].filter((word) => !now?.has(word)).map((word) => `-${word}`),
    ...[...(now ?? [])].filter((word) => !was?.has(word)).map((word) => `+${word}`),
  ];
  return new Set(turned.map((word) => `${path} ${word}`));
}
