import { parse } from "yaml";
import { yamlHazard } from "../../core/document/yaml-hazard.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { isObject, type Json } from "../../json/json.js";
import { valueAt } from "../../json/path.js";
import type { CiSettings } from "./ci-workspace.js";

/** What a file with jobs says of its workspace; what it does not say is missing. */
export type JobFacts = Partial<
  Pick<
    CiSettings,
    "workspace" | "environments" | "place" | "branch" | "secrets" | "storeSecrets" | "lookSecrets"
  >
>;

/** Reads what a file with jobs says, as a workflow of GitHub or as jobs of GitLab; nothing if it is no YAML. */
export function readFacts(text: string): JobFacts {
  const jobs = jobsIn(text);
  const named = jobs.find((job) => member(variablesOf(job), "AGENTFORM_WORKSPACE") !== undefined);
  const job = jobs.find((each) => environmentsOf(each) !== undefined) ?? named;
  const variables = variablesOf(named);
  const facts = {
    workspace: member(variables, "AGENTFORM_WORKSPACE"),
    place: member(variables, "AGENTFORM_STORE")?.replaceAll("$$", "$"),
    branch: member(variables, "AGENTFORM_BRANCH"),
    environments: environmentsOf(job),
    secrets: secretsOf(job, "apply.sh"),
    storeSecrets: secretsOf(job, "reviewed.sh"),
    lookSecrets: jobs.map(lookSecretsOf).find((each) => each !== undefined),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Whether the workspace of some jobs is several together. */
export function isTogether(workspace: string | undefined): boolean {
  return workspace?.includes("\n") === true;
}

/** Whether jobs are for the same: those of all stay these when there is one more workspace. */
export function isSameJobs(one: string | undefined, other: string): boolean {
  return one === other || (isTogether(one) && isTogether(other));
}

/** Says what is needed and not in the facts of a file, one clause each. */
export function lackOf(found: JobFacts, needed: JobFacts): string[] {
  const unlike = (
    [
      ["workspace", "AGENTFORM_WORKSPACE"],
      ["place", "AGENTFORM_STORE"],
    ] as const
  ).flatMap(([name, variable]) =>
    needed[name] === undefined || needed[name] === found[name]
      ? []
      : [`${variable} must be \`${needed[name]}\``],
  );
  const lists = [
    ["environments", "it has no job for the environment"],
    ["secrets", "its apply does not get the secret"],
    ["storeSecrets", "what reads the state does not get the secret"],
    ["lookSecrets", "its drift job does not get the secret"],
  ] as const;
  const absent = lists.flatMap(([name, what]) =>
    (needed[name] ?? [])
      .filter((each) => found[name]?.includes(each) !== true)
      .map((each) => `${what} \`${each}\``),
  );
  return [...unlike, ...absent];
}

/** Parses a file of a CI; undefined if it is no YAML. Its tags, such as `!reference`, are the CI's own. */
export function parseJobs(text: string): Json | undefined {
  return yamlHazard(text) ? undefined : unlessFailing(() => parse(text, { logLevel: "error" }) as Json);
}

function jobsIn(text: string): Json[] {
  const value = parseJobs(text);
  const jobs = valueAt(value, ["jobs"]) ?? value;
  return isObject(jobs) ? Object.values(jobs) : [];
}

function variablesOf(job: Json | undefined): Json | undefined {
  return valueAt(job, ["env"]) ?? valueAt(job, ["variables"]);
}

function member(variables: Json | undefined, name: string): string | undefined {
  const value = valueAt(variables, [name]);
  return typeof value === "string" ? value : undefined;
}

function environmentsOf(job: Json | undefined): string[] | undefined {
  const rows = valueAt(job, ["parallel", "matrix"]);
  const listed =
    valueAt(job, ["strategy", "matrix", "environment"]) ??
    (Array.isArray(rows) ? rows.flatMap((row) => valueAt(row, ["AGENTFORM_ENVIRONMENT"]) ?? []) : undefined);
  return listed === undefined ? undefined : [listed].flat().map(String);
}

// Undefined if the job does not look; on GitLab, no job names its secrets.
function lookSecretsOf(job: Json): string[] | undefined {
  const found = secretsOf(job, "drift.sh");
  const script = valueAt(job, ["script"]);
  return (
    found ??
    (Array.isArray(script) && script.some((line) => String(line).includes("/drift.sh")) ? [] : undefined)
  );
}

// The variables of a step but those that every workspace has.
function secretsOf(job: Json | undefined, script: string): string[] | undefined {
  const steps = valueAt(job, ["steps"]);
  const step = Array.isArray(steps)
    ? steps.find((each) => String(valueAt(each, ["run"])).includes(`/${script}`))
    : undefined;
  const env = valueAt(step, ["env"]);
  return isObject(env) ? Object.keys(env).filter((name) => !/^(AGENTFORM|GITHUB)_/.test(name)) : undefined;
}
