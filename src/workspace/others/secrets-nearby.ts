import { realFolder } from "../../disk/real-path.js";
import {
  readNamedSecrets,
  type NamedSecrets,
  type SecretsNearby,
} from "../../core/guardrails/secret-places.js";
import { environmentsOf } from "../../core/resources/environment-name.js";
import { buildSettings, declaredEnvironments, type Settings } from "../../core/resources/manifest.js";
import { oncePer } from "../../json/once.js";
import { readableResources } from "./documents-elsewhere.js";
import { readNeighbour } from "./neighbours.js";
import { workspaceKey, type AccessElsewhere } from "./state-elsewhere.js";
import { manifestIn } from "./uses-graph.js";

// For as long as the command runs: an apply of one of them must find in the next plan what the preview found.
const known = oncePer((_named: object) => new Map<string, NamedSecrets>());

/** Gives what the workspaces that a command names do with secrets in all their environments, but for its own in this one; without a network. */
export function secretsNearby(
  { environment: own }: Pick<Settings, "environment">,
  access: AccessElsewhere & { readonly directory: string; readonly named?: readonly string[] },
): SecretsNearby[] {
  const folder = realFolder(access.directory);
  const { named = [folder] } = access;
  return named.flatMap((each) => {
    const manifest = manifestIn(each);
    const isSameWorkspace = each === folder;
    return (manifest ? environmentsOf(declaredEnvironments(manifest.value)) : []).flatMap((environment) => {
      const built = manifest && buildSettings(manifest, environment, new Map());
      if (!built?.ok || (isSameWorkspace && environment === own)) return [];
      const key = workspaceKey(each, environment);
      const kept = known(named).get(key) ?? read(each, built.settings, access);
      known(named).set(key, kept);
      return [{ ...kept, isSameWorkspace }];
    });
  });
}

function read(folder: string, settings: Settings, access: AccessElsewhere): NamedSecrets {
  const state = readNeighbour({ folder, settings }, access);
  if (state.ok && !state.isUnfetched) return readNamedSecrets(settings, [], state.lock.resources);
  return readNamedSecrets(settings, readableResources(folder, settings.environment, access), {});
}
