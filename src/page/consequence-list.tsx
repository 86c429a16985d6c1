import { useEffect, useState } from "preact/hooks";
import { AddressLink } from "./address-link.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";
import type { Action } from "../generated/plan.js";
import type { Dispatch, PageState } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

interface ResourceListProps {
  readonly state: PageState;
  /** The actions that pass the filter. */
  readonly shown: ReadonlySet<number>;
  readonly dispatch: Dispatch;
}

/** The actions that wait for a person, with why; nothing if there are none. */
export function HeldList({ state, shown, dispatch }: ResourceListProps) {
  const held = indexesOf(state.plan, state.plan.review.held, shown);
  if (held.length === 0) return null;
  return (
    <section class="panel held" aria-labelledby="held-title">
      <h2 id="held-title">
        {reviewTitles.held} <span class="count">{held.length.toLocaleString("en")}</span>
      </h2>
      <p class="meaning">{asSentence(reviewMeanings.held)}</p>
      <Reasons indexes={held} state={state} dispatch={dispatch} />
    </section>
  );
}

/** The actions that only follow from others, folded; nothing if there are none. */
export function ConsequenceList({ state, shown, dispatch }: ResourceListProps) {
  const isAsked = state.filter.sorts.has("consequence");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked]);
  const all = indexesOf(state.plan, state.plan.review.consequences, shown);
  if (all.length === 0) return null;
  return (
    <section class="panel consequences" aria-labelledby="consequences-title">
      <h2 id="consequences-title">
        <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="chevron" aria-hidden="true" />
          <span>
            {reviewTitles.consequences} <span class="count">{all.length.toLocaleString("en")}</span>
          </span>
        </button>
      </h2>
      <p class="meaning">{asSentence(reviewMeanings.consequences)}</p>
      {isOpen && <Reasons indexes={all} state={state} dispatch={dispatch} />}
    </section>
  );
}

interface ReasonsProps extends Omit<ResourceListProps, "shown"> {
  readonly indexes: readonly number[];
}

function Reasons({ indexes, state: { plan }, dispatch }: ReasonsProps) {
  return (
    <Windowed items={indexes} size={50} height={24}>
      {(index) => (
        <li key={index} class="follows">
          <AddressLink address={index} plan={plan} dispatch={dispatch} />
          <span class="said">
            <Why action={plan.plan.actions[index]} plan={plan} />
          </span>
        </li>
      )}
    </Windowed>
  );
}

function Why({ action, plan }: { readonly action: Action | undefined; readonly plan: PlanIndex }) {
  if (!action) return null;
  return (
    <>
      {action.action} because <Prose text={plan.aboutOf(action).reasons.join("; ")} />
    </>
  );
}

function indexesOf(plan: PlanIndex, actions: readonly Action[], shown: ReadonlySet<number>): number[] {
  return actions.flatMap(({ address }) => {
    const index = plan.indexOf(address);
    return index !== undefined && shown.has(index) ? [index] : [];
  });
}
