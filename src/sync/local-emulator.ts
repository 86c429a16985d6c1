import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator/emulator.js";
import { OtherOperationsError } from "../emulator/folder.js";
import type { EmulatedOperations } from "../emulator/world.js";
import { environmentSecrets, Secret } from "../service/secret.js";
import { targetOf, type Target } from "../service/target.js";
import type { Settings } from "../core/resources/manifest.js";
import type { PlanRequest, WorkspaceOptions } from "./request.js";
import { emulatorIdentity } from "../core/state/state-choice.js";

/** An emulator in this process, for one workspace. */
export interface LocalEmulator {
  readonly target: Target;
  close(): Promise<void>;
}

/** The emulator of a workspace cannot be started as asked. */
export class LocalEmulatorError extends Error {
  override readonly name = "LocalEmulatorError";
}

/** Starts the workspace's emulator; throws LocalEmulatorError if its data is of an emulator with other operations. */
export async function startForWorkspace(
  { directory, environment }: WorkspaceOptions,
  env: NodeJS.ProcessEnv,
  operations: EmulatedOperations = "documented",
): Promise<LocalEmulator> {
  if (
    environment !== undefined &&
    environment !== null &&
    !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(environment)
  ) {
    throw new LocalEmulatorError(`the environment \`${environment}\` has a name that a manifest cannot use`);
  }
  const folder = join(".agentform", "emulator", environment ?? "default");
  const data = join(directory, folder, "data");
  const emulator = await start({ data, checkouts: [directory], operations }, folder);
  const given = environmentSecrets(env);
  return {
    target: {
      identity: emulatorIdentity,
      baseUrl: emulator.url,
      raiBaseUrl: emulator.url,
      apiKey: "${env:AGENTFORM_EMULATOR_KEY}",
      secrets: (name) => given(name) ?? new Secret(`placeholder-for-${name}`),
    },
    close: () => emulator.close(),
  };
}

/** Where the requests of a command go. */
export interface OpenTarget {
  readonly target: (settings: Settings) => Promise<Target>;
  close(): Promise<void>;
}

/** Opens the way to the service that the manifest names, or with `emulator` to one in this process. */
export function openTarget(request: PlanRequest, env: NodeJS.ProcessEnv): OpenTarget {
  const secrets = environmentSecrets(env);
  let emulator: Promise<LocalEmulator> | undefined;
  return {
    async target(settings) {
      if (request.options?.emulator !== true) return targetOf(settings, secrets);
      const operations = Object.keys(settings.deployment).length > 0 ? "full" : "documented";
      emulator ??= startForWorkspace(request, env, operations);
      return (await emulator).target;
    },
    close: async () => await (await emulator?.catch(() => undefined))?.close(),
  };
}

async function start(options: EmulatorOptions, folder: string): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (cause) {
    if (!(cause instanceof OtherOperationsError)) throw cause;
    throw new LocalEmulatorError(
      `${folder} has the objects and the lock of an emulator with other operations than \`${String(options.operations)}\`; remove it to begin anew`,
    );
  }
}
