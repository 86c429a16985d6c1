import { readdirSync } from "node:fs";
import { unlessFailing } from "../disk/unless-failing.js";
import { lockFilesAmong } from "../core/resources/lock-location.js";
import { warnOfGoneEnvironments } from "./around/gone-environments.js";
import { isDeepStrictEqual } from "node:util";
import { prunedIds } from "../core/plan/plan-summary.js";
import { appliedSettings } from "../core/plan/applied-settings.js";
import { refused, type Checked } from "../core/finding/checked.js";
import { error, hasErrors, type Finding, type Place, unframed } from "../core/finding/diagnostic.js";
import { bare, say, type Sentence } from "../core/finding/said.js";
import type { Observation } from "../core/observation/observation.js";
import { buildPlan, type Plan } from "../core/plan/plan.js";
import { checkOptions } from "../core/plan/plan-check.js";
import { withOrigins } from "../core/review/origins.js";
import { noOptions } from "../core/plan/plan-options.js";
import { checkServiceIdentity } from "../core/state/service-identity.js";
import { type Lock, ownerOf } from "../core/state/lock.js";
import type { Fleet } from "../core/resources/fleet.js";
import { serviceIn, type ApplyRequest, type ChosenPlan, type PlanRequest } from "./request.js";
import type { UsersElsewhere } from "../core/plan/users-elsewhere.js";
import type { Settings } from "../core/resources/manifest.js";
import { lazy } from "../json/once.js";
import { findUsing } from "../workspace/others/using-workspaces.js";
import { secretsNearby } from "../workspace/others/secrets-nearby.js";
import { sentElsewhere } from "./around/sent-elsewhere.js";
import { checkUnfinished } from "./unfinished-import.js";
import { judgeFleet } from "./judged-fleet.js";
import { readState } from "./read-state.js";
import type { SoundWorkspace } from "../workspace/load-workspace.js";

/** Gives the plan for an apply: a new one, or the saved one if the state that it used has not changed. */
export async function choosePlan(loaded: SoundWorkspace, request: ApplyRequest): Promise<ChosenPlan> {
  const ids = request.saved ? prunedIds(request.saved.plan) : request.prune;
  if (ids) return await choosePrune(loaded, request, ids);
  if (request.saved) return await checkSaved(loaded, request, request.saved);
  const planned = await planWith(loaded, request);
  const { plan, missing = [], diagnostics } = planned;
  if (missing.length > 0) {
    const message = say`the lock lacks entries of the --lock-from commit: ${bare({ addresses: [...missing] })}`;
    const finding = error("plan-moved", undefined, message, "merge that commit, and plan again");
    return { ...planned, diagnostics: [...diagnostics, ...loaded.locate([finding])], isMoved: true };
  }
  const isMoved = request.expect !== undefined && plan !== undefined && plan.digest !== request.expect;
  return { ...planned, isMoved };
}

// A plan to prune is made again, for the service knows users; other plans go without its code.
async function choosePrune(
  loaded: SoundWorkspace,
  request: ApplyRequest,
  ids: readonly string[],
): Promise<ChosenPlan> {
  const { saved, expect } = request;
  const { settings } = loaded.fleet;
  const emulator = request.options?.emulator === true;
  if (saved) {
    const { checkOwner } = await import("../core/review/saved-plan-check.js");
    const foreign = checkOwner(saved.plan, ownerOf(settings), emulator, saved.file);
    if (foreign.length > 0) return { diagnostics: loaded.locate(foreign) };
  }
  const { planPruneWith } = await import("./prune.js");
  const planned = await planPruneWith(loaded, { ...request, ids });
  const digest = planned.plan?.digest;
  const isMoved = [saved?.plan.digest, expect].some((wanted) => wanted !== undefined && wanted !== digest);
  return { ...planned, isMoved: planned.plan !== undefined && isMoved };
}

/** Plans with the present state. */
export async function planWith(loaded: SoundWorkspace, request: PlanRequest): Promise<ChosenPlan> {
  const { fleet } = loaded;
  const { settings } = fleet;
  const { options = noOptions } = request;
  // What is of this change comes before what the documents have in every plan: a comment lists the first of them.
  const all = (findings: readonly Finding[]) => [...loaded.locate(findings), ...loaded.diagnostics];
  const read = await readState(fleet, request);
  if (!read.ok) return { diagnostics: all(read.problems) };
  const { state, base, source, lockLength, changes = [], missing = [] } = read;
  const findings = [
    ...state.findings,
    ...checkOptions(options, fleet, state.lock),
    ...checkUnfinished(fleet, state.lock, request),
    ...(await usedNewest(fleet, request)),
    ...(await warnOfGoneEnvironments(settings, request)),
  ];
  if (!options.serviceMoved) {
    findings.push(...checkServiceIdentity(state.lock, serviceIn(settings, request), settings.servicePlace));
  }
  const judged = await judgeFleet(fleet, state.lock, base);
  for (const finding of judged?.findings ?? [])
    if (finding.severity === "error" || finding.code === "rule-unused") findings.push(finding);
  const observed = await readObservation(fleet, state.lock, request);
  if (!observed.ok) findings.push(...observed.problems);
  if (!observed.ok || hasErrors(findings)) return { diagnostics: all(findings) };
  const { observation } = observed;
  const planned = buildPlan({
    fleet,
    lock: state.lock,
    base,
    ...(observation && { observation }),
    source: state.exists ? source : null,
    lockLength,
    mostCharacters: request.mostCharacters,
    stateChanges: changes,
    options,
    judge: judged?.judge,
    ...(!options.emulator && { usersElsewhere: usersIn(settings, request) }),
    ...(!options.emulator && { sentElsewhere: sentElsewhere(settings, request) }),
    nearby: lazy(() => secretsNearby(settings, request)),
  });
  const taken = await takenNearby(planned.plan, fleet, request);
  const left = await leftAtMove(planned.plan, state.lock, settings, request);
  const diagnostics = all([...findings, ...planned.findings, ...taken, ...left]);
  const attributed = withOrigins(planned.plan, fleet, loaded.lines);
  return {
    plan: { ...attributed, diagnostics: unframed(diagnostics) },
    state,
    missing,
    diagnostics,
  };
}

