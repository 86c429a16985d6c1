import { ActionCard } from "./action-card.js";
import { actionNames, rankOf } from "./action-word.js";
import { actionWords } from "../render/words/action-words.js";
import type { PlanIndex } from "./plan-index.js";
import type { ShownActions } from "./page-state.js";
import { Windowed } from "./windowed.js";

/** The actions by what is done; the ones that must not be missed first. */
export function ActionList({ state: { plan, open, isSplit, sought }, shown }: ShownActions) {
  const { actions } = plan.plan;
  return (
    <>
      {actionNames.map((name) => {
        const own = shown.filter((index) => actions[index]?.action === name);
        if (own.length === 0) return null;
        return (
          <section class={`group ${name}`} key={name}>
            <h3>
              {actionWords[name].title} <span class="count">{own.length.toLocaleString("en")}</span>
            </h3>
            <div class="cards">
              <Windowed items={own} size={50} height={47} sought={sought?.index}>
                {(index) => {
                  const action = actions[index];
                  return (
                    action && (
                      <ActionCard
                        key={index}
                        index={index}
                        action={action}
                        isOpen={open.has(index)}
                        isSplit={isSplit}
                      />
                    )
                  );
                }}
              </Windowed>
            </div>
          </section>
        );
      })}
    </>
  );
}

/** Gives the indices of the actions in the order of the list. */
export function listOrder({ plan: { actions } }: PlanIndex): readonly number[] {
  const rank = (index: number): number => rankOf(actions[index]?.action ?? "record");
  return [...actions.keys()].toSorted((a, b) => rank(a) - rank(b) || a - b);
}
