import { refused, type Checked } from "../finding/checked.js";
import { error } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import type { Journal } from "./journal.js";
import type { Lock } from "./lock.js";
import { writesOf } from "./lock-writes.js";
import { State } from "./state.js";

const restoring = "run `agentform lock restore` to merge both, if git has the other lock";

/** Applies a journal to a lock; a journal of a different lock is refused, one that the lock already contains is ignored. */
export function replay(lock: Lock, journal: Journal, file: string): Checked<{ readonly state: State }> {
  const state = new State(lock);
  const { header } = journal;
  if (!header) return { ok: true, state };
  const hint = "restore the lock that it belongs to; removing the journal would lose the IDs in it";
  if (header.lineage !== lock.lineage && lock.serial > 0) {
    return refused([
      error("journal-foreign", { file, offset: 0 }, "the journal belongs to a different lock", hint),
    ]);
  }
  if (header.serial > lock.serial) {
    const message = say`the journal continues serial ${{ serial: header.serial }} of the lock, but the lock has serial ${{ found: lock.serial }}`;
    return refused([error("journal-foreign", { file, offset: 0 }, message, hint)]);
  }
  const writes = writesOf(lock);
  const isAfterAnother = header.after !== undefined && header.after !== writes[0];
  // A lock is replaced before its journal is removed, so the lock contains an older journal already.
  const isIn = header.serial < lock.serial;
  if (isIn ? !writes.includes(header.write) : isAfterAnother) {
    const message = say`the journal continues serial ${{ serial: header.serial }} of a lock that this one does not contain`;
    return refused([error("journal-foreign", { file, offset: 0 }, message, restoring)]);
  }
  if (isIn) return { ok: true, state };
  const { lineage, service, settings } = header;
  const continued = new State({ ...lock, lineage }, { service, ...(settings && { settings }) });
  for (const record of journal.records) continued.advance(record);
  return { ok: true, state: continued };
}
