import type { SentElsewhere } from "../../core/plan/planning.js";
import { idsOf } from "../../core/kind/identity.js";
import { foldedKey } from "../../core/kind/id.js";
import type { Settings } from "../../core/resources/manifest.js";
import { retiredAt } from "../../core/state/known-ids.js";
import { bodyDigest, type LockEntry } from "../../core/state/lock.js";
import { sharesHost } from "../../core/state/service-identity.js";
import { identityOf } from "../../service/target.js";
import { realFolder } from "../../disk/real-path.js";
import { oncePer } from "../../json/once.js";
import { findWorkspaces, readNeighbour } from "../../workspace/others/neighbours.js";
import { workspaceKey, type AccessElsewhere } from "../../workspace/others/state-elsewhere.js";

// For as long as the command runs: an apply of one of them must find in the next plan what the preview found.
const known = oncePer((_named: object) => new Map<string, LockEntry | undefined>());

/** Makes a reader of what the other workspaces of the repository, and other environments, last sent; without a network. */
export function sentElsewhere(
  { environment: own, service }: Pick<Settings, "environment" | "service">,
  access: AccessElsewhere & { readonly directory: string; readonly named?: readonly string[] },
): SentElsewhere {
  const here = workspaceKey(realFolder(access.directory), own);
  const find: SentElsewhere = (address, id) => {
    const key = foldedKey(address, id);
    for (const each of findWorkspaces(access.directory, access).found) {
      if (workspaceKey(each.folder, each.environment) === here) continue;
      const state = readNeighbour(each, access);
      if (!state.ok) continue;
      const { lock } = state;
      if (!lock.service || !sharesHost(lock.service, identityOf(service), address)) continue;
      const managed = Object.entries(lock.resources).find(([of, entry]) =>
        idsOf(entry).some((one) => foldedKey(of, one) === key),
      );
      if (managed) return managed[1];
      const { body, references } = retiredAt(lock, address, id) ?? {};
      if (body) return { id, body, digest: bodyDigest(body), ...(references && { references }) };
    }
    return undefined;
  };
  const kept = known(access.named ?? {});
  return (address, id) => {
    const key = `${here} ${foldedKey(address, id)}`;
    if (!kept.has(key)) kept.set(key, find(address, id));
    return kept.get(key);
  };
}
