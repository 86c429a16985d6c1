import type { Deployment, KindOperations } from "./deployment.js";
import type { KindName } from "../../generated/kinds.js";
import { kinds } from "./kinds.js";

/**
 * Gives what the emulator can do in the place of a deployment: the same operations, at the emulator's own paths and
 * in its own form.
 */
export function emulatedDeployment(deployment: Deployment): Deployment {
  return Object.fromEntries(
    Object.entries(deployment).map(([name, operations]) => [name, emulated(name as KindName, operations)]),
  );
}

function emulated(name: KindName, { read, list, update, delete: deletion }: KindOperations): KindOperations {
  const { host, path: all } = kinds[name].create;
  const one = `${all.replace(/\/$/, "")}/{id}`;
  const gone = [404];
  return {
    ...(read && { read: { host, method: "GET", path: one, object: "", gone } }),
    ...(list && { list: { host, method: "GET", path: all, items: "", object: "", id: "/_id" } }),
    ...(update && { update: { host, method: "PUT", path: one } }),
    ...(deletion && { delete: { host, method: "DELETE", path: one, gone } }),
  };
}
