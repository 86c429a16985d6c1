import { countOf } from "./action-word.js";
import { AddressLink } from "./address-link.js";
import { ChangeView } from "./change-list.js";
import type { PageAction } from "../render/html/page-data.js";
import type { Dispatch } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";

interface ActionChangesProps {
  readonly index: number;
  readonly action: PageAction;
  readonly plan: PlanIndex;
  readonly isSplit: boolean;
  readonly dispatch: Dispatch;
}

/** The changes of an action; of those that it shares, with how many and as in which resource it is shown. */
export function ActionChanges({ index, action, plan, isSplit, dispatch }: ActionChangesProps) {
  if (action.changes.length === 0) return null;
  const groups = plan
    .groupsOf(index)
    .flatMap((each) => plan.data.review.groups[each] ?? [])
    .filter(({ linesDiffer }) => !linesDiffer);
  return (
    <ul class="changes">
      {action.changes.map((number) => {
        const change = plan.data.changes[number];
        if (!change) return null;
        const group = groups.find((each) => each.change === number);
        const [first = index] = group?.actions ?? [];
        return (
          <ChangeView key={number} change={change} isSplit={isSplit}>
            {group && (
              <p class="with">
                the same edit in {countOf(group.actions.length, "resource")}
                {first !== index && (
                  <>
                    , shown as in <AddressLink address={first} plan={plan} dispatch={dispatch} />
                  </>
                )}
              </p>
            )}
          </ChangeView>
        );
      })}
    </ul>
  );
}
