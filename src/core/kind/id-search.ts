import { addTo } from "../../json/groups.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { foldedId, ignoresCase } from "./id.js";

/** Shorter IDs and numbers are parts of many other texts. */
const shortest = 6;

/** Whether an ID is looked for within longer texts. */
export function isPartOfTexts(id: string): boolean {
  return id.length >= shortest && !/^\d+$/.test(id);
}

/** A collection of which some members were looked at. */
type OpenPart =
  | { readonly items: readonly Json[]; readonly field: string; next: number }
  | { readonly object: JsonObject; readonly names: readonly string[]; next: number };

/** Finds IDs anywhere in values in one walk; a short ID or a number inside a longer text means nothing. */
export class IdSearch {
  /** The IDs by their folded texts. */
  readonly #ids = new Map<string, string[]>();
  readonly #lengths: readonly number[];
  /** The characters that an ID begins with. */
  readonly #begins: ReadonlySet<number>;

  constructor(ids: Iterable<string>) {
    for (const id of new Set(ids)) addTo(this.#ids, foldedId(id), id);
    const parts = [...this.#ids.keys()].filter(isPartOfTexts);
    this.#lengths = [...new Set(parts.map(({ length }) => length))];
    this.#begins = new Set(parts.map((id) => id.charCodeAt(0)));
  }

  /** Gives the IDs that a value contains. */
  in(value: Json): ReadonlySet<string> {
    const found = new Set<string>();
    if (this.#ids.size > 0) this.#walk(value, found);
    return found;
  }

  // A list of a service comes here as it is, nested deeper than the stack reaches.
  #walk(root: Json, found: Set<string>): void {
    const opened: OpenPart[] = [];
    const visit = (value: Json, field: string): void => {
      if (typeof value === "string") this.#search(value, found);
      else if (typeof value === "number") {
        if (/id/i.test(field)) this.#add(String(value), found);
      } else if (Array.isArray(value)) opened.push({ items: value, field, next: 0 });
      else if (isObject(value)) opened.push({ object: value, names: Object.keys(value), next: 0 });
    };
    visit(root, "");
    for (let last = opened.at(-1); last; last = opened.at(-1)) {
      const at = last.next++;
      if ("items" in last) {
        if (at < last.items.length) visit(last.items[at] ?? null, last.field);
        else opened.pop();
        continue;
      }
      const name = last.names[at];
      if (name === undefined) opened.pop();
      else {
        this.#add(foldedId(name), found);
        visit(last.object[name] ?? null, name);
      }
    }
  }

  #search(text: string, found: Set<string>): void {
    this.#add(foldedId(text), found);
    this.#searchParts(text, found);
    const small = text.toLowerCase();
    if (small !== text) this.#searchParts(small, found, ignoresCase);
  }

  #searchParts(text: string, found: Set<string>, fits: (id: string) => boolean = () => true): void {
    // Each part of the right length is looked up, so that the time does not depend on how many IDs there are.
    for (const length of this.#lengths) {
      for (let at = 0; at + length <= text.length; at++) {
        if (!this.#begins.has(text.charCodeAt(at))) continue;
        const part = text.slice(at, at + length);
        if (this.#ids.has(part) && fits(part)) this.#add(part, found);
      }
    }
  }

  #add(folded: string, found: Set<string>): void {
    for (const id of this.#ids.get(folded) ?? []) found.add(id);
  }
}
