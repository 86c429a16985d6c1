import { useEffect, useState } from "preact/hooks";
import { AddressLink } from "./address-link.js";
import { reviewTitles } from "../render/words/review-words.js";
import type { Action } from "../generated/plan.js";
import { usePage } from "./page-context.js";
import type { ShownActions } from "./page-state.js";
import { Panel, Unfold } from "./panel.js";
import type { PlanIndex } from "./plan-index.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

/** The actions that wait for a person, with why; nothing if there are none. */
export function HeldList({ shown }: ShownActions<ReadonlySet<number>>) {
  const { plan } = usePage();
  const held = indexesOf(plan, plan.review.held, shown);
  if (held.length === 0) return null;
  return (
    <Panel name="held" count={held.length}>
      <Reasons indexes={held} />
    </Panel>
  );
}

/** The actions that only follow from others, folded; nothing if there are none. */
export function ConsequenceList({ state: { plan, filter }, shown }: ShownActions<ReadonlySet<number>>) {
  const isAsked = filter.sorts.has("consequence");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked]);
  const all = indexesOf(plan, plan.review.consequences, shown);
  if (all.length === 0) return null;
  const title = (
    <Unfold isOpen={isOpen} toggle={() => setOpen(!isOpen)}>
      <span>
        {reviewTitles.consequences} <span class="count">{all.length.toLocaleString("en")}</span>
      </span>
    </Unfold>
  );
  return (
    <Panel name="consequences" title={title}>
      {isOpen && <Reasons indexes={all} />}
    </Panel>
  );
}

function Reasons({ indexes }: { readonly indexes: readonly number[] }) {
  const { plan } = usePage();
  return (
    <Windowed items={indexes} size={50} height={24}>
      {(index) => (
        <li key={index} class="follows">
          <AddressLink address={index} />
          <span class="said">
            <Why action={plan.plan.actions[index]} />
          </span>
        </li>
      )}
    </Windowed>
  );
}

function Why({ action }: { readonly action: Action | undefined }) {
  const { plan } = usePage();
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
