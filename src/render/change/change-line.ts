import type { Segment } from "../difference/line-segments.js";
import type { DifferenceLine, TextDifference } from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { headOf, tailOf } from "../words/cut-text.js";
import { flowText, scalarText } from "../words/value-text.js";
import type { Quote, ShownChange } from "./shown-change.js";

const longestValue = 100;
const longestLine = 70;
const mostItems = 3;

/** Says all of a change in a few words beside its path, such as `a → b`; undefined if it does not fit on a line. */
export function changeOnLine({ sign, content }: ShownChange, quote: Quote): string | undefined {
  if (content.sort === "pair") {
    const texts = [content.before, content.after].map(scalarText);
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

/** Says all of a change of one line of a text, however long: the line as it is now, or as it was; undefined of any other. */
export function lineOnLine({ content }: ShownChange, quote: Quote): string | undefined {
  if (content.sort !== "difference") return undefined;
  const { lines } = content.difference;
  const isOne = ["added", "removed"].every(
    (wanted) => lines.filter(({ kind }) => kind === wanted).length <= 1,
  );
  return isOne && lines.every(({ kind }) => kind !== "note")
    ? differenceInShort(content.difference, quote, Infinity)
    : undefined;
}

/** Says of a change that does not fit on a line what it is about: the first and the last line that it adds or removes. */
export function changeInShort({ content }: ShownChange, quote: Quote): string | undefined {
  return content.sort === "difference"
    ? differenceInShort(content.difference, quote, longestLine)
    : undefined;
}

function differenceInShort(
  { lines, unlike }: TextDifference,
  quote: Quote,
  most: number,
): string | undefined {
  if (unlike) return undefined;
  const added = textsOf(lines, "added", most);
  const removed = textsOf(lines, "removed", most);
  const texts = added.length > 0 ? added : removed;
  const [first, ...rest] = texts;
  if (first === undefined) return undefined;
  const verb = added.length === 0 ? "without" : removed.length === 0 ? "with" : "now";
  const last = rest.at(-1);
  const named = [first, ...(last === undefined ? [] : [last])].map(quote).join(" … ");
  const left = Math.max(added.length, removed.length) - (last === undefined ? 1 : 2);
  return `${verb} ${named}${left > 0 ? ` and ${countText(left, "more line")}` : ""}`;
}

function textsOf(lines: readonly DifferenceLine[], kind: "added" | "removed", most: number): string[] {
  return lines
    .flatMap((line) => (line.kind === kind ? [cut(line.segments, most)] : []))
    .filter((text) => text !== "");
}

// Of a long line the part around its last changed words, for what is added at its end is in no other place.
function cut(segments: readonly Segment[], most: number): string {
  const text = segments.map((segment) => segment.text).join("");
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const changed = segments.findLastIndex((segment) => segment.changed && segment.text.trim() !== "");
  const end = segments.slice(0, changed + 1).reduce((sum, segment) => sum + segment.text.length, 0);
  if (end <= most - 1) return `${headOf(whole, most - 1)}…`;
  const part = tailOf(text.slice(0, end), most - 2);
  return `…${part}${text.slice(end).trim() === "" ? "" : "…"}`;
}
