import { buildSettings, parseManifest, type Settings } from "../core/resources/manifest.js";
import type { Json } from "../json/json.js";

/** Gives the settings of all environments of a manifest, the default one among them; undefined for those that are not known. */
export function settingsOfAll(
  text = "",
  variables: ReadonlyMap<string, Json> = new Map(),
): readonly (Settings | undefined)[] {
  const manifest = parseManifest(text);
  if (!manifest.ok) return [undefined];
  const environments = [null, ...Object.keys(manifest.value.spec.environments ?? {})];
  return environments.flatMap((environment) => {
    const built = buildSettings(manifest, environment, variables);
    if (built.ok) return [built.settings];
    return built.problems.some(({ code }) => code === "environment-required") ? [] : [undefined];
  });
}
