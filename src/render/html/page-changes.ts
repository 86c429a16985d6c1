import type { Action, Change } from "../../generated/plan.js";
import { isConsequence, type Group } from "../../core/plan/review.js";
import { actionChanges } from "../change/action-changes.js";
import { shownChange } from "../change/shown-change.js";
import { Distinct } from "./distinct.js";
import { pageChange, type PageRoom } from "./page-change.js";
import type { PageChange } from "./page-data.js";

/** The changes of a page, each named by its index; an edit that several actions share is held once. */
export class PageChanges {
  readonly #room: PageRoom;
  readonly #distinct = new Distinct<PageChange>();
  readonly #groups = new Map<Action, Map<string, Group>>();
  readonly #shared = new Map<Group, number>();
  readonly #known = new Map<Change, number>();

  constructor(groups: readonly Group[], room: PageRoom) {
    this.#room = room;
    for (const group of groups) {
      for (const action of group.actions) {
        const own = this.#groups.get(action);
        if (own) own.set(group.change.path, group);
        else this.#groups.set(action, new Map([[group.change.path, group]]));
      }
    }
  }

  /** Every change that was given an index. */
  get all(): readonly PageChange[] {
    return this.#distinct.values;
  }

  /** Gives the changes that are shown of an action, and how many are left out. */
  ofAction(action: Action): { readonly changes: readonly number[]; readonly left: number } {
    const { changes, left } = actionChanges(action, this.#room);
    const indexes = changes.map((shown, at) => {
      const change = action.changes[at];
      const group = change && this.#groupOf(action, change);
      const shared = group && this.#shared.get(group);
      const index = shared ?? this.#distinct.indexOf(pageChange(shown, this.#room));
      if (group) this.#shared.set(group, index);
      if (change) this.#known.set(change, index);
      return index;
    });
    return { changes: indexes, left };
  }

  /** Gives the index of a change of an action. */
  indexOf(change: Change): number {
    return (
      this.#known.get(change) ??
      this.#distinct.indexOf(pageChange(shownChange(change, this.#room), this.#room))
    );
  }

  // Two edits at one path could be of two groups.
  #groupOf(action: Action, change: Change): Group | undefined {
    const group = this.#groups.get(action)?.get(change.path);
    if (!group || isConsequence(change)) return undefined;
    const edits = action.changes.filter((each) => each.path === change.path && !isConsequence(each));
    return edits.length === 1 ? group : undefined;
  }
}
