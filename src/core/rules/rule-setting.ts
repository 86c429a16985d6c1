import type { JsonObject } from "../../json/json.js";
import type { OwnRule } from "./own-rule.js";

/** Gives all that a rule says, wherever it stands: two rules with the same judge the same. */
export function ruleSetting({ effect, message, scope, subject, schema, targets }: OwnRule): JsonObject {
  const { kind, selector, environments } = scope;
  const among = {
    ...(kind && { kind }),
    ...(Object.keys(selector).length > 0 && { selector: { ...selector } }),
    ...(environments.length > 0 && { environments: [...environments] }),
  };
  return {
    effect,
    message,
    ...(Object.keys(among).length > 0 && { for: among }),
    // In a schema what is empty is not the same as what is missing.
    [subject]: schema,
    ...(Object.keys(targets).length > 0 && { files: targets as JsonObject }),
  };
}

/** Gives what a rule judges, from all that it says. */
export function scopeIn(setting: JsonObject): OwnRule["scope"] {
  const among = setting.for as Partial<OwnRule["scope"]> | undefined;
  return { selector: {}, environments: [], ...among };
}
