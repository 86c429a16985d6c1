import type { Action, Change } from "../../generated/plan.js";
import type { Group } from "../../core/plan/edit-groups.js";
import type { Review } from "../../core/plan/review.js";
import { actionCounts, alike, consequencesMeaning, withoutReasons } from "../plan/plan-review.js";
import { countText } from "../words/count-text.js";
import { code, fence, prose } from "./markdown-text.js";
import { linesOf } from "./plan-own.js";
import type { ReviewSection } from "./review-item.js";

const mostLines = 200;
const fewAddresses = 50;

/** Lays out each edit that several resources share: its difference once, the addresses folded. */
export function groupsSection({ groups }: Review, noted: ReadonlySet<Change>): ReviewSection {
  return {
    items: groups.map((group) => ({
      forms: [
        () => groupBlock(group, noted, Infinity),
        () => groupBlock(group, noted, fewAddresses),
        () => shortGroup(group),
      ],
      isKept: replaced(group.actions).length > 0,
    })),
    between: "\n\n",
    leftOut: (cut, left) => [
      ...(left > 0 ? [countText(left, "shared edit")] : []),
      ...(cut > 0 ? [`addresses or differences of ${countText(cut, "shared edit")}`] : []),
    ],
  };
}

function groupBlock({ change, actions }: Group, noted: ReadonlySet<Change>, most: number): string {
  const isNoted = actions.every(({ changes }) =>
    changes.some((each) => each.path === change.path && noted.has(each)),
  );
  const [first] = actions;
  const head = `**The same edit in ${countText(actions.length, "resource")}**`;
  return [
    isNoted ? `${head}: ${code(change.path)}, in the notes` : head,
    ...(isNoted || !first ? [] : [fence(linesOf(first, [change], "head", mostLines), "diff")]),
    addressesDetails(actionCounts(actions), actions.map(withoutReasons), most),
  ].join("\n\n");
}

function shortGroup({ change, actions }: Group): string {
  const head = `**The same edit in ${countText(actions.length, "resource")}**: ${code(change.path)}`;
  const kept = replaced(actions);
  return kept.length > 0
    ? `${head}\n\n${addressesDetails(actionCounts(kept), kept.map(withoutReasons), Infinity)}`
    : head;
}

/** Lays out what only follows from other actions: a count, and the addresses folded. */
export function consequencesSection({ consequences: following }: Review): ReviewSection {
  const counts = actionCounts(following);
  const kept = replaced(following);
  const whole = (most: number) => () =>
    addressesDetails(`Consequences: ${counts}`, following, most, [prose(consequencesMeaning)]);
  const short = () =>
    kept.length > 0
      ? addressesDetails(`Consequences: ${counts}`, kept, Infinity)
      : `**Consequences**: ${counts}`;
  return {
    items:
      following.length > 0 ? [{ forms: [whole(Infinity), whole(fewAddresses), short], isKept: true }] : [],
    between: "\n\n",
    leftOut: (cut) => (cut > 0 ? ["addresses of consequences"] : []),
  };
}

function replaced(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ action }) => action === "replace");
}

// What is replaced is named however many they are.
function addressesDetails(
  summary: string,
  actions: readonly Action[],
  most: number,
  meaning: readonly string[] = [],
): string {
  let room = most;
  let left = 0;
  const lines = alike(actions).flatMap(({ action, reasons, addresses }) => {
    const shown = action === "replace" ? addresses : addresses.slice(0, room);
    room -= action === "replace" ? 0 : shown.length;
    left += addresses.length - shown.length;
    if (shown.length === 0) return [];
    const why = reasons.map((reason) => `, ${prose(`because ${reason}`)}`).join("");
    return [`- ${action}${why}: ${shown.map(code).join(", ")}`];
  });
  return [
    `<details><summary>${summary}</summary>`,
    ...meaning,
    [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n"),
    "</details>",
  ].join("\n\n");
}
