import { ChangeList } from "./change-list.js";
import { pageChange } from "./page-change.js";
import type { PlanIndex } from "./plan-index.js";

/** The settings that differ from those of the last apply; nothing if there are none. */
export function SettingList({ plan }: { plan: PlanIndex }) {
  const items = plan.itemsOf("settings", "setting");
  if (items.length === 0) return null;
  return (
    <section class="panel settings" aria-labelledby="settings-title">
      <h2 id="settings-title">
        Settings <span class="count">{items.length}</span>
      </h2>
      <ChangeList changes={items.map(({ change }) => pageChange(change))} isSplit={false} />
    </section>
  );
}
