import { dirname, join } from "node:path";
import { refused, type Checked } from "../../core/finding/checked.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import type { RepairChange } from "../../core/lock-edit/repair-change.js";
import {
  isSameOwner,
  parseLock,
  renderLock,
  type Lock,
  type LockOwner,
  ownerOf,
} from "../../core/state/lock.js";
import { mergeLocks } from "../../core/state/lock-merge.js";
import { markedSides, type ConflictSides } from "../../core/state/conflict-sides.js";
import type { LockStore, OtherState } from "../../core/state/lock-store.js";
import { explainLost } from "../../core/state/lost-applies.js";
import { isUnder, nextWrite, writesOf } from "../../core/state/lock-writes.js";
import {
  explainDeparture,
  isTrusted,
  joinAhead,
  locksAhead,
  type OtherLock,
} from "../../core/state/newest-lock.js";
import { assembleRenamed, ownerInText, lineagesOf } from "../../core/state/renamed-state.js";
import { contentDigest } from "../../digest.js";
import { localFolder } from "../../store/file/own-files.js";
import { makeLocalFolder } from "../../store/local/local-folder.js";
import { LockFile } from "../../store/local/lock-file.js";
import { done, type RepairResult } from "./edits.js";
import { readHere, readLater, type Here } from "./present-state.js";
import { readPast } from "../around/newest-state.js";
import { choiceIn, type PlanRequest } from "../request.js";
import { stateOptions } from "../../core/state/state-choice.js";
import { newName, transact, withoutAsking, type Scene } from "../transact.js";
import { readMergeSides } from "../../store/file/lock-history.js";
import { lockFileName } from "../../core/resources/lock-location.js";

/** Restores a lock that was set back: merges all versions that git, this machine and the medium have. */
export async function restoreLock(asked: PlanRequest): Promise<RepairResult> {
  const request: PlanRequest = { ...asked, sealCheck: "told" };
  return await transact(request, {
    needsManifestAlone: true,
    agree: withoutAsking,
    async recover(scene) {
      const sides = await readSides(scene, request);
      // What cannot be read of them is put together from what git has.
      const isClosed = sides?.ok === false && sides.problems.some(({ code }) => code === "seal-wrong");
      return isClosed ? sides : await readForked(scene, sides?.ok ? sides : undefined);
    },
    async run(_agreed, forked: Forked, { store }) {
      const { here, others } = forked;
      const ahead = locksAhead(here.lock, [...others, ...here.more]);
      if (ahead.length === 0 && here.isWhole) {
        const is = store.memory ? "newest" : "whole";
        return done([{ type: "nothing-to-restore", lock: store.lockName, is }]);
      }
      const { next, kept } = await writeJoined(forked, store, request);
      const merged_with = ahead.map(({ where }) => where);
      const restored = { type: "restored", lock: store.lockName, serial: next.serial, merged_with } as const;
      return done([restored, ...kept, ...told(next)]);
    },
  });
}

// Joins the present state with all that is ahead of it, and writes the result.
async function writeJoined(
  { here, others, version, serial }: Forked,
  store: LockStore,
  request: PlanRequest,
): Promise<{ readonly next: Lock; readonly kept: readonly RepairChange[] }> {
  const kept =
    here.aside === undefined ? [] : [putAside({ ...here, aside: here.aside }, store.journalName, request)];
  const all = [...others, ...here.more].filter(({ movedTo }: OtherLock) => movedTo === undefined);
  const joined = joinAhead(here.lock, locksAhead(here.lock, all), all, newName);
  const next = joined.serial > serial ? joined : nextWrite(joined, joined, newName());
  await store.replace(renderLock(next), version);
  return { next, kept };
}

/** The state of a lock that git has set back, and what else git and this machine have of it. */
interface Forked {
  readonly here: Here;
  readonly others: readonly OtherLock[];
  readonly version: string | null;
  /** That of the lock in the store. */
  readonly serial: number;
}

