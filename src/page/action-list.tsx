import { ActionCard } from "./action-card.js";
import { actionWords } from "./action-word.js";
import type { PageNote } from "../render/html/page-data.js";
import type { Dispatch, PageState } from "./page-state.js";

interface ActionListProps {
  readonly state: PageState;
  /** The actions that pass the filter, by index. */
  readonly shown: readonly number[];
  readonly notesOf: (address: string) => readonly PageNote[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly dispatch: Dispatch;
}

/** The actions by group; the ones that must not be missed first. */
export function ActionList({ state, shown, notesOf, indexes, dispatch }: ActionListProps) {
  const { data, open, isSplit } = state;
  return (
    <>
      {actionWords.map(({ action: name, title }) => {
        const own = shown.filter((index) => data.actions[index]?.action === name);
        if (own.length === 0) return null;
        return (
          <section class={`group ${name}`} key={name}>
            <h3>
              {title} <span class="count">{own.length.toLocaleString("en")}</span>
            </h3>
            <ul class="cards">
              {own.map((index) => {
                const action = data.actions[index];
                return (
                  action && (
                    <ActionCard
                      key={index}
                      index={index}
                      action={action}
                      notes={notesOf(action.address)}
                      isOpen={open.has(index)}
                      isSplit={isSplit}
                      indexes={indexes}
                      dispatch={dispatch}
                    />
                  )
                );
              })}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** Gives the indices of the actions in the order of the list. */
export function listOrder({ data }: PageState): readonly number[] {
  const ranks = new Map(actionWords.map(({ action }, rank) => [action, rank]));
  const rankOf = (index: number): number => ranks.get(data.actions[index]?.action ?? "record") ?? 0;
  return [...data.actions.keys()].toSorted((a, b) => rankOf(a) - rankOf(b) || a - b);
}
