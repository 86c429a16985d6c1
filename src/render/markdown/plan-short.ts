import type { Plan } from "../../generated/plan.js";
import type { Review } from "../../core/plan/review.js";
import { countText } from "../words/count-text.js";
import { markerOf } from "./plan-marker.js";
import { code } from "./markdown-text.js";
import { renderVerdict } from "./plan-head.js";
import { resourceNotes } from "./plan-notes.js";
import { stateName, stateTitle } from "../change/state-change-text.js";

// Of each list, what it says when not one of its addresses has room.
const wordsBytes = 120;

/** Renders a plan of which even the gravest is too much for so many bytes: the addresses alone, and as many as fit. */
export function renderShort(plan: Plan, review: Review, rest: string, maxBytes: number): string {
  const lists = listsOf(plan);
  const head = [
    renderVerdict(plan, review),
    `**This plan is too long to be shown in ${countText(maxBytes, "byte")}; these are its addresses alone.** ${rest}`,
  ];
  const tail = [`Digest: ${code(plan.digest)}`, markerOf(plan)];
  const fixed = `${[...head, ...tail].join("\n\n")}\n`;
  let room = maxBytes - Buffer.byteLength(fixed) - lists.length * wordsBytes;
  const blocks = lists.map(([title, addresses]) => {
    const shown: string[] = [];
    for (const address of addresses) {
      const text = code(address);
      const bytes = Buffer.byteLength(text) + 2;
      if (bytes > room) break;
      shown.push(text);
      room -= bytes;
    }
    const left = addresses.length - shown.length;
    const more = left > 0 ? [`${left} ${shown.length > 0 ? "more" : "resources"}`] : [];
    return `**${title} (${addresses.length}):** ${[...shown, ...more].join(", ")}`;
  });
  return `${[...head, ...blocks, ...tail].join("\n\n")}\n`;
}

function listsOf(plan: Plan): (readonly [string, readonly string[]])[] {
  const { actions, state_changes = [], setting_changes = [] } = plan;
  const notes = resourceNotes(plan.notes);
  const noted = (wanted: string) => [
    ...new Set(notes.filter(({ effect }) => effect === wanted).map(({ address }) => address)),
  ];
  const acted = (wanted: string) =>
    actions.filter(({ action }) => action === wanted).map(({ address }) => address);
  const lists = [
    [stateTitle, state_changes.map(stateName)],
    ["Settings", setting_changes.map(({ path }) => path)],
    ["Weakens a guardrail", noted("weakens")],
    ["Widens an agent's reach", noted("widens")],
    ["Needs a review", noted("review")],
    ["Delete", acted("delete")],
    ["Replace", acted("replace")],
    ["Unknown", acted("unknown")],
    ["Blocked", acted("blocked")],
    ["Forget", acted("forget")],
    ["Gone", acted("gone")],
  ] as const;
  return lists.filter(([, addresses]) => addresses.length > 0);
}
