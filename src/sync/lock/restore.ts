import { error, hasErrors, type Finding } from "../../core/finding/diagnostic.js";
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
import { holding, locationOf, ownerOf } from "../state-access.js";
import { readMergeSides } from "../../store/file/lock-history.js";
import { lockFileName, openStore } from "../../store/open-store.js";
import { loadWorkspace, type LoadedWorkspace } from "../../workspace/load-workspace.js";

/** Restores a lock that git has set back: merges it with all versions that git and this machine have. */
export async function restoreLock(request: PlanRequest): Promise<RepairResult> {
  return await withStore(request, async (store, owner) => {
    const { memory } = store;
    if (!memory) return done([`${store.lockName} cannot be set back, so there is nothing to restore`]);
    const stored = await store.read();
    const { states } = await memory.others([], stored.version, memory.written());
    const others = readOthers(states, owner);
    const here = readHere(stored, store, owner, others);
    if (Array.isArray(here)) return here;
    const all = [...others, ...here.more];
    const ahead = locksAhead(here.lock, all);
    if (ahead.length === 0 && here.isWhole) return done([`${store.lockName} is the newest known version`]);
    const departure = explainDeparture(ahead, store.lockName);
    if (departure.length > 0) return departure;
    const isLock = ({ movedTo }: OtherLock): boolean => movedTo === undefined;
    const joined = joinAhead(here.lock, ahead.filter(isLock), all.filter(isLock), newName);
    await store.replace(renderLock(joined), stored.version);
    const places = ahead.map(({ where }) => where).join(" and ");
    return done([`${store.lockName}: merged with ${places}; now serial ${joined.serial}`, ...told(joined)]);
  });
}

/** Merges the two sides of a git conflict in the lock. */
export async function mergeLock(request: PlanRequest): Promise<RepairResult> {
  return await withStore(request, async (store, owner, { fleet, directory }) => {
    const name = fleet ? lockFileName(fleet.settings) : "";
    const sides = store.memory && (await readMergeSides(directory, name));
    if (!sides) {
      const hint = "to restore a lock that git has set back, use `agentform lock restore`";
      return [error("lock-conflict", undefined, `git has no conflict in ${store.lockName}`, hint)];
    }
    const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((side) => assemble(side, owner));
    if (Array.isArray(ours)) return ours;
    if (Array.isArray(theirs)) return theirs;
    if (!ours || !theirs) return [];
    const merged = mergeLocks({ base: Array.isArray(base) ? undefined : base, ours, theirs }, newName());
    const { version } = await store.read();
    await store.replace(renderLock(merged), version);
    return done([`${store.lockName}: merged to serial ${merged.serial}; \`git add\` it`, ...told(merged)]);
  });
}

/** Merges three texts of a lock, as passed by git's merge driver, or finds why that fails. */
export function mergeLockTexts(base: string, ours: string, theirs: string): string | Finding[] {
  const parse = (text: string): Lock | Finding[] => {
    return parseLock(text, "agentform.lock", ownerIn(text));
  };
  const [mine, others] = [parse(ours), parse(theirs)];
  if (Array.isArray(mine)) return mine;
  if (Array.isArray(others)) return others;
  const before = parse(base);
  if (mine.workspace !== others.workspace || mine.environment !== others.environment) {
    return [error("lock-foreign", undefined, "the two locks belong to different workspaces or environments")];
  }
  const known = Array.isArray(before) ? undefined : before;
  return renderLock(mergeLocks({ base: known, ours: mine, theirs: others }, newName()));
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

/** Runs a function while the store of a workspace is held; its findings are returned as a refusal. */
async function withStore(
  request: PlanRequest,
  run: (
    store: LockStore,
    owner: LockOwner,
    loaded: LoadedWorkspace & { readonly directory: string },
  ) => Promise<RepairResult | readonly Finding[]>,
): Promise<RepairResult> {
  const loaded = loadWorkspace(request);
  if (!loaded.fleet) return { status: "refused", changes: [], diagnostics: loaded.diagnostics };
  const { settings } = loaded.fleet;
  const store = await openStore(settings, locationOf(request));
  const { directory } = request;
  const ended = await holding(store, loaded, async () => {
    const result = await run(store, ownerOf(settings), { ...loaded, directory });
    if ("status" in result) return result;
    const diagnostics = loaded.locate([...result]);
    return {
      status: hasErrors(diagnostics) ? ("refused" as const) : ("done" as const),
      changes: [],
      diagnostics,
    };
  });
  return { changes: [], ...ended };
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
): Here | Finding[] {
  const whole = assembleState({ ...stored, holder: null }, owner, store);
  if (!Array.isArray(whole)) return { lock: whole.lock, isWhole: true, more: [] };
  if (whole.some(({ code }) => code === "lock-moved" || code === "lock-moving")) return whole;
  const alone = assemble({ lock: stored.lock, journal: null }, owner);
  const lock = Array.isArray(alone) ? emptyLock(owner, others[0]?.lock.lineage ?? "") : alone;
  const { journal } = stored;
  if (journal === null) return { lock, isWhole: false, more: [] };
  const parsed = parseJournal(journal, store.journalName);
  if (Array.isArray(parsed)) return parsed;
  const base = others.find(({ lock: other }) => writesOf(other)[0] === parsed.header?.after);
  const state = base && continueLock(base.lock, { journal, holder: null }, owner, store.journalName);
  if (!state || Array.isArray(state)) return whole;
  return { lock, isWhole: false, more: [{ lock: state.lock, where: store.journalName }] };
}

function assemble(state: Omit<OtherState, "where">, owner: LockOwner): Lock | Finding[] {
  const names = { lockName: "agentform.lock", journalName: "agentform.lock.journal" };
  const assembled = assembleState({ ...state, version: null, holder: null }, owner, names);
  return Array.isArray(assembled) ? assembled : assembled.lock;
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
