import { ChangeList } from "./change-list.js";
import type { PageData } from "../render/html/page-data.js";

/** The settings that differ from those of the last apply; nothing if there are none. */
export function SettingList({ data }: { data: PageData }) {
  if (data.settings.length === 0) return null;
  return (
    <section class="panel settings" aria-labelledby="settings-title">
      <h2 id="settings-title">
        Settings <span class="count">{data.settings.length}</span>
      </h2>
      <ChangeList changes={data.settings} isSplit={false} />
    </section>
  );
}
