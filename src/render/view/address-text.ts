import { addressPatterns } from "../../core/kind/address-pattern.js";
import type { EditGroup } from "../../core/plan/edit-groups.js";
import type { Quote } from "../change/change-line.js";
import { countText } from "../words/count-text.js";

const mostWhole = 5;
const mostPatterns = 12;

/** Names the resources that something is about: each of a few, or how many and which. */
export function resourcesText(addresses: readonly string[], quote: Quote): string {
  const text = addressesText(addresses, quote);
  return addresses.length <= mostWhole ? text : `${countText(addresses.length, "resource")} (${text})`;
}

/** Names addresses: each of a few; many by patterns, with how many each stands for, that match none of `others`, if these are known. */
export function addressesText(
  addresses: readonly string[],
  quote: Quote,
  others?: readonly string[],
): string {
  if (addresses.length <= mostWhole) return addresses.map(quote).join(", ");
  const patterns = addressPatterns(addresses, others);
  const shown = patterns.slice(0, mostPatterns);
  const left = patterns.slice(mostPatterns).reduce((sum, { count }) => sum + count, 0);
  const texts = shown.map(
    ({ pattern, count }) => quote(pattern) + (count > 1 && patterns.length > 1 ? ` (${count})` : ""),
  );
  return `${texts.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

/** The resources that do not have a shared edit; undefined where the plan does not know them. */
export function othersOf({ others: { count, addresses } }: EditGroup): readonly string[] | undefined {
  return count === undefined ? undefined : addresses;
}
