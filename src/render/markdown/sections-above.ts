import type { Plan } from "../../generated/plan.js";
import { countText } from "../words/count-text.js";
import type { NameAbove, PlainSection, PlanSection, SectionName } from "../view/plan-section.js";
import { code } from "./markdown-text.js";
import type { ReviewSection } from "./review-item.js";
import { plainSections } from "./section-markdown.js";

/** The sections before what the plan was compared with, as they are shown in the room that there is. */
export type SectionsAbove = ReadonlyMap<SectionName, readonly ReviewSection[]>;

/**
 * Lays out the sections that come before the others: each whole, or where that takes more than half of the room that
 * is left, with the names of what is in it.
 */
export function layOutAbove(plan: Plan, sections: readonly PlanSection[], bytes: number): SectionsAbove {
  const laidOut = new Map<SectionName, readonly ReviewSection[]>();
  let room = bytes;
  for (const section of sections) {
    if (section.place !== "above") continue;
    const whole = plainSections(section);
    const isShown = Buffer.byteLength(keptText(whole)) <= room / 2;
    const parts = isShown ? whole : [namesSection(section, plan, room / 4)];
    room -= Buffer.byteLength(keptText(parts)) + 2;
    laidOut.set(section.name, parts);
  }
  return laidOut;
}

/** Gives what is always shown of sections, as one text. */
export function keptText(sections: readonly ReviewSection[]): string {
  return sections
    .flatMap(({ items, between }) => {
      const kept = items.filter(({ isKept }) => isKept === true);
      return kept.length > 0 ? [kept.map(({ render }) => render(Infinity).text).join(between)] : [];
    })
    .join("\n\n");
}

function namesSection(section: PlainSection, plan: Plan, bytes: number): ReviewSection {
  const names = namesIn(section, plan);
  const { text } = namesLine(`${section.title}, too long to be shown`, names, bytes);
  const words = section.place === "above" ? leftOutWords[section.name](names.length) : "";
  return {
    items: [{ render: () => ({ text, isCut: true }), isKept: true }],
    between: "\n\n",
    leftOut: () => [words],
  };
}

const leftOutWords: Readonly<Record<NameAbove, (count: number) => string>> = {
  state: (count) => countText(count, "edit of the state", "edits of the state"),
  errors: (count) => countText(count, "error"),
  settings: (count) => countText(count, "setting"),
  calls: (count) => `where calls and keys of ${countText(count, "tool set")} go`,
};

function namesIn({ name, items }: PlainSection, { calls = [] }: Plan): string[] {
  if (name === "calls") return calls.map(({ toolset }) => toolset);
  return items.flatMap((item) => {
    if (item.sort === "state") return item.name;
    return item.sort === "setting" ? item.change.path : (item.diagnostic?.code ?? []);
  });
}

/** Names in a line, and the bytes that those which are shown take. */
export interface NamesLine {
  readonly text: string;
  readonly bytes: number;
}

/** Renders names after a title, as many as there is room for, and says how many more there are. */
export function namesLine(title: string, names: readonly string[], room: number): NamesLine {
  const shown: string[] = [];
  let bytes = 0;
  for (const name of names) {
    const more = nameBytes(name);
    if (bytes + more > room) break;
    shown.push(code(name));
    bytes += more;
  }
  const left = names.length - shown.length;
  const listed = [...shown, ...(left > 0 && shown.length > 0 ? [`${left} more`] : [])].join(", ");
  const head = `${title} (${names.length})`;
  return { text: listed === "" ? `**${head}**` : `**${head}:** ${listed}`, bytes };
}

/** Gives the bytes that a name takes among others. */
export function nameBytes(name: string): number {
  return Buffer.byteLength(code(name)) + 2;
}
