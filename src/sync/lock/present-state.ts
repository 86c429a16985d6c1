import { refused, type Checked } from "../../core/finding/checked.js";
import type { Finding } from "../../core/finding/diagnostic.js";
import { begunUnsealed, soundPart } from "../../core/state/journal.js";
import { emptyLock, type Lock, type LockOwner } from "../../core/state/lock.js";
import { StateSealError, type LockStore, type StoredState } from "../../core/state/lock-store.js";
import { writesOf } from "../../core/state/lock-writes.js";
import {
  departedLock,
  isTrusted,
  locksAhead,
  newestAfter,
  type OtherLock,
} from "../../core/state/newest-lock.js";
import { madeBy } from "../../core/state/replay.js";
import { assembleState, continueLock, sealRefusal } from "../../core/state/stored-state.js";

/** The present state, which git may have set back or combined. */
export interface Here {
  readonly lock: Lock;
  /** Whether lock and journal could be read as one state. */
  readonly isWhole: boolean;
  /** The text of the lock, if it cannot be read. */
  readonly unread?: string;
  /** What the journal's apply did: the journal applied to a lock other than the present one, if that is known. */
  readonly more: readonly OtherLock[];
  /** What the journal says of the lock that it goes on from, if that is not known. */
  readonly base?: Pick<Lock, "lineage" | "serial" | "writes">;
  /** The journal, if it is more than could be merged. */
  readonly aside?: string;
  /** The addresses of what the journal says was begun, in lines whose seal is not right. */
  readonly unsealed?: readonly string[];
}

// Not damaged: it is known what it is, or a newer version knows it.
const notReplaced: ReadonlySet<string> = new Set(["lock-moved", "lock-moving", "lock-format"]);

const unreadable: ReadonlySet<string> = new Set(["lock-damaged", "lock-conflict"]);

/** Reads the present state, even if git has combined a lock and a journal that do not belong together. */
export function readHere(
  stored: StoredState,
  store: LockStore,
  owner: LockOwner,
  others: readonly OtherLock[],
): Checked<Here> {
  const whole = assembleState({ ...stored, holder: null }, owner, store);
  if (whole.ok) return { ok: true, lock: whole.lock, isWhole: true, more: [] };
  const departed = departedLock(stored.lock, owner);
  const returned = departed && newestAfter(departed.lock, others);
  if (returned) {
    const { lock } = returned;
    return { ok: true, lock, isWhole: false, ...readJournal(stored, lock, { store, owner, others }) };
  }
  if (whole.problems.some(({ code }) => notReplaced.has(code))) return whole;
  const alone = assembleState({ ...stored, journal: null }, owner, store);
  if (!alone.ok && others.length === 0) return refused(alone.problems.map(withoutEarlier));
  const lock = alone.ok ? alone.lock : emptyLock(owner, others[0]?.lock.lineage ?? "");
  const ofJournal = readJournal(stored, lock, { store, owner, others });
  // Without a lock, a journal of which nothing can be read is all that there is.
  if (lock.lineage === "" && ofJournal.more.length === 0) return refused(whole.problems.map(withoutEarlier));
  const isUnread = !alone.ok && alone.problems.some(({ code }) => unreadable.has(code));
  return { ok: true, lock, isWhole: false, ...(isUnread && { unread: stored.lock ?? "" }), ...ofJournal };
}

/** Reads what the apply of a journal did that does not belong to the lock beside it. */
function readJournal(
  stored: StoredState,
  lock: Lock,
  { store, owner, others }: { store: LockStore; owner: LockOwner; others: readonly OtherLock[] },
): Pick<Here, "more" | "base" | "aside" | "unsealed"> {
  const { journal, sealedPart } = stored;
  if (journal === null) return { more: [] };
  const sound = soundPart(journal, sealedPart);
  const after = sound.header?.after;
  const base =
    after === undefined ? undefined : others.find(({ lock: other }) => writesOf(other)[0] === after);
  const state = base && continueLock(base.lock, { ...stored, holder: null }, owner, store.journalName);
  const made = state?.ok ? state.lock : madeBy(sound, lock);
  const more = made ? [{ lock: made, where: store.journalName }] : [];
  const unsealed = sealedPart === undefined ? [] : begunUnsealed(journal, sealedPart);
  const missing = made && after !== undefined && !base && { base: { ...made, writes: after } };
  return {
    more,
    ...missing,
    ...(!state?.ok && { aside: journal, ...(unsealed.length > 0 && { unsealed }) }),
  };
}

/** Reads the later version of a state that git took back; throws StateSealError if none has a right seal. */
export function readLater(
  stored: StoredState,
  store: LockStore,
  owner: LockOwner,
  others: readonly OtherLock[],
): Checked<Here> {
  const { journal, isJournalRight } = stored;
  const named = assembleState({ ...stored, journal: null }, owner, store);
  const newest = named.ok ? newestAfter(named.lock, others) : undefined;
  if (!newest) {
    const refusal = sealRefusal(stored.seal === "missing" ? "missing" : "wrong", store.lockName, owner);
    if (!named.ok) throw refusal;
    const [ahead] = locksAhead(named.lock, others.filter(isTrusted));
    // To seal it would be refused as well, for it lacks an apply, or its journal is another's.
    const isMixed = !assembleState({ ...stored, holder: null }, owner, store).ok;
    const hint = ahead ? putBack(ahead) : isMixed ? separateHint : refusal.hint;
    throw new StateSealError(refusal.code, refusal.said, hint);
  }
  const { lock } = newest;
  const made = isJournalRight
    ? readJournal(stored, lock, { store, owner, others })
    : { more: [], ...(journal !== null && { aside: journal }) };
  return { ok: true, lock, isWhole: false, ...made };
}

const separateHint = `its journal does not belong to its lock, so \`agentform lock seal\` refuses it, too: put back the version of the lock that is sealed (\`git checkout COMMIT -- FILE\`, or the copy in \`.agentform/\`), or remove the journal, if it is of another state, and run this again`;

function putBack({ where }: OtherLock): string {
  return `it does not contain what ${where} has, which is sealed: put that version of the lock back (\`git checkout COMMIT -- FILE\`, or the copy in \`.agentform/\`), and run this again`;
}

// The hint of a state that cannot be read leads to what was just done.
function withoutEarlier(problem: Finding): Finding {
  if (problem.code !== "lock-damaged" && problem.code !== "journal-damaged") return problem;
  const hint = `no earlier version of it is known here: put a backup in its place; or remove it, and say which IDs there are with \`agentform lock resolve ADDRESS --adopt ID\``;
  return { ...problem, hint };
}
