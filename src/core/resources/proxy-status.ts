import type { WorkspaceManifest } from "../../generated/workspace.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import { servicesIn } from "./service-operations.js";

// A gateway sends these itself if the service is slow or unreachable, whatever the service did.
const ofProxies: Readonly<Record<number, string>> = { 502: "Bad Gateway", 504: "Gateway Timeout" };

/** Warns of statuses in `rejected_statuses` that proxies also send. */
export function checkRejectedStatuses({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  return servicesIn(spec).flatMap(({ service, at }) =>
    (service?.rejected_statuses ?? []).flatMap((status, index) => {
      const name = ofProxies[status];
      if (name === undefined) return [];
      const message = say`${{ status }} (${bare({ name })}) is also sent by proxies in front of the service, even after the service has done the request`;
      const hint = "remove it if there can be a proxy: a create that was done would be sent again";
      return [warning("status-of-proxies", place([...at, "rejected_statuses", index]), message, hint)];
    }),
  );
}
