import { error, note, type Finding } from "../../core/finding/diagnostic.js";
import { checkLockSize } from "../../core/plan/plan-size.js";
import type { Settings } from "../../core/resources/manifest.js";
import { placeJson } from "../../core/resources/store-place.js";
import type { RepairChange } from "../../core/lock-edit/repair-change.js";
import { environmentName, environmentsOf } from "../../core/resources/environment-name.js";
import { parseMove, storeText } from "../../core/state/lock-move.js";
import {
  StoreHeldError,
  unlessMediumFails,
  type LockStore,
  type StoredState,
} from "../../core/state/lock-store.js";
import { findCopied } from "./copied-state.js";
import { done, type RepairResult } from "./edits.js";
import { findMoves, withState, type MoveEnds, type MovedStates } from "./moved-states.js";
import { locationOf, type PlanRequest } from "../request.js";
import { readState } from "../read-state.js";
import { ownerOf } from "../../core/state/lock.js";
import { explaining, holding, transactIn } from "../transact.js";
import { openStore, placeOf, type StoreLocation } from "../../store/open-store.js";
import { carryOver, findOccupied, isRenamed, rename, type End, type MoveUnderWay } from "./move-steps.js";
import { loadWorkspace, type SoundWorkspace } from "../../workspace/load-workspace.js";
import { refused, type Refusal } from "../../core/finding/checked.js";

/** What to move, and where to or from. */
export interface MoveRequest extends PlanRequest {
  readonly moving: MovedStates;
}

/** Moves states from the former store or name; all environments, for one left behind would be created anew. */
export async function moveState(asked: MoveRequest): Promise<RepairResult> {
  const { environments } = loadWorkspace(asked);
  // The place of the states is the same in all of them.
  const environment = "fromEnvironment" in asked.moving ? asked.environment : environments[0];
  const loaded = loadWorkspace({ ...asked, environment: environment ?? null });
  if (!loaded.fleet) return { status: "refused", diagnostics: loaded.diagnostics };
  const { fleet } = loaded;
  const moving = withSeal(asked.moving, fleet.settings.lock.seal);
  const request = { ...asked, moving };
  const found = findMoves(moving, fleet.settings);
  if (!found.ok) return { status: "refused", diagnostics: loaded.locate(found.problems) };
  const changes: RepairChange[] = [];
  const files = new Set<string>();
  let isAny = false;
  const moves = await withState(found.moves, request);
  const occupied = await refuseOccupied(moves, { ...loaded, fleet }, request);
  if (occupied) return occupied;
  for (const ends of moves) {
    const at = { ...loaded, fleet: { ...fleet, settings: ends.from } };
    const moved = await moveOne(at, ends.to, { ...request, environment: ends.from.environment });
    changes.push(...(moved.changes ?? []));
    for (const file of moved.files ?? []) files.add(file);
    isAny ||= moved.isThere === true;
    if (moved.status === "done") continue;
    const isBegun = moved.isBegun || changes.length > 0;
    const unfinished = isBegun ? loaded.locate([explainUnfinished()]) : [];
    return { status: moved.status, changes, diagnostics: [...moved.diagnostics, ...unfinished] };
  }
  if (!("to" in moving) && !isAny)
    return { status: "refused", changes, diagnostics: loaded.locate([explainNothing()]) };
  return done([...changes, ...lastStep(moving, [...files])]);
}

// A place that is another's stays it, and one with two names cannot be held twice. So it is found before anything moves.
async function refuseOccupied(
  moves: readonly MoveEnds[],
  loaded: SoundWorkspace,
  request: MoveRequest,
): Promise<RepairResult | undefined> {
  for (const { from, to } of moves.filter((ends) => placeOf(ends.from) !== placeOf(ends.to))) {
    const [here, there] = [await openStore(from, locationOf(request)), await openStore(to, thereOf(request))];
    // What cannot be read is told when its state moves; of several, before the first does.
    const held = await unlessMediumFails(here.read(), () => undefined);
    if (!held) continue;
    const looking = () => findOccupied(held, ownerOf(from), there);
    const look = { ...request, environment: from.environment };
    const found =
      moves.length > 1
        ? await explaining(there, loaded, look, looking)
        : await unlessMediumFails(looking(), () => undefined);
    if (found) return "status" in found ? found : { status: "refused", diagnostics: loaded.locate([found]) };
  }
  return undefined;
}

// A seal goes with the state, unless another one is named.
function withSeal(moving: MovedStates, seal: string | undefined): MovedStates {
  return "to" in moving && seal !== undefined ? { to: { seal, ...moving.to } } : moving;
}

// A mark of an earlier move may have the seal of an earlier key. It is written over; what is used is looked at there.
function thereOf(request: MoveRequest): StoreLocation {
  return { ...locationOf(request), isChosenHere: "to" in request.moving, sealCheck: "told" };
}

