import { refused, type Checked } from "../../core/finding/checked.js";
import { error, note, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { appliedSettings } from "../../core/plan/applied-settings.js";
import { checkMoveSize } from "../../core/plan/plan-size.js";
import { environmentsWithState } from "../../core/resources/environment-name.js";
import { withLock, type Settings } from "../../core/resources/manifest.js";
import { parseLock, renderLock, type Lock, type LockOwner } from "../../core/state/lock.js";
import {
  explainMove,
  parseMove,
  renderMove,
  storeText,
  type DepartedLock,
} from "../../core/state/lock-move.js";
import type { StoredState, LockStore } from "../../core/state/lock-store.js";
import { nextWrite } from "../../core/state/lock-writes.js";
import { newName } from "../new-name.js";
import { equal, type JsonObject } from "../../json/json.js";
import type { RepairResult } from "./edits.js";
import { checkNewest } from "../newest-state.js";
import type { PlanRequest } from "../request.js";
import { readState } from "../read-state.js";
import { locationOf, ownerOf } from "../state-access.js";
import { explaining, holding, recoverState, transactIn, type Scene } from "../transact.js";
import { openStore } from "../../store/open-store.js";
import { loadWorkspace, type SoundWorkspace } from "../../workspace/load-workspace.js";

/** What to move, and where to. */
export interface MoveRequest extends PlanRequest {
  /** The store, as `spec.lock` would name it. */
  readonly to: JsonObject;
}

/** A store, and how the manifest names it. */
interface End {
  readonly store: LockStore;
  readonly named: JsonObject;
}

/** A move between two stores that this process holds. */
interface MoveUnderWay {
  readonly from: End;
  readonly to: End;
  /** The settings of the new store. */
  readonly settings: Settings;
  /** Why the state of the old store is not used, unless it is one that has left. */
  readonly refusal: readonly Finding[];
  readonly request: MoveRequest;
  /** Whether one of the two stores has something of a move that is not finished. */
  isUnderWay: boolean;
}

/**
 * Moves the states of all environments from the store of the manifest to a different one: the manifest names one
 * store for all of them, so an environment that stays behind would have everything created again.
 */
export async function moveState(request: MoveRequest): Promise<RepairResult> {
  const { environments } = loadWorkspace(request);
  // The place of the states is the same in all of them.
  const loaded = loadWorkspace({ ...request, environment: environments[0] ?? null });
  if (!loaded.fleet) return { status: "refused", diagnostics: loaded.diagnostics };
  const { settings } = loaded.fleet;
  const changes: string[] = [];
  const files = new Set<string>();
  for (const environment of environmentsWithState(settings.environments)) {
    const fleet = { ...loaded.fleet, settings: { ...settings, environment } };
    const moved = await moveOne({ ...loaded, fleet }, { ...request, environment });
    changes.push(...(moved.changes ?? []));
    for (const file of moved.files ?? []) files.add(file);
    if (moved.status === "done") continue;
    const isBegun = moved.isBegun || changes.length > 0;
    const unfinished = isBegun ? loaded.locate([explainUnfinished()]) : [];
    return { status: moved.status, changes, diagnostics: [...moved.diagnostics, ...unfinished] };
  }
  const commit = files.size > 0 ? `, and commit ${[...files].join(" and ")} with it` : "";
  const to = storeText(request.to);
  const last = `agentform.yaml: write \`lock: ${to}\` under \`spec\`${commit}`;
  return { status: "done", changes: [...changes, last], diagnostics: [] };
}

/** How the move of one environment ended. */
interface Moved extends RepairResult {
  /** The lock files that the move has changed. */
  readonly files?: readonly string[];
  /** Whether one of the two stores has something of it, although it has not ended. */
  readonly isBegun?: boolean;
}

async function moveOne(loaded: SoundWorkspace, request: MoveRequest): Promise<Moved> {
  const { settings } = loaded.fleet;
  const refuse = (findings: readonly Finding[]): RepairResult => {
    return { status: "refused", diagnostics: loaded.locate(findings) };
  };
  let move: MoveUnderWay | undefined;
  const ended = await transactIn<MoveUnderWay, { readonly stored: StoredState }, RepairResult>(
    loaded,
    request,
    {
      async agree({ store }) {
        const there = withLock(settings, request.to);
        if (!there.ok) return { ok: false, ended: refuse(there.problems.map(ofOption)) };
        if (equal(nameOf(settings), nameOf(there.settings)))
          return { ok: false, ended: refuse([explainSame()]) };
        const read = await readState(settings, request);
        const refusal = read.ok ? checkMoveSize(read.lockLength, request.mostCharacters) : read.problems;
        if (refusal.some(({ code }) => code !== "lock-moved")) return { ok: false, ended: refuse(refusal) };
        const from = { store, named: nameOf(settings) };
        const to = {
          store: await openStore(there.settings, locationOf(request)),
          named: nameOf(there.settings),
        };
        move = { from, to, settings: there.settings, refusal, request, isUnderWay: false };
        return { ok: true, agreed: move };
      },
      // A state that has left is no lock any more.
      recover: async ({ store }) => ({ ok: true, stored: await store.read() }),
      async run(agreed, { stored }, scene) {
        const { store } = agreed.to;
        return await explaining(store, loaded, () =>
          holding(store, async (): Promise<RepairResult> => {
            const result = await run(agreed, stored, scene);
            if (!result.ok) return refuse(result.problems);
            return { status: "done", changes: [result.change], diagnostics: [] };
          }),
        );
      },
    },
  );
  const files =
    move &&
    [move.from, move.to].flatMap(({ store, named }) => (named.store === "file" ? [store.lockName] : []));
  return { ...ended, ...(files && { files }), isBegun: move?.isUnderWay === true };
}

function nameOf({ lock }: Settings): JsonObject {
  return { ...lock } as unknown as JsonObject;
}

/**
 * Moves the state with three writes: the new store gets the lock in a form that nothing uses, the old one says where
 * the state went, and the new one gets the lock itself. Up to the second write the state is in the old store, and
 * after it the same command does the third. So wherever the process dies, at most one of the two is used, and the
 * state is in one of them.
 */
async function run(move: MoveUnderWay, held: StoredState, scene: Scene): Promise<Checked<Done>> {
  const { from, to, settings, refusal } = move;
  const owner = ownerOf(settings);
  const departed = departureIn(held, owner);
  if (departed) return await finish(departed, move);
  if (refusal.length > 0) return refused(refusal);
  const recovered = await recoverState(scene);
  if (!recovered.ok) return recovered;
  if (recovered.version === null)
    return done(`${from.store.lockName}: nothing was applied, so there is nothing to move`);
  const lock = arrivingLock(recovered.lock, settings);
  const stored = await to.store.read();
  const blocked = await findBlock(stored, lock, move);
  if (blocked) return refused([blocked]);
  const text = renderLock(lock);
  const { lineage, serial, writes } = lock;
  const end = { ...owner, lineage, serial, writes };
  const arriving = renderMove({ ...end, from: from.named, lock: text });
  move.isUnderWay = true;
  const version = await to.store.replace(arriving, stored.version);
  await from.store.replace(renderMove({ ...end, to: to.named }), recovered.version);
  await to.store.replace(text, version);
  move.isUnderWay = false;
  return done(`${from.store.lockName}: moved to ${to.store.lockName}, now serial ${serial}`);
}

/** Does what is left of a move whose process ended after the state had left the old store. */
async function finish(departed: DepartedLock, move: MoveUnderWay): Promise<Checked<Done>> {
  const { from, to, settings } = move;
  if (!equal(departed.to, to.named)) return refused([explainMove(departed, from.store.lockName)]);
  const { lock: text, version } = await to.store.read();
  const end = text === null ? undefined : parseMove(text);
  if (end?.lock !== undefined && end.writes === departed.writes) {
    move.isUnderWay = true;
    await to.store.replace(end.lock, version);
    return done(`${from.store.lockName}: moved to ${to.store.lockName}, now serial ${end.serial}`);
  }
  if (end && isAfter(end, departed)) return refused([explainMove(end, to.store.lockName)]);
  const there = text === null ? undefined : parseLock(text, to.store.lockName, ownerOf(settings));
  if (there?.ok && isAfter(there.lock, departed)) {
    return done(
      `${from.store.lockName}: is moved to ${to.store.lockName} already, which has serial ${there.lock.serial}`,
    );
  }
  const message = say`${bare({ lock: from.store.lockName })} has moved to ${bare({ to: to.store.lockName })}, which does not have what was moved there (serial ${{ serial: departed.serial }})`;
  const hint = `restore an earlier version of ${to.store.lockName}; agentform has changed neither of them`;
  return refused([error("lock-moved", undefined, message, hint)]);
}

interface Done {
  readonly change: string;
}

function done(change: string): Checked<Done> {
  return { ok: true, change };
}

function departureIn({ lock }: StoredState, owner: LockOwner): DepartedLock | undefined {
  const end = lock === null ? undefined : parseMove(lock);
  if (!end?.to) return undefined;
  return end.workspace === owner.workspace && end.environment === owner.environment ? end : undefined;
}

// The place that the lock remembers is that of the last apply, and the next one is to find it unchanged.
function arrivingLock(lock: Lock, settings: Settings): Lock {
  const { lock: _place, ...others } = lock.settings ?? {};
  const { lock: place } = appliedSettings(settings, false);
  const kept = lock.settings && { settings: { ...others, ...(place && { lock: place }) } };
  return nextWrite(lock, { ...lock, ...kept }, newName());
}

/** Finds why the state cannot move to a store: it has one already, or a newer one is known of it. */
async function findBlock(
  { lock: text, journal, newest }: StoredState,
  lock: Lock,
  { from, to, settings, request }: MoveUnderWay,
): Promise<Finding | undefined> {
  const { lockName } = to.store;
  const end = text === null ? undefined : parseMove(text);
  const isOurs =
    end?.workspace === lock.workspace &&
    end.environment === lock.environment &&
    isAfter(lock, end) &&
    (end.to !== undefined || equal(end.from, from.named));
  if (journal !== null || (text !== null && !isOurs)) {
    const hint = "choose a different place; if what is there is not needed any more, remove it there first";
    return error("lock-occupied", undefined, say`${bare({ lock: lockName })} has a state already`, hint);
  }
  const present = { lock, version: null, ...(newest !== undefined && { newest }), areEditsShown: false };
  const { directory, environment = null } = request;
  const behind = await checkNewest(to.store, present, ownerOf(settings), { directory, environment });
  return behind.find(({ severity }) => severity === "error");
}

function isAfter(
  later: Pick<Lock, "lineage" | "serial">,
  earlier: Pick<Lock, "lineage" | "serial">,
): boolean {
  return later.lineage === earlier.lineage && later.serial >= earlier.serial;
}

function ofOption({ place: _place, ...finding }: Finding): Finding {
  return { ...finding, message: `--to: ${finding.message}` };
}

function explainSame(): Finding {
  const hint = "to move a state there, run this with the `spec.lock` of the store that has the state";
  return error("lock-location", undefined, "--to is the store that `spec.lock` names already", hint);
}

function explainUnfinished(): Finding {
  return note("lock-moving", undefined, "the move is not finished", "run the same command again");
}
