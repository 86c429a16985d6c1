import { addTo } from "../json/groups.js";
import { reviewOf, type Review, type ReviewNote } from "../core/review/review.js";
import type { Action, Change, Plan } from "../generated/plan.js";
import type { PageGraph } from "../render/html/page-graph.js";
import type { PagePlan } from "../render/html/page-plan.js";
import { editItem } from "../render/view/edit-item.js";
import { sectionsOf } from "../render/view/plan-view.js";
import type { EditItem, GroupItem, Item, PlanSection, SectionName } from "../render/view/plan-section.js";
import { safeLine } from "../render/words/terminal-text.js";

/** An action of the plan by its index, or an address that the plan does not act on. */
export type PageAddress = number | string;

/** A plan with ways to find what belongs to an action; actions and groups are named by index. */
export class PlanIndex {
  readonly plan: Plan;
  readonly review: Review;
  readonly sections: readonly PlanSection[];
  /** The shared edits, those of one document as one. */
  readonly groups: readonly GroupItem[];
  readonly graph: PageGraph;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #notes = new Map<number, ReviewNote[]>();
  readonly #groups = new Map<number, number[]>();
  readonly #consequences: ReadonlySet<Action>;
  readonly #held: ReadonlySet<Action>;

  constructor(page: PagePlan) {
    this.plan = wholePlan(page);
    this.graph = safeTexts(page.graph);
    this.review = reviewOf(this.plan);
    this.sections = sectionsOf(this.plan);
    this.#indexes = new Map(this.plan.actions.map(({ address }, index) => [address, index]));
    this.#consequences = new Set(this.review.consequences);
    this.#held = new Set(this.review.held);
    for (const note of this.review.notes) {
      for (const index of this.#indexesOf(note.addresses)) addTo(this.#notes, index, note);
    }
    this.groups = this.itemsOf("groups", "group");
    for (const [index, { group }] of this.groups.entries()) {
      const addresses = group.actions.map(({ address }) => address);
      for (const action of this.#indexesOf(addresses)) addTo(this.#groups, action, index);
    }
  }

  /** Gives the items of a section, none if the plan does not have it. */
  itemsOf<Form extends Item["sort"]>(
    wanted: SectionName,
    ...sorts: readonly Form[]
  ): readonly Extract<Item, { sort: Form }>[] {
    const items = this.sections.find(({ name }) => name === wanted)?.items ?? [];
    return items.filter((item): item is Extract<Item, { sort: Form }> =>
      sorts.some((sort) => item.sort === sort),
    );
  }

  indexOf(address: string): number | undefined {
    return this.#indexes.get(address);
  }

  #indexesOf(addresses: readonly string[]): number[] {
    return addresses.flatMap((address) => this.indexOf(address) ?? []);
  }

  addressOf(address: PageAddress): string {
    return typeof address === "string" ? address : (this.plan.actions[address]?.address ?? "");
  }

  /** Gives the guardrail notes about an action. */
  notesOf(action: number): readonly ReviewNote[] {
    return this.#notes.get(action) ?? [];
  }

  /** Gives the shared edits that an action has. */
  groupsOf(action: number): readonly number[] {
    return this.#groups.get(action) ?? [];
  }

  /** Gives what is said of an action; what it affects stands apart, each a link. */
  aboutOf(action: Action): EditItem {
    return editItem({ ...action, affects: [] }, action.changes);
  }

  /** Says whether an action is an edit or a consequence; one that waits for a person is neither. */
  sortOf(index: number): "edit" | "consequence" | undefined {
    const action = this.plan.actions[index];
    if (!action || this.#held.has(action)) return undefined;
    return this.#consequences.has(action) ? "consequence" : "edit";
  }
}

function wholePlan({ plan, shared }: PagePlan): Plan {
  const changes = new Map<number, (readonly [at: number, change: Change])[]>();
  for (const [change, places] of shared)
    for (const [action, at] of places) addTo(changes, action, [at, change] as const);
  const { actions, ...rest } = plan;
  return {
    ...safeTexts(rest),
    actions: actions.map(({ changes: own, body, ...about }, index) => {
      const all = [...own];
      const more = (changes.get(index) ?? []).toSorted(([one], [other]) => one - other);
      for (const [at, change] of more) all.splice(at, 0, change);
      return { ...safeTexts(about), ...(body && { body }), changes: all };
    }),
  };
}

function safeTexts<T>(value: T): T {
  return safeValue(value) as T;
}

// Values of changes are made safe where they are laid out.
function safeValue(value: unknown): unknown {
  if (typeof value === "string") return safeLine(value);
  if (Array.isArray(value)) return value.map(safeValue);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, each]): [string, unknown] => {
    return [key, key === "before" || key === "after" ? each : safeValue(each)];
  });
  return Object.fromEntries(members);
}
