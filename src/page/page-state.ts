import { isShown, noFilter, type Filter, type FilterName } from "./matching.js";
import type { PlanIndex } from "./plan-index.js";

/** The reader's choices. */
export interface PageState {
  readonly plan: PlanIndex;
  readonly filter: Filter;
  /** The unfolded actions, by index. */
  readonly open: ReadonlySet<number>;
  /** Whether differences are shown side by side. */
  readonly isSplit: boolean;
  readonly isHelpShown: boolean;
  readonly isGraphShown: boolean;
  /** Whether the list of all actions is unfolded. */
  readonly isListShown: boolean;
  /** The action at the centre of the graph, by index. */
  readonly around: number | undefined;
  /** The action to take the focus to; a new object each time. */
  readonly sought: Sought | undefined;
}

/** What a part of the page is given: the reader's choices, and the actions that pass the filter, by index. */
export interface ShownActions<Indexes = readonly number[]> {
  readonly state: PageState;
  readonly shown: Indexes;
}

/** An action to take the focus to. */
export interface Sought {
  readonly index: number;
  /** Whether it is the next or the previous one of the list, and not what a link names. */
  readonly isStep: boolean;
}

/** What the reader chooses anew, which asks for no actions. */
type PageChoice = Partial<
  Pick<PageState, "filter" | "isSplit" | "isHelpShown" | "isGraphShown" | "isListShown" | "around">
> & { readonly type?: never };

/** The reader's actions. */
export type PageEvent =
  | PageChoice
  | { readonly type: "narrow"; readonly by: Partial<Pick<Filter, "query" | "group">> }
  | { readonly type: "filter"; readonly name: FilterName; readonly value: string }
  | { readonly type: "toggle" | "reveal" | "step"; readonly index: number }
  | { readonly type: "fold"; readonly shown: readonly number[]; readonly open: boolean };

export type Dispatch = (event: PageEvent) => void;

// Of a small plan, the list and the graph take little room.
const smallPlan = 20;

/** The initial state: all actions are folded, as the review above them shows what they change; of many the list, too. */
export function firstState(plan: PlanIndex): PageState {
  const { graph } = plan;
  return {
    plan,
    filter: noFilter,
    open: new Set(),
    isSplit: false,
    isHelpShown: false,
    isGraphShown: graph.edges.length > 0 && plan.plan.actions.length + graph.others.length <= smallPlan,
    isListShown: plan.plan.actions.length <= smallPlan,
    around: undefined,
    sought: undefined,
  };
}

/** Gives the state after an event; what asks for actions unfolds their list. */
export function nextState(state: PageState, event: PageEvent): PageState {
  if (event.type === undefined) return { ...state, ...event };
  const { filter, open } = state;
  const listed = { ...state, isListShown: true };
  switch (event.type) {
    case "toggle":
      return { ...state, open: toggled(open, event.index) };
    case "narrow":
      return { ...listed, filter: { ...filter, ...event.by } };
    case "filter":
      return { ...listed, filter: { ...filter, [event.name]: toggled(filter[event.name], event.value) } };
    case "fold":
      return { ...listed, open: new Set(event.open ? event.shown : []) };
    case "reveal":
      return reveal(listed, event.index);
    case "step":
      return { ...listed, sought: { index: event.index, isStep: true } };
  }
}

// An action that is asked for is shown even if the filter would hide it.
function reveal(state: PageState, index: number): PageState {
  return {
    ...state,
    filter: isShown(state.plan, index, state.filter) ? state.filter : noFilter,
    open: new Set([...state.open, index]),
    sought: { index, isStep: false },
  };
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
