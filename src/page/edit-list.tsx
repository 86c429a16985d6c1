import { signOf } from "./action-word.js";
import { AddressLink, AddressList } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import type { EditGroup } from "../core/plan/edit-groups.js";
import { groupTitle } from "../render/view/group-title.js";
import type { EditItem } from "../render/view/plan-section.js";
import { pageChange } from "./page-change.js";
import { usePage } from "./page-context.js";
import type { PageState } from "./page-state.js";
import { Panel } from "./panel.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

interface EditListProps {
  readonly state: PageState;
  /** The actions that pass the filter. */
  readonly shown: ReadonlySet<number>;
}

/** The edits that one resource alone has, unfolded; nothing if there are none. */
export function OnlyHere({ state: { plan, isSplit }, shown }: EditListProps) {
  const own = plan
    .itemsOf("onlyHere", "edit")
    .filter(({ action }) => shown.has(plan.indexOf(action.address) ?? -1));
  if (own.length === 0) return null;
  return (
    <Panel name="onlyHere" id="only-here" count={own.length}>
      <Windowed items={own} size={10} height={140}>
        {(edits) => <OwnEdits key={edits.action.address} edits={edits} isSplit={isSplit} />}
      </Windowed>
    </Panel>
  );
}

function OwnEdits({ edits, isSplit }: { readonly edits: EditItem; readonly isSplit: boolean }) {
  const { action, isWhole, all, judged, reasons } = edits;
  return (
    <li class={`edit ${action.action}`}>
      <p class="edited">
        <span class="badge" aria-hidden="true">
          {signOf(action.action)}
        </span>
        <span class="unseen">{action.action} </span>
        <AddressLink address={action.address} />
        {judged.map((text) => (
          <span class="not-judged">
            <Prose text={text} />
          </span>
        ))}
        {isWhole && <span class="said">{reasons.join("; ")}</span>}
      </p>
      {all.length > 0 && (
        <ChangeList changes={all.map((each) => pageChange(each, action))} isSplit={isSplit} />
      )}
    </li>
  );
}

/** The edits that several resources share, each once; nothing if there are none. */
export function SharedEdits({ state, shown }: EditListProps) {
  const { plan } = state;
  const groups = plan.review.groups
    .map((group, index) => ({ group, index }))
    .filter(({ group }) => group.actions.some(({ address }) => shown.has(plan.indexOf(address) ?? -1)));
  if (groups.length === 0) return null;
  return (
    <Panel name="groups" id="shared" count={groups.length}>
      <Windowed items={groups} size={10} height={160}>
        {({ group, index }) => <SharedEdit key={index} group={group} index={index} state={state} />}
      </Windowed>
    </Panel>
  );
}

interface SharedEditProps extends Omit<EditListProps, "shown"> {
  readonly group: EditGroup;
  readonly index: number;
}

function SharedEdit({ group, index, state: { isSplit, filter } }: SharedEditProps) {
  const { dispatch } = usePage();
  const isChosen = filter.group === index;
  return (
    <li class="edit">
      <p class="shared-title">{groupTitle(group)}</p>
      <ChangeList changes={[pageChange(group.change, group.actions[0])]} isSplit={isSplit} />
      <div class="members">
        <AddressList addresses={group.actions.map(({ address }) => address)} />
        <button
          type="button"
          class="quiet"
          aria-pressed={isChosen}
          onClick={() => dispatch({ type: "filter-group", group: isChosen ? undefined : index })}
        >
          Show only these
        </button>
      </div>
    </li>
  );
}
