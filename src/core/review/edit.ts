import type { Action } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import type { Change } from "../plan/difference.js";
import { groupBy } from "../../json/groups.js";

/** Something that a person changed in one resource: a hunk of a text, a value, or the resource as a whole. */
export interface Edit {
  readonly action: Action;
  /** Undefined where the resource as a whole is created, adopted, forgotten or recorded. */
  readonly change?: Change;
  /** The change of the action that it is a part of, and which of the edits in that. */
  readonly whole?: Change;
  readonly units: readonly Change[];
  /** Whether a guardrail note is about it. */
  readonly isJudged: boolean;
}

/** An edit of a field. */
export interface ChangeEdit extends Edit {
  readonly change: Change;
}

export function isOfChange(edit: Edit): edit is ChangeEdit {
  return edit.change !== undefined;
}

/** The order of actions by their addresses. */
export function byAddress(one: Action, other: Action): number {
  return compareText(one.address, other.address);
}

/** Tells apart the edits that are the same but for the titles that they stand under. */
export function byTitle(same: readonly ChangeEdit[]): (readonly ChangeEdit[])[] {
  return partsBy(same, (edit) => titleOf(edit, (titles) => titles.slice(-1))).flatMap((each) =>
    partsBy(each, (edit) => titleOf(edit, (titles) => titles.slice(0, -1))),
  );
}

function partsBy(
  same: readonly ChangeEdit[],
  titlesOf: (edit: ChangeEdit) => string,
): (readonly ChangeEdit[])[] {
  const groups = [...groupBy(same, titlesOf).values()];
  if (groups.length === 1) return groups;
  const lone = groups.filter(({ length }) => length === 1).flat();
  // Where hardly two have the same title, titles are names, such as of the agent.
  const areNames = lone.length >= Math.max(2, same.length / 2);
  return areNames ? [lone, ...groups.filter(({ length }) => length > 1)] : groups;
}

/** Gives some of the titles that an edit stands under, without the name of the resource if it is in one whole. */
export function titleOf(
  { action: { address }, change: { under = [] } }: ChangeEdit,
  choose: (titles: readonly string[]) => readonly string[],
): string {
  if (under.length === 0) return "";
  const own = address.slice(address.indexOf(":") + 1).split(/[^\p{L}\p{N}]+/u);
  return choose(under)
    .map((title) => {
      const words: string[] = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]{1,1000}/gu) ?? [];
      const isNamed = own.every((word) => words.includes(word));
      return (isNamed ? words.filter((word) => !own.includes(word)) : words).join(" ");
    })
    .join("\n");
}
