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

/** The reader's actions. */
export type PageEvent =
  | { readonly type: "search"; readonly query: string }
  | { readonly type: "filter"; readonly name: FilterName; readonly value: string }
  | { readonly type: "filter-group"; readonly group: number | undefined }
  | { readonly type: "clear" }
  | { readonly type: "toggle"; readonly index: number }
  | { readonly type: "fold"; readonly shown: readonly number[]; readonly open: boolean }
  | { readonly type: "reveal"; readonly index: number }
  | { readonly type: "step"; readonly index: number }
  | { readonly type: "around"; readonly index: number | undefined }
  | { readonly type: "split"; readonly isSplit: boolean }
  | { readonly type: "help"; readonly isShown: boolean }
  | { readonly type: "graph"; readonly isShown: boolean }
  | { readonly type: "list"; readonly isShown: boolean };

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

// What asks for actions unfolds their list.
const listing: ReadonlySet<PageEvent["type"]> = new Set([
  "search",
  "filter",
  "filter-group",
  "fold",
  "reveal",
  "step",
]);

/** Gives the state after an event. */
export function nextState(state: PageState, event: PageEvent): PageState {
  const next = stateAfter(state, event);
  return listing.has(event.type) ? { ...next, isListShown: true } : next;
}

function stateAfter(state: PageState, event: PageEvent): PageState {
  const { filter, open } = state;
  switch (event.type) {
    case "search":
      return { ...state, filter: { ...filter, query: event.query } };
    case "filter":
      return { ...state, filter: { ...filter, [event.name]: toggled(filter[event.name], event.value) } };
    case "filter-group":
      return { ...state, filter: { ...filter, group: event.group } };
    case "clear":
      return { ...state, filter: noFilter };
    case "toggle":
      return { ...state, open: toggled(open, event.index) };
    case "fold":
      return { ...state, open: new Set(event.open ? event.shown : []) };
    case "reveal":
      return reveal(state, event.index);
    case "step":
      return { ...state, sought: { index: event.index, isStep: true } };
    case "around":
      return { ...state, around: event.index, isGraphShown: true };
    case "split":
      return { ...state, isSplit: event.isSplit };
    case "help":
      return { ...state, isHelpShown: event.isShown };
    case "graph":
      return { ...state, isGraphShown: event.isShown };
    case "list":
      return { ...state, isListShown: event.isShown };
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
