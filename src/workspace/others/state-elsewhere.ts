import { bare, say, textOf, type Sentence } from "../../core/finding/said.js";
import { environmentName } from "../../core/resources/environment-name.js";
import { gitRef, lockFileName } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import type { UsedWorkspace } from "../../core/resources/used.js";
import { isSameOwner, ownerOf, type Lock, type LockOwner } from "../../core/state/lock.js";
import { parseMove } from "../../core/state/lock-move.js";
import type { StateTexts } from "../../core/state/lock-store.js";
import { lineageMarks, ownerInText } from "../../core/state/renamed-state.js";
import { assembleState, fileNames } from "../../core/state/stored-state.js";
import { once } from "../../json/once.js";
import { locksWith } from "../../git/commit-files.js";
import { GitError } from "../../git/git-process.js";
import { commitOf, readTextInGit, type CommitName } from "../../git/read-text.js";
import { repositoryFolder, repositoryRoot } from "../../git/repository.js";
import { renamedLocks } from "../../git/renamed-locks.js";
import { sizeLimit } from "../regular-file.js";
import { WorkspaceFolder } from "../workspace-folder.js";

/** How the states of other workspaces are read. */
export interface AccessElsewhere {
  /** One object for all workspaces of a command: what is read around one of them is kept for the others. */
  readonly round?: object;
  /** The commit whose lock files are read, in the place of those of the checkout. */
  readonly locksFrom?: string;
  readonly options?: { readonly emulator?: boolean };
  readonly cacheFolder?: string;
  /** What applies of other workspaces give them before anything is sent here. */
  readonly before?: AppliesBefore;
  /** What remotes have on their refs now, by `refKey`; a ref that is not here is read as this clone has it. */
  readonly refs?: ReadonlyMap<string, StateTexts>;
}

/** Names a ref of a remote. */
export function refKey(remote: string, ref: string): string {
  return JSON.stringify([remote, ref]);
}

/** Gives the remote on whose ref a git store has its state. */
export function remoteOf({ remote = "origin" }: Settings["lock"]): string {
  return remote;
}

/** What an apply of a workspace gives it; without entries it has run, and its state has them. */
export interface ApplyBefore extends Pick<UsedWorkspace, "pending"> {
  readonly entries?: UsedWorkspace["entries"];
}

/** What applies give the workspaces of several before the next one's turn, by `workspaceKey`. */
export type AppliesBefore = ReadonlyMap<string, ApplyBefore>;

/** Names a workspace by its real folder and an environment, of which the default one may be given by its name. */
export function workspaceKey(folder: string, environment: string | null): string {
  return JSON.stringify([folder, environmentName(environment)]);
}

interface Unusable {
  readonly ok: false;
  readonly why: Sentence;
  readonly hint: Sentence;
}

/** The state of another workspace, as this clone has it; or why it cannot be used. */
export type StateElsewhere =
  | {
      readonly ok: true;
      readonly lock: Lock;
      /** The file or the ref. */
      readonly where: string;
      /** Whether it is on a ref that this clone does not have. */
      readonly isUnfetched: boolean;
    }
  | Unusable;

/** Reads the state of another workspace of this repository, without a network. */
export function readStateElsewhere(
  directory: string,
  settings: Settings,
  access: AccessElsewhere,
): StateElsewhere {
  const stored = readStored(directory, settings, access);
  if (!stored.ok) return stored;
  const { where, isUnfetched, owner = ownerOf(settings) } = stored;
  // Seals are passed over: only who keeps that state has their key.
  const state = assembleState(stored, owner, fileNames(where));
  if (state.ok) return { ok: true, lock: state.lock, where, isUnfetched };
  const why = say`${bare({ source: where })} cannot be used: ${textOf(state.problems[0]?.message ?? "")}`;
  return { ok: false, why, hint: "`agentform lock status` in that workspace says more" };
}

type Stored =
  | (StateTexts & {
      readonly ok: true;
      readonly where: string;
      readonly isUnfetched: boolean;
      /** Whose it is there, if it has a new name since. */
      readonly owner?: LockOwner;
    })
  | Unusable;