async function readForked({ loaded, store }: Scene, sides?: MergeSides): Promise<Checked<Forked>> {
  const owner = ownerOf(loaded.fleet.settings);
  const stored = await store.read();
  const { version } = stored;
  const all = await readPast(store, stored, owner);
  const isSealed = ({ seal }: OtherLock): boolean => !store.opens || seal === "right";
  // First what was written as it is: around its marks, git mixes the sides of a lock.
  const others = [...all.filter(isSealed), ...(sides?.both ?? [])];
  const present = isTrusted(stored)
    ? readHere(stored, store, owner, others)
    : readLater(stored, store, owner, others);
  if (!present.ok) return present;
  const here = sides ? mergedIn(present, sides, store.lockName) : present;
  const known = [...others, ...here.more];
  const isReadable = stored.lock !== null && here.unread === undefined;
  const lost = explainLost(here, [here.lock, ...known.map(({ lock }) => lock)], store, isReadable);
  if (lost) return refused([lost]);
  const ahead = locksAhead(here.lock, known);
  const departure = explainDeparture(ahead, store.lockName);
  if (departure.length > 0) return refused(departure);
  // Sealed ones first, so that a write passed over is none of theirs; unsealed ones from before have nothing new.
  const isNewest = !sides && ahead.length === 0 && here.isWhole;
  const unsealed = isNewest ? locksAhead(here.lock, all).find((other) => !isSealed(other)) : undefined;
  if (unsealed) return refused([explainUnsealed(unsealed, owner)]);
  return { ok: true, here, others, version, serial: present.lock.serial };
}

// What was merged before, and applied since, would count as changed on both sides if it was merged anew.
function mergedIn(present: Here, { both, base }: MergeSides, where: string): Here {
  const [ours, theirs] = both;
  if (!ours || !theirs || both.every(({ lock }) => isUnder(lock, present.lock))) return present;
  const merged = mergeLocks({ base, ours: ours.lock, theirs: theirs.lock }, newName());
  const lock = joinAhead(merged, [{ lock: present.lock, where }], both, newName);
  return { ...present, lock, isWhole: false };
}

/** Merges a lock in git conflict, which git names until it is added, with its marks or with a journal beside it. */
export async function mergeLock(request: PlanRequest): Promise<RepairResult> {
  return await transact(request, {
    needsManifestAlone: true,
    agree: withoutAsking,
    async recover(scene) {
      const sides = (await readSides(scene, request)) ?? (await noConflict(scene, request));
      return sides.ok ? await readForked(scene, sides) : sides;
    },
    async run(_agreed, forked: Forked, { store }) {
      const { next, kept } = await writeJoined(forked, store, request);
      const change = { type: "merged", lock: store.lockName, serial: next.serial } as const;
      return done([change, ...kept, ...told(next)]);
    },
  });
}

/** The two sides of a conflict, and where they forked, if that is known. */
interface MergeSides {
  /** None where they cannot be told from the marks of git: it has then to be known from elsewhere what is in them. */
  readonly both: readonly [] | readonly [ours: OtherLock, theirs: OtherLock];
  readonly base: Lock | undefined;
}

async function noConflict({ loaded, store }: Scene, request: PlanRequest): Promise<Checked<MergeSides>> {
  const { settings } = loaded.fleet;
  const old = lockFileName(settings);
  const isElsewhere = settings.lock.store !== "file" && !request.options?.emulator;
  if (isElsewhere && (await readMergeSides(request.directory, old))) {
    const message = say`git has a conflict in ${bare({ file: old })}, and the state is in ${bare({ lock: store.lockName })}: what was applied with the file meanwhile is not in it`;
    const hint =
      "abort the merge; on the branch of the move, run `agentform lock move --to file`, write that into the manifest and commit it; then merge, run `agentform lock merge`, and move the state again. If you keep the side with the text of the move instead, a plan names what the other side has created, and not what it has updated or deleted";
    return refused([error("lock-conflict", undefined, message, hint)]);
  }
  const options = stateOptions(choiceIn(settings, request));
  const hint = `to restore a lock that git has set back, use \`agentform lock restore${options}\``;
  const message = say`git has no conflict in ${bare({ lock: store.lockName })}`;
  return refused([error("lock-conflict", undefined, message, hint)]);
}

/** Reads the sides of a conflict from git, or from the marks in what was added with them; undefined if there is none. */
async function readSides(
  scene: Scene,
  { directory, options }: PlanRequest,
): Promise<Checked<MergeSides> | undefined> {
  const { settings } = scene.loaded.fleet;
  const isInFile = settings.lock.store === "file";
  const file = lockFileName(settings, options?.emulator);
  const read = isInFile ? await readMergeSides(directory, file) : undefined;
  if (read) return openSides(read, scene);
  const marked = markedSides(await scene.store.read());
  const sides = marked && openSides(marked, scene);
  // Git mixes what it can, so that no side has its seal; and marks may be among marks.
  return sides && (sides.ok ? sides : { ok: true, both: [], base: undefined });
}

