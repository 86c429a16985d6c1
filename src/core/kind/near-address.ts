import { bare, say, type Said } from "../finding/said.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import { lazy } from "../../json/once.js";
import { addTo } from "../../json/groups.js";
import { quoteFew } from "../finding/quotation.js";

const mostNear = 20;
// A name may be as long as a file.
const mostStems = 8;

/** Makes a hint with near addresses: misspelt, of another kind, or of the same first words, as of one `for_each`. */
export function nearAmong(
  addresses: Iterable<string>,
  explainOther = (address: string) => say`did you mean ${{ other: address }}?`,
): (address: string) => Said | undefined {
  const candidates = [...addresses];
  const misspelt = didYouMeanAmong(candidates);
  const byName = lazy(() => new Map(candidates.toReversed().map((each) => [nameIn(each), each])));
  const byStem = lazy(() => {
    const stems = new Map<string, string[]>();
    for (const each of candidates) for (const stem of stemsOf(each)) addTo(stems, stem, each);
    return stems;
  });
  return (address) => {
    const meant = misspelt(address);
    if (meant) return meant;
    const other = byName().get(nameIn(address));
    if (other !== undefined && other !== address) return explainOther(other);
    const near = [address, ...stemsOf(address)].map((stem) => byStem().get(stem)).find(Boolean);
    if (!near) return undefined;
    const few = bare({ expected: near.slice(0, mostNear) }, quoteFew(near));
    return say`did you mean ${near.length > 1 ? "one of " : ""}${few}?`;
  };
}

/** Gives the name in an address. */
export function nameIn(address: string): string {
  return address.slice(address.indexOf(":") + 1);
}

/** Gives the beginnings of an address that end before a separator in its name, the longest first. */
function stemsOf(address: string): string[] {
  const ends = [...address.matchAll(/[._-]/g)].slice(0, mostStems);
  return ends.map(({ index }) => address.slice(0, index)).toReversed();
}
