import type { Diagnostic } from "../core/finding/diagnostic.js";
import { mergeDiagnostics } from "../core/position/position.js";
import { checkAddresses } from "../service/target.js";
import { loadWorkspace, type LoadedWorkspace } from "../workspace/load-workspace.js";
import { OpenWorkspace } from "../workspace/open-workspace.js";
import type { WorkspaceOptions } from "./request.js";

/** A workspace in one environment, with every problem of it that can be found without a lock. */
export interface ValidatedWorkspace {
  readonly environment: string | null;
  readonly loaded: LoadedWorkspace;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds every problem that can be found without a lock, in one environment or in all. */
export function validate(options: WorkspaceOptions): readonly Diagnostic[] {
  const found = Array.from(validateEach(options), ({ diagnostics }) => diagnostics);
  const [only] = found;
  return only && namesEnvironment(options) ? only : mergeDiagnostics(found.flat());
}

/** Validates one environment, or all of them one after the other; which of the manifest's come first can be chosen. */
export function* validateEach(
  given: WorkspaceOptions,
  inTurn = (environments: readonly (string | null)[]) => environments,
): Generator<ValidatedWorkspace> {
  const options = { open: new OpenWorkspace(given.directory).look(), ...given };
  const first = loadWorkspace(options);
  const chosen = options.environment ?? null;
  for (const environment of namesEnvironment(options) ? [chosen] : inTurn(first.environments)) {
    const loaded = environment === chosen ? first : loadWorkspace({ ...options, environment });
    yield { environment, loaded, diagnostics: checked(loaded) };
  }
}

function namesEnvironment({ environment }: WorkspaceOptions): boolean {
  return environment !== undefined && environment !== null;
}

function checked(loaded: LoadedWorkspace): readonly Diagnostic[] {
  if (!loaded.fleet) return loaded.diagnostics;
  const { settings, resources } = loaded.fleet;
  const hosts = new Set([...resources.values()].map(({ kind }) => kind.create.host));
  return [...loaded.diagnostics, ...loaded.locate(checkAddresses(settings, hosts))];
}
