import { addTo, countEach, groupBy } from "../../json/groups.js";
import { oncePer } from "../../json/once.js";
import { compareText } from "../../json/compare-text.js";

/** An address, or a pattern of addresses such as `agent:desk-*`, in which `*` stands for one or more characters. */
export interface AddressPattern {
  readonly pattern: string;
  /** How many of the addresses it stands for; 1 for an address that is written as it is. */
  readonly count: number;
}

// Two addresses are read as quickly as a pattern that stands for both.
const fewestCovered = 3;
// A pattern is made from so many words of a name at most, from each end.
const mostWords = 4;

/** Gives few patterns for many addresses that match none of `others`, in linear time; words end at `-`, `.` and `_`. */
export function addressPatterns(
  addresses: Iterable<string>,
  others?: readonly string[],
): readonly AddressPattern[] {
  const own = groupBy(new Set([...addresses].toSorted(compareText)), kindOf);
  const known = others && tableOf(others);
  return [...own].flatMap(([kind, members]) => patternsIn(kind, members, known));
}

/** Addresses, and how many of them each pattern stands for. */
interface AddressTable {
  readonly addresses: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
}

// Of a plan, all groups ask about the same ones.
const tableOf = oncePer((others: readonly string[]): AddressTable => {
  const addresses = new Set(others);
  return { addresses, counts: countEach([...addresses].flatMap(patternsOf)) };
});

function patternsIn(
  kind: string,
  addresses: readonly string[],
  known: AddressTable | undefined,
): AddressPattern[] {
  const covered = new Map<string, string[]>();
  for (const address of addresses)
    for (const pattern of patternsOf(address)) addTo(covered, pattern, address);
  for (const [pattern, own] of covered) {
    const isOfOthers = known
      ? (known.counts.get(pattern) ?? 0) > own.filter((each) => known.addresses.has(each)).length
      : pattern === `${kind}:*`;
    if (isOfOthers) covered.delete(pattern);
  }
  const counts = new Map([...covered].map(([pattern, own]) => [pattern, own.length]));
  const left = new Set(addresses);
  const found: AddressPattern[] = [];
  // By how many they stood for when they were put there; each is put back at most once for each that it loses.
  const byCount = groupBy([...counts.keys()].toSorted(longestFirst), (pattern) => counts.get(pattern) ?? 0);
  for (let count = addresses.length; count >= fewestCovered; count--) {
    for (const pattern of (byCount.get(count) ?? []).toSorted(longestFirst)) {
      const now = counts.get(pattern) ?? 0;
      if (now < count) {
        addTo(byCount, now, pattern);
        continue;
      }
      found.push({ pattern, count });
      for (const address of covered.get(pattern) ?? []) {
        if (!left.delete(address)) continue;
        for (const each of patternsOf(address)) counts.set(each, (counts.get(each) ?? 0) - 1);
      }
    }
  }
  return [...found, ...[...left].map((address) => ({ pattern: address, count: 1 }))];
}

// Of those that stand for the same, the one that says the most.
function longestFirst(one: string, other: string): number {
  return other.length - one.length || compareText(one, other);
}

// All with one star for whole words: `a:x-y-z` has `a:*`, `a:x-*`, `a:x-y-*`, `a:*-y-z`, `a:*-z` and `a:x-*-z`.
function patternsOf(address: string): string[] {
  const start = address.indexOf(":") + 1;
  const ends: number[] = [];
  for (let at = start; at < address.length; at++) if ("-._".includes(address.charAt(at))) ends.push(at);
  const heads = [start, ...ends.slice(0, mostWords).map((end) => end + 1)];
  const tails = [address.length, ...ends.slice(-mostWords).toReversed()];
  const patterns: string[] = [];
  for (const head of heads)
    for (const tail of tails)
      if (tail > head) patterns.push(`${address.slice(0, head)}*${address.slice(tail)}`);
  return patterns;
}

/** Gives the name of the kind in an address. */
export function kindOf(address: string): string {
  return address.slice(0, address.indexOf(":"));
}
