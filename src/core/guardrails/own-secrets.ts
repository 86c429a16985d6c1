import { environmentNames } from "../expression/reference.js";
import type { Settings } from "../resources/manifest.js";

// Set for the jobs alone, or where a store looks if the manifest names no variable.
const usual = /^(?:AGENTFORM_|ACTIONS_|(?:CI_JOB|GITHUB|GITLAB)_TOKEN$|PGPASSWORD$|TF_HTTP_)/;

/**
 * Makes what says whether a variable is a key that agentform itself uses: for the service, for the state and its seal, or
 * for git. Keys of AWS are also those of a provider of models, so they count only where the state is in S3.
 */
export function ownSecretsOf({
  service,
  lock,
}: Partial<Pick<Settings, "service" | "lock">>): (variable: string) => boolean {
  const texts = [service?.api_key, ...Object.values(lock ?? {})].filter((text) => typeof text === "string");
  const named = new Set(texts.flatMap(environmentNames));
  return (variable) =>
    usual.test(variable) || named.has(variable) || (lock?.store === "s3" && variable.startsWith("AWS_"));
}
