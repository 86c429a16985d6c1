import { idsOf, operationsById } from "../kind/identity.js";
import type { FoundResource } from "../observation/found-objects.js";
import { cause, type Cause } from "./cause.js";

/** Whether the service has nothing of a resource any more. */
export function isGone({ entry, gone }: FoundResource): boolean {
  return gone.length > 0 && gone.length === idsOf(entry).length;
}

/** Says that the service does not have a resource, or some of the tools of a set, any more. */
export function goneCause(found: FoundResource): Cause {
  if (isGone(found)) return cause("object-gone", {});
  return cause("tools-gone", { tools: toolNames(found, found.gone), of: idsOf(found.entry).length });
}

/** Names tools of a set by their operations, others by their IDs. */
export function toolNames({ entry }: Pick<FoundResource, "entry">, ids: readonly string[]): string[] {
  const names = operationsById(entry);
  return ids.map((id) => names.get(id) ?? id);
}
