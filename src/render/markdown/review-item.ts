/** Something that a review shows whole, shorter, or not at all, for want of room. */
export interface ReviewItem {
  /** Ways to render it, the longest first; each is called when there may be room for it. */
  readonly forms: readonly (() => string)[];
  /** Whether at least its shortest form is always shown. */
  readonly isKept?: boolean;
}

/** Items of one sort. */
export interface ReviewSection {
  /** What comes before them. */
  readonly title?: string;
  readonly items: readonly ReviewItem[];
  /** What stands between two of them. */
  readonly between: string;
  /** Whether it leaves a part of the room to the sections after it, as far as they need that. */
  readonly yields?: boolean;
  /** Renders what is said of items that are shown shorter, and of items that are left out. */
  readonly leftOut: (cut: number, left: number) => string[];
}

// No form is as short, and rendering differences to throw them away takes long.
const leastForm = 30;
const yieldedShare = 0.25;

/** What is shown of sections, and what is left out of them. */
export interface ShownSections {
  readonly blocks: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Chooses what to show in so many bytes, the first sections first; undefined if what is always shown is too much.
 */
export function chooseShown(sections: readonly ReviewSection[], bytes: number): ShownSections | undefined {
  let room = bytes;
  const kept = new Map<ReviewItem, string>();
  for (const { title = "", items, between } of sections) {
    if (items.length > 0) room -= bytesOf(title) + 2;
    for (const item of items) {
      if (item.isKept !== true) continue;
      const text = item.forms.at(-1)?.() ?? "";
      kept.set(item, text);
      room -= bytesOf(text) + between.length;
    }
  }
  if (room < 0) return undefined;
  const long = sections.findIndex(({ yields }) => yields === true);
  const [before, own, after] = [
    sections.slice(0, Math.max(0, long)),
    sections.slice(Math.max(0, long), long + 1),
    sections.slice(long + 1),
  ];
  const first = fillAll(before, room, kept);
  const reserved = Math.floor(first.room * yieldedShare);
  const needed = reserved - fillAll(after, reserved, kept).room;
  const second = fillAll(own, first.room - needed, kept);
  const third = fillAll(after, second.room + needed, kept);
  const shown = [...first.filled, ...second.filled, ...third.filled];
  return {
    blocks: shown.flatMap(({ block }) => block),
    leftOut: shown.flatMap(({ leftOut }) => leftOut),
  };
}

interface FilledSection {
  readonly block: readonly string[];
  readonly leftOut: readonly string[];
  readonly room: number;
}

function fillAll(
  sections: readonly ReviewSection[],
  bytes: number,
  kept: ReadonlyMap<ReviewItem, string>,
): { readonly filled: readonly FilledSection[]; readonly room: number } {
  let room = bytes;
  const filled = sections.map((section) => {
    const each = fillSection(section, room, kept);
    room = each.room;
    return each;
  });
  return { filled, room };
}

function fillSection(
  { title, items, between, leftOut }: ReviewSection,
  bytes: number,
  kept: ReadonlyMap<ReviewItem, string>,
): FilledSection {
  let [room, cut, left] = [bytes, 0, 0];
  const texts: string[] = [];
  for (const item of items) {
    const short = kept.get(item);
    const paid = short === undefined ? 0 : bytesOf(short) + between.length;
    const found = firstFitting(item, room + paid, between);
    const text = found?.text ?? short;
    if (text === undefined) left++;
    else {
      texts.push(text);
      room += paid - bytesOf(text) - between.length;
      if (found?.isLongest !== true && item.forms.length > 1) cut++;
    }
  }
  const block = texts.length > 0 ? [...(title === undefined ? [] : [title]), texts.join(between)] : [];
  return { block, leftOut: leftOut(cut, left), room };
}

function firstFitting(
  { forms }: ReviewItem,
  room: number,
  between: string,
): { readonly text: string; readonly isLongest: boolean } | undefined {
  for (const [index, form] of forms.entries()) {
    if (room < leastForm) return undefined;
    const text = form();
    if (bytesOf(text) + between.length <= room) return { text, isLongest: index === 0 };
  }
  return undefined;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
