import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { buttonId } from "./action-card.js";
import { ActionList, listOrder } from "./action-list.js";
import { addressInLocation, writeLocation } from "./deep-link.js";
import { markFound } from "./found-mark.js";
import { graphId, GraphPanel } from "./graph-panel.js";
import { HelpDialog } from "./help-dialog.js";
import { pressKey } from "./keyboard.js";
import { isShown } from "./matching.js";
import { NoteList, WarningList } from "./note-list.js";
import type { PageData, PageNote } from "../render/html/page-data.js";
import { PageHead } from "./page-head.js";
import { firstState, nextState, type Dispatch, type PageState } from "./page-state.js";
import { SettingList } from "./setting-list.js";
import { StateList } from "./state-list.js";
import { Toolbar } from "./toolbar.js";

/** The whole page. */
export function App({ data }: { data: PageData }) {
  const [state, dispatch] = useReducer(nextState, data, firstState);
  const order = useMemo(() => listOrder(state), [data]);
  const shown = useMemo(() => {
    return order.filter((index) => {
      const action = data.actions[index];
      return action !== undefined && isShown(action, state.filter);
    });
  }, [data, order, state.filter]);
  const indexes = useMemo(() => new Map(data.actions.map(({ address }, index) => [address, index])), [data]);
  const notesOf = useMemo(() => notesByAddress(data.notes), [data]);
  useKeys(state, shown, dispatch);
  useReveal(state, indexes, dispatch);
  useEffect(() => markFound(state.filter.query), [state.filter.query, state.open, shown]);
  return (
    <div class="page">
      <PageHead data={data} />
      <main>
        <StateList data={data} indexes={indexes} dispatch={dispatch} />
        <SettingList data={data} />
        <NoteList data={data} indexes={indexes} dispatch={dispatch} />
        <WarningList data={data} />
        <GraphPanel state={state} dispatch={dispatch} />
        {data.actions.length > 0 && (
          <section class="actions" aria-labelledby="actions-title">
            <h2 id="actions-title" class="unseen">
              Actions
            </h2>
            <Toolbar state={state} shown={shown} dispatch={dispatch} />
            <ActionList state={state} shown={shown} notesOf={notesOf} indexes={indexes} dispatch={dispatch} />
            {shown.length === 0 && <p class="nothing">No action matches the search and the filters.</p>}
          </section>
        )}
      </main>
      <HelpDialog isShown={state.isHelpShown} dispatch={dispatch} />
    </div>
  );
}

const none: readonly PageNote[] = [];

function notesByAddress(notes: readonly PageNote[]): (address: string) => readonly PageNote[] {
  const byAddress = new Map<string, PageNote[]>();
  for (const note of notes) {
    const own = byAddress.get(note.address);
    if (own) own.push(note);
    else byAddress.set(note.address, [note]);
  }
  return (address) => byAddress.get(address) ?? none;
}

function useKeys(state: PageState, shown: readonly number[], dispatch: Dispatch): void {
  const press = useRef<(event: KeyboardEvent) => void>(() => undefined);
  press.current = (event) => pressKey(event, state, shown, dispatch);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => press.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

// Scrolls to the action that a link, the graph or the page's URL names.
function useReveal(state: PageState, indexes: ReadonlyMap<string, number>, dispatch: Dispatch): void {
  const { revealed, around, data } = state;
  useEffect(() => {
    const follow = (): void => {
      const index = indexes.get(addressInLocation());
      if (index !== undefined) dispatch({ type: "reveal", index });
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useLayoutEffect(() => {
    if (!revealed) return;
    const button = document.getElementById(buttonId(revealed.index));
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "start" });
    writeLocation(data.actions[revealed.index]?.address ?? "");
  }, [revealed]);
  useLayoutEffect(() => {
    if (around !== undefined) document.getElementById(graphId)?.scrollIntoView({ block: "nearest" });
  }, [around]);
}
