import type { Action } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import type { Change } from "../plan/difference.js";

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

/**
 * Gives the titles that an edit stands under, without the name of the resource if it is in one whole: what is the same
 * under other titles, such as those of what is allowed and of what is not, is another edit.
 */
export function titleOf({ action: { address }, change: { under = [] } }: ChangeEdit): string {
  if (under.length === 0) return "";
  const own = address.slice(address.indexOf(":") + 1).split(/[^\p{L}\p{N}]+/u);
  return under
    .map((title) => {
      const words: string[] = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]{1,1000}|\p{S}/gu) ?? [];
      const isNamed = own.every((word) => words.includes(word));
      return (isNamed ? words.filter((word) => !own.includes(word)) : words).join(" ");
    })
    .join("\n");
}
