import { addressPatterns } from "../../core/kind/address-pattern.js";
import type { Quote } from "../change/shown-change.js";

const mostWhole = 5;
const mostPatterns = 40;

/** Names the addresses of some resources: each of a few; many by patterns, with how many each stands for, that match none of `others`, if these are known. */
export function addressesText(
  all: readonly { readonly address: string }[],
  quote: Quote,
  others?: readonly string[],
): string {
  const addresses = all.map(({ address }) => address);
  if (addresses.length <= mostWhole) return addresses.map(quote).join(", ");
  const patterns = addressPatterns(addresses, others);
  const shown = patterns.slice(0, mostPatterns);
  const left = patterns.slice(mostPatterns).reduce((sum, { count }) => sum + count, 0);
  const texts = shown.map(
    ({ pattern, count }) => quote(pattern) + (count > 1 && patterns.length > 1 ? ` (${count})` : ""),
  );
  return `${texts.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
