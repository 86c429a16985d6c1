import { environmentNames } from "../expression/reference.js";
import type { Settings } from "../resources/manifest.js";

// Set for the jobs alone.
const usual = /^(?:AGENTFORM_|ACTIONS_|(?:CI_JOB|GITHUB|GITLAB)_TOKEN$)/;

/** Where a store looks if the manifest names no variable. */
const ofStores: Readonly<Record<Settings["lock"]["store"], RegExp | undefined>> = {
  file: undefined,
  git: undefined,
  http: /^TF_HTTP_/,
  postgres: /^PGPASSWORD$/,
  s3: /^AWS_/,
};

/** Makes what says whether agentform itself uses a variable; keys of AWS, which models use too, only for S3 stores. */
export function ownSecretsOf({
  service,
  lock,
}: Partial<Pick<Settings, "service" | "lock">>): (variable: string) => boolean {
  const texts = [service?.api_key, ...Object.values(lock ?? {})].filter((text) => typeof text === "string");
  const named = new Set(texts.flatMap(environmentNames));
  const { s3, ...others } = ofStores;
  const patterns = [usual, ...Object.values(others), lock?.store === "s3" ? s3 : undefined];
  return (variable) => named.has(variable) || patterns.some((pattern) => pattern?.test(variable));
}
