import { depthLimit, isShallow, type Json } from "../json/json.js";
import { noOptions } from "../core/plan/plan-options.js";
import { environmentSecrets } from "../service/secret.js";
import type { PlanRequest } from "../sync/request.js";

/** A workspace, and from where it is looked at. */
export interface WorkspaceChoices {
  /** The folder of the manifest. */
  readonly directory: string;
  /** An environment of the manifest; the default one unless given. */
  readonly environment?: string;
  /** Values of variables that override the manifest's. */
  readonly variables?: Readonly<Record<string, Json>>;
  /** The environment variables of secrets and stores; those of this process unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the service is the emulator in this process, with objects and state of its own below `.agentform/`. */
  readonly emulator?: boolean;
}

/** What shapes a plan, as the options of the command do. */
export interface PlanChoices extends WorkspaceChoices {
  /** Addresses to narrow the plan to. */
  readonly target?: readonly string[];
  /** Labels as `KEY=VALUE` to narrow the plan to. */
  readonly selector?: readonly string[];
  /** Addresses to leave out. */
  readonly exclude?: readonly string[];
  /** Addresses to replace although an update would do. */
  readonly replace?: readonly string[];
  /** Addresses to send again, or `all` for every resource with a secret. */
  readonly resend?: readonly string[];
  /** Whether the service is the same, although its address is not the one in the lock. */
  readonly serviceMoved?: boolean;
}

/** The environment variables that a call was given, or those of this process. */
export function variablesOf({
  env = process.env,
}: WorkspaceChoices): Readonly<Record<string, string | undefined>> {
  return env;
}

/** Makes the request of a plan; throws TypeError if a variable has no end, which no file could give. */
export function requestOf(choices: PlanChoices): PlanRequest {
  const { directory, environment, variables = {}, emulator = false, serviceMoved = false } = choices;
  for (const [name, value] of Object.entries(variables)) {
    if (!isShallow(value, depthLimit))
      throw new TypeError(`variables.${name} is circular, or nested deeper than ${depthLimit}`);
  }
  return {
    directory,
    ...(environment !== undefined && { environment }),
    variables: new Map(Object.entries(variables)),
    secrets: environmentSecrets(variablesOf(choices)),
    options: {
      ...noOptions,
      target: new Set(choices.target),
      selector: new Set(choices.selector),
      exclude: new Set(choices.exclude),
      replace: new Set(choices.replace),
      resend: new Set(choices.resend),
      serviceMoved,
      emulator,
    },
  };
}
