import type { SecretUse } from "../../core/resources/resource.js";
import type { LockLocation } from "../../generated/workspace.js";
import { error, type Diagnostic, type Finding, type Place } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { environmentNames } from "../../core/expression/reference.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { mergeDiagnostics } from "../../core/position/position.js";
import type { LoadedWorkspace } from "../../workspace/load-workspace.js";

/** The CIs for which there are jobs. */
export type Ci = "github" | "gitlab";

const reserved: Readonly<Record<Ci, { readonly name: string; readonly pattern: RegExp }>> = {
  github: { name: "GitHub Actions", pattern: /^(GITHUB_|ACTIONS_|RUNNER_|CI_|CI$)/i },
  gitlab: { name: "GitLab CI", pattern: /^(GITLAB_|RUNNER_|CI_|CI$)/ },
};

/** Gives the environment variables that an apply of a workspace needs, the API key's first. */
export function neededVariables(loaded: LoadedWorkspace): SecretUse[] {
  const resources = [...(loaded.fleet?.resources.values() ?? [])];
  return [...lookVariables(loaded), ...resources.flatMap(({ secrets }) => secrets)];
}

/** Gives the environment variables that a look at the service and the state needs. */
export function lookVariables({ fleet }: LoadedWorkspace): SecretUse[] {
  if (!fleet) return [];
  const { service, servicePlace, lock } = fleet.settings;
  const place = { ...servicePlace, path: [...(servicePlace.path ?? []), "api_key"] };
  return [...variablesIn(service.api_key ?? "", place), ...storeVariables(lock), ...sealVariables(lock)];
}

/** Gives the environment variable with the key of the seal, which only what applies needs. */
export function sealVariables({ seal = "" }: Pick<LockLocation, "seal">): SecretUse[] {
  return variablesIn(seal, at("seal"));
}

/** Gives the environment variables with which a job reads the state: those that the manifest names, or the usual ones. */
export function storeVariables(lock: LockLocation): SecretUse[] {
  const named = Object.entries(lock).flatMap(([key, text]) =>
    key === "seal" || typeof text !== "string" ? [] : variablesIn(text, at(key)),
  );
  const usual = named.length > 0 || lock.gitlab ? [] : usualVariables[lock.store];
  // The variables of the job itself are there without being set.
  return [...named, ...usual.map((name) => ({ name, place: at("store") }))].filter(
    ({ name }) => !name.startsWith("CI_"),
  );
}

function at(key: string): Place {
  return { file: manifestFile, path: ["spec", "lock", key] };
}

// A job that keeps its state in S3 has a role in place of keys.
const usualVariables: Readonly<Record<LockLocation["store"], readonly string[]>> = {
  file: [],
  git: [],
  http: ["TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"],
  postgres: ["PGHOST", "PGDATABASE", "PGUSER", "PGPASSWORD"],
  s3: [],
};

function variablesIn(text: string, place: Place): SecretUse[] {
  return environmentNames(text).map((name) => ({ name, place }));
}

/** Finds the variables that a job cannot be given, because the CI sets them itself. */
export function findReserved(all: readonly LoadedWorkspace[], ci: Ci): Diagnostic[] {
  const { name: forge, pattern } = reserved[ci];
  const explain = ({ name, place }: SecretUse): Finding[] => {
    if (!pattern.test(name)) return [];
    const message = say`${forge} reserves the name ${{ name }}, and would pass its own value instead of your secret`;
    return [
      error(
        "secret-reserved",
        place,
        message,
        say`rename it, such as to \`${bare({ meant: `\${env:MY_${name}}` })}\``,
      ),
    ];
  };
  return mergeDiagnostics(all.flatMap((each) => each.locate(neededVariables(each).flatMap(explain))));
}
