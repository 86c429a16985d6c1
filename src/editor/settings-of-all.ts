import { buildSettings, parseManifest, type Settings } from "../core/resources/manifest.js";
import type { Json } from "../json/json.js";

/** Gives the settings of all environments of a manifest, the default one among them; undefined for those that are not known. */
export function settingsOfAll(
  text = "",
  variables: ReadonlyMap<string, Json> = new Map(),
): readonly (Settings | undefined)[] {
  const manifest = parseManifest(text);
  if (Array.isArray(manifest)) return [undefined];
  const environments = [null, ...Object.keys(manifest.value.spec.environments ?? {})];
  return environments.flatMap((environment) => {
    const settings = buildSettings(manifest, environment, variables);
    if (!Array.isArray(settings)) return [settings];
    return settings.some(({ code }) => code === "environment-required") ? [] : [undefined];
  });
}
