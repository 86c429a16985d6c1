import type { ActionName } from "./action-word.js";
import { isShown, kindOf, type Filter } from "./matching.js";
import type { PageData } from "../render/html/page-data.js";

/** The reader's choices. */
export interface PageState {
  readonly data: PageData;
  readonly filter: Filter;
  /** The unfolded actions, by index. */
  readonly open: ReadonlySet<number>;
  /** Whether differences are shown side by side. */
  readonly isSplit: boolean;
  readonly isHelpShown: boolean;
  readonly isGraphShown: boolean;
  /** The action at the centre of the graph, by index. */
  readonly around: number | undefined;
  /** The action to scroll to; a new object each time. */
  readonly revealed: { readonly index: number } | undefined;
}

/** The reader's actions. */
export type PageEvent =
  | { readonly type: "search"; readonly query: string }
  | { readonly type: "filter-action"; readonly action: ActionName }
  | { readonly type: "filter-kind"; readonly kind: string }
  | { readonly type: "clear" }
  | { readonly type: "toggle"; readonly index: number }
  | { readonly type: "fold"; readonly shown: readonly number[]; readonly open: boolean }
  | { readonly type: "reveal"; readonly index: number }
  | { readonly type: "around"; readonly index: number | undefined }
  | { readonly type: "split"; readonly isSplit: boolean }
  | { readonly type: "help"; readonly isShown: boolean }
  | { readonly type: "graph"; readonly isShown: boolean };

export type Dispatch = (event: PageEvent) => void;

const noFilter: Filter = { query: "", actions: new Set(), kinds: new Set() };
const openAtFirst = 6;
const drawnAtFirst = 80;

/** The initial state: if there are few actions, all are unfolded. */
export function firstState(data: PageData): PageState {
  const { actions, graph } = data;
  return {
    data,
    filter: noFilter,
    open: new Set(actions.length <= openAtFirst ? actions.keys() : []),
    isSplit: false,
    isHelpShown: false,
    isGraphShown: graph.edges.length > 0 && actions.length + graph.others.length <= drawnAtFirst,
    around: undefined,
    revealed: undefined,
  };
}

/** Gives the state after an event. */
export function nextState(state: PageState, event: PageEvent): PageState {
  const { filter, open } = state;
  switch (event.type) {
    case "search":
      return { ...state, filter: { ...filter, query: event.query } };
    case "filter-action":
      return { ...state, filter: { ...filter, actions: toggled(filter.actions, event.action) } };
    case "filter-kind":
      return { ...state, filter: { ...filter, kinds: toggled(filter.kinds, event.kind) } };
    case "clear":
      return { ...state, filter: noFilter };
    case "toggle":
      return { ...state, open: toggled(open, event.index) };
    case "fold":
      return { ...state, open: new Set(event.open ? event.shown : []) };
    case "reveal":
      return reveal(state, event.index);
    case "around":
      return { ...state, around: event.index, isGraphShown: true };
    case "split":
      return { ...state, isSplit: event.isSplit };
    case "help":
      return { ...state, isHelpShown: event.isShown };
    case "graph":
      return { ...state, isGraphShown: event.isShown };
  }
}

// An action that is asked for is shown even if the filter would hide it.
function reveal(state: PageState, index: number): PageState {
  const action = state.data.actions[index];
  if (!action) return state;
  return {
    ...state,
    filter: isShown(action, state.filter) ? state.filter : noFilter,
    open: new Set([...state.open, index]),
    revealed: { index },
  };
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}

/** The number of actions of each kind, by its name. */
export function countKinds({ actions }: PageData): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { address } of actions) counts.set(kindOf(address), (counts.get(kindOf(address)) ?? 0) + 1);
  return counts;
}
