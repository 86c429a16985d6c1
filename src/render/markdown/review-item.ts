/** Something that a plan shows whole, as far as there is room, in short, or not at all. */
export interface ReviewItem {
  /** Renders it in about so many bytes, all of it if it has as many; it is called when there may be room for that. */
  readonly render: (bytes: number) => Rendered;
  /** Renders it in a line or two; what has no short form is not shown where it does not fit. */
  readonly short?: () => string;
  /** Whether at least its short form is always shown. */
  readonly isKept?: boolean;
  /** How many it counts for where it is said what is left out; one without it. */
  readonly count?: number;
}

/** A rendered item. */
export interface Rendered {
  readonly text: string;
  /** Whether anything of it is left out. */
  readonly isCut: boolean;
}

/** Items of one sort. */
export interface ReviewSection {
  /** What comes before them. */
  readonly title?: string;
  readonly items: readonly ReviewItem[];
  /** What stands between two of them. */
  readonly between: string;
  /** Whether it is shown only where there is room after all others. */
  readonly isLeast?: boolean;
  /** Renders what is said of items that are shown shorter, and of items that are left out. */
  readonly leftOut: (cut: number, left: number) => string[];
}

// Nothing is as short, and rendering differences to throw them away takes long.
const leastBytes = 30;
// What each item may take before any takes more.
const fairBytes = [500, 2_000];

/** Chooses what of sections to show in so many bytes; undefined if what is always shown is too much. */
export function chooseShown(
  sections: readonly ReviewSection[],
  bytes: number,
): { readonly blocks: readonly (readonly string[])[]; readonly leftOut: readonly string[] } | undefined {
  const placed = sections.map((section) => ({ section, own: slotsOf(section) }));
  const places = placed.flatMap(({ own }) => own);
  const kept = places.reduce((sum, place) => sum + place.keep(), 0);
  if (kept > bytes) return undefined;
  if (!fitsWhole(places, bytes)) fillSlots(placed, bytes - kept);
  const shown = placed.map(({ section: { title, between, leftOut }, own }) => {
    const texts = own.flatMap(({ shown: { text } = {} }) => text ?? []);
    const cut = own.filter(({ shown: { isCut } = {} }) => isCut === true);
    const left = own.filter((place) => place.shown === undefined);
    return {
      block: texts.length > 0 ? [...(title === undefined ? [] : [title]), texts.join(between)] : [],
      leftOut: leftOut(countOf(cut), countOf(left)),
    };
  });
  return { blocks: shown.map(({ block }) => block), leftOut: shown.flatMap(({ leftOut }) => leftOut) };
}

function countOf(places: readonly Slot[]): number {
  return places.reduce((sum, { item: { count = 1 } }) => sum + count, 0);
}

interface SlottedSection {
  readonly section: ReviewSection;
  readonly own: readonly Slot[];
}

function slotsOf({ title = "", items, between }: ReviewSection): Slot[] {
  return items.map(
    (item, at) => new Slot(item, between.length + (at === 0 ? Buffer.byteLength(title) + 2 : 0)),
  );
}

function fillSlots(placed: readonly SlottedSection[], bytes: number): void {
  let left = bytes;
  // No section takes more than half of what is left before the others have had their share.
  const fill = (wanted: readonly SlottedSection[], share: number, lengthen: Lengthen): void => {
    for (const { own } of wanted) {
      let room = Math.floor(left * share);
      left -= room;
      for (const place of own) if (room >= leastBytes) room -= lengthen(place, room);
      left += room;
    }
  };
  const least = placed.filter(({ section }) => section.isLeast === true);
  const first = placed.filter(({ section }) => section.isLeast !== true);
  fill(first, 0.5, (place, room) => place.shorten(room));
  for (const most of fairBytes) fill(first, 0.5, (place, room) => place.lengthen(Math.min(room, most)));
  fill([...first, ...least], 1, (place, room) => place.lengthen(room));
}

type Lengthen = (place: Slot, room: number) => number;

function fitsWhole(places: readonly Slot[], bytes: number): boolean {
  let room = bytes;
  const wholes: Rendered[] = [];
  for (const { item, around } of places) {
    const whole = item.render(Infinity);
    room -= Buffer.byteLength(whole.text) + around;
    if (room < 0) return false;
    wholes.push(whole);
  }
  for (const [at, place] of places.entries()) place.shown = wholes[at];
  return true;
}

// An item, and what of it is shown so far.
class Slot {
  shown: Rendered | undefined;

  constructor(
    readonly item: ReviewItem,
    readonly around: number,
  ) {}

  // Gives the bytes that it takes at least.
  keep(): number {
    return this.item.isKept === true ? this.shorten(Infinity) : 0;
  }

  // Shows it in short, and gives the bytes that it then takes; none where there is no room for it.
  shorten(room: number): number {
    const { short, render, isKept } = this.item;
    if (this.shown) return 0;
    if (short) return this.#show({ text: short(), isCut: true }, room);
    return isKept === true ? this.#show(render(Infinity), room) : 0;
  }

  // Shows more of it, and gives the bytes that this takes beyond what is shown; none where there is no room for it.
  lengthen(room: number): number {
    if (this.shown?.isCut === false) return 0;
    const rendered = this.item.render(room + this.#taken() - this.around);
    return this.#show(rendered, room);
  }

  #show(rendered: Rendered, room: number): number {
    const more = Buffer.byteLength(rendered.text) + this.around - this.#taken();
    if (more > room || more <= 0) return 0;
    this.shown = rendered;
    return more;
  }

  #taken(): number {
    return this.shown ? Buffer.byteLength(this.shown.text) + this.around : 0;
  }
}