interface Moved extends RepairResult {
  /** The lock files that the move has changed. */
  readonly files?: readonly string[];
  /** Whether there is a state that this or an earlier run has moved. */
  readonly isThere?: boolean;
  /** Whether one of the two stores has something of it, although it has not ended. */
  readonly isBegun?: boolean;
}

async function moveOne(loaded: SoundWorkspace, there: Settings, request: MoveRequest): Promise<Moved> {
  const { settings } = loaded.fleet;
  const isInPlace = placeOf(settings) === placeOf(there);
  const leadsThere = "to" in request.moving ? undefined : nameBefore(settings, there);
  const location = isInPlace ? { ...request, renamedTo: ownerOf(there) } : { ...request, leadsThere };
  let move: MoveUnderWay | undefined;
  let isThere = false;
  const ended = await transactIn<MoveUnderWay, { readonly stored: StoredState }, RepairResult>(
    loaded,
    location,
    {
      async agree({ store }) {
        const from = endOf(store, settings);
        const to = endOf(isInPlace ? store : await openStore(there, thereOf(request)), there);
        const read = await readState(loaded.fleet, location, { findsLeftBehind: "to" in request.moving });
        const refusal = read.ok
          ? checkLockSize("move", read.lockLength, [], request.mostCharacters)
          : read.problems;
        if (!("fromEnvironment" in request.moving) && (await hasOtherName(from))) return done([]);
        const isDone = isInPlace && (await isRenamed(to));
        const isUsable = ({ code }: Finding) => code === "lock-moved" || (isDone && code === "lock-foreign");
        if (!refusal.every(isUsable)) return refused(refusal);
        const copied =
          read.ok && read.state.exists ? findCopied(read.state.lock, settings, request.moving, request) : [];
        if (copied.length > 0) return refused(copied);
        // Nothing is held for it: a hold leaves a ref or an object behind.
        if (read.ok && !read.state.exists && !isBegunThere(settings, request)) {
          await refuseBeginning(store);
          const type = isInPlace ? "nothing-to-rename" : "nothing-to-move";
          return done([{ type, lock: store.lockName }]);
        }
        move = { from, to, refusal, request, isUnderWay: false };
        return { ok: true, agreed: move };
      },
      // A state that has left is no lock any more.
      recover: async ({ store }) => ({ ok: true, stored: await store.read() }),
      async run(agreed, { stored }, scene) {
        const { store } = agreed.to;
        const carryOut = async (): Promise<RepairResult | Refusal> => {
          const result = await (isInPlace ? rename(agreed, scene) : carryOver(agreed, stored, scene));
          if (!result.ok) return result;
          isThere = true;
          return done([result.change]);
        };
        if (isInPlace) return await carryOut();
        const leadsThere = "to" in request.moving ? `\`lock: ${storeText(agreed.to.named)}\`` : undefined;
        return await explaining(store, loaded, { ...request, leadsThere }, () => holding(store, carryOut));
      },
    },
  );
  const files =
    move && isThere
      ? [move.from, move.to].flatMap(({ store, named }) => (named.store === "file" ? store.lockName : []))
      : [];
  return { ...ended, files, isThere, isBegun: move?.isUnderWay === true };
}

// Where the manifest does not have `default`, its state may have got another name, under which it moves.
async function hasOtherName({ store, settings }: End): Promise<boolean> {
  const { environment, environments } = settings;
  if (environmentsOf(environments).includes(environment)) return false;
  const { lock } = await store.read();
  const end = lock === null ? undefined : parseMove(lock);
  return end?.to !== undefined && end.as !== undefined && end.as.environment !== environment;
}

// Who was renamed holds the state under the name from before.
function nameBefore(before: Settings, now: Settings): string {
  return before.name === now.name
    ? `the environment \`${environmentName(before.environment)}\``
    : `\`name: ${before.name}\``;
}

// An older manifest must not begin a state beside the one of the new place. A former name may be one that never was.
function isBegunThere({ environment, environments }: Settings, { moving }: MoveRequest): boolean {
  return "to" in moving && environmentsOf(environments).includes(environment);
}

// A first apply that has taken the store, and has not written yet, would go on in the old place.
async function refuseBeginning(store: LockStore): Promise<void> {
  const { holder } = await store.read();
  if (holder?.life === "alive") throw new StoreHeldError(holder);
}

function endOf(store: LockStore, settings: Settings): End {
  return { store, settings, owner: ownerOf(settings), named: placeJson(settings.lock) };
}

/** Finds that there is no state of the name from before. */
function explainNothing(): Finding {
  const message = "nothing was applied under the earlier name, so there is nothing to rename";
  return error("lock-absent", undefined, message, "`git log agentform.yaml` shows which name it had");
}

function explainUnfinished(): Finding {
  return note("lock-moving", undefined, "the move is not finished", "run the same command again");
}

/** Gives what is left to do in the repository after the states have moved. */
function lastStep(moving: MovedStates, commit: readonly string[]): readonly RepairChange[] {
  if ("to" in moving) return [{ type: "to-do", store: moving.to, commit }];
  return commit.length > 0 ? [{ type: "to-do", commit }] : [];
}
