import { addTo } from "../../json/groups.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { FoundResources } from "../observation/found-objects.js";
import { listed } from "./cause.js";

/** Finds what could not be read, with the reasons. */
export function unreadable({ byAddress }: Pick<FoundResources, "byAddress">): Finding[] {
  const byReason = new Map<string, string[]>();
  for (const { address, unread } of byAddress.values()) {
    for (const why of new Set(unread)) addTo(byReason, why, address);
  }
  return [...byReason].map(([why, addresses]) => {
    const [first = ""] = addresses;
    const what =
      addresses.length === 1
        ? say`${{ address: first }} could not be read`
        : say`${{ count: addresses.length }} resources could not be read`;
    const names = addresses.length === 1 ? "" : say` (${bare({ addresses }, listed(addresses))})`;
    const message = say`${what}: ${bare({ reason: why })}${names}`;
    return {
      ...error("object-unreadable", undefined, message),
      ...(addresses.length === 1 && { address: first }),
    };
  });
}
