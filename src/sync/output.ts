import { error, hasErrors, warning, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { applicationIds, defaultEnvironment, type WorkspaceIds } from "../core/resources/application-ids.js";
import { manifestFile } from "../core/resources/manifest.js";
import { checkSelector, matcherOf, type Selector } from "../core/resources/selector.js";
import { mergeDiagnostics } from "../core/position/position.js";
import { readLock, type ReadLock } from "./lock/edits.js";
import type { PlanRequest } from "./request.js";
import type { LoadedWorkspace } from "../workspace/load-workspace.js";

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
  const { areAll } = request;
  const read = areAll ? await readAll(request) : [await readOne(request, request.environment ?? null)];
  // A selector may select something in some environments alone.
  const isNone = read.every(({ unselected }) => unselected.length > 0);
  const diagnostics = mergeDiagnostics(
    read.flatMap(({ diagnostics: own, unselected }) => (isNone ? [...own, ...unselected] : own)),
  );
  if (hasErrors(diagnostics)) return { diagnostics };
  const environments = read.map(({ environment, ids }) => ({ environment, ids }));
  return { found: { workspace: read[0]?.workspace ?? "", environments, areAll }, diagnostics };
}

/** The IDs of one environment, and its problems. */
interface ReadEnvironment {
  readonly environment: string | null;
  readonly workspace: string;
  readonly ids: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Why a selector selects nothing here. */
  readonly unselected: readonly Diagnostic[];
  readonly loaded: LoadedWorkspace;
}

async function readAll(request: IdsRequest): Promise<readonly ReadEnvironment[]> {
  const own = await readOne(request, null);
  const { environments, locate } = own.loaded;
  const others: ReadEnvironment[] = [];
  for (const environment of environments) others.push(await readOne(request, environment));
  // If only environments name a service, there is no default environment.
  if (!namesService(own) && others.some(namesService)) return others;
  if (!environments.includes(defaultEnvironment)) return [own, ...others];
  const place = { file: manifestFile, path: ["spec", "environments", defaultEnvironment], key: true };
  const message = `the environment \`${defaultEnvironment}\` has the name that the default environment has here`;
  const hint = "leave out `--all-environments`, and use one file for each environment";
  return [{ ...own, diagnostics: locate([error("output-name-taken", place, message, hint)]) }];
}

function namesService({ loaded: { fleet } }: ReadEnvironment): boolean {
  return fleet?.settings.service.base_url !== undefined;
}

async function readOne(request: IdsRequest, environment: string | null): Promise<ReadEnvironment> {
  const { state, loaded, diagnostics } = await readLock({ ...request, environment });
  const found = state && idsOf(state, loaded, request);
  return {
    environment,
    workspace: state?.lock.workspace ?? "",
    ids: found?.ids ?? new Map(),
    diagnostics: [...diagnostics, ...(found?.diagnostics ?? [])],
    unselected: found?.unselected ?? [],
    loaded,
  };
}

function idsOf(
  { lock }: ReadLock,
  { fleet, diagnostics, locate }: LoadedWorkspace,
  { selector, areAll, options: asked }: IdsRequest,
) {
  const resources = fleet?.resources ?? new Map();
  const isBroken = hasErrors(diagnostics);
  // Without its labels, a resource could be missing from what is selected.
  if (selector.size > 0 && isBroken) return { ids: new Map<string, string>(), diagnostics, unselected: [] };
  const isSelected = matcherOf(selector);
  const selected = new Set([...resources].flatMap(([key, { labels }]) => (isSelected(labels) ? [key] : [])));
  const isChosen = (address: string) => selector.size === 0 || selected.has(address);
  const options = [
    ...(lock.environment === null ? [] : ["-e", lock.environment]),
    ...(asked?.emulator ? ["--emulator"] : []),
  ];
  const { ids, findings } = applicationIds(lock, resources, isChosen, options);
  const broken = "the workspace has errors, so resources may be missing of which nothing was applied";
  const all: readonly Finding[] = [
    ...findings,
    ...(isBroken ? [warning("output-incomplete", undefined, broken, "run `agentform validate`")] : []),
  ];
  const inEnvironment = ({ message, ...rest }: Finding): Finding => {
    return { ...rest, message: areAll ? `${message} (${nameOf(lock)})` : message };
  };
  return {
    ids,
    diagnostics: locate(all.map(inEnvironment)),
    unselected: locate(checkSelector(selector, resources.values())),
  };
}

function nameOf({ environment }: ReadLock["lock"]): string {
  return environment === null ? "the default environment" : `environment ${environment}`;
}
