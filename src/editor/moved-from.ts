import type { Json } from "../json/json.js";

/** Gives a `moved_from` with one more address; undefined if it has a form that is not known. */
export function withAddress(known: Json | undefined, address: string): Json | undefined {
  const addresses = addressesIn(known);
  if (!addresses) return undefined;
  if (addresses.includes(address)) return known;
  return addresses.length === 0 && !Array.isArray(known) ? address : [address, ...addresses];
}

/** Gives the addresses of a `moved_from`; undefined if it has a form that is not known. */
function addressesIn(known: Json | undefined): readonly string[] | undefined {
  if (known === undefined || known === null) return [];
  const list = Array.isArray(known) ? known : [known];
  return list.every((each) => typeof each === "string") ? list : undefined;
}

/** Gives a `moved_from` without an address; undefined if it was the only one. */
export function withoutAddress(known: Json | undefined, address: string): Json | undefined {
  const addresses = addressesIn(known);
  if (!addresses?.includes(address)) return known;
  const kept = addresses.filter((each) => each !== address);
  return kept.length === 0 ? undefined : kept;
}
