import { choiceOf, stateOptions } from "./state-choice.js";
import { refused, type Checked } from "../finding/checked.js";
import { error } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { parseJournal, type Journal } from "./journal.js";
import { emptyLock, isSameOwner, lockFormat, type Lock } from "./lock.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { writesOf } from "./lock-writes.js";
import { State } from "./state.js";

/** Applies a journal to a lock; a journal of a different lock is refused, one that the lock already contains is ignored. */
export function replay(lock: Lock, journal: Journal, file: string): Checked<{ readonly state: State }> {
  const state = new State(lock);
  const { header } = journal;
  if (!header) return { ok: true, state };
  const restoring = `run \`agentform lock restore${stateOptions(choiceOf(header))}\`, which puts what it did into the lock, and keeps every ID`;
  if (header.lineage !== lock.lineage && lock.serial > 0) {
    return refused([
      error("journal-foreign", { file, offset: 0 }, "the journal belongs to a different lock", restoring),
    ]);
  }
  if (header.serial > lock.serial) {
    const message = say`the journal continues serial ${{ serial: header.serial }} of the lock, but the lock has serial ${{ found: lock.serial }}`;
    return refused([error("journal-foreign", { file, offset: 0 }, message, restoring)]);
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

/** Gives what the apply of a journal did, as a version to merge with a lock that the journal does not continue. */
export function madeBy({ header, records }: Journal, lock: Lock): Lock | undefined {
  if (!header || !isSameOwner(header, lock)) return undefined;
  const updated = records.flatMap((each) => {
    if (each.type === "claim") return (each.updates ?? []).map(({ address }) => address);
    return each.type === "begin" && each.operation === "update" ? [each.address] : [];
  });
  const known = updated.flatMap((address) => {
    const entry = lock.resources[address];
    return entry ? [[address, entry] as const] : [];
  });
  // What it found is not known; of what it updated and deleted, the lock has the IDs.
  const { service } = header;
  const resources = Object.fromEntries(known);
  const state = new State({ ...emptyLock(lock, header.lineage), service, resources, retired: lock.retired });
  for (const record of records) state.advance(record);
  state.settle();
  return { ...state.lock, serial: header.serial, writes: header.write };
}

/** Whether a journal goes on from exactly this lock, null for none and sealed or not, which so has nothing of it. */
export function beginsAt(journal: string, lock: string | null): boolean {
  const parsed = parseJournal(journal, "");
  const header = parsed.ok ? parsed.header : undefined;
  if (!header) return false;
  if (lock === null) return header.serial === 0;
  const { value } = parseJson(lock);
  if (!isObject(value) || value.format !== lockFormat || typeof value.writes !== "string") return false;
  const [last] = writesOf({ writes: value.writes });
  return header.lineage === value.lineage && header.serial === value.serial && header.after === last;
}
