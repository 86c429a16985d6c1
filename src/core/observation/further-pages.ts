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
const more = /^has[_-]?(more|next)([_-]?(page|pages|items|results))?$|^(is[_-]?)?truncated$/i;
const total = /^total([_-]?(count|items|results|objects|records|elements))?$/i;

/**
 * Finds what an answer says of further pages, beside its list or in what surrounds that: a next page, that there is
 * more, or a total beyond what was listed.
 */
export function findFurtherPages(answer: Json, items: string, listed: number): FurtherPages | undefined {
  let surrounding: Json | undefined = answer;
  const above: string[] = [];
  const found: FurtherPages[] = [];
  for (const key of pointerKeys(items)) {
    if (!isObject(surrounding)) break;
    for (const [name, value] of Object.entries(surrounding)) {
      const told =
        toldBy(name, value, listed) ?? (paging.test(name) ? toldInside(name, value, listed) : undefined);
      if (told) found.push({ ...told, path: [...above, ...told.path] });
    }
    surrounding = Object.hasOwn(surrounding, key) ? surrounding[key] : undefined;
    above.push(key);
  }
  // That a page is named says more than that there is one.
  return found.find(({ isNext }) => isNext) ?? found[0];
}

function toldInside(name: string, value: Json, listed: number): FurtherPages | undefined {
  // Links may be a list, each with its relation.
  if (Array.isArray(value)) {
    const index = value.findIndex((link) => isObject(link) && link["rel"] === "next");
    return index === -1 ? undefined : { path: [name, index, "href"], isNext: true };
  }
  for (const [key, member] of isObject(value) ? Object.entries(value) : []) {
    const found = toldBy(key, member, listed);
    if (found) return { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

function toldBy(name: string, value: Json, listed: number): FurtherPages | undefined {
  if (nextPage.test(name)) {
    if (isPage(value)) return { path: [name], isNext: true };
    const href = isObject(value) ? value["href"] : undefined;
    if (href !== undefined && isPage(href)) return { path: [name, "href"], isNext: true };
  }
  const isMore = value === true && (more.test(name) || nextPage.test(name));
  const isCounted = typeof value === "number" && value > listed && total.test(name);
  return isMore || isCounted ? { path: [name], isNext: false } : undefined;
}

function isPage(value: Json): boolean {
  return typeof value === "number" ? value > 0 : typeof value === "string" && value !== "";
}