async function usedNewest(fleet: Fleet, request: PlanRequest): Promise<Finding[]> {
  if (fleet.used.size === 0) return [];
  const { checkUsedNewest } = await import("./around/used-newest.js");
  return await checkUsedNewest(fleet, request);
}

// Read only where something is taken over.
async function takenNearby(built: Plan, fleet: Fleet, request: PlanRequest) {
  if (!built.actions.some(({ action }) => action === "adopt")) return [];
  const { findTakenNearby } = await import("./around/managed-elsewhere.js");
  return await findTakenNearby(built, fleet, request);
}

// Read only where something is created, and another lock file is there than that of the state.
async function leftAtMove(built: Plan, lock: Lock, settings: Settings, request: PlanRequest) {
  if (request.options?.emulator || !built.actions.some(({ action }) => action === "create")) return [];
  const names = unlessFailing(() => readdirSync(request.directory)) ?? [];
  const isOwn = (environment: string | null) =>
    settings.lock.store === "file" && environment === settings.environment;
  const others = lockFilesAmong(names).filter((each) => !isOwn(each));
  if (others.length === 0) return [];
  const { findLeftAtMove } = await import("./around/left-at-move.js");
  return await findLeftAtMove(built, lock, settings, others, request);
}

function usersIn(settings: Settings, request: PlanRequest): UsersElsewhere {
  const using = lazy(() => findUsing(request.directory, ownerOf(settings), request));
  return (address, isSettled) =>
    using().flatMap(({ where, key, users }) => {
      const uses =
        isSettled && key !== undefined && request.together?.has(key) ? undefined : users.get(address);
      return uses ? [{ where, uses }] : [];
    });
}

async function readObservation(
  { settings }: Fleet,
  lock: Lock,
  request: PlanRequest,
): Promise<Checked<{ readonly observation?: Observation }>> {
  const { observed } = request;
  if (!observed) return { ok: true };
  const { parseObservation } = await import("../core/observation/observation.js");
  const { checkObservation } = await import("../core/observation/check-observation.js");
  const parsed = parseObservation(observed.text, observed.file);
  if (!parsed.ok) return parsed;
  const identity = serviceIn(settings, request);
  const owner = ownerOf(settings);
  const problems = checkObservation(parsed.observation, owner, identity, lock, observed.file);
  return problems.length > 0 ? refused(problems) : parsed;
}

async function checkSaved(
  loaded: SoundWorkspace,
  request: ApplyRequest,
  { plan: saved, file }: NonNullable<ApplyRequest["saved"]>,
): Promise<ChosenPlan> {
  const { settings } = loaded.fleet;
  const { options = noOptions } = request;
  const { checkHidden, checkOwner, digestNow, movedEntries } =
    await import("../core/review/saved-plan-check.js");
  const foreign = checkOwner(saved, ownerOf(settings), options.emulator, file);
  if (foreign.length > 0) return { diagnostics: loaded.locate(foreign) };
  const read = await readState(loaded.fleet, request);
  if (!read.ok) return { diagnostics: loaded.locate(read.problems) };
  const { state } = read;
  const moved = movedEntries(saved, state.lock, loaded.fleet);
  const emulator = options.emulator;
  const now = appliedSettings(settings, emulator);
  const digest = digestNow(saved, now, state.lock);
  const digestMoved = digest !== saved.digest || (request.expect !== undefined && request.expect !== digest);
  const findings = [
    ...state.findings,
    ...(await usedNewest(loaded.fleet, request)),
    ...(await leftAtMove(saved, state.lock, settings, request)),
  ];
  if (moved.length === 0) findings.push(...checkHidden(saved, state.lock, file));
  if (digest !== saved.digest) {
    const message = isDeepStrictEqual(now, saved.settings ?? {})
      ? "the settings of the last apply are not those that the plan was compared with"
      : "the settings have changed since the plan was made";
    findings.push(planMoved(message, { file }));
  }
  if (moved.length > 0) {
    const message = say`the lock has changed since the plan was made: ${bare({ addresses: moved })}`;
    findings.push(planMoved(message, { file }));
  }
  if (saved.options.service_moved !== true) {
    findings.push(...checkServiceIdentity(state.lock, serviceIn(settings, request), settings.servicePlace));
  }
  return {
    plan: saved,
    state,
    diagnostics: loaded.locate(findings),
    isMoved: moved.length > 0 || digestMoved,
  };
}

/** Finds that a plan is not the one that was reviewed. */
export function planMoved(message: Sentence, place?: Place): Finding {
  return error("plan-moved", place, message, "plan again and review the new plan");
}
