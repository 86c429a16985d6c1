import type { Lock } from "../../generated/lock.js";
import { validate } from "../../generated/validate-lock.js";
import { isShallow, type JsonObject, depthLimit } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";

/** The maximum depth of values in state files: that of a body, plus what is around it. */
export const stateDepth = depthLimit + 20;

/** Whether a value is a valid lock. */
export function isLock(value: unknown): value is Lock {
  return validate(value) && misshapenBody(value) === undefined;
}

/** Whether a value is a valid entry of a lock at an address; a member that is undefined counts as missing. */
export function isLockEntry(address: string, entry: unknown): boolean {
  return isPart({ resources: { [address]: entry } });
}

/** Whether a value is a valid create of unknown outcome at an address; as above. */
export function isUnknownCreate(address: string, create: unknown): boolean {
  return isPart({ unknown: { [address]: create } });
}

/** Whether a value is a valid `service` of a lock. */
export function isLockService(service: unknown): boolean {
  return isPart({ service });
}

/** Whether a value is a valid `settings` of a lock. */
export function isAppliedSettings(settings: unknown): boolean {
  return isPart({ settings });
}

// The rest of a lock, as small as possible.
const rest = {
  format: "agentform/lock/v1",
  workspace: "",
  environment: null,
  lineage: "-",
  serial: 0,
  resources: {},
  retired: {},
  unknown: {},
};

function isPart(part: Partial<Record<"resources" | "unknown" | "service" | "settings", unknown>>): boolean {
  const lock = { ...rest, ...part };
  return isShallow(lock, stateDepth) && isLock(lock);
}

/** Gives the path of a body in a valid lock that lacks an outline where its kind requires one. */
export function misshapenBody({ resources, unknown, retired }: Lock): string[] | undefined {
  for (const [address, { body, attempted }] of Object.entries(resources)) {
    if (!isOutlined(address, body)) return ["resources", address, "body"];
    if (attempted && !isOutlined(address, attempted)) return ["resources", address, "attempted"];
  }
  for (const [address, { body }] of Object.entries(unknown)) {
    if (!isOutlined(address, body)) return ["unknown", address, "body"];
  }
  for (const [id, { address, body }] of Object.entries(retired)) {
    if (body && !isOutlined(address, body)) return ["retired", id, "body"];
  }
  return undefined;
}

/** Whether a body has an outline wherever its kind requires one. */
export function isOutlined(address: string, body: JsonObject): boolean {
  return kindOfAddress(address)?.isOutlined?.(body) ?? true;
}
