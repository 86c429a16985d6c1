import { shellWord } from "../core/finding/shell-word.js";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { lockFileName, lockFilesAmong } from "../core/resources/lock-location.js";
import type { Settings } from "../core/resources/manifest.js";
import { StoreFailedError, unlessMediumFails, type OtherState } from "../core/state/lock-store.js";
import { findRepository } from "../git/repository.js";
import { LockFile } from "./local/lock-file.js";
import { pathFrom } from "./file/lock-copies.js";
import { localFolder } from "./file/own-files.js";
import type { StoreLocation } from "./open-store.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** A state of any name that a clone shows, whichever store is chosen. */
export interface StandingState extends OtherState {
  readonly store: Settings["lock"]["store"];
  /** How it is given up. */
  readonly discard: string;
}

// Whether the last write of this machine is a state that a clone shows; files are one themselves, and a ref remembers more.
const isCopyShown: Readonly<Record<StandingState["store"], boolean>> = {
  file: false,
  git: false,
  http: true,
  postgres: true,
  s3: true,
};

/** Finds the states that a clone shows: files, refs, what was last written; only a store on a ref needs the remote. */
export async function readStandingStates(
  { lock }: Settings,
  { directory }: StoreLocation,
): Promise<readonly StandingState[]> {
  const refs = await import("./git/state-refs.js");
  const local = await refs.readLocalRefs(directory);
  const { remote = "origin" } = lock;
  const there = await statesOfRemote(lock.store, directory, remote);
  const remoteAlone = there.filter(({ where }) => !local.some((state) => state.where === where));
  return [
    ...lockFiles(directory),
    ...local.map((state) => onRef(state, `git update-ref -d ${shellWord(state.where)}`)),
    ...remoteAlone.map((state) => onRef(state, `git push ${remote} ${shellWord(`:${state.where}`)}`)),
    ...machineCopies(directory),
  ];
}

async function statesOfRemote(store: StandingState["store"], directory: string, remote: string) {
  if (store === "git") return await readRemoteStates(directory, remote);
  if (!findRepository(directory)) return [];
  return await unlessMediumFails(readRemoteStates(directory, remote, 10_000), () => []);
}

/** Reads the states on the refs of a remote, each by its ref, and moves no ref of this clone; throws StoreFailedError. */
export async function readRemoteStates(
  directory: string,
  remote: string,
  timeout = 60_000,
): Promise<readonly OtherState[]> {
  const { readRemoteRefs } = await import("./git/state-refs.js");
  return await readRemoteRefs(directory, remote, timeout);
}

function onRef(state: OtherState, command: string): StandingState {
  return { ...state, store: "git", discard: `run \`${command}\`` };
}

function lockFiles(directory: string): StandingState[] {
  return lockFilesAmong(namesIn(directory, /^agentform/)).map((environment) => {
    const name = lockFileName({ environment });
    const [lock, journal] = [name, `${name}.journal`].map((file) => textOf(join(directory, file), file));
    const discard = `delete ${lock === null ? `${name}.journal` : name}`;
    return { where: name, lock: lock ?? null, journal: journal ?? null, store: "file", discard };
  });
}

function machineCopies(directory: string): StandingState[] {
  const { commonDir = join(directory, localFolder) } = findRepository(directory) ?? {};
  const folder = join(commonDir, "agentform");
  return namesIn(folder, /\.lock$/).flatMap((name) => {
    const [, store = ""] = /\.([a-z0-9]+)-[0-9a-f]{12}\.lock$/.exec(name) ?? [];
    if (!isStore(store) || !isCopyShown[store]) return [];
    const path = join(folder, name);
    const file = pathFrom(directory, path);
    const where = "the last write of this machine";
    return [{ where, lock: textOf(path, file), journal: null, store, discard: `delete ${file}` }];
  });
}

function isStore(name: string): name is StandingState["store"] {
  return Object.hasOwn(isCopyShown, name);
}

function namesIn(folder: string, pattern: RegExp): string[] {
  const names = unlessFailing(() => readdirSync(folder)) ?? [];
  return names.filter((name) => pattern.test(name)).toSorted();
}

// What cannot be read shows no state.
function textOf(file: string, name: string): string | null {
  try {
    return new LockFile(file, name).read().lock;
  } catch (thrown) {
    if (thrown instanceof StoreFailedError) return null;
    throw thrown;
  }
}
