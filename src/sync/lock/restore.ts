import { refused, type Checked } from "../../core/finding/checked.js";
import { error } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { parseJournal } from "../../core/state/journal.js";
import { emptyLock, parseLock, renderLock, type Lock, type LockOwner } from "../../core/state/lock.js";
import { mergeLocks } from "../../core/state/lock-merge.js";
import type { LockStore, OtherState, StoredState } from "../../core/state/lock-store.js";
import { writesOf } from "../../core/state/lock-writes.js";
import { explainDeparture, joinAhead, locksAhead, type OtherLock } from "../../core/state/newest-lock.js";
import { assembleState, continueLock } from "../../core/state/stored-state.js";
import { newName } from "../new-name.js";
import type { RepairResult } from "./edits.js";
import { readOthers } from "../newest-state.js";
import type { PlanRequest } from "../request.js";
import { ownerOf } from "../state-access.js";
import { transact, withoutAsking, type Scene } from "../transact.js";
import { readMergeSides } from "../../store/file/lock-history.js";
import { lockFileName } from "../../store/open-store.js";

/** Restores a lock that git has set back: merges it with all versions that git and this machine have. */
export async function restoreLock(request: PlanRequest): Promise<RepairResult> {
  return await transact(request, {
    needsManifestAlone: true,
    agree: withoutAsking,
    recover: readForked,
    async run(_agreed, { here, others, version }: Forked, { store }) {
      if (!here) return done([`${store.lockName} cannot be set back, so there is nothing to restore`]);
      const all = [...others, ...here.more];
      const ahead = locksAhead(here.lock, all);
      if (ahead.length === 0 && here.isWhole) return done([`${store.lockName} is the newest known version`]);
      const isLock = ({ movedTo }: OtherLock): boolean => movedTo === undefined;
      const joined = joinAhead(here.lock, ahead.filter(isLock), all.filter(isLock), newName);
      await store.replace(renderLock(joined), version);
      const places = ahead.map(({ where }) => where).join(" and ");
      return done([`${store.lockName}: merged with ${places}; now serial ${joined.serial}`, ...told(joined)]);
    },
  });
}

/** The state of a lock that git has set back, and what else git and this machine have of it. */
interface Forked {
  /** Missing where nothing can set the lock back. */
  readonly here?: Here;
  readonly others: readonly OtherLock[];
  readonly version: string | null;
}

async function readForked({ loaded, store }: Scene): Promise<Checked<Forked>> {
  const { memory } = store;
  if (!memory) return { ok: true, others: [], version: null };
  const owner = ownerOf(loaded.fleet.settings);
  const stored = await store.read();
  const { version } = stored;
  const { states } = await memory.others([], version, memory.written());
  const others = readOthers(states, owner);
  const here = readHere(stored, store, owner, others);
  if (!here.ok) return here;
  const departure = explainDeparture(locksAhead(here.lock, [...others, ...here.more]), store.lockName);
  return departure.length > 0 ? refused(departure) : { ok: true, here, others, version };
}

/** Merges the two sides of a git conflict in the lock. */
export async function mergeLock(request: PlanRequest): Promise<RepairResult> {
  return await transact(request, {
    needsManifestAlone: true,
    agree: withoutAsking,
    recover: async (scene) => await mergeSides(scene, request),
    async run(_agreed, { merged }: { readonly merged: Lock }, { store }) {
      const { version } = await store.read();
      await store.replace(renderLock(merged), version);
      return done([`${store.lockName}: merged to serial ${merged.serial}; \`git add\` it`, ...told(merged)]);
    },
  });
}

