import { useMemo } from "preact/hooks";
import { kindNames } from "../core/kind/kinds.js";
import { countEach } from "../json/groups.js";
import { type ActionWord, actionWords } from "../render/words/action-words.js";
import { actionNames, Badge, countOf } from "./action-word.js";
import { type Filter, type FilterName, valuesOf } from "./matching.js";
import { pageChange } from "./page-change.js";
import { usePage } from "./page-context.js";

/** The chips of one filter: from how many on they are shown, and in which order if not as they come. */
interface ChipRow {
  readonly name: FilterName;
  readonly label: string;
  readonly least: number;
  readonly order?: readonly string[];
}

const rows: readonly ChipRow[] = [
  { name: "actions", label: "Filter by action", least: 1, order: actionNames },
  { name: "kinds", label: "Filter by kind", least: 2, order: kindNames.toSorted() },
  { name: "sorts", label: "Filter by edit or consequence", least: 2, order: ["edit", "consequence"] },
  { name: "effects", label: "Filter by effect", least: 1 },
];

const words: Readonly<Record<string, ActionWord | undefined>> = actionWords;
const titles: Readonly<Record<string, string>> = { edit: "Edited", consequence: "Consequences" };

const mostGroups = 100;

/** The filters: by action, by kind, edits and consequences, effects of notes, and shared edits. */
export function FilterChips({ filter }: { readonly filter: Filter }) {
  return (
    <>
      {rows.map((row) => (
        <Chips key={row.name} row={row} chosen={filter[row.name]} />
      ))}
      <GroupChoice chosen={filter.group} />
    </>
  );
}

function Chips({ row, chosen }: { readonly row: ChipRow; readonly chosen: ReadonlySet<string> }) {
  const { plan, dispatch } = usePage();
  const { name, label, least, order } = row;
  const counts = useMemo(
    () => countEach([...plan.plan.actions.keys()].flatMap((index) => valuesOf(name, plan, index))),
    [plan, name],
  );
  if (counts.size < least) return null;
  return (
    <div class="chips" role="group" aria-label={label}>
      {(order ?? [...counts.keys()]).flatMap((value) => {
        const count = counts.get(value);
        if (count === undefined) return [];
        const word = name === "actions" ? words[value] : undefined;
        return (
          <button
            type="button"
            class={`chip ${word || name === "effects" ? value : ""}`}
            key={value}
            aria-pressed={chosen.has(value)}
            onClick={() => dispatch({ type: "filter", name, value })}
          >
            {word && <Badge action={word.action} />}
            {word?.title ?? titles[value] ?? value} <span class="count">{count.toLocaleString("en")}</span>
          </button>
        );
      })}
    </div>
  );
}

// The most shared first; one of the others can be chosen where it is shown.
function GroupChoice({ chosen }: { readonly chosen: number | undefined }) {
  const { plan, dispatch } = usePage();
  const { groups } = plan;
  if (groups.length === 0) return null;
  const offered = [...groups.keys()].toReversed().filter((index, at) => at < mostGroups || index === chosen);
  const choose = (value: string): void =>
    dispatch({ type: "narrow", by: { group: value === "" ? undefined : Number(value) } });
  return (
    <select
      class="choice"
      aria-label="Filter by shared edit"
      value={chosen ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">Any edit</option>
      {offered.map((index) => {
        const { change, actions = [] } = groups[index]?.group ?? {};
        return (
          <option key={index} value={index}>
            {change && pageChange(change, actions[0]).path} in {countOf(actions.length, "resource")}
          </option>
        );
      })}
    </select>
  );
}
