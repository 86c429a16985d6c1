import { kindOfAddress } from "../../core/kind/kinds.js";
import type { Group } from "../../core/plan/edit-groups.js";
import { changeInShort, changeOnLine, type Quote } from "../change/change-line.js";
import type { ShownChange } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";

const mostNamed = 5;

/** Says in how many of the resources that could have it an edit is, and if these are the most, in which it is not. */
export function groupPlace({ actions, others }: Group, quote: Quote): string {
  const [one, many] = nounOf(actions.map(({ address }) => address));
  const { count: left, addresses } = others;
  const here = actions.length;
  if (left === undefined) return countText(here, one, many);
  if (left === 0) return `all ${countText(here, one, many)}`;
  const place = `${here} of ${countText(here + left, one, many)}`;
  if (left > here) return place;
  const named = addresses.slice(0, mostNamed);
  const more = left - named.length;
  return `${place}, not in ${named.map(quote).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function nounOf(addresses: readonly string[]): readonly [one: string, many: string] {
  const [noun, ...more] = new Set(addresses.map((address) => kindOfAddress(address)?.noun));
  return noun !== undefined && more.length === 0 ? noun : ["resource", "resources"];
}

/** Titles a shared edit whose difference is beside it. */
export function groupTitle(group: Group): string {
  const place = `The same edit in ${groupPlace(group, (address) => address)}`;
  return group.isJudged ? place : `${place} · not judged`;
}

/** What the title of a shared edit says of the edit itself. */
export interface GroupEdit {
  readonly words: string;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Names a shared edit: its path, and as much of the difference as fits on a line. */
export function groupEdit(shown: ShownChange, quote: Quote): GroupEdit {
  const path = quote(shown.path);
  const whole = changeOnLine(shown, quote);
  if (whole !== undefined) return { words: `${path}: ${whole}`, isWhole: true };
  const short = changeInShort(shown, quote);
  return { words: short === undefined ? path : `${path}: ${short}`, isWhole: false };
}
