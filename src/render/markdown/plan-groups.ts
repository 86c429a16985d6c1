import type { Action, Change } from "../../generated/plan.js";
import type { EditGroup } from "../../core/plan/edit-groups.js";
import type { Review } from "../../core/plan/review.js";
import { shownChange } from "../change/shown-change.js";
import { groupEdit, groupHead, groupSaid, otherLines, pathWithOrigin } from "../plan/group-title.js";
import { actionCounts, alike, withoutReasons } from "../plan/plan-review.js";
import { asSentence, reviewMeanings, reviewTitles } from "../words/review-words.js";
import { changeRoom } from "./change-diff.js";
import { countText } from "../words/count-text.js";
import { code, fence, prose } from "./markdown-text.js";
import { linesOf } from "./plan-own.js";
import type { ReviewSection } from "./review-item.js";

const mostLines = 200;
const fewAddresses = 50;
const mostOthers = 5;

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

function groupBlock(group: EditGroup, noted: ReadonlySet<Change>, most: number): string {
  const { change, actions } = group;
  const isNoted = actions.every(({ changes }) =>
    changes.some((each) => each.path === change.path && noted.has(each)),
  );
  const [first] = actions;
  const { title, isWhole } = titleOf(group, isNoted);
  const isSaid = isNoted || isWhole || !first;
  const lines = isNoted ? [] : otherLines(group, changeRoom, code).slice(0, Math.min(most, mostLines));
  return [
    title,
    ...(isSaid ? [] : [fence(linesOf(first, [change], "head", mostLines), "diff")]),
    addressesDetails(
      actionCounts(actions),
      actions.map(withoutReasons),
      most,
      [],
      [...lines.map((line) => `- ${line}`), ...restOf(group, most)],
    ),
  ].join("\n\n");
}

function titleOf(group: EditGroup, isNoted: boolean): { readonly title: string; readonly isWhole: boolean } {
  const shown = shownChange(group.change, changeRoom);
  const { words, isWhole } = groupEdit(shown, code);
  const title = [
    `**${groupHead(group, code)}**: ${isNoted ? pathWithOrigin(shown, code) : words}`,
    ...groupSaid(group, code),
    ...(isNoted ? ["in the notes"] : []),
  ].join(" · ");
  return { title, isWhole };
}

// Those without the edit, where the title does not name them.
function restOf({ actions, others: { count = 0, addresses } }: EditGroup, most: number): string[] {
  if (count <= actions.length) return [];
  const shown = addresses.slice(0, Math.min(most, mostOthers)).map(code);
  const left = count - shown.length;
  return [`- without this edit: ${shown.join(", ")}${left > 0 ? ` and ${left} more` : ""}`];
}

function shortGroup(group: EditGroup): string {
  const { actions } = group;
  const head = titleOf(group, false).title;
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
    addressesDetails(`${reviewTitles.consequences}: ${counts}`, following, most, [
      prose(asSentence(reviewMeanings.consequences)),
    ]);
  const short = () =>
    kept.length > 0
      ? addressesDetails(`${reviewTitles.consequences}: ${counts}`, kept, Infinity)
      : `**${reviewTitles.consequences}**: ${counts}`;
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
  rest: readonly string[] = [],
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
    [...lines, ...(left > 0 ? [`- and ${left} more`] : []), ...rest].join("\n"),
    "</details>",
  ].join("\n\n");
}
