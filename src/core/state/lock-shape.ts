import type { Lock } from "../../generated/lock.js";
import { validate } from "../../generated/validate-lock.js";
import { isShallow, type JsonObject, depthLimit } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";

/** How deep the values in files of state may be nested: what is around a body comes to its own depth. */
export const stateDepth = depthLimit + 20;

/** Whether a value is a lock in all that it holds. */
export function isLock(value: unknown): value is Lock {
  return validate(value) && misshapenBody(value) === undefined;
}

/** Whether a value is what a lock can have at an address; a member that is undefined counts as absent. */
export function isLockEntry(address: string, entry: unknown): boolean {
  return isPart({ resources: { [address]: entry } });
}

/** Whether a value is a create of unknown outcome that a lock can have at an address; as above. */
export function isUnknownCreate(address: string, create: unknown): boolean {
  return isPart({ unknown: { [address]: create } });
}

/** Whether a value is what a lock can have for its service. */
export function isLockService(service: unknown): boolean {
  return isPart({ service });
}

/** Whether a value is what a lock can have for the settings of its last apply. */
export function isAppliedSettings(settings: unknown): boolean {
  return isPart({ settings });
}

// Everything else of a lock, as small as it can be.
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

/** Gives the path of a body in a valid lock in which something else is where its kind keeps an outline. */
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

/** Whether a body that was read has an outline wherever its kind keeps one. */
export function isOutlined(address: string, body: JsonObject): boolean {
  return kindOfAddress(address)?.isOutlined?.(body) ?? true;
}
