import type { Action } from "../../generated/plan.js";
import { creationBody } from "../kind/body.js";
import { kindOfAddressIn, type Deployment } from "../kind/deployment.js";
import type { BodyRequest } from "../kind/kind.js";
import type { JsonObject } from "../../json/json.js";
import { identityOf } from "../plan/planning.js";
import type { Lock } from "../state/lock.js";

/** Gives the requests of an action, references and secrets still symbolic; none if it only changes the lock. */
export function requestsOf(
  planned: Action,
  { resources }: Lock,
  documents: Readonly<Record<string, JsonObject>>,
  deployment: Deployment,
): BodyRequest[] {
  const { address, action, body, fields = [], from } = planned;
  const kind = kindOfAddressIn(deployment, address);
  if (!body) return [];
  if (action === "adopt") return kind.update(identityOf(planned), fields, body);
  if (action === "update") {
    const entry = resources[address] ?? resources[from ?? address];
    return entry ? kind.update(entry, fields, body) : [];
  }
  if (action !== "create" && action !== "replace") return [];
  return [{ body: creationBody(kind, body, documents[address] ?? {}), ...kind.create }];
}
