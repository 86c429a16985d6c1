import { join } from "node:path";
import type { Schema } from "yaml";
import { refused, type Refusal } from "../core/finding/checked.js";
import { error, hasErrors, type Diagnostic } from "../core/finding/diagnostic.js";
import { keepDrift, type KeptDrift } from "../core/keep/keep-drift.js";
import type { ChangedElsewhere, ReloadedWorkspace } from "../core/keep/edit-trial.js";
import type { UneditedEnvironment } from "../core/keep/patch-edits.js";
import type { Observation } from "../core/observation/observation.js";
import type { Plan } from "../core/plan/plan.js";
import { noOptions } from "../core/plan/plan-options.js";
import { environmentName } from "../core/resources/environment-name.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import type { WritableState } from "../core/state/lock-store.js";
import type { KnownState } from "../core/state/stored-state.js";
import { realFolder } from "../disk/real-path.js";
import { lazy } from "../json/once.js";
import { readAbove } from "../workspace/others/documents-elsewhere.js";
import { replaceFiles, whyForeign } from "../workspace/edited-files.js";
import { patchFolder } from "../workspace/document-name.js";
import { IncludedFiles } from "../workspace/included-files.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../workspace/load-workspace.js";
import { openFolder, OpenWorkspace } from "../workspace/open-workspace.js";
import type { WorkspaceFolder } from "../workspace/workspace-folder.js";
import { agreeTo, type Agreeing } from "./agreement.js";
import { chooser, driftIn, type DriftRequest } from "./drift.js";
import { judgeOf, type FleetJudge } from "./judged-fleet.js";
import { recoverState, transact, writeNext, type Agreement } from "./transact.js";

/** What is shown before anything is written. */
export interface ShownDrift {
  readonly kept: KeptDrift;
  readonly plan: Plan;
  readonly observation: Observation;
  readonly diagnostics: readonly Diagnostic[];
}

/** What to write, and how. */
export interface WriteDriftRequest extends DriftRequest, Agreeing<ShownDrift> {
  /** How new texts are written. */
  readonly schema: Schema;
}

