import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Badge } from "./action-word.js";
import { AddressLink, AddressList } from "./address-link.js";
import { ChangeList } from "./change-list.js";
import type { Action } from "../generated/plan.js";
import { groupTitle, type MemberWords, otherLines, partPlace } from "../render/view/group-title.js";
import { kinText, kinWords } from "../render/view/kin.js";
import type { ActionName } from "../render/words/action-words.js";
import type { AlikeItem, EditItem, GroupItem, KinItem } from "../render/view/plan-section.js";
import { pageChange, shownLayout } from "./page-change.js";
import { usePage } from "./page-context.js";
import type { ShownActions } from "./page-state.js";
import { Panel, Unfold } from "./panel.js";
import { Prose } from "./prose.js";
import { Windowed } from "./windowed.js";

/** The edits that one resource alone has, unfolded; nothing if there are none. */
export function OnlyHere(props: ShownActions<ReadonlySet<number>>) {
  return <OwnList {...props} name="onlyHere" id="only-here" />;
}

/** The new resources; nothing if there are none. */
export function Created(props: ShownActions<ReadonlySet<number>>) {
  return <OwnList {...props} name="created" id="created" />;
}

interface OwnListProps extends ShownActions<ReadonlySet<number>> {
  readonly name: "onlyHere" | "created";
  readonly id: string;
}

function OwnList({ state: { plan, isSplit }, shown, name, id }: OwnListProps) {
  const isShown = ({ address }: Action): boolean => shown.has(plan.indexOf(address) ?? -1);
  const own = [...plan.itemsOf(name, "edit", "kin", "alike")].filter((item) =>
    item.sort === "kin"
      ? [item.first, ...item.others].some(({ action }) => isShown(action))
      : item.sort === "alike"
        ? item.actions.some(isShown)
        : isShown(item.action),
  );
  if (own.length === 0) return null;
  return (
    <Panel name={name} id={id} count={own.length}>
      <Windowed items={own} size={10} height={140}>
        {(item) =>
          item.sort === "kin" ? (
            <Kin key={item.first.action.address} item={item} isSplit={isSplit} />
          ) : item.sort === "alike" ? (
            <Alike key={item.actions[0]?.address ?? ""} item={item} />
          ) : (
            <OwnEdits key={item.action.address} edits={item} isSplit={isSplit} />
          )
        }
      </Windowed>
    </Panel>
  );
}

function Alike({ item: { action, reasons, actions } }: { readonly item: AlikeItem }) {
  return (
    <li class={`edit ${action}`}>
      <Edited action={action}>
        <span class="said">{reasons.join("; ")}</span>
      </Edited>
      <AddressList addresses={actions.map(({ address }) => address)} />
    </li>
  );
}

function Kin({ item: { first, others }, isSplit }: { readonly item: KinItem; readonly isSplit: boolean }) {
  return (
    <>
      <OwnEdits edits={first} isSplit={isSplit} />
      <li class="edit create">
        <Edited action="create">{kinText(others)}</Edited>
        <Members members={others.map((each) => kinWords(each, inBackticks))} isSplit={isSplit} />
      </li>
    </>
  );
}

// Each of several resources with what differs in it.
function Members({ members, isSplit }: { members: readonly MemberWords[]; isSplit: boolean }) {
  return (
    <Windowed items={members} size={50} height={24}>
      {({ address, words, below }) => (
        <li key={address} class="follows">
          <AddressLink address={address} />
          <span class="said">
            <Prose text={words} />
          </span>
          {below.length > 0 && <ChangeList changes={below.map(shownLayout)} isSplit={isSplit} />}
        </li>
      )}
    </Windowed>
  );
}

function inBackticks(text: string): string {
  return `\`${text}\``;
}

function OwnEdits({ edits, isSplit }: { readonly edits: EditItem; readonly isSplit: boolean }) {
  const { action, isWhole, all, judged, reasons } = edits;
  return (
    <li class={`edit ${action.action}`}>
      <Edited action={action.action}>
        <AddressLink address={action.address} />
        {judged.map((text) => (
          <span class="not-judged">
            <Prose text={text} />
          </span>
        ))}
        {isWhole && <span class="said">{reasons.join("; ")}</span>}
      </Edited>
      {all.length > 0 && (
        <ChangeList changes={all.map((each) => pageChange(each, action))} isSplit={isSplit} />
      )}
    </li>
  );
}

// The line that says of what an edit is.
function Edited({ action, children }: { readonly action: ActionName; readonly children: ComponentChildren }) {
  return (
    <p class="edited">
      <Badge action={action} />
      <span class="unseen">{action} </span>
      {children}
    </p>
  );
}

/** The edits that several resources share, each once; nothing if there are none. */
export function SharedEdits({ state, shown }: ShownActions<ReadonlySet<number>>) {
  const { plan } = state;
  const groups = plan.groups
    .map((item, index) => ({ item, index }))
    .filter(({ item: { group } }) =>
      group.actions.some(({ address }) => shown.has(plan.indexOf(address) ?? -1)),
    );
  if (groups.length === 0) return null;
  return (
    <Panel name="groups" id="shared" count={groups.length}>
      <Windowed items={groups} size={10} height={160}>
        {({ item, index }) => <SharedEdit key={index} item={item} index={index} state={state} />}
      </Windowed>
    </Panel>
  );
}

// The title of a shared edit says what it is.
const openEdits = 5;

interface SharedEditProps extends Omit<ShownActions<ReadonlySet<number>>, "shown"> {
  readonly item: GroupItem;
  readonly index: number;
}

function SharedEdit({ item, index, state: { isSplit, filter } }: SharedEditProps) {
  const { dispatch } = usePage();
  const isChosen = filter.group === index;
  const { group, edits } = item;
  const { head, words, isWhole } = groupTitle(item, inBackticks);
  const members = edits.flatMap((each) => otherLines(each, inBackticks));
  const hasMore = !isWhole && edits.length > 0;
  const [isOpen, setOpen] = useState(index < openEdits);
  return (
    <li class="edit">
      <p class="shared-title">
        <strong>
          <Prose text={head} />
        </strong>
        : <Prose text={words} />
      </p>
      {hasMore && (
        <Unfold isOpen={isOpen} toggle={() => setOpen(!isOpen)}>
          Difference
        </Unfold>
      )}
      {hasMore &&
        isOpen &&
        edits.map((each) => {
          const place = partPlace(item, each, inBackticks);
          return (
            <>
              <ChangeList changes={[pageChange(each.change, each.actions[0])]} isSplit={isSplit} />
              {place !== undefined && (
                <p class="said">
                  <Prose text={place} />
                </p>
              )}
            </>
          );
        })}
      {isOpen && members.length > 0 && <Members members={members} isSplit={isSplit} />}
      <div class="members">
        <AddressList addresses={group.actions.map(({ address }) => address)} />
        <button
          type="button"
          class="quiet"
          aria-pressed={isChosen}
          onClick={() => dispatch({ type: "narrow", by: { group: isChosen ? undefined : index } })}
        >
          Show only these
        </button>
      </div>
    </li>
  );
}
