import { actionWords } from "./action-word.js";
import { countKinds, type Dispatch, type PageState } from "./page-state.js";

interface ToolbarProps {
  readonly state: PageState;
  readonly shown: readonly number[];
  readonly dispatch: Dispatch;
}

/** The `id` of the search field. */
export const searchId = "search";

/** Search, filters, and the layout of differences. */
export function Toolbar({ state, shown, dispatch }: ToolbarProps) {
  const { data, filter, open, isSplit } = state;
  const isFiltered = filter.query !== "" || filter.actions.size + filter.kinds.size > 0;
  const anyOpen = shown.some((index) => open.has(index));
  return (
    <div class="toolbar" role="search">
      <div class="line-one">
        <label class="search">
          <span class="unseen">Search address, field or text</span>
          <input
            id={searchId}
            type="search"
            placeholder="Search address, field or text"
            autocomplete="off"
            spellcheck={false}
            value={filter.query}
            onInput={({ currentTarget }) => dispatch({ type: "search", query: currentTarget.value })}
          />
          <kbd aria-hidden="true">/</kbd>
        </label>
        <div class="segmented" role="group" aria-label="How differences are shown">
          <Choice
            pressed={!isSplit}
            label="Inline"
            onClick={() => dispatch({ type: "split", isSplit: false })}
          />
          <Choice
            pressed={isSplit}
            label="Side by side"
            onClick={() => dispatch({ type: "split", isSplit: true })}
          />
        </div>
        <button type="button" class="plain" onClick={() => dispatch({ type: "fold", shown, open: !anyOpen })}>
          {anyOpen ? "Fold all" : "Unfold all"}
        </button>
        <button
          type="button"
          class="plain round"
          aria-label="Keyboard shortcuts"
          onClick={() => dispatch({ type: "help", isShown: true })}
        >
          ?
        </button>
      </div>
      <div class="filters">
        <ActionChips state={state} dispatch={dispatch} />
        <KindChips state={state} dispatch={dispatch} />
        <span class="result" role="status">
          {isFiltered &&
            `${shown.length.toLocaleString("en")} of ${data.actions.length.toLocaleString("en")}`}
        </span>
        {isFiltered && (
          <button type="button" class="quiet" onClick={() => dispatch({ type: "clear" })}>
            Clear
          </button>
        )}
      </div>
    </div>
  );
}

function ActionChips({ state, dispatch }: Omit<ToolbarProps, "shown">) {
  const { data, filter } = state;
  return (
    <div class="chips" role="group" aria-label="Filter by action">
      {actionWords.map(({ action, title, sign }) => {
        const count = data.actions.filter((each) => each.action === action).length;
        if (count === 0) return null;
        return (
          <button
            type="button"
            class={`chip ${action}`}
            key={action}
            aria-pressed={filter.actions.has(action)}
            onClick={() => dispatch({ type: "filter-action", action })}
          >
            <span class="badge" aria-hidden="true">
              {sign}
            </span>
            {title} <span class="count">{count.toLocaleString("en")}</span>
          </button>
        );
      })}
    </div>
  );
}

function KindChips({ state, dispatch }: Omit<ToolbarProps, "shown">) {
  const counts = [...countKinds(state.data)];
  if (counts.length < 2) return null;
  return (
    <div class="chips" role="group" aria-label="Filter by kind">
      {counts.toSorted().map(([kind, count]) => (
        <button
          type="button"
          class="chip"
          key={kind}
          aria-pressed={state.filter.kinds.has(kind)}
          onClick={() => dispatch({ type: "filter-kind", kind })}
        >
          {kind} <span class="count">{count.toLocaleString("en")}</span>
        </button>
      ))}
    </div>
  );
}

function Choice({ pressed, label, onClick }: { pressed: boolean; label: string; onClick: () => void }) {
  return (
    <button type="button" aria-pressed={pressed} onClick={onClick}>
      {label}
    </button>
  );
}
