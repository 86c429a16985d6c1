import { FilterChips } from "./filter-chips.js";
import { isFiltering, noFilter } from "./matching.js";
import { usePage } from "./page-context.js";
import type { ShownActions } from "./page-state.js";

/** The `id` of the search field. */
export const searchId = "search";

/** Search and the layout of differences, which stay in view, then the filters. */
export function Toolbar({ state: { filter, open, isSplit }, shown }: ShownActions) {
  const { plan, dispatch } = usePage();
  const isFiltered = isFiltering(filter);
  const anyOpen = shown.some((index) => open.has(index));
  return (
    <>
      <div class="toolbar" role="search">
        <label class="search">
          <span class="unseen">Search address, field or text</span>
          <input
            id={searchId}
            type="search"
            placeholder="Search address, field or text"
            autocomplete="off"
            spellcheck={false}
            value={filter.query}
            onInput={({ currentTarget }) => dispatch({ type: "narrow", by: { query: currentTarget.value } })}
          />
          <kbd aria-hidden="true">/</kbd>
        </label>
        <div class="segmented" role="group" aria-label="How differences are shown">
          <Choice pressed={!isSplit} label="Inline" onClick={() => dispatch({ isSplit: false })} />
          <Choice pressed={isSplit} label="Side by side" onClick={() => dispatch({ isSplit: true })} />
        </div>
        <button type="button" class="plain" onClick={() => dispatch({ type: "fold", shown, open: !anyOpen })}>
          {anyOpen ? "Fold all" : "Unfold all"}
        </button>
        <button
          type="button"
          class="plain round"
          aria-label="Keyboard shortcuts"
          onClick={() => dispatch({ isHelpShown: true })}
        >
          ?
        </button>
      </div>
      <div class="filters">
        <FilterChips filter={filter} />
        <span class="result" role="status">
          {isFiltered &&
            `${shown.length.toLocaleString("en")} of ${plan.plan.actions.length.toLocaleString("en")}`}
        </span>
        {isFiltered && (
          <button type="button" class="quiet" onClick={() => dispatch({ filter: noFilter })}>
            Clear
          </button>
        )}
      </div>
    </>
  );
}

function Choice({ pressed, label, onClick }: { pressed: boolean; label: string; onClick: () => void }) {
  return (
    <button type="button" aria-pressed={pressed} onClick={onClick}>
      {label}
    </button>
  );
}
