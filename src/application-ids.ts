import { error, hasErrors, warning, type Diagnostic, type Finding } from "./core/finding/diagnostic.js";
import { applicationIds, type EnvironmentIds, type WorkspaceIds } from "./core/resources/application-ids.js";
import { manifestFile } from "./core/resources/manifest.js";
import { explainNoneSelected, isSelected, type Selector } from "./core/resources/selector.js";
import { mergeDiagnostics } from "./core/position/position.js";
import { readLock, type ReadLock } from "./lock-edits.js";
import type { PlanRequest } from "./request.js";
import { loadWorkspace, type LoadedWorkspace } from "./workspace/load-workspace.js";
import { hash } from "./digest.js";

/** The name of the default environment beside the others. */
const defaultEnvironment = "default";

/** Selects the IDs to read. */
export interface IdsRequest extends PlanRequest {
  readonly selector: Selector;
  /** Whether all environments are read instead of one. */
  readonly areAll: boolean;
}

/** The IDs, or why they cannot be read. */
export interface IdsResult {
  readonly found?: WorkspaceIds;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the IDs that applications use from lock and journal alone. */
export async function readIds(request: IdsRequest): Promise<IdsResult> {
  const names = request.areAll ? environmentsOf(request) : [request.environment ?? null];
  if ("diagnostics" in names) return names;
  const environments: EnvironmentIds[] = [];
  const diagnostics: Diagnostic[] = [];
  const unselected: Diagnostic[] = [];
  let workspace = "";
  for (const environment of names) {
    const { state, loaded, diagnostics: problems } = await readLock({ ...request, environment });
    diagnostics.push(...problems);
    if (!state) continue;
    const read = idsOf(state, loaded, request);
    diagnostics.push(...read.diagnostics);
    unselected.push(...read.unselected);
    workspace = state.lock.workspace;
    environments.push({ environment: environment ?? defaultEnvironment, ids: read.ids });
  }
  // A selector may select something in some environments alone.
  if (unselected.length === names.length) diagnostics.push(...unselected);
  const merged = mergeDiagnostics(diagnostics);
  if (hasErrors(merged)) return { diagnostics: merged };
  return { found: { workspace, environments, areAll: request.areAll }, diagnostics: merged };
}

function environmentsOf(
  request: IdsRequest,
): readonly (string | null)[] | { readonly diagnostics: readonly Diagnostic[] } {
  const { environments, fleet, diagnostics, locate } = loadWorkspace({ ...request, environment: null }, hash);
  if (!fleet) return { diagnostics };
  // If only environments name a service, there is no default environment.
  if (fleet.settings.service.base_url === undefined && environments.length > 0) return environments;
  if (!environments.includes(defaultEnvironment)) return [null, ...environments];
  const place = { file: manifestFile, path: ["spec", "environments", defaultEnvironment], key: true };
  const message = `the environment \`${defaultEnvironment}\` has the name that the default environment has here`;
  const hint = "leave out `--all-environments`, and use one file for each environment";
  return { diagnostics: locate([error("output-name-taken", place, message, hint)]) };
}

function idsOf(
  { lock }: ReadLock,
  { fleet, diagnostics, locate }: LoadedWorkspace,
  { selector, areAll }: IdsRequest,
) {
  const resources = fleet?.resources ?? new Map();
  const isBroken = hasErrors(diagnostics);
  // Without its labels, a resource could be missing from what is selected.
  if (selector.size > 0 && isBroken) return { ids: new Map<string, string>(), diagnostics, unselected: [] };
  const selected = new Set(
    [...resources].flatMap(([key, each]) => (isSelected(each, selector) ? [key] : [])),
  );
  const isChosen = (address: string) => selector.size === 0 || selected.has(address);
  const { ids, findings } = applicationIds(lock, resources, isChosen);
  const broken = "the workspace has errors, so resources may be missing of which nothing was applied";
  const all: readonly Finding[] = [
    ...findings,
    ...(isBroken ? [warning("output-incomplete", undefined, broken, "run `agentform validate`")] : []),
  ];
  const inEnvironment = ({ message, ...rest }: Finding): Finding => {
    return { ...rest, message: areAll ? `${message} (${nameOf(lock)})` : message };
  };
  const isNone = selector.size > 0 && selected.size === 0;
  return {
    ids,
    diagnostics: locate(all.map(inEnvironment)),
    unselected: isNone ? locate([explainNoneSelected(selector, resources.values())]) : [],
  };
}

function nameOf({ environment }: ReadLock["lock"]): string {
  return environment === null ? "the default environment" : `environment ${environment}`;
}
