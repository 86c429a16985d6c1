import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { buttonId } from "./action-card.js";
import { ActionList, listOrder } from "./action-list.js";
import { ConsequenceList, HeldList } from "./consequence-list.js";
import { Created, OnlyHere, SharedEdits } from "./edit-list.js";
import { markFound } from "./found-mark.js";
import { GraphPanel, graphId } from "./graph-panel.js";
import { HelpDialog } from "./help-dialog.js";
import { pressKey } from "./keyboard.js";
import { isShown } from "./matching.js";
import { NoteList } from "./note-list.js";
import type { ReviewedName } from "../render/view/plan-section.js";
import { reviewTitles } from "../render/words/review-words.js";
import { PageContext, usePage } from "./page-context.js";
import { PageHead } from "./page-head.js";
import { type Dispatch, type PageState, type ShownActions, firstState, nextState } from "./page-state.js";
import { Unfold } from "./panel.js";
import type { PlanIndex } from "./plan-index.js";
import { SectionList } from "./section-view.js";
import { Toolbar } from "./toolbar.js";

// What a filter narrows, in the order of a review.
const narrowed: Readonly<Record<Exclude<ReviewedName, "notes">, typeof HeldList>> = {
  held: HeldList,
  onlyHere: OnlyHere,
  groups: SharedEdits,
  created: Created,
  consequences: ConsequenceList,
};

/** The whole page. */
export function App({ plan }: { plan: PlanIndex }) {
  const { actions } = plan.plan;
  const [state, dispatch] = useReducer(nextState, plan, firstState);
  const tools = useMemo(() => ({ plan, dispatch }), [plan, dispatch]);
  const order = useMemo(() => listOrder(plan), [plan]);
  const shown = useMemo(
    () => order.filter((index) => isShown(plan, index, state.filter)),
    [plan, order, state.filter],
  );
  useKeys(state, shown, dispatch);
  useFocus(state, dispatch);
  useEffect(() => markFound(state.filter.query), [state.filter.query]);
  return (
    <PageContext.Provider value={tools}>
      <div class="page">
        <PageHead />
        <main>
          <SectionList place="above" />
          <NoteList />
          {actions.length > 0 ? <Review state={state} shown={shown} /> : <SectionList place="below" />}
        </main>
        <HelpDialog isShown={state.isHelpShown} />
      </div>
    </PageContext.Provider>
  );
}

function Review({ state, shown }: ShownActions) {
  const { dispatch } = usePage();
  const passing = useMemo(() => new Set(shown), [shown]);
  return (
    <div class="parts">
      <Toolbar state={state} shown={shown} />
      {shown.length === 0 && <p class="nothing">No action matches the search and the filters.</p>}
      {Object.entries(narrowed).map(([name, List]) => (
        <List key={name} state={state} shown={passing} />
      ))}
      <SectionList place="below" />
      <GraphPanel state={state} />
      {shown.length > 0 && (
        <section class="actions" aria-labelledby="actions-title">
          <h2 id="actions-title">
            <Unfold isOpen={state.isListShown} toggle={() => dispatch({ isListShown: !state.isListShown })}>
              <span>
                {reviewTitles.actions} <span class="count">{shown.length.toLocaleString("en")}</span>
              </span>
            </Unfold>
          </h2>
          {state.isListShown && <ActionList state={state} shown={shown} />}
        </section>
      )}
    </div>
  );
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

// Takes the focus to the action that a link, the graph, the page's URL or a key asks for.
function useFocus({ plan, sought, around }: PageState, dispatch: Dispatch): void {
  useEffect(() => {
    const follow = (): void => {
      const index = plan.indexOf(addressInLocation());
      if (index !== undefined) dispatch({ type: "reveal", index });
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useLayoutEffect(() => {
    if (!sought) return;
    const button = document.getElementById(buttonId(sought.index));
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: sought.isStep ? "nearest" : "start" });
    if (!sought.isStep) writeLocation(plan.addressOf(sought.index));
  }, [sought]);
  useLayoutEffect(() => {
    if (around !== undefined) document.getElementById(graphId)?.scrollIntoView({ block: "nearest" });
  }, [around]);
}

/** Gives the address after `#` in the page's URL, or an empty text. */
function addressInLocation(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Puts an address into the page's URL, so that a copied link leads to it. */
function writeLocation(address: string): void {
  try {
    history.replaceState(null, "", `#${encodeURIComponent(address).replaceAll("%3A", ":")}`);
  } catch {
    // A frame of a different origin may not do this; the page works without it.
  }
}
