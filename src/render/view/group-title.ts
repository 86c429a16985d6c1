import { kindOfAddress } from "../../core/kind/kinds.js";
import type { EditGroup } from "../../core/review/edit-groups.js";
import { changeInShort, changeOnLine, lineOnLine } from "../change/change-line.js";
import { besideField, type Quote, shownChange, type ShownChange } from "../change/shown-change.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { safeLine } from "../words/terminal-text.js";
import { scalarText } from "../words/value-text.js";
import { addressesText } from "./address-text.js";
import { withoutContext } from "./plan-review.js";
import type { GroupItem } from "./plan-section.js";

const mostNamed = 5;

// In how many of the resources that could have it an edit is, and where these are the exception, in which it is not.
function groupPlace({ actions, others }: EditGroup, quote: Quote): string {
  const { count: left, addresses, value } = others;
  const kept = value === undefined ? "" : ` with ${quote(safeLine(scalarText(value)))}`;
  const [one, many] = nounOf(actions.map(({ address }) => address));
  const countOf = (count: number) => `${countText(count, one, many)}${kept}`;
  const here = actions.length;
  if (left === undefined) return countOf(here);
  if (left === 0) return `all ${countOf(here)}`;
  const place = `${here} of ${countOf(here + left)}`;
  if (left > Math.max(Math.min(mostNamed, here), here / 4)) return place;
  return `${place}, not in ${firstOf(addresses.map(quote), mostNamed, left)}`;
}

function nounOf(addresses: readonly string[]): readonly [one: string, many: string] {
  const [noun, ...more] = new Set(addresses.map((address) => kindOfAddress(address).noun));
  return noun !== undefined && more.length === 0 ? noun : ["resource", "resources"];
}

/** The title of a shared edit, or of all of one document. */
export interface GroupTitle {
  /** What is the same in how many resources. */
  readonly head: string;
  /** What it is, and what else is said of it. */
  readonly words: string;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Titles a shared edit, or all of one document, with all of it if that fits on a line. */
export function groupTitle({ group, edits, noted }: GroupItem, quote: Quote): GroupTitle {
  const place = groupPlace(group, quote);
  const [first] = group.actions;
  const isDocument = edits.length + noted.length > 1;
  const shown = shownChange(group.change);
  const { words, isWhole } = isDocument
    ? { words: documentWords(edits, noted, quote), isWhole: false }
    : edits.length === 0
      ? { words: pathWithOrigin(shown, quote), isWhole: true }
      : groupEdit(shown, quote);
  const what = isDocument
    ? `The same document in ${place}`
    : group.isForm
      ? `One edit in ${place}, with ${quote("${each:key}")} for the key of each`
      : group.linesDiffer
        ? `The same words change in ${place}, in lines that differ`
        : `The same edit in ${place}`;
  const said = [
    words,
    ...(group.linesDiffer && !group.isForm && first ? [`as in ${quote(first.address)}`] : []),
    ...judgedWords(edits, noted),
  ];
  return { head: what, words: said.join(" · "), isWhole: isWhole || edits.length === 0 };
}

function documentWords(edits: readonly EditGroup[], noted: readonly EditGroup[], quote: Quote): string {
  const all = [...edits, ...noted];
  const [field = ""] = all[0]?.change.path.split(".", 1) ?? [];
  const inNotes = noted.length > 0 && edits.length > 0 ? `, ${noted.length} in the notes` : "";
  return `${countText(all.length, "edit")} of ${quote(field)}${inNotes}`;
}

function judgedWords(edits: readonly EditGroup[], noted: readonly EditGroup[]): string[] {
  if (edits.length === 0) return ["in the notes"];
  const unjudged = edits.filter(({ isJudged }) => !isJudged).length;
  if (unjudged === 0) return [];
  return [unjudged === edits.length + noted.length ? "not judged" : `${unjudged} not judged`];
}

/** Says of one edit of a document in which of its resources it is; nothing if in all. */
export function partPlace({ group }: GroupItem, { actions }: EditGroup, quote: Quote): string | undefined {
  if (actions.length === group.actions.length) return undefined;
  return `in ${actions.length} of these ${group.actions.length}: ${addressesText(actions, quote, group.known)}`;
}

/** Names the field of a change, and the file and line where its value is written, if not the document's own. */
export function pathWithOrigin(shown: ShownChange, quote: Quote): string {
  const beside = besideField(shown, quote, quote);
  return beside === undefined ? quote(shown.path) : `${quote(shown.path)} (${beside})`;
}

// The path of a shared edit, and as much of the difference as fits on a line.
function groupEdit(shown: ShownChange, quote: Quote): { readonly words: string; readonly isWhole: boolean } {
  const path = pathWithOrigin(shown, quote);
  const whole = changeOnLine(shown, quote);
  if (whole !== undefined) return { words: `${path}: ${whole}`, isWhole: true };
  const short = changeInShort(shown, quote);
  return { words: short === undefined ? path : `${path}: ${short}`, isWhole: false };
}

/** Says of a shared edit whose lines differ what it is in each resource after the first, which is shown. */
export function otherLines({ linesDiffer, isForm, edits }: EditGroup, quote: Quote): MemberWords[] {
  if (!linesDiffer || isForm) return [];
  return edits.slice(1).map(({ action: { address }, change }) => {
    const shown = withoutContext(shownChange(change));
    const words = changeOnLine(shown, quote) ?? lineOnLine(shown, quote);
    return words === undefined ? { address, words: "", below: [shown] } : { address, words, below: [] };
  });
}

/** What is said of one of several resources: in a few words, and the changes that take lines of their own. */
export interface MemberWords {
  readonly address: string;
  readonly words: string;
  readonly below: readonly ShownChange[];
}
