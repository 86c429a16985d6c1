import { error, type Finding } from "../finding/diagnostic.js";
import { bare, fewOf, say, type Sentence } from "../finding/said.js";
import { didYouMean } from "../finding/nearest.js";
import { addressesIn } from "../state/known-ids.js";
import type { Lock } from "../state/lock.js";
import type { Resource } from "./resource.js";

type Selectable = Pick<Resource, "labels">;

/** Labels as `KEY=VALUE`, as they are given on the command line. */
export type Selector = ReadonlySet<string>;

/** Makes the test for `KEY=VALUE` texts of `--selector`: any value of one key, and all keys. */
export function matcherOf(selector: Selector): (labels: Resource["labels"]) => boolean {
  const wanted = [...valuesByKey(pairsIn(selector))];
  return (labels) =>
    wanted.every(([key, values]) => {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      return value !== undefined && values.has(value);
    });
}

/** Gives the labels at an address: of its document, or what was last applied or begun where that is gone. */
export function labelsAt(
  address: string,
  documents: ReadonlyMap<string, Selectable>,
  { resources, unknown }: Pick<Lock, "resources" | "unknown">,
): Resource["labels"] {
  const at: Partial<Selectable> | undefined =
    documents.get(address) ?? resources[address] ?? unknown[address];
  return at?.labels ?? {};
}

/** Gives what a selector may select: what has a document, and what the lock has. */
export function selectable(
  documents: ReadonlyMap<string, Selectable>,
  lock: Pick<Lock, "resources" | "unknown">,
): Selectable[] {
  const addresses = new Set([...documents.keys(), ...addressesIn(lock)]);
  return Array.from(addresses, (address) => ({ labels: labelsAt(address, documents, lock) }));
}

function pairsIn(selector: Selector): (readonly [key: string, value: string])[] {
  return Array.from(selector, (each) => {
    const at = each.indexOf("=");
    return [each.slice(0, at), each.slice(at + 1)];
  });
}

function valuesByKey(pairs: Iterable<readonly [key: string, value: string]>): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>();
  for (const [key, value] of pairs) byKey.set(key, (byKey.get(key) ?? new Set()).add(value));
  return byKey;
}

/** Reports a selector that no resource has the labels for, with the labels that exist. */
export function checkSelector(selector: Selector, resources: Iterable<Selectable>): Finding[] {
  const matches = matcherOf(selector);
  const all = Array.from(resources, ({ labels }) => labels);
  if (selector.size === 0 || all.some(matches)) return [];
  const existing = new Set(all.flatMap((labels) => Object.entries(labels).map((label) => label.join("="))));
  const given = [...selector].map((each) => `\`--selector ${each}\``).join(" and ");
  const message = say`${bare({ selector: [...selector].map(String) }, given)} ${selector.size === 1 ? "selects" : "together select"} no resource`;
  return [error("selector-empty", undefined, message, hintFor(selector, [...existing].toSorted()))];
}

function hintFor(selector: Selector, labels: readonly string[]): Sentence {
  const parts = [...selector].flatMap((each) => each.split(","));
  if (parts.length > selector.size && parts.every((part) => part.indexOf("=") > 0)) {
    return `repeat the option: \`${parts.map((part) => `--selector ${part}`).join(" ")}\``;
  }
  if (labels.length === 0) return "no document has labels: add `labels: {KEY: VALUE}` under `metadata`";
  const missing = [...selector].find((each) => !labels.includes(each));
  if (missing !== undefined) return didYouMean(missing, labels) ?? say`the labels are ${fewOf(labels)}`;
  return "no resource has these labels at once: of one key, any of the values is enough; several keys must all match";
}
