import { join } from "node:path";
import { startEmulator } from "../emulator/emulator.js";
import { environmentSecrets, Secret } from "../service/secret.js";
import type { Target } from "../service/target.js";
import type { WorkspaceOptions } from "../request.js";
import { UsageError } from "./exit-code.js";
import { emulatorIdentity } from "../state-access.js";

/** An emulator in this process, for one workspace. */
export interface LocalEmulator {
  readonly target: Target;
  close(): Promise<void>;
}

/** Starts the emulator with its data of this workspace; secrets that are not set get placeholders. */
export async function startForWorkspace(
  { directory, environment }: WorkspaceOptions,
  env: NodeJS.ProcessEnv,
): Promise<LocalEmulator> {
  if (
    environment !== undefined &&
    environment !== null &&
    !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(environment)
  ) {
    throw new UsageError(`the environment \`${environment}\` has a name that a manifest cannot use`);
  }
  const data = join(directory, ".agentform", "emulator", environment ?? "default", "data");
  const emulator = await startEmulator({ data, checkouts: [directory] });
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
