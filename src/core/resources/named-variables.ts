import { eachText, environmentNames } from "../expression/reference.js";
import type { Lock } from "../state/lock.js";
import type { Fleet } from "./fleet.js";

/** Gives the names of the environment variables that a workspace uses, or used for what its lock knows. */
export function namedVariables(
  { resources, settings }: Pick<Fleet, "resources" | "settings">,
  lock: Pick<Lock, "resources" | "retired" | "unknown">,
): Set<string> {
  const names = new Set(
    [settings.service.api_key, settings.lock.seal].flatMap((text = "") => environmentNames(text)),
  );
  const collect = (text: string) => {
    for (const name of environmentNames(text)) names.add(name);
  };
  for (const { body } of resources.values()) eachText(body, collect);
  for (const entry of Object.values(lock.resources)) {
    for (const { body } of [entry, ...(entry.attempted ?? [])]) eachText(body, collect);
  }
  // What is left behind, or may have been made, still has its secrets.
  for (const { body = {} } of Object.values(lock.retired)) eachText(body, collect);
  for (const { body } of Object.values(lock.unknown)) eachText(body, collect);
  return names;
}
