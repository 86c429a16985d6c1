import { countText } from "../words/count-text.js";
import type { NameAbove, PlainItem, PlanSection, SectionName, SectionOf } from "../view/plan-section.js";
import { code } from "./markdown-text.js";
import type { ReviewSection } from "./review-item.js";
import { plainSections } from "./section-markdown.js";

/** The sections before what the plan was compared with, as they are shown in the room that there is. */
export type SectionsAbove = ReadonlyMap<SectionName, readonly ReviewSection[]>;

/** Lays out the sections before others, each whole or in half of the room left, with the names of the rest. */
export function layOutAbove(sections: readonly PlanSection[], bytes: number): SectionsAbove {
  const laidOut = new Map<SectionName, readonly ReviewSection[]>();
  let room = bytes;
  for (const section of sections) {
    if (section.place !== "above") continue;
    const whole = plainSections(section);
    const isShown = Buffer.byteLength(keptText(whole)) <= room / 2;
    const parts = isShown ? whole : fewSections(section, room / 2);
    room -= Buffer.byteLength(keptText(parts)) + 2;
    laidOut.set(section.name, parts);
  }
  return laidOut;
}

type SectionAbove = SectionOf<"above", NameAbove, PlainItem>;

/** Gives what is always shown of sections, as one text. */
export function keptText(sections: readonly ReviewSection[]): string {
  return sections
    .flatMap(({ items, between }) => {
      const kept = items.filter(({ isKept }) => isKept === true);
      return kept.length > 0 ? [kept.map(({ render }) => render(Infinity).text).join(between)] : [];
    })
    .join("\n\n");
}

function fewSections(section: SectionAbove, bytes: number): ReviewSection[] {
  const sizeOf = (items: readonly PlainItem[]) =>
    Buffer.byteLength(keptText(plainSections({ ...section, items })));
  const title = sizeOf([]);
  let room = bytes - title - Buffer.byteLength(namesText(section, section.items, bytes / 2));
  const shown = section.items.filter((item) => {
    const size = sizeOf([item]) - title + 3;
    if (size > room) return false;
    room -= size;
    return true;
  });
  const few = new Set(shown);
  const others = section.items.filter((item) => !few.has(item));
  const text = namesText(section, others, bytes / 2);
  const words = leftOutWords[section.name](others.flatMap(namesOf).length);
  return [
    ...(shown.length > 0 ? plainSections({ ...section, items: shown }) : []),
    {
      items: [{ render: () => ({ text, isCut: true }), isKept: true }],
      between: "\n\n",
      leftOut: () => [words],
    },
  ];
}

const leftOutWords: Readonly<Record<NameAbove, (count: number) => string>> = {
  state: (count) => countText(count, "edit of the state", "edits of the state"),
  errors: (count) => countText(count, "error"),
  settings: (count) => countText(count, "setting"),
  calls: (count) => `where calls and keys of ${countText(count, "tool set")} go`,
};

function namesText({ title }: SectionAbove, items: readonly PlainItem[], bytes: number): string {
  return namesLine(`${title}, too long to be shown`, items.flatMap(namesOf), bytes).text;
}

function namesOf(item: PlainItem): readonly string[] {
  if (item.sort === "state") return [item.name];
  if (item.sort === "setting") return [item.change.path];
  return item.names ?? [item.diagnostic?.code ?? []].flat();
}

/** Renders names after a title, as many as there is room for, and says how many more there are. */
export function namesLine(
  title: string,
  names: readonly string[],
  room: number,
): { readonly text: string; readonly bytes: number } {
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
