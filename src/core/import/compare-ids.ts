import { idsOf } from "../kind/identity.js";
import type { Identity } from "../kind/kind.js";

/** Orders identities by their first IDs. */
export function compareIds(left: Identity, right: Identity): number {
  const [one = "", other = ""] = [idsOf(left)[0], idsOf(right)[0]];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
