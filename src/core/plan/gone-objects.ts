import { idsOf, toolNames } from "../kind/identity.js";
import type { FoundResource } from "../observation/found-objects.js";
import { cause, type Cause } from "./cause.js";

/** Whether the service has nothing of a resource any more. */
export function isGone({ entry, gone }: FoundResource): boolean {
  return gone.length > 0 && gone.length === idsOf(entry).length;
}

/** Says that the service does not have a resource, or some of the tools of a set, any more. */
export function goneCause(found: FoundResource): Cause {
  if (isGone(found)) return cause("object-gone", {});
  return cause("tools-gone", { tools: toolNames(found.entry, found.gone), of: idsOf(found.entry).length });
}
