import { signOf } from "./action-word.js";
import { AddressLink, AddressList } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import type { PageEdits, PageGroup } from "../render/html/page-data.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";
import type { Dispatch, PageState } from "./page-state.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

interface EditListProps {
  readonly state: PageState;
  /** The actions that pass the filter. */
  readonly shown: ReadonlySet<number>;
  readonly dispatch: Dispatch;
}

/** The edits that one resource alone has, unfolded; nothing if there are none. */
export function OnlyHere({ state, shown, dispatch }: EditListProps) {
  const own = state.plan.data.review.onlyHere.filter(({ action }) => shown.has(action));
  if (own.length === 0) return null;
  return (
    <section class="panel only-here" aria-labelledby="only-here-title">
      <h2 id="only-here-title">
        {reviewTitles.onlyHere} <span class="count">{own.length.toLocaleString("en")}</span>
      </h2>
      <p class="meaning">{asSentence(reviewMeanings.onlyHere)}</p>
      <Windowed items={own} size={10} height={140}>
        {(edits) => <OwnEdits key={edits.action} edits={edits} state={state} dispatch={dispatch} />}
      </Windowed>
    </section>
  );
}

function OwnEdits({ edits, state, dispatch }: Omit<EditListProps, "shown"> & { readonly edits: PageEdits }) {
  const { plan, isSplit } = state;
  const { action: index, isWhole, changes, notJudged } = edits;
  const action = plan.data.actions[index];
  if (!action) return null;
  return (
    <li class={`edit ${action.action}`}>
      <p class="edited">
        <span class="badge" aria-hidden="true">
          {signOf(action.action)}
        </span>
        <span class="unseen">{action.action} </span>
        <AddressLink address={index} plan={plan} dispatch={dispatch} />
        {notJudged !== undefined && (
          <span class="not-judged">
            <Prose text={notJudged} />
          </span>
        )}
        {isWhole && <span class="said">{plan.reasonsOf(index).join("; ")}</span>}
      </p>
      {changes.length > 0 && <ChangeList changes={plan.changesOf(changes)} isSplit={isSplit} />}
    </li>
  );
}

/** The edits that several resources share, each once; nothing if there are none. */
export function SharedEdits({ state, shown, dispatch }: EditListProps) {
  const groups = state.plan.data.review.groups
    .map((group, index) => ({ group, index }))
    .filter(({ group }) => group.actions.some((action) => shown.has(action)));
  if (groups.length === 0) return null;
  return (
    <section class="panel shared" aria-labelledby="shared-title">
      <h2 id="shared-title">
        {reviewTitles.groups} <span class="count">{groups.length.toLocaleString("en")}</span>
      </h2>
      <p class="meaning">{asSentence(reviewMeanings.groups)}</p>
      <Windowed items={groups} size={10} height={160}>
        {({ group, index }) => (
          <SharedEdit key={index} group={group} index={index} state={state} dispatch={dispatch} />
        )}
      </Windowed>
    </section>
  );
}

interface SharedEditProps extends Omit<EditListProps, "shown"> {
  readonly group: PageGroup;
  readonly index: number;
}

function SharedEdit({ group, index, state, dispatch }: SharedEditProps) {
  const { plan, isSplit, filter } = state;
  return (
    <li class="edit">
      <p class="shared-title">{group.title}</p>
      <ChangeList changes={plan.changesOf([group.change])} isSplit={isSplit} />
      <div class="members">
        <AddressList addresses={group.actions} plan={plan} dispatch={dispatch} />
        <button
          type="button"
          class="quiet"
          aria-pressed={filter.group === index}
          onClick={() =>
            dispatch({ type: "filter-group", group: filter.group === index ? undefined : index })
          }
        >
          Show only these
        </button>
      </div>
    </li>
  );
}
