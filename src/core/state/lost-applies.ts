import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Lock } from "./lock.js";
import type { LockStore } from "./lock-store.js";
import { isOutgrown, writesOf } from "./lock-writes.js";

/** What of a state cannot be read, or goes on from what is not there. */
interface UnreadState {
  /** The text of a lock that cannot be read. */
  readonly unread?: string;
  /** What a journal says of the lock that it goes on from, if that is not known. */
  readonly base?: Pick<Lock, "lineage" | "serial" | "writes">;
}

type NamedStore = Pick<LockStore, "lockName" | "journalName" | "opens">;

/** Finds that a state names an apply which none of some locks has: to put these in its place would lose its IDs. */
export function explainLost(
  { unread = "", base }: UnreadState,
  locks: readonly Lock[],
  store: NamedStore,
  isReadable: boolean,
): Finding | undefined {
  if (isNoLock(unread)) return explainNoLock(store);
  const alone = unknownWrites(writesIn(unread), locks);
  if (alone.length > 0) return explainAlone(alone, store);
  const isLost =
    base && unknownWrites([base.writes], locks).length > 0 && !locks.some((lock) => isOutgrown(base, lock));
  return isLost ? explainBefore(base.writes, store, isReadable) : undefined;
}

// Such as an encrypted one, of which nothing says what it has.
function isNoLock(text: string): boolean {
  return !/^[\s\0\uFFFD]*(?:[{<]|$)/.test(text);
}

function writesIn(text: string): string[] {
  // As UTF-16, which some shells write, each letter has one of 0 beside it.
  const named = text.replaceAll("\0", "").matchAll(/"writes?"\s*:\s*"([0-9a-f]{16}(?: [0-9a-f]{16})*)"/g);
  return [...named].flatMap(([, writes = ""]) => writesOf({ writes }));
}

function unknownWrites(names: readonly string[], locks: readonly Lock[]): string[] {
  const known = new Set(locks.flatMap(writesOf));
  for (const { resources } of locks) for (const { write = "" } of Object.values(resources)) known.add(write);
  return [...new Set(names)].filter((name) => !known.has(name));
}

function explainAlone(writes: readonly string[], { lockName, opens }: NamedStore): Finding {
  const some = bare({ nonce: writes.slice(0, 3) });
  const message = say`${bare({ lock: lockName })} cannot be read, and no other version has the applies that it names (${some}): their IDs would be lost`;
  const sealed = opens ? ", and then `agentform lock seal`" : "";
  const hint = `fetch the history, or merge the commit that it came from, and run this again; or put its text right by hand, with the entries of both sides of a merge${sealed}; or write down its IDs, remove the file, run this again, and then \`agentform lock resolve ADDRESS --adopt ID\` for each`;
  return error("lock-damaged", undefined, message, hint);
}

// A cherry-pick takes the journal of a killed apply without the one before it.
function explainBefore(
  write: string,
  { lockName, journalName, opens }: NamedStore,
  hasLock: boolean,
): Finding {
  const message = say`${bare({ lock: journalName })} goes on from an apply that no version has (${bare({ nonce: write })}): what that one made would be lost, and made again`;
  const sealed = opens ? ", and run `agentform lock seal`" : "";
  const name = say`write \`${bare({ nonce: write })}\` before the others into \`writes\` of ${bare({ lock: lockName })}${sealed}`;
  const remove = "write down its IDs, remove the journal";
  const lost = hasLock ? name : remove;
  const hint = say`fetch the history, or merge the commit before it, which has the lock of that apply, and run this again; or, if that is lost for good, ${lost}, run this again, and then \`agentform lock resolve ADDRESS --adopt ID\` for each object that is missing`;
  return error("journal-foreign", undefined, message, hint);
}

function explainNoLock({ lockName }: NamedStore): Finding {
  const message = say`${bare({ lock: lockName })} is not the text of a lock, so whether it has applies that nothing else has is not known: their IDs would be lost`;
  const hint = `if it is encrypted, as by git-crypt, decrypt it, and plan again; if somebody wrote over it, remove it, and run this again`;
  return error("lock-damaged", undefined, message, hint);
}
