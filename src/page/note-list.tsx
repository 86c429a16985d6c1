import { AddressLink, AddressList } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import type { NoteItem } from "../render/view/plan-section.js";
import { pageChange } from "./page-change.js";
import { reviewTitles } from "../render/words/review-words.js";
import type { Dispatch } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

interface NoteListProps {
  readonly plan: PlanIndex;
  readonly dispatch: Dispatch;
}

const mostBeside = 3;

/** The guardrail notes, the gravest first; nothing if there are none. */
export function NoteList({ plan, dispatch }: NoteListProps) {
  const notes = plan.itemsOf("notes", "note");
  if (notes.length === 0) return null;
  return (
    <section class="panel notes" aria-labelledby="notes-title">
      <h2 id="notes-title">
        {reviewTitles.notes} <span class="count">{notes.length}</span>
      </h2>
      <Windowed items={notes} size={20} height={80}>
        {(item) => <Note item={item} plan={plan} dispatch={dispatch} />}
      </Windowed>
    </section>
  );
}

function Note({ item, plan, dispatch }: NoteListProps & { readonly item: NoteItem }) {
  const { effect, addresses, message, code, change } = item.note;
  return (
    <li class={`noted ${effect}`}>
      <span class={`effect ${effect}`}>{effect}</span>
      <div class="about">
        {addresses.length <= mostBeside &&
          addresses.map((address) => <AddressLink address={address} plan={plan} dispatch={dispatch} />)}
        <span class="message">
          <Prose text={message} />
        </span>
        <code class="code">{code}</code>
        {addresses.length > mostBeside && (
          <AddressList addresses={addresses} plan={plan} dispatch={dispatch} />
        )}
        {item.change && change && <ChangeList changes={[pageChange(change)]} isSplit={false} />}
      </div>
    </li>
  );
}