async function mergeSides(
  { loaded, store }: Scene,
  { directory }: PlanRequest,
): Promise<Checked<{ readonly merged: Lock }>> {
  const { settings } = loaded.fleet;
  const sides = store.memory && (await readMergeSides(directory, lockFileName(settings)));
  if (!sides) {
    const hint = "to restore a lock that git has set back, use `agentform lock restore`";
    return refused([
      error("lock-conflict", undefined, say`git has no conflict in ${bare({ lock: store.lockName })}`, hint),
    ]);
  }
  const owner = ownerOf(settings);
  const ours = assemble(sides.ours, owner);
  if (!ours.ok) return ours;
  const theirs = assemble(sides.theirs, owner);
  if (!theirs.ok) return theirs;
  const base = assemble(sides.base, owner);
  const before = base.ok ? base.lock : undefined;
  return { ok: true, merged: mergeLocks({ base: before, ours: ours.lock, theirs: theirs.lock }, newName()) };
}

/** Merges three texts of a lock, as passed by git's merge driver, or finds why that fails. */
export function mergeLockTexts(
  base: string,
  ours: string,
  theirs: string,
): Checked<{ readonly text: string }> {
  const parse = (text: string) => parseLock(text, "agentform.lock", ownerIn(text));
  const [before, mine, others] = [parse(base), parse(ours), parse(theirs)];
  if (!mine.ok) return mine;
  if (!others.ok) return others;
  const sides = { ...(before.ok && { base: before.lock }), ours: mine.lock, theirs: others.lock };
  if (
    sides.ours.workspace !== sides.theirs.workspace ||
    sides.ours.environment !== sides.theirs.environment
  ) {
    const message = "the two locks belong to different workspaces or environments";
    return refused([error("lock-foreign", undefined, message)]);
  }
  return { ok: true, text: renderLock(mergeLocks(sides, newName())) };
}

function ownerIn(text: string): LockOwner {
  try {
    const { workspace, environment } = JSON.parse(text) as Partial<LockOwner>;
    return {
      workspace: String(workspace),
      environment: typeof environment === "string" ? environment : null,
    };
  } catch {
    return { workspace: "", environment: null };
  }
}

interface Here {
  readonly lock: Lock;
  /** Whether lock and journal could be read as one state. */
  readonly isWhole: boolean;
  /** The journal applied to a lock other than the present one. */
  readonly more: readonly OtherLock[];
}

/** Reads the present state, even if git has combined a lock and a journal that do not belong together. */
function readHere(
  stored: StoredState,
  store: LockStore,
  owner: LockOwner,
  others: readonly OtherLock[],
): Checked<Here> {
  const whole = assembleState({ ...stored, holder: null }, owner, store);
  if (whole.ok) return { ok: true, lock: whole.lock, isWhole: true, more: [] };
  if (whole.problems.some(({ code }) => code === "lock-moved" || code === "lock-moving")) return whole;
  const alone = assemble({ lock: stored.lock, journal: null }, owner);
  const lock = alone.ok ? alone.lock : emptyLock(owner, others[0]?.lock.lineage ?? "");
  const { journal } = stored;
  if (journal === null) return { ok: true, lock, isWhole: false, more: [] };
  const parsed = parseJournal(journal, store.journalName);
  if (!parsed.ok) return parsed;
  const base = others.find(({ lock: other }) => writesOf(other)[0] === parsed.header?.after);
  const state =
    base && continueLock(base.lock, { journal, holder: null, version: null }, owner, store.journalName);
  if (!state?.ok) return whole;
  return { ok: true, lock, isWhole: false, more: [{ lock: state.lock, where: store.journalName }] };
}

function assemble(state: Omit<OtherState, "where">, owner: LockOwner) {
  const names = { lockName: "agentform.lock", journalName: "agentform.lock.journal" };
  return assembleState({ ...state, version: null, holder: null }, owner, names);
}

function done(changes: readonly string[]): RepairResult {
  return { status: "done", changes, diagnostics: [] };
}

/** Reports what a person should know about a merged lock. */
function told({ resources }: Lock): string[] {
  return Object.entries(resources)
    .filter(([, { uncertain }]) => uncertain === true)
    .map(([address]) => `${address}: changed on both sides, so the next apply sends it again`);
}
