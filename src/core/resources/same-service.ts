import type { WorkspaceManifest } from "../../generated/workspace.js";
import { note, type Finding, type Place } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { sharesService } from "../state/service-identity.js";
import type { Path } from "../../json/path.js";

/** Notes each environment whose agents are in the service of one before it; a copied address may be a mistake. */
export function checkSameService({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const addresses = Object.entries(spec.environments ?? {}).flatMap(([environment, { service }]) => {
    const base_url = service?.base_url ?? spec.service?.base_url;
    return base_url === undefined ? [] : [{ environment, base_url }];
  });
  return addresses.flatMap(({ environment, base_url }, index) => {
    const first = addresses.slice(0, index).find((other) => sharesService({ base_url }, other));
    if (!first) return [];
    const at = { ...place(["spec", "environments", environment]), key: true };
    const message = say`environment ${{ environment }} has the same \`base_url\` as ${{ other: first.environment }}`;
    const hint =
      "give it a different address, or `ignore: [environment-same-service]` if both are meant to be there";
    return [note("environment-same-service", at, message, hint)];
  });
}