/** How it ended. */
export interface WriteDriftResult {
  readonly status: "done" | "unchanged" | "refused" | "moved" | "declined" | "pending";
  readonly shown?: ShownDrift;
  /** Those that were not shown before the question. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes what somebody changed in the service into documents, patches and prompt files, and into the lock. */
export async function writeDrift(request: WriteDriftRequest): Promise<WriteDriftResult> {
  return await transact<ShownDrift, KnownState, WriteDriftResult>(request, {
    // What documents say is compared with what was sent.
    needsManifestAlone: false,
    agree: async ({ loaded }) => await agree(loaded, request),
    recover: recoverState,
    run: async (shown, held, { store }) => await write(store, shown, held, request),
  });
}

async function agree(
  loaded: SoundWorkspace,
  request: WriteDriftRequest,
): Promise<Agreement<ShownDrift, WriteDriftResult>> {
  const { plan, observation, diagnostics, state } = await driftIn(loaded, request);
  if (!plan || !observation || !state) return { status: "refused", diagnostics };
  const opened = openFolder(request.directory);
  if (!opened.ok) return opened;
  const kept = await keepIn(loaded, state.lock, observation, opened.folder, request);
  const shown = { kept, plan, observation, diagnostics: [...diagnostics, ...loaded.locate(kept.left)] };
  if (kept.kept.length === 0) {
    const status = hasErrors(diagnostics) ? "refused" : "unchanged";
    return { status, shown, diagnostics: shown.diagnostics };
  }
  const { lock } = state;
  const proposal = { shown, digest: kept.digest, diagnostics: shown.diagnostics, lock };
  const disagreement = await agreeTo(proposal, loaded, request);
  return disagreement ? { ...disagreement, shown } : { ok: true, agreed: shown };
}

// Files first: the same command goes on if it dies, because what a file says already is then only noted.
async function write(
  store: WritableState,
  shown: ShownDrift,
  held: KnownState,
  request: WriteDriftRequest,
): Promise<WriteDriftResult | Refusal> {
  // Somebody may have edited documents while the question was open.
  const loaded = loadWorkspace(request);
  if (!isSound(loaded)) return { status: "refused", diagnostics: loaded.diagnostics };
  const opened = openFolder(request.directory);
  if (!opened.ok) return opened;
  const kept = await keepIn(loaded, held.lock, shown.observation, opened.folder, request);
  if (kept.digest !== shown.kept.digest) {
    const message = "the lock or the workspace has changed since the edits were shown";
    const hint = "run the command again, and look at what it shows";
    return { status: "moved", diagnostics: loaded.locate([error("lock-changed", undefined, message, hint)]) };
  }
  const unwritten = replaceFiles(opened.folder, kept.files);
  if (unwritten) return refused([unwritten]);
  const entries = kept.kept.map(({ address, entry }) => [address, entry] as const);
  const next = { ...held.lock, resources: { ...held.lock.resources, ...Object.fromEntries(entries) } };
  await writeNext(store, held, next);
  return { status: "done", shown, diagnostics: [] };
}

async function keepIn(
  { fleet, environments }: SoundWorkspace,
  lock: Lock,
  observation: Observation,
  folder: WorkspaceFolder,
  request: WriteDriftRequest,
): Promise<KeptDrift> {
  const own = realFolder(request.directory);
  const above = lazy(() => readAbove(own, request));
  return keepDrift({
    fleet,
    lock,
    observation,
    isChosen: chooser(fleet, lock, request),
    includes: new IncludedFiles(folder),
    whyForeign: (file) => whyForeign(folder, file) ?? (above().has(join(own, file)) ? "above" : undefined),
    read(file) {
      const read = folder.read(file);
      return read.ok ? read.text : undefined;
    },
    schema: request.schema,
    ...editedLoads(request, fleet, environments, await judgeOf(fleet)),
    patchFolder: patchFolder(fleet.settings.environment),
  });
}

/** Loads a workspace in all of its environments, as it is and then with edits. */
function editedLoads(
  request: WriteDriftRequest,
  fleet: Fleet,
  environments: readonly (string | null)[],
  judge: FleetJudge | undefined,
) {
  const { environment: own } = fleet.settings;
  const loadWith = (texts: ReadonlyMap<string, string>) => {
    const open = new OpenWorkspace(request.directory);
    for (const [file, text] of texts) open.edit(file, text);
    return (environment: string | null) => loadOf(request, open, environment, judge);
  };
  const load = loadWith(new Map());
  const ownBefore: LoadedEnvironment = judge ? load(own) : { fleet, errors: [], broken: [] };
  const others = environments
    .filter((each) => each !== own)
    .map((environment) => ({ environment, before: load(environment) }));
  return {
    others: others.map(({ before }): UneditedEnvironment => ({
      resources: before.fleet?.resources ?? new Map(),
      isSound: before.errors.length === 0,
    })),
    reload(texts: ReadonlyMap<string, string>): ReloadedWorkspace {
      const reloaded = loadWith(texts);
      const now = reloaded(own);
      const after = others.map((each) => ({ ...each, now: reloaded(each.environment) }));
      // What is wrong without the edits, they did not do.
      const problems = [{ before: ownBefore, now }, ...after].flatMap(({ before, now: edited }) => [
        ...(before.errors.length === 0 ? edited.errors : []),
        ...(before.broken.length === 0 ? edited.broken : []),
      ]);
      const elsewhere = after.flatMap(({ environment, before, now: edited }) =>
        changedIn(environmentName(environment), before.fleet?.resources, edited.fleet?.resources),
      );
      return { resources: now.fleet?.resources ?? new Map(), problems, elsewhere };
    },
  };
}

function changedIn(
  environment: string,
  before: Fleet["resources"] = new Map(),
  now: Fleet["resources"] = new Map(),
): ChangedElsewhere[] {
  return [...before].flatMap(([address, { digest, files }]) =>
    now.get(address)?.digest === digest ? [] : [{ environment, address, files }],
  );
}

interface LoadedEnvironment {
  readonly fleet: Fleet | undefined;
  readonly errors: readonly Diagnostic[];
  /** Where a rule of effect `error` is broken. */
  readonly broken: readonly Diagnostic[];
}

function loadOf(
  request: WriteDriftRequest,
  open: OpenWorkspace,
  environment: string | null,
  judge: FleetJudge | undefined,
): LoadedEnvironment {
  const { options = noOptions, cacheFolder: _cacheFolder, onIgnored: _onIgnored, ...rest } = request;
  const loaded = loadWorkspace({ ...rest, options, environment, open: open.look() });
  const { fleet, diagnostics } = loaded;
  const judged = fleet && judge ? loaded.locate(judge(fleet).findings) : [];
  return { fleet, errors: diagnostics.filter(isError), broken: judged.filter(isError) };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}
