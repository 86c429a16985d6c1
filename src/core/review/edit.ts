import type { Action } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { mayForbid } from "../guardrails/prohibition.js";
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

/** Gives the titles above an edit, for under another title it is another edit; a sign stands for its own name. */
export function titleOf(address: string, { under = [] }: Change): string {
  if (under.length === 0) return "";
  const name = address.slice(address.indexOf(":") + 1);
  const own = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  // A name that is a part of what a title says, such as `never`, is no mere name.
  const isMereName = !mayForbid(name);
  return under
    .map((title) => {
      // Signs count: they may be all that tells what is allowed.
      const words: string[] = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]{1,1000}|\S/gu) ?? [];
      const isNamed = isMereName && own.every((word) => words.includes(word));
      const text = words.map((word) => (isNamed && own.includes(word) ? "\0" : word)).join(" ");
      return text.replace(/\0(?: [-._:]?(?: ?\0))+/g, "\0");
    })
    .join("\n");
}
