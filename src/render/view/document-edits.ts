import type { EditGroup } from "../../core/review/edit-groups.js";
import { connected } from "../../json/groups.js";
import type { GroupItem } from "./plan-section.js";

/**
 * Puts shared edits together that are of one OpenAPI document: those of parts of one field of which some resource has
 * both. Each is at the place of its first edit; takes time in proportion to the resources of all edits.
 */
export function groupItems(
  groups: readonly EditGroup[],
  isNoted: (group: EditGroup) => boolean,
): GroupItem[] {
  const placesOf = (group: EditGroup): string[] => {
    const field = documentField(group);
    return field === undefined ? [] : group.actions.map(({ address }) => `${address} ${field}`);
  };
  return connected(groups, placesOf).map((all) => ({
    sort: "group",
    edits: all.filter((group) => !isNoted(group)),
    noted: all.filter(isNoted),
    group: unionOf(all),
  }));
}

function documentField({ change: { path, outline }, linesDiffer }: EditGroup): string | undefined {
  const end = path.indexOf(".");
  return outline === true && linesDiffer !== true && end > 0 ? path.slice(0, end) : undefined;
}

function unionOf(groups: readonly EditGroup[]): EditGroup {
  const [first, ...more] = groups;
  if (!first) throw new Error("a group of no edits");
  if (more.length === 0) return first;
  const { count, addresses } = first.others;
  const actions = [...new Set(groups.flatMap((group) => group.actions))];
  const own = new Set(actions.map(({ address }) => address));
  return {
    ...first,
    actions,
    edits: groups.flatMap(({ edits }) => edits),
    isJudged: groups.every(({ isJudged }) => isJudged),
    others: {
      ...(count !== undefined && { count: count + first.actions.length - actions.length }),
      addresses: addresses.filter((address) => !own.has(address)),
    },
  };
}
