import { kindOfAddress } from "../../core/kind/kinds.js";
import type { EditGroup } from "../../core/plan/edit-groups.js";
import { changeInShort, changeOnLine, type Quote } from "../change/change-line.js";
import { shownChange, type Room, type ShownChange } from "../change/shown-change.js";
import { countText, firstOf } from "../words/count-text.js";
import { safeLine } from "../words/terminal-text.js";
import { scalarText } from "../words/value-text.js";

const mostNamed = 5;
// Lines that differ may differ at their ends.
const longestOther = 300;

/** Says in how many of the resources that could have it an edit is, and if these are the most, in which it is not. */
export function groupPlace({ actions, others }: EditGroup, quote: Quote): string {
  const { count: left, addresses, value } = others;
  const kept = value === undefined ? "" : ` with ${quote(safeLine(scalarText(value)))}`;
  const [one, many] = nounOf(actions.map(({ address }) => address));
  const countOf = (count: number) => `${countText(count, one, many)}${kept}`;
  const here = actions.length;
  if (left === undefined) return countOf(here);
  if (left === 0) return `all ${countOf(here)}`;
  const place = `${here} of ${countOf(here + left)}`;
  if (left > here) return place;
  return `${place}, not in ${firstOf(addresses.map(quote), mostNamed, left)}`;
}

function nounOf(addresses: readonly string[]): readonly [one: string, many: string] {
  const [noun, ...more] = new Set(addresses.map((address) => kindOfAddress(address)?.noun));
  return noun !== undefined && more.length === 0 ? noun : ["resource", "resources"];
}

/** Says what several resources share, and in how many of them it is. */
export function groupHead(group: EditGroup, quote: Quote): string {
  const place = groupPlace(group, quote);
  return group.linesDiffer
    ? `The same words change in ${place}, in lines that differ`
    : `The same edit in ${place}`;
}

/** Titles a shared edit whose difference is beside it. */
export function groupTitle(group: EditGroup): string {
  const asIs: Quote = (address) => address;
  return [groupHead(group, asIs), ...groupSaid(group, asIs)].join(" · ");
}

/** What is said of a shared edit after its title: whose lines it shows if they differ, and whether it is judged. */
export function groupSaid({ linesDiffer, actions: [first], isJudged }: EditGroup, quote: Quote): string[] {
  return [
    ...(linesDiffer && first ? [`as in ${quote(first.address)}`] : []),
    ...(isJudged ? [] : ["not judged"]),
  ];
}

/** What the title of a shared edit says of the edit itself. */
export interface GroupEdit {
  readonly words: string;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Names the field of a change, and the file and line where its value is written, if not the document's own. */
export function pathWithOrigin({ path, under, origin, hand }: ShownChange, quote: Quote): string {
  const beside = [under, origin && quote(origin), hand].filter((part) => part !== undefined);
  return beside.length === 0 ? quote(path) : `${quote(path)} (${beside.join("; ")})`;
}

/** Names a shared edit: its path, and as much of the difference as fits on a line. */
export function groupEdit(shown: ShownChange, quote: Quote): GroupEdit {
  const path = pathWithOrigin(shown, quote);
  const whole = changeOnLine(shown, quote);
  if (whole !== undefined) return { words: `${path}: ${whole}`, isWhole: true };
  const short = changeInShort(shown, quote);
  return { words: short === undefined ? path : `${path}: ${short}`, isWhole: false };
}

/** Says of a shared edit whose lines differ what it is in each resource after the first, which is shown. */
export function otherLines({ linesDiffer, edits }: EditGroup, room: Room, quote: Quote): string[] {
  if (!linesDiffer) return [];
  return edits.slice(1).flatMap(({ action: { address }, change }) => {
    const shown = shownChange(change, room);
    const words = changeOnLine(shown, quote) ?? changeInShort(shown, quote, longestOther);
    return words === undefined ? [] : [`${quote(address)}: ${words}`];
  });
}
