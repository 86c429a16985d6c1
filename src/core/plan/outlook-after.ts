import type { Action } from "../../generated/plan.js";
import { identityMembers } from "./adoption.js";
import type { Outlook } from "./outlook.js";
import type { Planning } from "./planning.js";
import type { Resource } from "../resources/resource.js";

/** Gives what references to a resource will stand for after what was decided for it. */
export function outlookAfter(
  action: Action | undefined,
  resource: Resource,
  isIn: boolean,
  { lock }: Planning,
): Outlook {
  const { address } = resource;
  const entry = lock.resources[address];
  if (!isIn && !entry) return { type: "unavailable", reason: `${address} is left out of this plan` };
  switch (action?.action) {
    case "create":
    case "replace":
      return { type: "new" };
    case "adopt": {
      const { ids = [], tools } = action;
      const identity = tools ? { ids, tools } : { id: ids[0] ?? "" };
      return { type: "kept", entry: { ...identityMembers(identity), body: resource.body, digest: "" } };
    }
    case "unknown":
      return { type: "unavailable", reason: `${address} has an unknown outcome` };
    case "blocked":
      // What is blocked keeps its object, if it has one.
      if (!entry) return { type: "unavailable", reason: `${address} is blocked` };
  }
  return entry ? { type: "kept", entry } : { type: "new" };
}
