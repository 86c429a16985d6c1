import { buttonId } from "./action-card.js";
import type { Dispatch, PageState } from "./page-state.js";
import { searchId } from "./toolbar.js";

/** Carries out a keyboard shortcut; `shown` are the indices of the actions in the order of the list. */
export function pressKey(
  event: KeyboardEvent,
  state: PageState,
  shown: readonly number[],
  dispatch: Dispatch,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || state.isHelpShown) return;
  const search = document.getElementById(searchId);
  if (event.key === "Escape") return escape(state, search, dispatch);
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  const meanings: Readonly<Record<string, () => void>> = {
    "/": () => search?.focus(),
    j: () => step(1, shown, dispatch),
    k: () => step(-1, shown, dispatch),
    e: () => dispatch({ type: "fold", shown, open: !shown.some((index) => state.open.has(index)) }),
    s: () => dispatch({ isSplit: !state.isSplit }),
    g: () => dispatch({ isGraphShown: !state.isGraphShown }),
    "?": () => dispatch({ isHelpShown: true }),
  };
  if (!Object.hasOwn(meanings, event.key)) return;
  event.preventDefault();
  meanings[event.key]?.();
}

function escape(state: PageState, search: HTMLElement | null, dispatch: Dispatch): void {
  if (search !== null && document.activeElement === search) {
    if (state.filter.query !== "") dispatch({ type: "narrow", by: { query: "" } });
    else search.blur();
    return;
  }
  const index = focused();
  if (index === undefined || !state.open.has(index)) return;
  document.getElementById(buttonId(index))?.focus();
  dispatch({ type: "toggle", index });
}

function step(by: 1 | -1, shown: readonly number[], dispatch: Dispatch): void {
  const at = shown.indexOf(focused() ?? -1);
  const next = shown[at === -1 ? (by === 1 ? 0 : shown.length - 1) : at + by];
  if (next !== undefined) dispatch({ type: "step", index: next });
}

// The index of the action with the focus.
function focused(): number | undefined {
  const card = document.activeElement?.closest<HTMLElement>("[data-index]");
  return card?.dataset.index === undefined ? undefined : Number(card.dataset.index);
}
