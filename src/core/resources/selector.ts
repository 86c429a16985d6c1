import { error, type Finding } from "../finding/diagnostic.js";
import { nearest } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";
import type { Resource } from "./resource.js";

/** Labels as `KEY=VALUE`, as they are given on the command line. */
export type Selector = ReadonlySet<string>;

type Labels = Resource["labels"];

const shownLabels = 10;

/**
 * Makes the test of labels for the `KEY=VALUE` texts of `--selector`: of one key any of its values, and of several
 * keys each.
 */
export function matcherOf(selector: Selector): (labels: Labels) => boolean {
  const wanted = [...valuesByKey(selector)];
  return (labels) =>
    wanted.every(([key, values]) => {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      return value !== undefined && values.has(value);
    });
}

function valuesByKey(selector: Selector): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>();
  for (const each of selector) {
    const at = each.indexOf("=");
    const [key, value] = [each.slice(0, at), each.slice(at + 1)];
    const values = byKey.get(key);
    if (values) values.add(value);
    else byKey.set(key, new Set([value]));
  }
  return byKey;
}

/** Reports a selector that no resource has the labels for, with the labels that exist, near misses first. */
export function checkSelector(selector: Selector, resources: Iterable<Resource>): Finding[] {
  if (selector.size === 0) return [];
  const matches = matcherOf(selector);
  const existing = new Map<string, Set<string>>();
  for (const { labels } of resources) {
    if (matches(labels)) return [];
    for (const [key, value] of Object.entries(labels)) {
      const values = existing.get(key);
      if (values) values.add(value);
      else existing.set(key, new Set([value]));
    }
  }
  const given = [...selector].map((each) => `\`--selector ${each}\``).join(" and ");
  const message = `${given} ${selector.size === 1 ? "selects" : "together select"} no resource`;
  return [error("selector-empty", undefined, message, hintFor(selector, existing))];
}

function hintFor(selector: Selector, existing: ReadonlyMap<string, ReadonlySet<string>>): string {
  if (existing.size === 0) return "no document has labels: add `labels: {KEY: VALUE}` under `metadata`";
  for (const [key, values] of valuesByKey(selector)) {
    const known = existing.get(key);
    if (!known) return withNearest(key, [...existing.keys()], "the labels are");
    if ([...values].some((value) => known.has(value))) continue;
    return withNearest([...values][0] ?? "", [...known], `the values of ${quote(key)} are`);
  }
  return "no resource has these labels at once: of one key any value may match, and of several keys each must";
}

function withNearest(word: string, candidates: readonly string[], introduction: string): string {
  const close = nearest(word, candidates);
  const others = candidates.filter((each) => each !== close).toSorted();
  const shown = [...(close === undefined ? [] : [close]), ...others].slice(0, shownLabels);
  const more = candidates.length - shown.length;
  const list = `${introduction} ${shown.map(quote).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return close === undefined
    ? list
    : `did you mean ${quote(close)}? ${list[0]?.toUpperCase()}${list.slice(1)}`;
}
