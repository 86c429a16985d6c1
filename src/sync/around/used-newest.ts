import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say, textOf } from "../../core/finding/said.js";
import type { Fleet } from "../../core/resources/fleet.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import type { UsedWorkspace } from "../../core/resources/used.js";
import { assembleState } from "../../core/state/stored-state.js";
import { folderName, settingsIn } from "../../workspace/others/uses-graph.js";
import { checkNewest } from "./newest-state.js";
import type { PlanRequest } from "../request.js";
import { ownerOf } from "../../core/state/lock.js";
import { openLockFile } from "./newest-neighbours.js";

/** Finds that the lock file of a workspace that this one uses was set back: what it has is not what is applied. */
export async function checkUsedNewest({ used }: Fleet, request: PlanRequest): Promise<Finding[]> {
  // A commit's locks are final, and what this machine applied since is not in them; the emulator has locks of its own.
  if (request.locksFrom !== undefined || request.options?.emulator) return [];
  const found: Finding[] = [];
  for (const each of used.values()) found.push(...(await checkUsed(each, request)));
  return found;
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
