import { environmentNames } from "../expression/environment-names.js";
import { eachText } from "../expression/reference.js";
import type { Lock } from "../state/lock.js";
import type { Fleet } from "./fleet.js";

/** Gives the names of the environment variables that a workspace uses, or used at its last apply. */
export function namedVariables(
  { resources, settings }: Pick<Fleet, "resources" | "settings">,
  lock: Pick<Lock, "resources">,
): Set<string> {
  const names = new Set(environmentNames(settings.service.api_key ?? ""));
  const collect = (text: string) => {
    for (const name of environmentNames(text)) names.add(name);
  };
  for (const { body } of resources.values()) eachText(body, collect);
  for (const { body } of Object.values(lock.resources)) eachText(body, collect);
  return names;
}
