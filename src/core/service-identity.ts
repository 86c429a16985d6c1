import { error, type Finding, type Place } from "./diagnostic.js";
import type { Lock, LockService } from "./lock.js";

/** Refuses a lock whose IDs belong to another service than the manifest names. */
export function checkServiceIdentity({ service }: Lock, now: LockService, place: Place): Finding[] {
  if (!service || isSame(service, now)) return [];
  const message = `the lock's IDs belong to ${describe(service)}, and the manifest names ${describe(now)}`;
  const hint =
    "`--service-moved` keeps the IDs, if the same service has a new address; another installation is a new environment";
  return [error("service-moved", { ...place, key: true }, message, hint)];
}

function isSame(a: LockService, b: LockService): boolean {
  return (
    a.base_url === b.base_url && (a.rai_base_url ?? b.rai_base_url) === (b.rai_base_url ?? a.rai_base_url)
  );
}

function describe({ base_url, rai_base_url }: LockService): string {
  return rai_base_url === undefined ? `\`${base_url}\`` : `\`${base_url}\` and \`${rai_base_url}\``;
}
