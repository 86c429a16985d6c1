import type { Action, Change } from "../../generated/plan.js";
import { isConsequence } from "../../core/plan/consequence.js";
import type { EditGroup } from "../../core/plan/edit-groups.js";
import { actionChanges } from "../change/action-changes.js";
import { shownChange } from "../change/shown-change.js";
import { Distinct } from "./distinct.js";
import { pageChange, type PageRoom } from "./page-change.js";
import type { PageChange } from "./page-data.js";

/** The changes that are shown of an action, and how many are left out. */
export interface ActionIndexes {
  readonly changes: readonly number[];
  readonly left: number;
}

/** The changes of a page, each named by its index; an edit that several actions share is held once. */
export class PageChanges {
  readonly #room: PageRoom;
  readonly #distinct = new Distinct<PageChange>();
  readonly #groups = new Map<Action, Map<string, EditGroup>>();
  readonly #shared = new Map<EditGroup, number>();
  readonly #actions = new Map<Action, ActionIndexes>();
  readonly #known = new Map<Change, number>();

  constructor(groups: readonly EditGroup[], room: PageRoom) {
    this.#room = room;
    for (const group of groups.filter(({ linesDiffer }) => !linesDiffer)) {
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
  ofAction(action: Action): ActionIndexes {
    const known = this.#actions.get(action);
    if (known) return known;
    const { changes, left } = actionChanges(action, this.#room);
    const indexes = changes.map((shown, at) => {
      const change = action.changes[at];
      const group = change && this.#groupOf(action, change);
      const index = group ? this.ofGroup(group) : this.#distinct.indexOf(pageChange(shown, this.#room));
      if (change) this.#known.set(change, index);
      return index;
    });
    const found = { changes: indexes, left };
    this.#actions.set(action, found);
    return found;
  }

  /** Gives the change of a group, as in the first of its actions. */
  ofGroup(group: EditGroup): number {
    const known = this.#shared.get(group);
    if (known !== undefined) return known;
    const [first] = group.actions;
    const changes = [group.change];
    const [shown = shownChange(group.change, this.#room)] = first
      ? actionChanges({ ...first, changes }, this.#room).changes
      : [];
    const index = this.#distinct.indexOf(pageChange(shown, this.#room));
    this.#shared.set(group, index);
    return index;
  }

  /** Gives the index of a change of an action. */
  indexOf(change: Change): number {
    return (
      this.#known.get(change) ??
      this.#distinct.indexOf(pageChange(shownChange(change, this.#room), this.#room))
    );
  }

  /** Gives those changes of an action that the page shows of it. */
  ofEdits(action: Action, edits: readonly Change[]): readonly number[] {
    const wanted = new Set(edits);
    const { changes } = this.ofAction(action);
    return changes.filter((_, at) => {
      const change = action.changes[at];
      return change !== undefined && wanted.has(change);
    });
  }

  // Two edits at one path could be of two groups.
  #groupOf(action: Action, change: Change): EditGroup | undefined {
    const group = this.#groups.get(action)?.get(change.path);
    if (!group || isConsequence(change)) return undefined;
    const edits = action.changes.filter((each) => each.path === change.path && !isConsequence(each));
    return edits.length === 1 ? group : undefined;
  }
}
