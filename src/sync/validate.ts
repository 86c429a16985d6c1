import type { Diagnostic } from "../core/finding/diagnostic.js";
import { mergeDiagnostics } from "../core/position/position.js";
import { checkAddresses } from "../service/target.js";
import { loadWorkspace, type LoadedWorkspace } from "../workspace/load-workspace.js";
import { OpenWorkspace } from "../workspace/open-workspace.js";
import { judgeFleet } from "./judged-fleet.js";
import type { WorkspaceOptions } from "./request.js";

/** A workspace in one environment, with every problem of it that can be found without a lock. */
export interface ValidatedWorkspace {
  readonly environment: string | null;
  readonly loaded: LoadedWorkspace;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds every problem that can be found without a lock, in one environment or in all. */
export async function validate(options: WorkspaceOptions): Promise<readonly Diagnostic[]> {
  const found: (readonly Diagnostic[])[] = [];
  for await (const { diagnostics } of validateEach(options)) found.push(diagnostics);
  return together(found, options);
}

/** Puts together what was found in each environment. */
export function together(
  found: readonly (readonly Diagnostic[])[],
  options: WorkspaceOptions,
): readonly Diagnostic[] {
  const [only] = found;
  return only && namesEnvironment(options) ? only : mergeDiagnostics(found.flat());
}

type InTurn = (environments: readonly (string | null)[]) => readonly (string | null)[];

/** Validates one environment, or all of them one after the other; which of the manifest's come first can be chosen. */
export async function* validateEach(
  options: WorkspaceOptions,
  inTurn?: InTurn,
): AsyncGenerator<ValidatedWorkspace> {
  for (const read of readEach(options, inTurn)) {
    const { loaded, diagnostics } = read;
    const judged = loaded.fleet && (await judgeFleet(loaded.fleet));
    if (!judged || judged.findings.length === 0) yield read;
    else
      yield { ...read, diagnostics: mergeDiagnostics([...diagnostics, ...loaded.locate(judged.findings)]) };
  }
}

/** Reads and checks the same, but for what the rules of the workspace say. */
export function* readEach(
  given: WorkspaceOptions,
  inTurn: InTurn = (environments) => environments,
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
