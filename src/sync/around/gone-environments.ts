import { readdirSync } from "node:fs";
import { warning, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { environmentName, environmentsOf } from "../../core/resources/environment-name.js";
import { lockFileName } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import type { PlanRequest } from "../request.js";

/**
 * Warns where the folder has the state of an environment that the manifest does not have any more: its objects are still
 * in the service, and nobody manages them.
 */
export async function warnOfGoneEnvironments(settings: Settings, request: PlanRequest): Promise<Finding[]> {
  if (request.options?.emulator) return [];
  const { directory } = request;
  const environments = environmentsOf(settings.environments);
  const known = environments.map((environment) => lockFileName({ ...settings, environment }));
  const others = (unlessFailing(() => readdirSync(directory)) ?? []).filter(
    (name) => /^agentform(?:\..+)?\.lock$/.test(name) && !known.includes(name),
  );
  if (others.length === 0) return [];
  const { readLockFile } = await import("../../workspace/others/locks-without-manifest.js");
  return others.toSorted().flatMap((file) => {
    const read = readLockFile(directory, file, file);
    if (!read?.ok || read.lock.workspace !== settings.name) return [];
    const { environment, lock } = read;
    const hasAny = [lock.resources, lock.unknown].some((entries) => Object.keys(entries).length > 0);
    // A copy of a lock has another name.
    if (!hasAny || file !== lockFileName({ ...settings, environment })) return [];
    const name = environmentName(environment);
    const message = say`${bare({ file })} has the state of the environment \`${bare({ name })}\`, which agentform.yaml does not have: what was applied there is still in the service, and nobody manages it`;
    const hint = say`declare it again; or, if it was given up, delete its objects in the service and then ${bare({ file })}`;
    return [warning("environment-gone", { file }, message, hint)];
  });
}
