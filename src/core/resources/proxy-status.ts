import type { ServiceSettings, WorkspaceManifest } from "../../generated/workspace.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";

// A gateway answers these itself when the service was too slow or went away, whatever the service did.
const ofProxies: Readonly<Record<number, string>> = { 502: "Bad Gateway", 504: "Gateway Timeout" };

/** Warns of statuses that are said to mean "not done", and that a proxy answers without knowing. */
export function checkRejectedStatuses({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const check = (service: ServiceSettings | undefined, at: Path): Finding[] =>
    (service?.rejected_statuses ?? []).flatMap((status, index) => {
      const name = ofProxies[status];
      if (name === undefined) return [];
      const message = `${status} (${name}) is what a proxy in front of the service answers itself, also when the service has done what it was asked`;
      const hint = "remove it, unless nothing stands between: a create that was done would be sent again";
      return [warning("status-of-proxies", place([...at, "rejected_statuses", index]), message, hint)];
    });
  return [
    ...check(spec.service, ["spec", "service"]),
    ...Object.entries(spec.environments ?? {}).flatMap(([environment, { service }]) =>
      check(service, ["spec", "environments", environment, "service"]),
    ),
  ];
}
