import { useMemo } from "preact/hooks";
import { actionWords } from "../render/words/action-words.js";
import { actionNames, countOf, signOf } from "./action-word.js";
import { kindOf } from "./matching.js";
import { pageChange } from "./page-change.js";
import type { Dispatch, PageEvent, PageState } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";

interface FilterChipsProps {
  readonly state: PageState;
  readonly dispatch: Dispatch;
}

interface Chip {
  readonly name: string;
  readonly title?: string;
  /** The class that gives it a colour. */
  readonly tone?: string;
  readonly sign?: string;
  readonly count: number;
  readonly isPressed: boolean;
  readonly event: PageEvent;
}

const mostGroups = 100;

/** The filters: by action, by kind, edits and consequences, effects of notes, and shared edits. */
export function FilterChips({ state, dispatch }: FilterChipsProps) {
  const { plan, filter } = state;
  const counts = useMemo(() => countAll(plan), [plan]);
  const actions = actionNames.flatMap((action): Chip[] => {
    const { title } = actionWords[action];
    const sign = signOf(action);
    const count = counts.actions.get(action) ?? 0;
    const isPressed = filter.actions.has(action);
    const event: PageEvent = { type: "filter-action", action };
    return count === 0 ? [] : [{ name: action, title, tone: action, sign, count, isPressed, event }];
  });
  const kinds = [...counts.kinds].toSorted().map(([kind, count]): Chip => ({
    name: kind,
    count,
    isPressed: filter.kinds.has(kind),
    event: { type: "filter-kind", kind },
  }));
  const sorts = (["edit", "consequence"] as const).flatMap((sort): Chip[] => {
    const count = counts.sorts.get(sort) ?? 0;
    const title = sort === "edit" ? "Edits" : "Consequences";
    const isPressed = filter.sorts.has(sort);
    return count === 0 ? [] : [{ name: sort, title, count, isPressed, event: { type: "filter-sort", sort } }];
  });
  const effects = [...counts.effects].map(([effect, count]): Chip => ({
    name: effect,
    tone: effect,
    count,
    isPressed: filter.effects.has(effect),
    event: { type: "filter-effect", effect },
  }));
  return (
    <>
      <Chips label="Filter by action" chips={actions} dispatch={dispatch} />
      {kinds.length > 1 && <Chips label="Filter by kind" chips={kinds} dispatch={dispatch} />}
      {sorts.length > 1 && <Chips label="Filter by edit or consequence" chips={sorts} dispatch={dispatch} />}
      {effects.length > 0 && <Chips label="Filter by effect" chips={effects} dispatch={dispatch} />}
      <GroupChoice state={state} dispatch={dispatch} />
    </>
  );
}

interface ChipsProps {
  readonly label: string;
  readonly chips: readonly Chip[];
  readonly dispatch: Dispatch;
}

function Chips({ label, chips, dispatch }: ChipsProps) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {chips.map(({ name, title = name, tone = "", sign, count, isPressed, event }) => (
        <button
          type="button"
          class={`chip ${tone}`}
          key={name}
          aria-pressed={isPressed}
          onClick={() => dispatch(event)}
        >
          {sign !== undefined && (
            <span class="badge" aria-hidden="true">
              {sign}
            </span>
          )}
          {title} <span class="count">{count.toLocaleString("en")}</span>
        </button>
      ))}
    </div>
  );
}

// The most shared first; one of the others can be chosen where it is shown.
function GroupChoice({ state: { plan, filter }, dispatch }: FilterChipsProps) {
  const { groups } = plan.review;
  if (groups.length === 0) return null;
  const offered = [...groups.keys()]
    .toReversed()
    .filter((index, at) => at < mostGroups || index === filter.group);
  const choose = (value: string): void =>
    dispatch({ type: "filter-group", group: value === "" ? undefined : Number(value) });
  return (
    <select
      class="choice"
      aria-label="Filter by shared edit"
      value={filter.group ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">Any edit</option>
      {offered.map((index) => {
        const { change, actions = [] } = groups[index] ?? {};
        return (
          <option key={index} value={index}>
            {change && pageChange(change, actions[0]).path} in {countOf(actions.length, "resource")}
          </option>
        );
      })}
    </select>
  );
}

function countAll(plan: PlanIndex) {
  const indexes = [...plan.plan.actions.keys()];
  const effectsOf = (index: number) => [...new Set(plan.notesOf(index).map(({ effect }) => effect))];
  return {
    actions: countOfEach(plan.plan.actions.map(({ action }) => action)),
    kinds: countOfEach(plan.plan.actions.map(({ address }) => kindOf(address))),
    sorts: countOfEach(indexes.flatMap((index) => plan.sortOf(index) ?? [])),
    effects: countOfEach(indexes.flatMap(effectsOf)),
  };
}

function countOfEach<T>(items: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
