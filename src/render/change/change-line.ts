import type { DifferenceLine, TextDifference } from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { flowText, pairTexts } from "../words/value-text.js";
import type { ShownChange } from "./shown-change.js";

/** How a form writes a value within a sentence. */
export type Quote = (text: string) => string;

const longestValue = 100;
const longestLine = 70;
const mostItems = 3;

/** Says all of a change in a few words beside its path, such as `a → b`; undefined if it does not fit on a line. */
export function changeOnLine({ sign, content }: ShownChange, quote: Quote): string | undefined {
  if (content.sort === "pair") {
    const texts = pairTexts(content.before, content.after);
    return texts.every(isShort) ? texts.map(quote).join(" → ") : undefined;
  }
  if (content.sort === "secret") return `secret, ${content.revision}`;
  if (content.sort === "value") {
    const text = flowText(content.value, longestValue + 1);
    return isShort(text) ? `${sign === "-" ? "gone" : "new"} ${quote(text)}` : undefined;
  }
  if (content.sort !== "items" || content.moved.length > 0) return undefined;
  const { removed, added } = content;
  if (removed.length + added.length > mostItems) return undefined;
  const [gone, now] = [removed, added].map((items) => items.map((item) => flowText(item, longestValue + 1)));
  if (!gone || !now || ![...gone, ...now].every(isShort)) return undefined;
  return [
    ...(gone.length > 0 ? [`removed ${gone.map(quote).join(", ")}`] : []),
    ...(now.length > 0 ? [`added ${now.map(quote).join(", ")}`] : []),
  ].join("; ");
}

function isShort(text: string): boolean {
  return text.length <= longestValue;
}

/** Says of a change that does not fit on a line what it is about: the first line that it adds or removes. */
export function changeInShort({ content }: ShownChange, quote: Quote): string | undefined {
  return content.sort === "difference" ? differenceInShort(content.difference, quote) : undefined;
}

function differenceInShort({ lines, unlike }: TextDifference, quote: Quote): string | undefined {
  if (unlike) return undefined;
  const added = textsOf(lines, "added");
  const removed = textsOf(lines, "removed");
  const [first] = added.length > 0 ? added : removed;
  if (first === undefined) return undefined;
  const verb = added.length === 0 ? "without" : removed.length === 0 ? "with" : "now";
  const left = Math.max(added.length, removed.length) - 1;
  return `${verb} ${quote(cut(first))}${left > 0 ? ` and ${countText(left, "more line")}` : ""}`;
}

function textsOf(lines: readonly DifferenceLine[], kind: "added" | "removed"): string[] {
  return lines
    .flatMap((line) =>
      line.kind === kind
        ? [
            line.segments
              .map(({ text }) => text)
              .join("")
              .trim(),
          ]
        : [],
    )
    .filter((text) => text !== "");
}

function cut(text: string): string {
  return text.length > longestLine ? `${headOf(text, longestLine - 1)}…` : text;
}
