import { AddressLink } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import type { PageData } from "../render/html/page-data.js";
import type { Dispatch } from "./page-state.js";
import { Prose } from "./prose.js";

interface StateListProps {
  readonly data: PageData;
  readonly indexes: ReadonlyMap<string, number>;
  readonly dispatch: Dispatch;
}

/** The edits that the change makes to the state; nothing if there are none. */
export function StateList({ data, indexes, dispatch }: StateListProps) {
  const { title, meaning, edits } = data.state;
  if (edits.length === 0) return null;
  return (
    <section class="panel state" aria-labelledby="state-title">
      <h2 id="state-title">
        {title} <span class="count">{edits.length}</span>
      </h2>
      <p>
        <Prose text={meaning} />
      </p>
      <ul>
        {edits.map(({ name, sort, changes }) => (
          <li>
            <AddressLink address={name} index={indexes.get(name)} dispatch={dispatch} /> {sort}
            <ChangeList changes={changes} isSplit={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}
