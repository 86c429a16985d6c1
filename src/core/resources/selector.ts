import { error, type Finding } from "../finding/diagnostic.js";
import { didYouMean } from "../finding/nearest.js";
import type { Resource } from "./resource.js";

/** The labels that a selection asks for: by key the values of which a resource needs one. */
export type Selector = ReadonlyMap<string, ReadonlySet<string>>;

/** Gathers labels of the form `KEY=VALUE`; several of one key select any of them. */
export function buildSelector(given: Iterable<string>): Selector {
  const selector = new Map<string, Set<string>>();
  for (const each of given) {
    const at = each.indexOf("=");
    const key = each.slice(0, at);
    const values = selector.get(key) ?? new Set();
    selector.set(key, values.add(each.slice(at + 1)));
  }
  return selector;
}

/** Whether a resource has one of the labels of every key; a selector without keys selects everything. */
export function isSelected({ labels }: Resource, selector: Selector): boolean {
  return [...selector].every(([key, values]) => Object.hasOwn(labels, key) && values.has(labels[key] ?? ""));
}

const mostLabels = 20;

/** Explains that no resource has the labels of a selector, with the labels that there are. */
export function explainNoneSelected(selector: Selector, resources: Iterable<Resource>): Finding {
  const asked = labelTexts(selector);
  const known = new Set<string>();
  for (const { labels } of resources) {
    for (const [key, value] of Object.entries(labels)) known.add(`${key}=${value}`);
  }
  const names = [...known].toSorted();
  const more = names.length > mostLabels ? " and more" : "";
  const hint =
    asked.map((each) => didYouMean(each, names)).find((each) => each !== undefined) ??
    (names.length === 0
      ? "no resource has labels: write them under `metadata.labels`"
      : `the labels are ${names.slice(0, mostLabels).join(", ")}${more}`);
  return error("selector-empty", undefined, `no resource has the labels ${asked.join(", ")}`, hint);
}

/** Gives the labels of a selector as they are given on the command line, in the order of the alphabet. */
export function labelTexts(selector: Selector): string[] {
  return [...selector].flatMap(([key, values]) => [...values].map((value) => `${key}=${value}`)).toSorted();
}
