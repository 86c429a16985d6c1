import { countOf } from "./action-word.js";
import { AddressLink } from "./address-link.js";
import { ChangeView } from "./change-list.js";
import type { Action, Change } from "../generated/plan.js";
import { unitsOf } from "../core/review/edit-units.js";
import { pageChange } from "./page-change.js";
import { usePage } from "./page-context.js";

interface ActionChangesProps {
  readonly index: number;
  readonly action: Action;
  readonly isSplit: boolean;
}

/** The changes of an action; of those that it shares, with how many and as in which resource it is shown. */
export function ActionChanges({ index, action, isSplit }: ActionChangesProps) {
  const { plan } = usePage();
  if (action.changes.length === 0) return null;
  const groups = plan
    .groupsOf(index)
    .flatMap((each) => plan.groups[each] ?? [])
    .flatMap(({ edits, noted }) => [...edits, ...noted])
    .filter(({ linesDiffer }) => !linesDiffer);
  const groupsOf = (change: Change) =>
    groups.filter(({ edits }) => edits.some((edit) => edit.action === action && edit.whole === change));
  return (
    <ul class="changes">
      {action.changes.map((change, at) => {
        const shared = groupsOf(change);
        const [group] = unitsOf(change).length === 1 ? shared : [];
        const first = plan.indexOf(group?.actions[0]?.address ?? "") ?? index;
        return (
          <ChangeView key={at} change={pageChange(change, action)} isSplit={isSplit}>
            {!group && shared.length > 0 && (
              <p class="with">{countOf(shared.length, "edit")} of it shared with other resources</p>
            )}
            {group && (
              <p class="with">
                the same edit in {countOf(group.actions.length, "resource")}
                {first !== index && (
                  <>
                    , shown as in <AddressLink address={first} />
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
