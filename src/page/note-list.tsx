import { AddressLink } from "./address-link.js";
import type { PageData } from "../render/html/page-data.js";
import type { Dispatch } from "./page-state.js";
import { Prose } from "./prose.js";

interface NoteListProps {
  readonly data: PageData;
  readonly indexes: ReadonlyMap<string, number>;
  readonly dispatch: Dispatch;
}

/** The guardrail notes; nothing if there are none. */
export function NoteList({ data, indexes, dispatch }: NoteListProps) {
  if (data.notes.length === 0) return null;
  return (
    <section class="panel notes" aria-labelledby="notes-title">
      <h2 id="notes-title">
        Guardrail notes <span class="count">{data.notes.length}</span>
      </h2>
      <ul>
        {data.notes.map(({ effect, address, message, code }) => (
          <li class={effect}>
            <span class={`effect ${effect}`}>{effect}</span>
            <span class="about">
              <AddressLink address={address} index={indexes.get(address)} dispatch={dispatch} />
              <span class="message">
                <Prose text={message} />
              </span>
              <code class="code">{code}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The workspace's warnings, folded; nothing if there are none. */
export function WarningList({ data }: { data: PageData }) {
  if (data.warnings.length === 0) return null;
  return (
    <details class="panel warnings">
      <summary>
        Warnings of the workspace <span class="count">{data.warnings.length}</span>
      </summary>
      <ul>
        {data.warnings.map(({ severity, message, code, place, hint }) => (
          <li>
            <strong>{severity}</strong> <Prose text={message} /> <code class="code">{code}</code>
            {place !== undefined && <span class="place">{place}</span>}
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
