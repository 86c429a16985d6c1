import { AddressLink, AddressList } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import type { PageData, PageNote } from "../render/html/page-data.js";
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
  const { notes } = plan.data;
  if (notes.length === 0) return null;
  return (
    <section class="panel notes" aria-labelledby="notes-title">
      <h2 id="notes-title">
        {reviewTitles.notes} <span class="count">{notes.length}</span>
      </h2>
      <Windowed items={notes} size={20} height={80}>
        {(note) => <Note note={note} plan={plan} dispatch={dispatch} />}
      </Windowed>
    </section>
  );
}

function Note({ note, plan, dispatch }: NoteListProps & { readonly note: PageNote }) {
  const { effect, addresses, message, code, change } = note;
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
        {change !== undefined && <ChangeList changes={plan.changesOf([change])} isSplit={false} />}
      </div>
    </li>
  );
}

const mostPlaces = 20;

function placesText(places: readonly string[]): string {
  const left = places.length - mostPlaces;
  return `${places.slice(0, mostPlaces).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

/** The workspace's warnings, equal ones once, folded; nothing if there are none. */
export function WarningList({ data }: { data: PageData }) {
  if (data.warnings.length === 0) return null;
  return (
    <details class="panel warnings">
      <summary>
        {reviewTitles.warnings} <span class="count">{data.warnings.length}</span>
      </summary>
      <ul>
        {data.warnings.map(({ severity, message, code, places, hint }) => (
          <li>
            <strong>{severity}</strong> <Prose text={message} /> <code class="code">{code}</code>
            {places.length > 0 && <span class="place">{placesText(places)}</span>}
            {hint !== undefined && (
              <span class="hint">
                <Prose text={hint} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
