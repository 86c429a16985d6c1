import { addTo } from "../../json/groups.js";
import type { Json } from "../../json/json.js";
import { isEmpty, isMask, isSame, isSameUnmasked, normal } from "./sameness.js";

/** The items of an answer's list of which it is not known yet what they were sent as, by their place in the list. */
export class UnmatchedItems {
  readonly #items: Map<number, Json>;
  // A list of texts can be as long as an answer, so a text is found without looking at all others.
  readonly #places = new Map<string, number[]>();
  readonly #masks: number[] = [];
  readonly #effort: { left: number };

  /** What is spent of the effort is one for each item that is looked at; when nothing is left, nothing is found. */
  constructor(items: readonly Json[], effort: { left: number }) {
    this.#items = new Map(items.entries());
    this.#effort = effort;
    effort.left -= items.length;
    for (let place = items.length - 1; place >= 0; place--) {
      const item = items[place];
      if (typeof item !== "string") continue;
      if (isMask(item)) this.#masks.push(place);
      addTo(this.#places, normal(item), place);
    }
  }

  /** Gives what is left, in the order of the list. */
  all(): Json[] {
    return [...this.#items.values()];
  }

  /** Takes out the first item that is the right one, of which that at a place is asked about before the others. */
  take(isIt: (item: Json) => boolean, likely?: number): Json | undefined {
    const place = this.#find(isIt, likely);
    const item = place === undefined ? undefined : this.#items.get(place);
    if (place !== undefined) this.#items.delete(place);
    return item;
  }

  /** Takes out an item for each of some values, or none if there is none for one of them. */
  takeAll(values: readonly Json[]): boolean {
    const taken = new Set<number>();
    for (const value of values) {
      const place = this.#placeOf(value, taken);
      if (place === undefined) return false;
      taken.add(place);
    }
    for (const place of taken) this.#items.delete(place);
    return true;
  }

  #placeOf(value: Json, taken: ReadonlySet<number>): number | undefined {
    if (typeof value === "string" && !isEmpty(value)) {
      return this.#lastOf(this.#places.get(normal(value)), taken) ?? this.#lastOf(this.#masks, taken);
    }
    const find = (same: typeof isSame) =>
      this.#find((item, place) => !taken.has(place) && same(value, item), undefined);
    return find(isSameUnmasked) ?? find(isSame);
  }

  // Places are kept from the last to the first, so that those that are taken go from the end.
  #lastOf(places: number[] = [], taken: ReadonlySet<number>): number | undefined {
    while (places.length > 0 && !this.#items.has(places.at(-1) ?? -1)) places.pop();
    return places.findLast((place) => this.#items.has(place) && !taken.has(place));
  }

  #find(isIt: (item: Json, place: number) => boolean, likely: number | undefined): number | undefined {
    const first = likely === undefined ? undefined : this.#items.get(likely);
    if (likely !== undefined && first !== undefined && isIt(first, likely)) return likely;
    for (const [place, item] of this.#items) {
      if (this.#effort.left-- <= 0) return undefined;
      if (isIt(item, place)) return place;
    }
    return undefined;
  }
}
