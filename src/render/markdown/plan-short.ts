import type { Plan } from "../../generated/plan.js";
import { actionWords } from "../words/action-words.js";
import { countText } from "../words/count-text.js";
import { reviewTitles } from "../words/review-words.js";
import type { PlanSection, SectionName } from "../view/plan-section.js";
import { code } from "./markdown-text.js";

// Of each list, what it says when not one of its addresses has room.
const wordsBytes = 120;

/** What stands around the addresses: the title, how to see the rest, and the digest with the hidden lines. */
interface ShortFrame {
  readonly title: readonly string[];
  readonly rest: string;
  readonly tail: readonly string[];
  readonly maxBytes: number;
}

/** Renders a plan of which even the gravest is too much for so many bytes: the addresses alone, and as many as fit. */
export function renderShort(
  plan: Plan,
  sections: readonly PlanSection[],
  { title, rest, tail, maxBytes }: ShortFrame,
): string {
  const lists = listsOf(plan, sections);
  const head = [
    ...title,
    `**This plan is too long to be shown in ${countText(maxBytes, "byte")}; these are its addresses alone.** ${rest}`,
  ];
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

function listsOf(plan: Plan, sections: readonly PlanSection[]): (readonly [string, readonly string[]])[] {
  const itemsOf = (wanted: SectionName) => sections.find(({ name }) => name === wanted)?.items ?? [];
  const notes = itemsOf("notes").flatMap((item) =>
    item.sort === "note" && !item.isAbove ? [item.note] : [],
  );
  const noted = (wanted: string) => [
    ...new Set(notes.flatMap(({ effect, addresses }) => (effect === wanted ? addresses : []))),
  ];
  const acted = (wanted: string) =>
    plan.actions.filter(({ action }) => action === wanted).map(({ address }) => address);
  const grave = ["delete", "replace", "unknown", "blocked", "forget", "gone"] as const;
  const lists: (readonly [string, readonly string[]])[] = [
    [reviewTitles.state, itemsOf("state").flatMap((item) => (item.sort === "state" ? [item.name] : []))],
    [
      reviewTitles.settings,
      itemsOf("settings").flatMap((item) => (item.sort === "setting" ? [item.change.path] : [])),
    ],
    ["Weakens a guardrail", noted("weakens")],
    ["Widens an agent's reach", noted("widens")],
    ["Needs a review", noted("review")],
    ...grave.map((action) => [actionWords[action].title, acted(action)] as const),
  ];
  return lists.filter(([, addresses]) => addresses.length > 0);
}