function openSides(texts: ConflictSides, { loaded, store }: Scene): Checked<MergeSides> {
  const owner = ownerOf(loaded.fleet.settings);
  // One side may be from before the workspace was renamed, and has the seal of that name.
  const open = (side: Omit<OtherState, "where">) => {
    const { workspace = owner.workspace } = ownerInText(side.lock) ?? {};
    return store.opens?.(side, { ...owner, workspace }) ?? { ...side, seal: undefined };
  };
  const sides = { ours: open(texts.ours), theirs: open(texts.theirs), base: open(texts.base) };
  const isMergeable = ({ lock, seal }: typeof sides.ours) =>
    !store.opens || seal === "right" || (seal === undefined && lock === null);
  const lineages = lineagesOf([sides.ours.lock, sides.theirs.lock], owner);
  const ours = assembleRenamed(sides.ours, owner, lineages);
  if (!ours.ok) return ours;
  const theirs = assembleRenamed(sides.theirs, owner, lineages);
  if (!theirs.ok) return theirs;
  // One that cannot be read has been refused, whatever its seal.
  const unsealed = (["ours", "theirs"] as const).find((name) => !isMergeable(sides[name]));
  if (unsealed !== undefined) return refused([explainUnsealed({ where: sideWords[unsealed] }, owner)]);
  const base = isMergeable(sides.base) ? assembleRenamed(sides.base, owner, lineages) : undefined;
  return {
    ok: true,
    both: [
      { lock: ours.lock, where: sideWords.ours },
      { lock: theirs.lock, where: sideWords.theirs },
    ],
    base: base?.ok ? base.lock : undefined,
  };
}

const sideWords = { ours: "our side of the merge", theirs: "their side of the merge" };

function explainUnsealed(
  { where, lock }: Pick<OtherLock, "where"> & Partial<Pick<OtherLock, "lock">>,
  { environment }: LockOwner,
): Finding {
  const message = say`what ${bare({ source: where })} has of the lock is not sealed with this key, so it is not merged`;
  const look = `\`agentform lock seal${stateOptions({ environment })}\``;
  const [write] = lock ? writesOf(lock) : [];
  const other =
    write === undefined
      ? "bring its branch or commit out of the way"
      : say`to pass it over, write \`${bare({ nonce: write })}\` before the others into \`writes\` of the present lock, and seal that with the same command`;
  const hint = say`check it out, look at it with ${bare({ command: look })}, and commit it sealed; or ${other}`;
  return error("seal-wrong", undefined, message, hint);
}

/** Merges three texts of a lock, as passed by git's merge driver, or finds why that fails. */
export function mergeLockTexts(
  base: string,
  ours: string,
  theirs: string,
): Checked<{ readonly text: string }> {
  const parse = (text: string) => parseLock(text, "agentform.lock", ownerInText(text) ?? nobody);
  const [before, mine, others] = [parse(base), parse(ours), parse(theirs)];
  if (!mine.ok) return mine;
  if (!others.ok) return others;
  const sides = { ...(before.ok && { base: before.lock }), ours: mine.lock, theirs: others.lock };
  if (!isSameOwner(sides.ours, sides.theirs)) {
    const message = "the two locks belong to different workspaces or environments";
    return refused([error("lock-foreign", undefined, message)]);
  }
  return { ok: true, text: renderLock(mergeLocks(sides, newName())) };
}

// A text that does not say whose lock it is, is refused for that.
const nobody: LockOwner = { workspace: "", environment: null };

// It may have more than could be read of it.
function putAside(
  { aside: journal, more, unsealed }: Here & { readonly aside: string },
  name: string,
  { directory }: PlanRequest,
): RepairChange {
  const file = `${localFolder}/journal.${contentDigest(journal).slice(0, 16)}.old`;
  const path = join(directory, file);
  makeLocalFolder(dirname(path));
  new LockFile(path, file).write(journal);
  const read = more.length > 0;
  return { type: "journal-kept", journal: name, file, read, ...(unsealed && { unsealed }) };
}

/** Reports what a person should know about a merged lock. */
function told({ resources }: Lock): RepairChange[] {
  return Object.entries(resources)
    .filter(([, { uncertain }]) => uncertain === true)
    .map(([address]) => ({ address, type: "changed-twice" }));
}
