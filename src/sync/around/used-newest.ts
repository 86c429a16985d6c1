import { equal } from "../../json/json.js";
import { once } from "../../json/once.js";
import { readReference } from "../../core/expression/reference.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say, textOf, type Sentence } from "../../core/finding/said.js";
import type { Plan } from "../../core/plan/plan.js";
import type { Fleet } from "../../core/resources/fleet.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { gitRef } from "../../core/resources/lock-location.js";
import { usedAddress, type UsedWorkspace } from "../../core/resources/used.js";
import { idInEntry } from "../../core/state/entry-ids.js";
import { unlessMediumFails } from "../../core/state/lock-store.js";
import { assembleState } from "../../core/state/stored-state.js";
import { readRemoteStates } from "../../store/standing-states.js";
import { readNeighbour } from "../../workspace/others/neighbours.js";
import { refKey, remoteOf } from "../../workspace/others/state-elsewhere.js";
import { folderName, settingsIn } from "../../workspace/others/uses-graph.js";
import { aheadOnBranches, checkNewest } from "./newest-state.js";
import type { PlanRequest } from "../request.js";
import { ownerOf, type Lock } from "../../core/state/lock.js";
import type { Settings } from "../../core/resources/manifest.js";
import { identityOf } from "../../service/target.js";
import { openLockFile } from "./newest-neighbours.js";

/** Finds that the lock file of a workspace that this one uses was set back: what it has is not what is applied. */
export async function checkUsedNewest({ used }: Fleet, request: PlanRequest): Promise<Finding[]> {
  // A commit's locks are final, and what this machine applied since is not in them; the emulator has locks of its own.
  if (request.locksFrom !== undefined || request.options?.emulator) return [];
  const found: Finding[] = [];
  for (const each of used.values()) found.push(...(await checkUsed(each, request)));
  return found;
}

/** Finds IDs that a used workspace has no longer, by its ref now or newer lock files; a silent remote says nothing. */
export async function checkUsedRefs(
  { actions }: Pick<Plan, "actions">,
  { used }: Fleet,
  request: PlanRequest,
): Promise<Finding[]> {
  const found: Finding[] = [];
  if (request.options?.emulator) return found;
  // A remote gives all states at once, and what is used is in the same repository.
  const statesOf = once((remote) => unlessMediumFails(readRemoteStates(request.directory, remote), () => []));
  for (const { name, directory, environment } of used.values()) {
    const settings = directory === undefined ? undefined : settingsIn(directory, environment);
    if (directory === undefined || !settings) continue;
    const sent = actions.flatMap(({ used: ids = {} }) => Object.entries(ids));
    for (const { lock, which, hint } of await newerOf(directory, settings, statesOf, request)) {
      const stale = sent.find(([text, id]) => {
        const reference = readReference(text);
        const of = usedAddress(reference.address);
        if (of?.use !== name || id === null) return false;
        const entry = lock.resources[of.address];
        const now = entry && idInEntry(entry, reference);
        return !equal(now === undefined || typeof now === "string" ? now : [...now], id);
      });
      if (!stale) continue;
      const message = say`${{ address: stale[0] }} has another ID ${which}, or none`;
      const place = { file: manifestFile, path: ["spec", "uses", name], key: true };
      found.push(error("lock-behind", place, message, hint));
      break;
    }
  }
  return found;
}

interface NewerLock {
  readonly lock: Lock;
  readonly which: Sentence;
  readonly hint: Sentence;
}

async function newerOf(
  directory: string,
  settings: Settings,
  statesOf: (remote: string) => ReturnType<typeof readRemoteStates>,
  request: PlanRequest,
): Promise<readonly NewerLock[]> {
  const { store } = settings.lock;
  if (store === "git") {
    const remote = remoteOf(settings.lock);
    const states = await statesOf(remote);
    const refs = new Map(states.map(({ where, ...texts }) => [refKey(remote, where), texts]));
    if (!refs.has(refKey(remote, gitRef(settings)))) return [];
    const read = readNeighbour({ folder: directory, settings }, { ...request, refs });
    const hint = say`run \`git fetch ${bare({ source: remote })} '+refs/agentform/*:refs/agentform/*'\`, and plan again`;
    if (!read.ok) return [];
    return [{ lock: read.lock, which: say`since this clone has fetched ${{ source: read.where }}`, hint }];
  }
  if (store !== "file") return [];
  const files = await openLockFile(directory, settings);
  const state = assembleState(await files.read(), ownerOf(settings), files);
  if (!state.ok) return [];
  const sending = { store: files, lock: state.lock, owner: ownerOf(settings) };
  const ahead = await aheadOnBranches({ ...sending, service: identityOf(settings.service) });
  const hint = "bring this checkout up to date with `git pull`, or merge that branch, then plan again";
  return ahead.map(({ lock, where }) => ({ lock, which: say`in ${bare({ source: where })}`, hint }));
}

async function checkUsed(use: UsedWorkspace, request: PlanRequest): Promise<Finding[]> {
  const { name, directory, environment } = use;
  const settings = directory === undefined ? undefined : settingsIn(directory, environment);
  if (directory === undefined || settings?.lock.store !== "file") return [];
  const owner = ownerOf(settings);
  const store = await openLockFile(directory, settings);
  const stored = await store.read();
  const state = assembleState(stored, owner, store);
  // One that cannot be read is told of where its IDs are.
  if (!state.ok) return [];
  const present = { ...stored, lock: state.lock, areEditsShown: false };
  const { cacheFolder } = request;
  const marksOwner = { directory, environment, ...(cacheFolder !== undefined && { cacheFolder }) };
  const behind = await checkNewest(store, present, owner, marksOwner);
  const older = behind.find(({ severity }) => severity === "error");
  if (!older) return [];
  // An apply there may have replaced the lock before the copy of it was read.
  if ((await store.read()).version !== stored.version) return await checkUsed(use, request);
  const within = folderName(directory);
  const message = say`what ${{ name }} has is not the newest: in ${{ source: within }}, ${textOf(older.message)}`;
  const hint = say`run \`agentform plan -C ${bare({ file: within })}\`, which says what to do; then plan again`;
  return [
    error("lock-behind", { file: manifestFile, path: ["spec", "uses", name], key: true }, message, hint),
  ];
}
