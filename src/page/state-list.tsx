import { AddressLink } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";
import type { Dispatch } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";
import { Prose } from "./prose.js";

interface StateListProps {
  readonly plan: PlanIndex;
  readonly dispatch: Dispatch;
}

/** The edits that the change makes to the state; nothing if there are none. */
export function StateList({ plan, dispatch }: StateListProps) {
  const edits = plan.data.state;
  if (edits.length === 0) return null;
  return (
    <section class="panel state" aria-labelledby="state-title">
      <h2 id="state-title">
        {reviewTitles.state} <span class="count">{edits.length}</span>
      </h2>
      <p>
        <Prose text={asSentence(reviewMeanings.state)} />
      </p>
      <ul>
        {edits.map(({ name, sort, changes }) => (
          <li>
            <AddressLink address={name} plan={plan} dispatch={dispatch} /> {sort}
            <ChangeList changes={changes} isSplit={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}
