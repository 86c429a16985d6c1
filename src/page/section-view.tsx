import type { ComponentChildren } from "preact";
import type { PlainItem, SaidItem, PlainSection } from "../render/view/plan-section.js";
import { firstOf } from "../core/finding/quotation.js";
import { AddressLink } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import { pageChange } from "./page-change.js";
import { usePage } from "./page-context.js";
import { Panel } from "./panel.js";
import { Prose } from "./prose.js";

/** Sections of which the page has no more than what they say, in their order. */
export function SectionList({ place }: Pick<PlainSection, "place">) {
  const { plan } = usePage();
  return (
    <>
      {plan.sections.map(
        (section) => section.place === place && <SectionView key={section.name} section={section} />,
      )}
    </>
  );
}

function SectionView({ section: { name, title, meaning, items } }: { readonly section: PlainSection }) {
  const counted = (
    <>
      {title} <span class="count">{items.length}</span>
    </>
  );
  const list = (
    <ul>
      {items.map((item) => (
        <li>{itemView(item)}</li>
      ))}
    </ul>
  );
  // The terminal and the job that made the plan have told them, too.
  if (name === "warnings")
    return (
      <details class={`panel ${name}`}>
        <summary>{counted}</summary>
        {list}
      </details>
    );
  const isCounted = items.some(({ sort }) => sort !== "said");
  return (
    <Panel name={name} title={isCounted ? counted : title} meaning={meaning}>
      {list}
    </Panel>
  );
}

function itemView(item: PlainItem): ComponentChildren {
  if (item.sort === "said") return <Said item={item} />;
  if (item.sort === "setting") return <ChangeList changes={[pageChange(item.change)]} isSplit={false} />;
  return (
    <>
      <AddressLink address={item.name} /> {item.what} {item.lost}
      {item.isOpen && (
        <ChangeList changes={item.change.changes.map((change) => pageChange(change))} isSplit={false} />
      )}
    </>
  );
}

const mostPlaces = 20;

function Said({ item: { field, word, text, diagnostic } }: { readonly item: SaidItem }) {
  return (
    <>
      {field !== undefined && (
        <>
          <code class="path">{field}</code> of{" "}
        </>
      )}
      {(word ?? diagnostic) && <strong>{word ?? diagnostic?.severity}</strong>} <Prose text={text} />{" "}
      {diagnostic && <code class="code">{diagnostic.code}</code>}
      {diagnostic && diagnostic.places.length > 0 && (
        <span class="place">{firstOf(diagnostic.places, mostPlaces)}</span>
      )}
      {diagnostic?.hint !== undefined && (
        <span class="hint">
          <Prose text={diagnostic.hint} />
        </span>
      )}
    </>
  );
}
