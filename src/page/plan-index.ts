import type { PageAddress, PageChange, PageData, PageNote } from "../render/html/page-data.js";

/** Whether a person edited a resource, or it only follows from others. */
export type Sort = "edit" | "consequence";

/** A plan's data with ways to find what belongs to an action; actions, changes and groups are named by index. */
export class PlanIndex {
  readonly data: PageData;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #notes = new Map<number, PageNote[]>();
  readonly #groups = new Map<number, number[]>();
  readonly #consequences: ReadonlySet<number>;
  readonly #held: ReadonlySet<number>;

  constructor(data: PageData) {
    this.data = data;
    this.#indexes = new Map(data.actions.map(({ address }, index) => [address, index]));
    this.#consequences = new Set(data.review.consequences);
    this.#held = new Set(data.review.held);
    for (const note of data.notes) {
      for (const address of note.addresses) if (typeof address === "number") add(this.#notes, address, note);
    }
    for (const [index, group] of data.review.groups.entries()) {
      for (const action of group.actions) add(this.#groups, action, index);
    }
  }

  /** Gives the index of the action for an address, if there is one. */
  indexOf(address: string): number | undefined {
    return this.#indexes.get(address);
  }

  /** Gives the text of an address. */
  addressOf(address: PageAddress): string {
    return typeof address === "string" ? address : (this.data.actions[address]?.address ?? "");
  }

  /** Gives the guardrail notes about an action. */
  notesOf(action: number): readonly PageNote[] {
    return this.#notes.get(action) ?? [];
  }

  /** Gives the shared edits that an action has. */
  groupsOf(action: number): readonly number[] {
    return this.#groups.get(action) ?? [];
  }

  /** Gives the changes of some indexes. */
  changesOf(indexes: readonly number[]): readonly PageChange[] {
    return indexes.flatMap((index) => this.data.changes[index] ?? []);
  }

  /** Gives the reasons of an action. */
  reasonsOf(action: number): readonly string[] {
    const { actions, reasons } = this.data;
    return (actions[action]?.reasons ?? []).flatMap((index) => reasons[index] ?? []);
  }

  /** Says whether an action is an edit or a consequence; one that waits for a person is neither. */
  sortOf(action: number): Sort | undefined {
    if (this.#held.has(action)) return undefined;
    return this.#consequences.has(action) ? "consequence" : "edit";
  }
}

function add<T>(lists: Map<number, T[]>, key: number, item: T): void {
  const known = lists.get(key);
  if (known) known.push(item);
  else lists.set(key, [item]);
}
