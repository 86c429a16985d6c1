import { oncePer } from "../../json/once.js";
import { bare, say, textOf, type Sentence } from "../../core/finding/said.js";
import type { Settings } from "../../core/resources/manifest.js";
import { unlessMediumFails, type LockStore, type StateTexts } from "../../core/state/lock-store.js";
import { isContained, locksAhead } from "../../core/state/newest-lock.js";
import { openStore } from "../../store/open-store.js";
import { readRemoteStates } from "../../store/standing-states.js";
import {
  findNeighbours,
  neighbourName,
  readNeighbours,
  remotesOf,
  type FoundNeighbour,
  type Neighbour,
  type Neighbours,
} from "../../workspace/others/neighbours.js";
import { refKey, type AccessElsewhere } from "../../workspace/others/state-elsewhere.js";
import { readPast } from "./newest-state.js";
import type { PlanRequest } from "../request.js";
import { realFolder } from "../../disk/real-path.js";
import { gitRef } from "../../core/resources/lock-location.js";
import { readStanding, type StandingLock } from "../../core/state/lock-left-behind.js";
import { settingsIn } from "../../workspace/others/uses-graph.js";
import { ownerOf, type Lock } from "../../core/state/lock.js";

/**
 * Reads other workspaces' states, on refs as remotes have them now, for this clone may never have fetched
 * them. Moves no ref. A lock file that was set back counts with what it lacks, as far as this machine or git
 * knows it.
 */
export async function readNewestNeighbours(
  request: PlanRequest,
): Promise<{ readonly neighbours: Neighbours; readonly access: AccessElsewhere }> {
  const { directory } = request;
  const refs = new Map<string, StateTexts>();
  const unread: string[] = [];
  const found = findNeighbours(directory, request);
  const own = settingsIn(realFolder(directory), request.environment ?? null);
  const onRefs: StandingLock[] = [];
  const orUnread = async <Each>(
    reading: Promise<readonly Each[]>,
    what: Sentence,
  ): Promise<readonly Each[]> =>
    await unlessMediumFails(reading, ({ said }) => {
      unread.push(textOf(say`${what} cannot be read: ${said}`));
      return [];
    });
  for (const remote of remotesOf([...found.found, ...(own ? [{ settings: own }] : [])])) {
    const what = say`the states of other workspaces on \`${bare({ source: remote })}\``;
    const states = await orUnread(readRemoteStates(directory, remote), what);
    for (const { where, lock, journal } of states) refs.set(refKey(remote, where), { lock, journal });
    const known = new Set(found.found.map(({ settings }) => gitRef(settings)));
    const others = own ? states.filter(({ where }) => !known.has(where)) : [];
    onRefs.push(...others.flatMap((state) => readStanding({ ...state, store: "git", discard: "" }, nobody)));
  }
  const access = { ...request, refs };
  const { states, unread: around } = readNeighbours(found, access);
  const { readLocksWithoutManifest } = await import("../../workspace/others/locks-without-manifest.js");
  const left = readLocksWithoutManifest(directory, found, request);
  unread.push(...left.unread);
  const newer: Neighbour[] = [...left.states, ...withoutManifest(onRefs, own, states)];
  const present = new Map(states.map((state) => [neighbourName(state), state]));
  for (const neighbour of found.found) {
    const state = present.get(neighbourName(neighbour));
    if (neighbour.settings.lock.store !== "file" || !state) continue;
    const what = say`what ${bare({ source: neighbourName(neighbour) })} applied`;
    const ahead = await orUnread(aheadOf(neighbour)(state.lock), what);
    newer.push(...ahead.map(({ lock }) => ({ ...state, lock })));
  }
  return { access, neighbours: { states: [...states, ...newer], unread: [...unread, ...around] } };
}

const nobody = { workspace: "", environment: null };

// What no manifest leads to is still in the service. Own environments are read by name, and copies have nothing more.
function withoutManifest(
  onRefs: readonly StandingLock[],
  own: Settings | undefined,
  states: readonly Neighbour[],
): Neighbour[] {
  return onRefs.flatMap(({ owner: { workspace, environment }, lock, where }) => {
    if (!lock || workspace === own?.name) return [];
    const isCopy = states.some((each) => isContained(lock, each.lock));
    return isCopy ? [] : [{ workspace: where, environment, lock }];
  });
}

// Each state is read once in a round; of its history only what is ahead of it is kept, of perhaps thousands.
const aheadOf = oncePer(({ folder, settings }: FoundNeighbour) =>
  oncePer(async (lock: Lock) => {
    const store = await openLockFile(folder, settings);
    return locksAhead(lock, await readPast(store, await store.read(), ownerOf(settings)));
  }),
);

/** Opens the lock file of another workspace; whoever looks at it from outside has no key of its seal. */
export async function openLockFile(directory: string, settings: Settings): Promise<LockStore> {
  const files = { ...settings, lock: { store: "file" as const } };
  return await openStore(files, { directory, isChosenHere: true });
}
