import { AddressLink } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";
import type { Dispatch } from "./page-state.js";
import { pageChange } from "./page-change.js";
import type { PlanIndex } from "./plan-index.js";
import { Prose } from "./prose.js";

interface StateListProps {
  readonly plan: PlanIndex;
  readonly dispatch: Dispatch;
}

/** The edits that the change makes to the state; nothing if there are none. */
export function StateList({ plan, dispatch }: StateListProps) {
  const edits = plan.itemsOf("state", "state");
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
        {edits.map(({ name, what, change }) => (
          <li>
            <AddressLink address={name} plan={plan} dispatch={dispatch} /> {what}
            <ChangeList changes={change.changes.map((each) => pageChange(each))} isSplit={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}
