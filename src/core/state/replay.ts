import { choiceOf, stateOptions } from "./state-choice.js";
import { refused, type Checked } from "../finding/checked.js";
import { error } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { hash } from "../../digest.js";
import type { JournalHeader } from "../../generated/journal.js";
import type { Journal } from "./journal.js";
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
  if (header ? !isSameOwner(header, lock) : records.length === 0 || lock.lineage === "") return undefined;
  // That of a journal without its first line is known by its place, and its name by what it has.
  const write = header?.write ?? hash(JSON.stringify(records)).slice("sha256:".length, "sha256:".length + 16);
  const { lineage, serial, service } = header ?? lock;
  const updated = records.flatMap((each) => {
    if (each.type === "claim") return (each.updates ?? []).map(({ address }) => address);
    return each.type === "begin" && each.operation === "update" ? [each.address] : [];
  });
  const known = updated.flatMap((address) => {
    const entry = lock.resources[address];
    return entry ? [[address, entry] as const] : [];
  });
  // What it found is not known; of what it updated and deleted, the lock has the IDs.
  const resources = Object.fromEntries(known);
  const state = new State({
    ...emptyLock(lock, lineage),
    ...(service && { service }),
    resources,
    retired: lock.retired,
  });
  for (const record of records) state.advance(record);
  state.settle();
  return { ...state.lock, serial, writes: write };
}

/** Whether a journal goes on from this lock, null for none and sealed or not, or from a later one, so that this one has nothing of it. */
export function beginsAfter(header: JournalHeader, lock: string | null): boolean {
  const { value } = parseJson(lock ?? "");
  // What cannot be read has nothing of it, either.
  if (!isObject(value)) return true;
  if (value.format !== lockFormat || typeof value.writes !== "string") return false;
  const { lineage, serial, writes } = value;
  if (header.lineage !== lineage || typeof serial !== "number" || header.serial < serial) return false;
  return !writesOf({ writes }).includes(header.write);
}
