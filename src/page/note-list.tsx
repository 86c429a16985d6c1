import { AddressLink, AddressList } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import { mostNamedWhole, noteSubject } from "../render/view/note-subject.js";
import type { NoteItem } from "../render/view/plan-section.js";
import { pageChange } from "./page-change.js";
import { usePage } from "./page-context.js";
import { Panel } from "./panel.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

/** The guardrail notes, the gravest first; nothing if there are none. */
export function NoteList() {
  const notes = usePage().plan.itemsOf("notes", "note");
  if (notes.length === 0) return null;
  return (
    <Panel name="notes" count={notes.length}>
      <Windowed items={notes} size={20} height={80}>
        {(item) => <Note item={item} />}
      </Windowed>
    </Panel>
  );
}

function Note({ item }: { readonly item: NoteItem }) {
  const { effect, addresses, message, code, change } = item.note;
  const subject = noteSubject(item.note);
  return (
    <li class={`noted ${effect}`}>
      <span class={`effect ${effect}`}>{effect}</span>
      <div class="about">
        {addresses.length <= mostNamedWhole && addresses.map((address) => <AddressLink address={address} />)}
        <span class="message">
          <Prose text={message} />
        </span>
        <code class="code">{code}</code>
        {addresses.length > mostNamedWhole && <AddressList addresses={addresses} summary={subject} />}
        {item.change && change && <ChangeList changes={[pageChange(change)]} isSplit={false} />}
      </div>
    </li>
  );
}
