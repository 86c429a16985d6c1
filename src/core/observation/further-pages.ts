import { isObject, type Json } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import type { Path } from "../../json/path.js";

/** What an answer with a list says of further pages. */
export interface FurtherPages {
  /** Where in the answer it says so: keys, from the top. */
  readonly path: Path;
  /** Whether the address of a next page, or a value for a parameter, is there. */
  readonly isNext: boolean;
}

const paging = /^_?(paging|pagination|paginator|page_?info|page|meta|metadata|links|cursors?)$/i;
const nextPage = /^_?(@[\w.]{1,40}\.)?next([_-]?(page|cursor|token|offset|url|uri|link|href)){0,2}$/i;
const pageParts = ["href", "url", "after", "cursor"];
const more = /^has[_-]?(more|next)([_-]?(page|pages|items|results))?$|^(is[_-]?)?truncated$/i;
const total = /^(total([_-]?(count|items|results|objects|records|elements|size))?|count)$/i;
const last = /^(is[_-]?)?last([_-]?page)?$/i;
const pages = /^((total|num)[_-]?pages|pages?[_-]?count|last[_-]?page)$/i;

/** A member beside a list or in what surrounds that, with its place in the answer. */
interface Surrounding {
  readonly name: string;
  readonly value: Json;
  readonly path: Path;
}

/** Finds what an answer says of further pages: a next page, that there is more, or a total beyond what was listed. */
export function findFurtherPages(answer: Json, items: string, listed: number): FurtherPages | undefined {
  const members = surroundings(answer, items);
  // Some services name a next page, or a total of something else, at the end of a list, too.
  if (members.some(({ name, value }) => value === false && more.test(name))) return undefined;
  const found = members.flatMap((member) => toldBy(member, listed) ?? []);
  // That a page is named says more than that there is one.
  return found.find(({ isNext }) => isNext) ?? found[0];
}

function surroundings(answer: Json, items: string): Surrounding[] {
  let surrounding: Json | undefined = answer;
  const above: string[] = [];
  const members: Surrounding[] = [];
  for (const key of pointerKeys(items)) {
    if (!isObject(surrounding)) break;
    for (const [name, value] of Object.entries(surrounding)) {
      const member = { name, value, path: [...above, name] };
      members.push(member);
      if (paging.test(name)) for (const each of inside(member)) members.push(each);
    }
    surrounding = Object.hasOwn(surrounding, key) ? surrounding[key] : undefined;
    above.push(key);
  }
  return members;
}

function inside({ value, path }: Surrounding): Surrounding[] {
  // Links may be a list, each with its relation.
  if (Array.isArray(value)) {
    const index = value.findIndex((link) => isObject(link) && link["rel"] === "next");
    return index === -1 ? [] : [{ name: "next", value: value[index] ?? null, path: [...path, index] }];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, member]) => ({ name, value: member, path: [...path, name] }));
}

function toldBy({ name, value, path }: Surrounding, listed: number): FurtherPages | undefined {
  if (nextPage.test(name)) {
    if (isPage(value)) return { path, isNext: true };
    const part = isObject(value) ? pageParts.find((key) => isPage(value[key] ?? null)) : undefined;
    if (part !== undefined) return { path: [...path, part], isNext: true };
  }
  const isMore = value === true ? more.test(name) || nextPage.test(name) : value === false && last.test(name);
  // Where `next` is followed to the end, no number says more than that.
  const most = total.test(name) ? listed : pages.test(name) && listed !== Infinity ? 1 : Infinity;
  // Numbers of 64 bits are often written as texts.
  const isCounted = (typeof value === "number" || typeof value === "string") && Number(value) > most;
  return isMore || isCounted ? { path, isNext: false } : undefined;
}

function isPage(value: Json): boolean {
  return typeof value === "number" ? value > 0 : typeof value === "string" && value !== "";
}