function readStored(
  directory: string,
  settings: Settings,
  { locksFrom, options, refs }: AccessElsewhere,
): Stored {
  const { store } = settings.lock;
  const emulator = options?.emulator === true;
  const name = lockFileName(settings, emulator);
  if (!emulator && store !== "file" && store !== "git") {
    const why = say`its state is in a store of type ${{ kind: store }}, which takes a network to read`;
    return {
      ok: false,
      why,
      hint: "use a `file` with the IDs, which `agentform output --format json` writes there",
    };
  }
  const isRef = !emulator && store === "git";
  const where = isRef ? gitRef(settings) : name;
  const there = isRef ? refs?.get(refKey(remoteOf(settings.lock), where)) : undefined;
  if (there) return { ok: true, ...there, where, isUnfetched: false };
  const former = !isRef && locksFrom !== undefined && !emulator && inCommit(directory, locksFrom, settings);
  const read = isRef
    ? (part: "lock" | "journal") => fromGit(directory, { ref: where }, part === "lock" ? "lock.json" : part)
    : former
      ? former.read
      : (part: "lock" | "journal") => fromDisk(directory, partName(name, part));
  const [lock, journal] = [read("lock"), read("journal")];
  if (!isRead(lock)) return lock;
  if (!isRead(journal)) return journal;
  const isUnfetched = isRef && lock === null && journal === null;
  return {
    ok: true,
    where,
    lock,
    journal,
    isUnfetched,
    ...(former && former.owner && { owner: former.owner }),
  };
}

// A moved workspace is where the commit has its lock, by its name or, if the change renames it or its environment, by
// today's lineage. What stands in its place there may be the state of another one.
function inCommit(directory: string, revision: string, settings: Settings) {
  const name = lockFileName(settings);
  const own = `${repositoryFolder(directory)}${name}`;
  const readAt = (path: string, part: "lock" | "journal") =>
    fromGit(directory, { revision }, partName(path, part));
  const ownerAt = once((path) => {
    const text = readAt(path, "lock");
    return typeof text === "string" ? ownerInText(text) : undefined;
  });
  const isNamed = (path: string) => {
    const owner = ownerAt(path);
    return owner !== undefined && isSameOwner(owner, ownerOf(settings));
  };
  const here = fromDisk(directory, name);
  const text = typeof here === "string" ? here : null;
  const lineage = ownerInText(text)?.lineage;
  const others = () => {
    const commit = commitOf(directory, revision);
    if (commit === undefined) return [];
    const renamed = renamedLocks(directory, commit).flatMap(({ from, to }) => (to === own ? [from] : []));
    const root = repositoryRoot(directory) ?? directory;
    const alike = locksWith(directory, commit, lineageMarks(text));
    return [...renamed, ...alike.filter((path) => !isInPlace(root, path, ownerAt(path)))];
  };
  const places = isNamed(own) ? [own] : [own, ...others()];
  const path =
    places.find(isNamed) ??
    (lineage === undefined ? undefined : places.find((each) => ownerAt(each)?.lineage === lineage));
  return { read: (part: "lock" | "journal") => readAt(path ?? own, part), owner: path && ownerAt(path) };
}

/** Whether the state that a commit has at a path, from the top of the repository, is what stands there now. */
export function isInPlace(root: string, path: string, was: ReturnType<typeof ownerInText>): boolean {
  const read = new WorkspaceFolder(root).readOwn(path);
  if (!read.ok) return read.code !== "file-missing";
  if (parseMove(read.text)) return false;
  const is = ownerInText(read.text);
  return !is || !was || is.lineage === was.lineage || isSameOwner(is, was);
}

function partName(name: string, part: "lock" | "journal"): string {
  return part === "lock" ? name : `${name}.journal`;
}

type Read = string | null | Unusable;

function isRead(read: Read): read is string | null {
  return read === null || typeof read === "string";
}

function unread(why: Sentence): Unusable {
  return { ok: false, why, hint: "use a `file` with the IDs" };
}

function fromGit(directory: string, commit: CommitName, path: string): Read {
  try {
    return readTextInGit(directory, commit, path, sizeLimit);
  } catch (thrown) {
    if (thrown instanceof GitError) return unread(thrown.message);
    throw thrown;
  }
}

function fromDisk(directory: string, name: string): Read {
  const read = new WorkspaceFolder(directory).readOwn(name);
  if (read.ok) return read.text;
  return read.code === "file-missing" ? null : unread(read.message);
}
